"""The default solvers: one table, by the kind of problem and the effort.

Budgets are counts of backups, so that results do not depend on the speed of the machine. A task of 625 states takes
about half a second with the usual effort. In a task, a quarter of the walks start from random beliefs: while the task
is unknown, an agent that mixes policies reaches beliefs to which none of them alone would lead. A single problem, such
as the union of all tasks, gets more backups, and all its walks start from its start belief. The number of backups, and
of Perseus' beliefs, grows with the number of states once a problem has more than `STEADY` of them.
"""

from typing import Literal, TypeAlias, get_args

from walkon.errors import InputError
from walkon.solvers.ascent import Ascent
from walkon.solvers.perseus import Perseus
from walkon.solvers.value_iteration import ValueIteration

Effort: TypeAlias = Literal["quick", "usual", "thorough"]
Kind: TypeAlias = Literal["mdp", "pomdp", "union"]
"""An MDP; the POMDP of one of several tasks; a single POMDP."""

BACKUPS: dict[tuple[Kind, Effort], int] = {
    ("pomdp", "quick"): 1_000,
    ("pomdp", "usual"): 4_000,
    ("pomdp", "thorough"): 20_000,
    ("union", "quick"): 4_000,
    ("union", "usual"): 20_000,
    ("union", "thorough"): 100_000,
}
STEADY: dict[Kind, int] = {"pomdp": 2_000, "union": 20_000}  # states, more than the paper's worlds have
WIDE: dict[Kind, float] = {"pomdp": 0.25, "union": 0.0}


def default_solver(kind: Kind, states: int = 1, effort: Effort = "usual") -> ValueIteration | Ascent:
    """Return the solver for a kind of problem with that many states.

    >>> default_solver("pomdp", 625)
    Ascent(backups=4000, tolerance=0.0001, seconds=None, wide=0.25)
    """
    if effort not in get_args(Effort):
        raise InputError(f"effort is {effort!r}, expected one of {', '.join(get_args(Effort))}")
    if kind == "mdp":
        return ValueIteration()
    return Ascent(backups=_grown(BACKUPS[kind, effort], kind, states), wide=WIDE[kind])


def default_perseus(effort: Effort, states: int = 1) -> Perseus:
    """Return the solver of the agent "perseus" for problems with that many states.

    >>> default_perseus("usual", 625).beliefs, default_perseus("usual", 4000).beliefs
    (1000, 2000)
    """
    quick = effort == "quick"
    beliefs, backups = _grown(300 if quick else Perseus.beliefs, "pomdp", states), _grown(2_000, "pomdp", states)
    return Perseus(beliefs=beliefs, backups=backups if quick else None)


def _grown(count: int, kind: Kind, states: int) -> int:
    return count * max(STEADY[kind], states) // STEADY[kind]
