"""The front door of the solvers: walkon's own, and those of other packages, by the entry points `walkon.solvers`."""

from collections.abc import Iterator, Mapping
from dataclasses import Field, is_dataclass
from importlib.metadata import entry_points
from typing import Any, ClassVar, Protocol

from walkon.errors import InputError
from walkon.models.mdp import MDP
from walkon.models.pomdp import POMDP
from walkon.solvers.ascent import Ascent
from walkon.solvers.fast_informed_bound import FastInformedBound
from walkon.solvers.perseus import Perseus
from walkon.solvers.qmdp import QMDP
from walkon.solvers.sarsop import Sarsop
from walkon.solvers.solution import Solution, Watch
from walkon.solvers.value_iteration import ValueIteration


class Solver(Protocol):
    """What takes a problem and gives a solution. Its options are its fields."""

    solves: ClassVar[type]
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def solve(self, problem: Any, *, seed: int = 0, watch: Watch | None = None) -> Solution[Any]:
        """Solve a problem of the kind that it solves."""


class Solvers(Mapping[str, type[Solver]]):
    """Solvers by name. One of another package is loaded when it is asked for: a broken one breaks nothing before."""

    def __init__(self, own: Mapping[str, type[Solver]]) -> None:
        self._own = own

    def __getitem__(self, name: str) -> type[Solver]:
        """The class of a solver."""
        if name in self._own:
            return self._own[name]
        found = next(iter(entry_points(group=GROUP, name=name)), None)
        if found is None:
            raise KeyError(name)
        whose = f"solver {name!r} ({found.value}, an entry point of another package)"
        try:
            solver: type[Solver] = found.load()
        except Exception as error:  # whatever importing it may raise
            raise InputError(f"{whose} cannot be loaded: {type(error).__name__}: {error}") from error
        if not (is_dataclass(solver) and getattr(solver, "solves", None) in (MDP, POMDP)):
            raise InputError(f"{whose} is no solver: expected a dataclass with solves = MDP or POMDP, and solve(...)")
        return solver

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys([*self._own, *sorted(entry_points(group=GROUP).names)]))

    def __len__(self) -> int:
        return len(list(iter(self)))


GROUP = "walkon.solvers"
SOLVERS = Solvers(
    {
        "value-iteration": ValueIteration,
        "perseus": Perseus,
        "ascent": Ascent,
        "sarsop": Sarsop,
        "qmdp": QMDP,
        "fast-informed-bound": FastInformedBound,
    }
)


def solve(problem: MDP, solver: Solver | None = None, *, seed: int = 0, watch: Watch | None = None) -> Solution[Any]:
    """Solve a problem.

    Args:
        problem: An MDP or a POMDP.
        solver: A solver with its options; `ValueIteration()` for MDPs and `Perseus()` for POMDPs if not given.
        seed: What all of the solver's random choices follow from.
        watch: Is told how far the solver is, now and then; if it returns True, the solver stops with what it has.

    >>> walk_on = MDP(P=[[[0, 1], [0, 1]]], R=[[1], [0]], start=[1, 0], discount=0.9)
    >>> solve(walk_on).lower
    1.0
    """
    if not isinstance(problem, MDP):
        raise InputError(f"cannot solve a {type(problem).__name__}: expected an MDP or a POMDP")
    kind = POMDP if isinstance(problem, POMDP) else MDP
    default: Solver = Perseus() if kind is POMDP else ValueIteration()
    chosen = default if solver is None else solver
    if isinstance(chosen, type) or not hasattr(chosen, "solve"):
        name = getattr(chosen, "__name__", repr(chosen))
        raise InputError(f"{name} is not a solver with its options: write, for example, walkon.Perseus(beliefs=500)")
    if chosen.solves is not kind:
        remedy = "give it problem.mdp" if kind is POMDP else "use ValueIteration, or add a sensor with POMDP(...)"
        raise InputError(
            f"{type(chosen).__name__} solves a {chosen.solves.__name__}, and this is a {kind.__name__}: {remedy}"
        )
    return chosen.solve(problem, seed=seed, watch=watch)
