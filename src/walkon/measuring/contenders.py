"""The agents of a comparison: agents of walkon and of other packages by name, with options, and agents of your own.

By name, an agent is written as "atpo" or, with options, as "bopa:evidence=transitions,hazard=0.05". An agent of your
own is an agent, one agent for each task, or a function of the library that returns either.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, TypeAlias

from walkon.agents.agent import Agent
from walkon.agents.registry import AGENTS, agent
from walkon.checks import share, whole
from walkon.errors import InputError
from walkon.plugins import suggestion
from walkon.solvers.defaults import Effort
from walkon.solvers.parallel import solve_all
from walkon.solvers.solve import Solver
from walkon.tasks import TaskLibrary

Players: TypeAlias = Sequence[Agent[Any]]  # the agent that plays each task, [K]
Wanted: TypeAlias = Sequence[str] | Mapping[str, Any]
COMMON = ("hazard", "alarm", "target")  # options of `walkon.agent` that can be written


@dataclass(frozen=True)
class Contender:
    """An agent by name, with options.

    >>> Contender.of("bopa:evidence=transitions,hazard=0.05").options
    (('evidence', 'transitions'), ('hazard', 0.05))
    """

    name: str
    options: tuple[tuple[str, Any], ...] = ()

    @classmethod
    def of(cls, text: str) -> "Contender":
        """Read an agent as it is written, and check that there is such an agent, and that it has these options."""
        name, _, rest = text.partition(":")
        if "," in name:
            raise InputError(f"{text!r} is more than one agent: give each by itself")
        kind = AGENTS[name]
        own = [field.name for field in fields(kind.Options)]
        options: dict[str, Any] = {}
        for part in filter(None, rest.split(",")):
            option, equals, value = part.partition("=")
            if not equals:
                raise InputError(f"{part!r} of the agent {text!r} is no option: write {name}:option=value")
            if option not in (*own, *COMMON):
                known = ", ".join([*own, *COMMON])
                raise InputError(
                    f"{name} has no option {option!r}{suggestion(option, (*own, *COMMON))}: it has {known}"
                )
            options[option] = plain(value)
        kind.chosen({option: value for option, value in options.items() if option in own})
        return cls(name, tuple(sorted(options.items()))).with_hazard(options.get("hazard", 0.0), strict=True)

    @property
    def label(self) -> str:
        """How it is written."""
        options = ",".join(f"{name}={value}" for name, value in self.options)
        return f"{self.name}:{options}" if options else self.name

    def with_hazard(self, hazard: float, strict: bool = False) -> "Contender":
        """Return the agent with a hazard rate; if it does not infer the task, unchanged, or an error if `strict`."""
        kind, rate = AGENTS[self.name], share("hazard", hazard)
        infers = not kind.needs.informed and "observation" in kind.senses
        if strict and rate and not infers:
            raise InputError(f"{self.name} does not infer the task: leave hazard={hazard} out")
        given = {"hazard": rate} if rate and infers else {}
        return replace(self, options=tuple(sorted((dict(self.options) | given).items())))

    def target(self, task: int, count: int) -> int | None:
        """Return the task that it is told while one of so many is played; None if it is told none."""
        told = dict(self.options).get("target")
        if not AGENTS[self.name].needs.informed:
            if told is not None:
                raise InputError(f"{self.name} is not told the task: leave target={told} out")
            return None
        return task if told is None else whole("target", told, 0, count - 1)


def plain(text: str) -> Any:
    """Return the whole number, the number, or the yes or no that a text holds, else the text.

    >>> [plain(text) for text in ("3", "0.5", "yes", "transitions")]
    [3, 0.5, True, 'transitions']
    """
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return {"yes": True, "no": False}.get(text, text)


def contenders(
    names: Sequence[str],
    library: TaskLibrary,
    *,
    solver: Solver | None = None,
    effort: Effort = "usual",
    seed: int = 0,
    outside: int | None = None,
    watch: Callable[[int, int], None] | None = None,
) -> dict[str, Players]:
    """Make the agents of these names, one for each task, [K]. Nothing is solved twice.

    Args:
        names: Names that `walkon list` shows, each with options if wanted, as in "atpo:hazard=0.05".
        library: The tasks.
        solver: Solves the tasks' POMDPs, as for `walkon.agent`. The union of all tasks has its own solver.
        effort: How much effort to put into solving where no solver is given.
        seed: Determines all random choices of the solver.
        outside: A task that agents do not know, unless they are told the task.
        watch: Is called with the number of problems solved so far, and their total.
    """
    if isinstance(names, str):
        raise InputError(f"names is {names!r:.60}, expected a list of names: [{names!r:.60}]")
    wanted = [Contender.of(name) for name in names]
    K = len(library)
    solved: dict[Solver, Sequence[Any]] = {}
    ready: dict[str, Players] = {}
    for each in wanted:
        each.target(0, K)
    for text, each in zip(names, wanted, strict=True):
        needs, policies = AGENTS[each.name].needs, None
        options = {name: value for name, value in each.options if name != "target"}
        known, others = library, list(range(K))
        if outside is not None and not needs.informed:
            known, others = without(library, outside), [k for k in range(K) if k != outside]
        if needs.model and needs.scope != "all at once" and library.tables:
            problems = replace(needs, scope="each task").problems(library)
            method = needs.solver(problems, solver, effort)
            if method not in solved:
                solved[method] = solve_all(problems, method, seed=seed, watch=watch)
            policies = [solved[method][k] for k in others]
        if needs.informed:
            told = [each.target(k, K) for k in range(K)]
            made = {k: agent(each.name, library, target=k, policies=policies, **options) for k in set(told)}
            ready[text] = [made[k] for k in told]
        else:
            one = agent(each.name, known, effort=effort, seed=seed, watch=watch, policies=policies, **options)
            ready[text] = [one] * K
    return ready


def without(library: TaskLibrary, task: int) -> TaskLibrary:
    """Return a library without one of its tasks."""
    if len(library) < 2:
        raise InputError("the library has one task: agents would know none; leave out no task")
    whole("the task that agents do not know", task, 0, len(library) - 1)
    return TaskLibrary([each for k, each in enumerate(library) if k != task])


def own_players(name: str, given: Any, library: TaskLibrary, known: TaskLibrary) -> Players:
    """Return the agent of your own that plays each task, [K], from what was given: see above.

    A function is called with the tasks that the agent may know, which are the library if none is left out.
    """
    made = given(known) if callable(given) and not hasattr(given, "act") else given
    if isinstance(made, type):
        raise InputError(f"agent {name!r} is a class, expected an agent or a function of the library that returns one")
    players = list(made) if isinstance(made, list | tuple) else [made] * len(library)
    if len(players) != len(library):
        raise InputError(f"agent {name!r} has {len(players)} agents for {len(library)} tasks, expected one for each")
    for each in players:
        if not all(hasattr(each, part) for part in ("library", "senses", "identifies", "start", "act", "update")):
            raise InputError(
                f"agent {name!r} is {each!r:.60}, expected an agent, such as walkon.agent(...) or walkon.player(...)"
            )
    return players


def players_of(agents: Wanted, library: TaskLibrary, outside: int | None = None, **how: Any) -> dict[str, Players]:
    """Return the agents of a comparison by name: those that are given by name are made, with `how` for `contenders`."""
    if isinstance(agents, str) or not isinstance(agents, Mapping | Sequence):
        raise InputError(f'agents is {agents!r:.60}, expected names, as in ["atpo", "random"], or agents by name')
    given = dict(agents) if isinstance(agents, Mapping) else dict.fromkeys(agents)
    if len(given) < len(agents):
        twice = next(name for i, name in enumerate(agents) if name in list(agents)[:i])
        raise InputError(f"the agent {twice!r} is given twice: give it once, or with other options")
    texts = {name: name if what is None else what for name, what in given.items()}
    for name in texts:
        if not isinstance(name, str):
            raise InputError(f"agents contains {name!r:.60}, expected a name: give an agent as {{'mine': agent}}")
    if not texts:
        raise InputError("there is no agent to compare: give at least one")
    by_name = list(dict.fromkeys(what for what in texts.values() if isinstance(what, str)))
    made = contenders(by_name, library, outside=outside, **how)
    known = library if outside is None else without(library, outside)
    return {
        name: made[what] if isinstance(what, str) else own_players(name, what, library, known)
        for name, what in texts.items()
    }
