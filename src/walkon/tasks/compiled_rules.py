"""Rules that compile: a task as functions over rows of whole numbers, which kernels call without Python.

A state is a row of whole numbers, and so is an observation. The rules are plain functions in the part of Python that
Numba compiles: numbers, tuples, loops and arrays, but no objects, and nothing that raises. All of them get `facts` and
`reals`, the task's own whole and real numbers, in which the tasks of a library differ:

    step(a, facts, reals, x, y, luck)        draw the next state into the row y, the teammates' action inside, and
                                             return the reward
    observe(a, facts, reals, y, z, luck)     draw an observation into the row z
    likelihood(a, facts, reals, y, z)        return its probability
    ends(facts, reals, x)                    return whether nothing moves or is paid any more
    values(facts, reals, x, v)               write the value of each action to v, for a helper who knows task and state:
                                             search starts from it, and the best action is its advice; or None
    start(facts, reals, x, luck)             draw a first state into the row x
    outcomes(a, facts, reals, x, ys, ps)     write each next state to a row of ys and its probability to ps, and return
                                             how many there are; more than there are rows: they are only drawn

A search values a leaf by the best action for a bundle of particles that explain the observations (`bundle`), because
the value for a helper who knows the state is far too high where it is hard to find out. Where that does not matter, one
particle is enough, and several times as fast. Without `values`, a leaf is worth what actions at random earn from there
to the depth of the search, no action is preferred before it was tried, and there is neither a bundle, nor whole plans
(`repeats`), nor a tree of exact beliefs (`factored`).

Where nothing is seen for many steps, a tree of single actions is too short to find out where one is. Rules may say how
often an action is worth planning in a row (`repeats`, such as (4, 16, 48) in a room of 32 cells). Search then compares
whole plans (`walkon.agents.scenarios`) in place of a tree, by the rewards up to the horizon, not discounted.

Where parts of the state are independent given the rest, the belief itself can be such a row of numbers, exact and small
(RockSample: one number a rock; Tag: one for each cell of the opponent, as our own is seen). Its rules are then
`factored`: `step` and `outcomes` give the beliefs that may follow, one for each observation and apart from these those
in which the task is over, and the expected reward; `observe` gives the observation that led to one, and `likelihood`
says whether it did. Beliefs need nothing else, and search has exact nodes (`walkon.agents.belief_tree`).

`walkon.models.luck_kernels.uniform(luck)` draws a number in [0, 1).

How they are called was chosen by measurement. The functions have fixed types and are handed to the kernels as
pointers, so the search is compiled once for all worlds (2 s, and kept on disk) and each rule by itself (0.1 to 0.3 s).
A call through a pointer costs 9 ns more than one that is compiled in, of some 300 ns that a step of a search takes, if
arrays are handed over uncounted (`walkon.compiled.borrowed`). A search compiled anew for each world would save that and
cost seconds for each world; only that of tables is, once for all of them. Functions over arrays of many particles do
not fit a tree, where every particle goes its own way.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, NamedTuple

import numba
import numpy as np

from walkon.arrays import Floats, Ints

TYPES: Any = numba.types
int64, float64, uint64, boolean, void = TYPES.int64, TYPES.float64, TYPES.uint64, TYPES.boolean, TYPES.void
WHOLE, REAL, LUCK, ROWS = int64[::1], float64[::1], uint64[::1], int64[:, ::1]
COMPILE: Any = numba.njit(nogil=True, error_model="numpy")  # as kernels, but not kept on disk
SIGNATURES = {
    "step": float64(int64, WHOLE, REAL, WHOLE, WHOLE, LUCK),
    "observe": void(int64, WHOLE, REAL, WHOLE, WHOLE, LUCK),
    "likelihood": float64(int64, WHOLE, REAL, WHOLE, WHOLE),
    "ends": boolean(WHOLE, REAL, WHOLE),
    "values": void(WHOLE, REAL, WHOLE, REAL),
    "start": void(WHOLE, REAL, WHOLE, LUCK),
    "outcomes": int64(int64, WHOLE, REAL, WHOLE, ROWS, REAL),
}


# A compiled function of a fixed signature, as Numba knows it. Made by `type`, because its base class has no types.
Pointer: Any = type(
    "Pointer",
    (TYPES.WrapperAddressProtocol,),
    {"__wrapper_address__": lambda self: self.address, "signature": lambda self: self.type},
)


@cache
def pointer(name: str, function: Callable[..., Any]) -> Any:
    """Compile a rule once, or load it from the disk if it is a kernel, and return it as kernels take it."""
    made, compiled = Pointer(), function if hasattr(function, "overloads") else COMPILE(function)
    made.type, made.dispatcher = SIGNATURES[name], compiled
    made.dispatcher.compile(made.type)
    library = made.dispatcher.overloads[made.type.args]
    made.address = library.library.get_pointer_to_function(library.fndesc.llvm_cfunc_wrapper_name)
    return made


@dataclass(frozen=True, eq=False)
class CompiledRules:
    """The rules of one task, and its numbers. Tasks of one library have the same functions and other numbers."""

    step: Callable[..., Any]
    observe: Callable[..., Any]
    likelihood: Callable[..., Any]
    ends: Callable[..., Any]
    values: Any  # None: a search starts from what random actions earn
    start: Callable[..., Any]
    outcomes: Callable[..., Any]
    facts: Ints
    reals: Floats
    state_size: int  # numbers of a state
    observation_size: int  # numbers of an observation
    action_count: int
    discount: float
    bundle: int = 16  # how many particles a search takes along, by whose mean value it values a leaf
    repeats: tuple[int, ...] = ()  # how often a search may plan an action in a row, where little is seen for long
    factored: bool = False  # whether a state is itself a belief, which the actions and observations so far determine

    def pointer(self, name: str) -> Any:
        """One of the rules as kernels take it, compiled at the first call."""
        return pointer(name, getattr(self, name))

    @cached_property
    def functions(self) -> tuple[Any, ...]:
        """The rules themselves, by which tasks with the same rules are known."""
        return tuple(functions_of(self).values())


def functions_of(module: Any) -> dict[str, Any]:
    """The functions of compiled rules, from a module that has all of them under their names."""
    return {name: getattr(module, name) for name in SIGNATURES}


class Numbers(NamedTuple):
    """The numbers of all tasks of a library in a row: those of task k begin at place k of `facts_at` and `reals_at`."""

    facts: Ints
    facts_at: Ints  # [K + 1]
    reals: Floats
    reals_at: Ints  # [K + 1]
    discounts: Floats  # [K]

    @classmethod
    def of(cls, rules: Sequence[CompiledRules]) -> "Numbers":
        """Put the numbers of these tasks in a row."""
        facts, reals = [each.facts for each in rules], [each.reals for each in rules]
        return cls(
            np.concatenate(facts),
            np.cumsum([0, *map(len, facts)]),
            np.concatenate(reals),
            np.cumsum([0, *map(len, reals)]),
            np.array([each.discount for each in rules]),
        )
