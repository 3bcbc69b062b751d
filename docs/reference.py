"""Make the pages of the reference: a table of all public names, and one page for each topic."""

import inspect
from pathlib import Path

import walkon
from walkon.errors import InputError

DOCS = Path(__file__).parent
TOPICS = {  # by topic: the title, the public names, and what is public in other modules
    "problems": (
        "Problems",
        """
        MDP POMDP MMDP Rules tabulate look_first update predict Posterior InputError
        """,
        """
        walkon.models.factored.FactoredPOMDP walkon.models.factored.Factor walkon.models.factored.Variable
        walkon.models.factored.Axis
        """,
    ),
    "solvers": (
        "Solvers and policies",
        """
        solve Solution Progress ValueIteration Perseus Ascent Sarsop QMDP FastInformedBound TabularPolicy
        AlphaVectors OnnxPolicy simulate
        """,
        "",
    ),
    "tasks": (
        "Tasks and worlds",
        """
        make define Task TaskLibrary DecPOMDP Tally trembling alike steps_apart dead_ends learn LogWarning World
        Option
        """,
        """
        walkon.tasks.outline walkon.tasks.chances walkon.tasks.rule_task.RuleTask walkon.tasks.simulator
        walkon.tasks.learning.learn.Learned
        walkon.tasks.learning.held_out.HeldOut walkon.models.dirichlet.DirichletTable
        """,
    ),
    "agents": (
        "Agents",
        """
        agent Agent Percept Memory player Event Alarm losses bound AgentBase BeliefAgent Needs
        UnexplainedWarning
        """,
        """
        walkon.agents.atpo.ATPO walkon.agents.bopa.BOPA walkon.agents.atpo_q walkon.agents.search
        walkon.agents.tracking walkon.agents.memory.Suspicion
        """,
    ),
    "playing": (
        "Playing and measuring",
        """
        play play_many Episode seated logged explain Explanation record compare Comparison contenders
        identify measure replay Replay check_replay
        """,
        """
        walkon.simulation.replay.Replayed walkon.measuring.replay_check.Check
        walkon.paper.figure.Figure walkon.paper.report.write.write_report
        """,
    ),
    "environments": (
        "Environments",
        """
        AdHocEnv VectorAdHocEnv TeamEnv envs
        """,
        "",
    ),
    "files": (
        "Files and pictures",
        """
        save load read_pomdp read_mdp write_pomdp read_pomdpx write_pomdpx read_dpomdp read_policy write_policy
        read_library read_log write_log read_episode write_episode FormatWarning draw_policy
        """,
        """
        walkon.trials.notebook.episode_film walkon.pictures.scene.Scene walkon.caches.CacheWarning
        """,
    ),
    "service": (
        "Service and checks",
        """
        Client StepIn testing
        """,
        """
        walkon.service.client.Session walkon.testing.agents.check_agent walkon.testing.worlds.check_world
        walkon.testing.worlds.check_task walkon.testing.solvers.check_solver
        """,
    ),
}
HEAD = """---
description: Every public name of walkon with a sentence, by the name that you type.
---

# All public names

`import walkon` has these names; each is on the page of its topic, under the name that you type.
"""


def sentence(name: str) -> str:
    """The first sentence of a name's docstring."""
    text = inspect.getdoc(getattr(walkon, name)) or ""
    first = " ".join(text.partition("\n\n")[0].split())
    return first.replace("|", "\\|")


def overview() -> str:
    """Return the page with the table of all names."""
    missing = set(walkon.__all__) - {name for _, names, _ in TOPICS.values() for name in names.split()}
    if missing:
        raise InputError(f"{', '.join(sorted(missing))} is in no topic of {Path(__file__).name}: put it into one")
    parts = [HEAD]
    for topic, (title, names, _) in TOPICS.items():
        rows = [
            f"| [`walkon.{name}`](reference-{topic}.md#walkon.{name}) | {sentence(name)} |" for name in names.split()
        ]
        parts.append("\n".join([f"\n## {title}\n", "| name | |", "|---|---|", *rows]) + "\n")
    return "".join(parts)


def topic_page(topic: str) -> str:
    """Return the page of a topic."""
    title, names, others = TOPICS[topic]
    listed = "".join(f"\n::: walkon.{name}\n" for name in names.split())
    below = "".join(f"\n::: {name}\n" for name in others.split())
    return f"---\ndescription: The reference of walkon, {title.lower()}.\n---\n\n# {title}\n{listed}{below}"


def pages() -> dict[str, str]:
    """Return all pages, by the names of their files."""
    return {"reference.md": overview()} | {f"reference-{topic}.md": topic_page(topic) for topic in TOPICS}


if __name__ == "__main__":
    for name, text in pages().items():
        (DOCS / name).write_text(text, encoding="utf-8")
