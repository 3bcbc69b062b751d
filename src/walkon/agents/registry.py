"""The agents by name, and `agent`, which makes one that is ready to play.

Other packages add agents by an entry point of the group `walkon.agents`, from a name to a subclass of `AgentBase`.
"""

from collections.abc import Callable, Sequence
from typing import Any

from walkon.agents.agent import Agent, AgentBase, Needs, problem_of
from walkon.agents.alarm import Alarm, Fallback, WithAlarm, refuse_senses
from walkon.agents.assistant import Assistant
from walkon.agents.atpo import ATPO, GreedyATPO, PerseusAgent, RandomPicker
from walkon.agents.atpo_q import ATPOQ, LookingAhead, Searching
from walkon.agents.baselines import RandomAgent, ValueIterationAgent
from walkon.agents.bayes import Bayes
from walkon.agents.bopa import BOPA, SeeingBOPA
from walkon.agents.inference import Inference
from walkon.agents.search import Search
from walkon.agents.tebopa import TEBOPA
from walkon.agents.tracking import PARTICLES, Tracking
from walkon.checks import drawn_seed, index_of
from walkon.errors import InputError
from walkon.models.mdp import MDP
from walkon.plugins import Registry
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.policies.tabular import TabularPolicy
from walkon.shipped.policies import shipped_policy
from walkon.solvers.defaults import Effort
from walkon.solvers.parallel import solve_all
from walkon.solvers.solution import Solution
from walkon.solvers.solve import Solver
from walkon.tasks import Task, TaskLibrary
from walkon.tasks.given import check_library

OURS: tuple[type[AgentBase[Any]], ...] = (
    ATPO,
    GreedyATPO,
    Bayes,
    ATPOQ,
    LookingAhead,
    Searching,
    Search,
    BOPA,
    TEBOPA,
    SeeingBOPA,
    Assistant,
    PerseusAgent,
    ValueIterationAgent,
    RandomAgent,
    RandomPicker,
)


class Agents(Registry[type[AgentBase[Any]]]):
    """The classes of all agents by name."""

    def title(self, name: str) -> str:
        """The title of an agent in tables, figures and claims; its name if no such agent is known."""
        return self[name].title if name in self else name


def _accept(name: str, found: Any) -> type[AgentBase[Any]]:
    """Check a class of another package."""
    if not isinstance(found, type) or not issubclass(found, AgentBase):
        raise InputError(f"it is {found!r:.60}, expected a subclass of walkon.agents.agent.AgentBase")
    if lacks := [part for part in ("name", "title", "summary") if not isinstance(getattr(found, part, None), str)]:
        raise InputError(f"it does not say its {lacks[0]}: give the class {lacks[0]} = ...")
    if found.name != name:
        raise InputError(f"it calls itself {found.name!r}: give both one name")
    return found


AGENTS = Agents("agent", {kind.name: kind for kind in OURS}, _accept)


def agent(
    name: str,
    library: TaskLibrary,
    *,
    solver: Solver | None = None,
    effort: Effort = "usual",
    seed: int | None = 0,
    prior: Any = None,
    policies: Sequence[Any] | None = None,
    target: int | str | None = None,
    task: int | str | None = None,
    hazard: float = 0.0,
    particles: int | None = None,
    alarm: float | None = None,
    alternatives: Sequence[TaskLibrary] | None = None,
    fallback: Fallback = "go on",
    jobs: int | None = None,
    watch: Callable[[int, int], None] | None = None,
    **options: Any,
) -> Agent[Any]:
    """Make an agent that is ready to join a team.

    Args:
        name: One of `walkon list`.
        library: The tasks that it holds possible.
        solver: The solver for POMDPs; that of `walkon.solvers.defaults` if not given. MDPs are solved by value
            iteration.
        effort: How long the default solver may take: "quick", "usual" or "thorough".
        seed: The seed of all random choices, the solver's and the agent's own; None draws one.
        prior: The belief over tasks before the first observation, [K]; uniform if not given.
        policies: Ready policies (or solutions), one for each task: nothing is then solved.
        target: The task that is going on, by its number or name, for agents that are told it.
        task: The same as `target`.
        hazard: How likely the teammates change their task at each step, for agents that infer it.
        particles: The most states that a belief over one task's states holds, where the library has no tables; 1000 if
            not given. A belief with fewer possible states is exact.
        alarm: The highest chance of a false alarm in a whole episode: the agent then watches whether anything in its
            library is going on (`Memory.suspicion`). Not for agents that sense more than the observation.
        alternatives: Other libraries that the alarm compares the library with; other noise levels if not given.
        fallback: What the agent does after an alarm: "go on", "uniform", or a policy, from its memory to
            probabilities [A].
        jobs: How many processes solve; as many as there are cores if not given.
        watch: Called with the number of problems that are solved, and of all.
        options: The agent's own. BOPA has `evidence`, what its task belief follows: "observations" or "transitions".
            `atpo-search` has `budget`, how many simulations it makes for each decision, or `seconds`, how long it
            searches; and `explore`, how wide its confidence bounds are. `search` has `simulations` or `seconds` for
            each decision, `depth`, how many steps it looks ahead, and `explore`.
    """
    if isinstance(name, TaskLibrary | Task):
        raise InputError('the name comes before the library, as in walkon.agent("atpo", library)')
    kind = AGENTS[name]
    check_library(library)
    seed = drawn_seed(seed)
    needs, chosen = kind.needs, kind.chosen(options)
    observes = "observation" in kind.senses
    if target is not None and task is not None:
        raise InputError(f"target is {target!r:.60} and task is {task!r:.60}: they mean the same, give one")
    told_task = task if target is None else target
    if needs.informed:
        library, policies = _alone(name, library, told_task, policies)
    elif told_task is not None:
        which = "task" if target is None else "target"
        raise InputError(f"{name} is not told the task: leave {which}={told_task!r:.60} out")
    if hazard and (needs.informed or not observes):
        raise InputError(f"{name} does not infer the task: leave hazard={hazard} out")
    if alarm is not None:
        refuse_senses(name, kind.senses)
    if alarm is None and (alternatives or fallback != "go on"):
        raise InputError("alternatives and fallback are for an agent with an alarm: give alarm=0.05 too")
    ready: tuple[Any, ...] = ()
    if not library.tables:
        if alarm is not None:
            reason = "an alarm keeps its promise only where every likelihood is exact, which takes tables"
            raise InputError(f"{reason}: leave alarm={alarm!r:.20} out, or define the library with tables")
        _refuse_rules(kind, library, policies=policies, solver=solver)
        tracking: Any = Tracking(library, prior, PARTICLES if particles is None else particles, seed, hazard)
        return kind(tracking, ready, chosen, seed)
    if particles is not None:
        raise InputError(f"the library has tables, so beliefs are exact: leave particles={particles!r:.60} out")
    inference = Inference(library, None if needs.informed else prior, hazard)
    if needs.model and policies is not None:
        ready = _check(policies, library, needs, name)
    elif needs.model:
        problems = needs.problems(library, inference.prior, 0)
        method = needs.solver(problems, solver, effort)
        ready = _solved(problems, method, seed, jobs, watch)
    made = kind(inference, ready, chosen, seed)
    return made if alarm is None else WithAlarm(made, Alarm(inference, alarm, alternatives), fallback)


def _solved(
    problems: Sequence[MDP], solver: Solver, seed: int, jobs: int | None, watch: Callable[[int, int], None] | None
) -> tuple[Any, ...]:
    """Return the policies that solving gives; where walkon comes with all of them, nothing is solved."""
    shipped = tuple(shipped_policy(problem, solver, seed) for problem in problems)
    if None in shipped:
        return tuple(each.policy for each in solve_all(problems, solver, seed=seed, jobs=jobs, watch=watch))
    if watch is not None:
        watch(len(shipped), len(shipped))
    return shipped


def _refuse_rules(kind: type[AgentBase[Any]], library: TaskLibrary, **given: Any) -> None:
    """Refuse what needs tables."""
    if not kind.plays_rules:
        can = ", ".join(f'"{name}"' for name, each in AGENTS.working().items() if each.plays_rules)
        raise InputError(f"{kind.name} needs tables, and the library has none: these agents do without, {can}")
    for word, value in given.items():
        if value:
            raise InputError(
                f"{word} needs tables, and the library has none: leave {word} out, or walkon.define(tasks)"
            )
    if kind.needs.model and (lacks := [task.name for task in library if not getattr(task, "advised", False)]):
        remedy = f'give it a function advice(x), or take the agent "{Search.name}"'
        raise InputError(
            f'{kind.name} follows advice where there are no tables, and task "{lacks[0]}" has none: {remedy}'
        )


def usual(library: TaskLibrary) -> str:
    """The agent for a library if nobody says which: ATPO; without tables and advice, search."""
    advised = library.tables or all(getattr(task, "advised", False) for task in library)
    return ATPO.name if advised else Search.name


def told(name: str, task: int) -> int | None:
    """The target of an agent in a task: the task itself, if the agent is told it."""
    return task if AGENTS[name].needs.informed else None


def _alone(
    name: str, library: TaskLibrary, target: int | str | None, policies: Sequence[Any] | None
) -> tuple[TaskLibrary, Sequence[Any] | None]:
    """The library of the told task, and its policy."""
    if target is None:
        raise InputError(f"{name} is told the task: say which, as in walkon.agent({name!r}, library, target=0)")
    k = index_of("target", target, len(library), library.names)
    if policies is not None and len(policies) == len(library):
        policies = [policies[k]]
    return TaskLibrary([library[k]]), policies


def _check(policies: Sequence[Any], library: TaskLibrary, needs: Needs, name: str) -> tuple[Any, ...]:
    """Check the policies that were given against what the agent needs."""
    places = needs.places(len(library), 0)
    if len(policies) != len(places):
        wanted = " for each" if None not in places else f": {name} has one plan for all tasks"
        raise InputError(f"{len(policies)} policies were given for {len(library)} tasks: expected one{wanted}")
    ready = tuple(each.policy if isinstance(each, Solution) else each for each in policies)
    expected = TabularPolicy if needs.kind(library.observed) == "mdp" else AlphaVectors
    for k, (policy, place) in enumerate(zip(ready, places, strict=True)):
        if not isinstance(policy, expected):
            raise InputError(f"policies[{k}] is a {type(policy).__name__}, expected {expected.__name__}")
        if isinstance(policy, TabularPolicy):
            states, actions = policy.table.shape
        else:
            states, actions = policy.state_count, policy.action_count
        X, A = problem_of(library, place).R.shape
        if (states, actions) != (X, A):
            what = "the union of all tasks" if place is None else f'task {k} ("{library[place].name}")'
            raise InputError(f"policies[{k}] is for {states} states and {actions} actions, but {what} has {X} and {A}")
    return ready
