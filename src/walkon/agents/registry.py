"""The agents by name, made ready to play: what they need solved is solved, unless it is given."""

from collections.abc import Callable, Sequence
from typing import Any, Literal

from walkon.agents.agent import Agent
from walkon.agents.alarm import Alarm
from walkon.agents.assistant import Assistant
from walkon.agents.atpo import ATPO, GreedyATPO, Informed, RandomPicker
from walkon.agents.atpo_q import ATPOQ
from walkon.agents.bayes import PLANNING, Bayes
from walkon.agents.bopa import BOPA
from walkon.agents.inference import Inference
from walkon.agents.looking_ahead import BUDGET, LookingAhead, Searching
from walkon.agents.seeing import BestResponse, Random
from walkon.agents.watchful import Fallback, Watchful
from walkon.errors import InputError
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.policies.mixture import Mixture
from walkon.policies.tabular import TabularPolicy
from walkon.solvers.ascent import Ascent
from walkon.solvers.parallel import solve_all
from walkon.solvers.perseus import Perseus
from walkon.solvers.solution import Solution
from walkon.solvers.solve import Solver
from walkon.solvers.value_iteration import ValueIteration
from walkon.tasks import Task, TaskLibrary
from walkon.tasks.union import Union

AGENTS: dict[str, type[Any]] = {
    "atpo": ATPO,
    "atpo-greedy": GreedyATPO,
    "bayes": Bayes,
    "atpo-q": ATPOQ,
    "atpo-look": LookingAhead,
    "atpo-search": Searching,
    "bopa": BOPA,
    "assistant": Assistant,
    "perseus": Informed,
    "value-iteration": BestResponse,
    "random": Random,
    "random-picker": RandomPicker,
}
TOLD = {"perseus", "value-iteration"}  # who is told the task
SEEING = {"bopa", "value-iteration", "atpo-search"}  # whose policies are those of the MDP
# Half a second for a task of 625 states; a count, so that nothing hangs on the clock. A quarter of the walks begin
# anywhere: while the task is unknown, an agent that mixes policies goes where none of them alone would lead.
FAST = Ascent(backups=4_000, wide=0.25)


def agent(
    name: str,
    library: TaskLibrary,
    *,
    solver: Solver | None = None,
    seed: int = 0,
    prior: Any = None,
    policies: Sequence[Any] | None = None,
    target: int | None = None,
    evidence: Literal["observations", "transitions"] = "observations",
    hazard: float = 0.0,
    alarm: float | None = None,
    alternatives: Sequence[TaskLibrary] | None = None,
    fallback: Fallback = "go on",
    budget: int = BUDGET,
    seconds: float | None = None,
    jobs: int | None = None,
    watch: Callable[[int, int], None] | None = None,
) -> Agent:
    """An agent, ready to join a team.

    Args:
        name: One of `AGENTS`.
        library: The tasks that it holds possible.
        solver: What solves the tasks' POMDPs. If not given, `Ascent(backups=4_000, wide=0.25)`, and `Perseus()` for
            the agent of that name. MDPs are solved by value iteration.
        seed: What all of the solver's random choices follow from.
        prior: The belief over tasks before anything is read, [K]; uniform if not given.
        policies: Ready policies (or solutions), one for each task: nothing is then solved.
        target: The task that is going on, for agents that are told it.
        evidence: For BOPA, what its task belief follows: "observations" or "transitions".
        hazard: How likely the teammates change their task at each step, for agents that infer it.
        alarm: The highest chance of a false alarm in a whole episode: the agent then watches whether anything in its
            library is going on (`Memory.suspicion`). Not together with a hazard rate.
        alternatives: Other libraries that the alarm compares the library with; other noise levels if not given.
        fallback: What the agent does after an alarm: "go on", "uniform", or a policy, from its memory to
            probabilities [A].
        budget: For `atpo-search`, how many simulations it makes for each decision.
        seconds: For `atpo-search`, how long it searches for each decision, in place of a budget.
        jobs: How many processes solve; as many as there are cores if not given.
        watch: Is told how many tasks are solved, of how many.
    """
    if name not in AGENTS:
        raise InputError(f"there is no agent called {name!r}: expected one of {', '.join(AGENTS)}")
    if name in TOLD:
        library, policies = _alone(name, library, target, policies)
    elif target is not None:
        raise InputError(f"{name} is not told the task: leave target={target} out")
    if hazard and (name in TOLD or name == "random"):
        raise InputError(f"{name} does not infer the task: leave hazard={hazard} out")
    if alarm is not None and name in ("random", "value-iteration"):
        raise InputError(f"{name} reads nothing that an alarm could weigh: leave alarm={alarm} out")
    if alarm is None and (alternatives or fallback != "go on"):
        raise InputError("alternatives and fallback are for an agent with an alarm: give alarm=0.05 too")
    if name != "atpo-search" and (seconds is not None or budget != BUDGET):
        raise InputError(f"{name} does not search: leave budget and seconds out, or use atpo-search")
    if name == "random":
        return Random(library)
    if name == "bayes":
        inference = Inference(library, prior, hazard)
        planner = _planner(inference, solver, seed, policies, watch)
        return planner if alarm is None else Watchful(planner, Alarm(inference, alarm, alternatives), fallback)
    by_state = name in SEEING or library.observed
    ready: Any = _given(policies, library, by_state)
    if ready is None:
        problems = [task.mdp if by_state else task.pomdp for task in library]
        method = ValueIteration() if by_state else solver or (Perseus() if name == "perseus" else FAST)
        ready = tuple(each.policy for each in solve_all(problems, method, seed=seed, jobs=jobs, watch=watch))
    if name == "value-iteration":
        return BestResponse(library, ready[0])
    inference = Inference(library, None if name in TOLD else prior, hazard)
    made: Agent
    if name == "bopa":
        made = BOPA(inference, ready, evidence)
    elif name == "atpo-search":
        made = Searching(inference, ready, budget, seconds, seed=seed)
    elif name in ("assistant", "atpo-q", "atpo-look"):
        made = AGENTS[name](inference, ready)
    else:
        made = AGENTS[name](inference, Mixture(ready))
    return made if alarm is None else Watchful(made, Alarm(inference, alarm, alternatives), fallback)


def _planner(
    inference: Inference,
    solver: Solver | None,
    seed: int,
    policies: Sequence[Any] | None,
    watch: Callable[[int, int], None] | None,
) -> Bayes:
    """Bayes, with the plan that was given for the union of the tasks, or a new one."""
    union = Union.of(inference.library, inference.prior)
    if policies is not None and len(policies) != 1:
        raise InputError(f"{len(policies)} policies were given, expected one: bayes has one plan for all tasks")
    whole = TaskLibrary([Task.from_pomdp(union.pomdp, name="union")])
    ready: Any = _given(policies, whole, False)
    if ready is None:
        (solution,) = solve_all([union.pomdp], solver or PLANNING, seed=seed, jobs=1, watch=watch)
        ready = (solution.policy,)
    return Bayes(inference, union, Mixture(ready))


def _alone(
    name: str, library: TaskLibrary, target: int | None, policies: Sequence[Any] | None
) -> tuple[TaskLibrary, Sequence[Any] | None]:
    """The library of the task that is told, and its policy."""
    if target is None:
        raise InputError(f"{name} is told the task: say which, as in walkon.agent({name!r}, library, target=0)")
    if not 0 <= target < len(library):
        raise InputError(f"target is {target}, expected a number from 0 to {len(library) - 1}")
    alone = TaskLibrary([library[target]])
    if policies is not None and len(policies) == len(library):
        policies = [policies[target]]
    return alone, policies


def _given(
    policies: Sequence[Any] | None, library: TaskLibrary, by_state: bool
) -> tuple[AlphaVectors | TabularPolicy, ...] | None:
    """The policies that were given, checked against the library."""
    if policies is None:
        return None
    if len(policies) != len(library):
        raise InputError(f"{len(policies)} policies were given for {len(library)} tasks: expected one for each")
    ready = tuple(each.policy if isinstance(each, Solution) else each for each in policies)
    for k, (policy, task) in enumerate(zip(ready, library, strict=True)):
        wanted = TabularPolicy if by_state else AlphaVectors
        if not isinstance(policy, wanted):
            raise InputError(f"policies[{k}] is a {type(policy).__name__}, expected {wanted.__name__}")
        table = policy.table if isinstance(policy, TabularPolicy) else policy.vectors.T
        X, A = task.pomdp.R.shape
        actions = policy.action_count if isinstance(policy, AlphaVectors) else table.shape[1]
        if len(table) != X or actions != A:
            raise InputError(
                f'policies[{k}] is for {len(table)} states and {actions} actions, but task {k} ("{task.name}") has '
                f"{X} and {A}"
            )
    return ready
