"""The figures beyond the paper, by name; see `walkon.paper.beyond` for their sweeps."""

from functools import partial

from walkon.figures import by_agent, by_setting, libraries, losses
from walkon.paper.figures import LINES, SOUPS, STEPS, PaperFigure

LOSS = (
    "Where each agent's loss comes from, in discounted return against Value Iteration. Not seeing the state: the agent "
    "that knows the task, against Value Iteration. Not knowing the task: from there to the proven upper bound on what "
    "any agent can earn without it. The task, or solving: from the bound to Bayes; how much of it is the price of the "
    "task and how much approximate solving is not known. Not planning for information: from Bayes to the agent."
)
FIXED = "Four libraries at each point, fixed by seed, take turns."
DOMAINS = {"night": "Night-time Pursuit", "pursuit": "Pursuit under partial observability", "overcooked": "Overcooked"}
VARIED = {"size": "larger rooms", "noise": "more noise", "tasks": "more tasks to tell apart"}
DRAWN = {"size": by_setting.draw_size, "noise": by_setting.draw_noise, "tasks": by_setting.draw_tasks}

BEYOND = {
    figure.name: figure
    for figure in (
        *(
            PaperFigure(
                name=f"beyond-{name}",
                title=f"{domain}: {'soups' if name == 'overcooked' else 'steps'}, beyond the paper",
                sweep=f"beyond-{name}",
                data=by_agent.tally_data if name == "overcooked" else by_agent.steps_data,
                picture=partial(by_agent.draw_tally, title=SOUPS) if name == "overcooked" else by_agent.draw_steps,
                text="The tasks and the luck of figure 6a; each dot is a trial." if name == "overcooked" else STEPS,
                each="trials for each agent",
                part="beyond",
            )
            for name, domain in DOMAINS.items()
        ),
        *(
            PaperFigure(
                name=f"losses-{name}",
                title=f"{domain}: where the loss comes from",
                sweep=f"beyond-{name}",
                data=losses.data,
                picture=losses.draw,
                text=LOSS,
                each="trials for each agent",
                part="beyond",
            )
            for name, domain in DOMAINS.items()
        ),
        PaperFigure(
            name="beyond-libraries",
            title="Eleven libraries",
            sweep="beyond-libraries",
            data=libraries.data,
            picture=libraries.draw,
            text="Night-time Pursuit, 5 × 5, noise 0.3, four tasks each: the library of figure 2a and ten that were "
            "drawn from the pool by fixed seeds before anything was measured. Marks are means over trials, bars their "
            "95 % intervals.",
            each="trials for each agent and library",
            part="beyond",
        ),
        *(
            PaperFigure(
                name=f"beyond-{name}-fixed",
                title=f"Night-time Pursuit: {varied}, beyond the paper",
                sweep=f"beyond-{name}-fixed",
                data=by_setting.data,
                picture=DRAWN[name],
                text=f"{LINES} {FIXED}",
                each="trials for each agent and point",
                part="beyond",
            )
            for name, varied in VARIED.items()
        ),
    )
}
