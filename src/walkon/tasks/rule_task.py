"""A task without tables: the rules that a user wrote, called one state at a time.

`walkon.define(tasks, tables=False)` makes such tasks. Nothing is enumerated, so a task may have any number of states
and observations. Where a task with tables has numbers, this one has the user's own values: states, observations and the
teammates' joint actions are what the rules say. Actions of the ad hoc agent keep their numbers, because they are few.

Everything that needs a matrix or a list of states (`pomdp`, `mdp`, `mmdp`, `teammates`, `sensor`, `start`, `solved` as
an array) raises an `InputError` that says so.
"""

import hashlib
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from types import CodeType
from typing import Any, ClassVar

import numpy as np

from walkon.arrays import Names
from walkon.checks import whole
from walkon.errors import InputError
from walkon.models.content import content_hash
from walkon.tasks.naming import name_of
from walkon.tasks.outline import Outline
from walkon.tasks.own_view import RuleView
from walkon.tasks.simulator import RuleSimulator
from walkon.tasks.tally import Tally, score_of
from walkon.tasks.task import Task
from walkon.tasks.trembling import Trembling

TABLES = ("pomdp", "team", "teammates", "solved", "state_numbers", "observation_numbers")


@dataclass(frozen=True, init=False, eq=False, repr=False)
class RuleTask(Task):
    """One task that the ad hoc agent may have to help with, as rules without tables."""

    outline: Outline

    tables: ClassVar[bool] = False

    def __init__(self, outline: Outline) -> None:
        """Check the values that are not functions."""
        discount = outline.value("discount", 0.95)
        if not isinstance(discount, int | float | np.number) or not 0 <= discount < 1:
            raise InputError(f"{outline.name}: discount is {discount!r:.60}, expected a number from 0 to below 1")
        horizon = whole(f"{outline.name}: horizon", outline.value("horizon", 50), 1, None)
        tally = Tally(outline.value("tally", "counts"), None) if outline.has("counts") else None
        try:
            score = score_of(outline.value("score", None), tally, outline.has("solved"))
        except InputError as cause:
            raise InputError(f"{outline.name}: {cause}") from None
        vars(self).update(outline=outline, name=outline.name, horizon=horizon, tally=tally, score=score)
        vars(self).update(view=RuleView(outline), omitted=outline.omitted)

    def __repr__(self) -> str:
        return f'RuleTask("{self.name}": {self.action_count} actions, without tables)'

    def _repr_html_(self) -> str:
        return escape(repr(self))

    @cached_property
    def simulator(self) -> RuleSimulator:
        """The rules as functions of states and luck."""
        return RuleSimulator(self.outline)

    @property
    def discount(self) -> float:
        """The discount."""
        return self.simulator.discount

    @property
    def action_count(self) -> int:
        """The number of the ad hoc agent's actions."""
        return len(self.outline.actions)

    @property
    def actions(self) -> Names:
        """Names of the ad hoc agent's actions."""
        return tuple(map(name_of, self.outline.actions))

    @property
    def observed(self) -> bool:
        """Whether the observation is the state: there is no sensor."""
        return not self.outline.has("sensor")

    @property
    def ends(self) -> bool:
        """Whether the task can be solved."""
        return self.outline.has("solved")

    def is_solved(self, x: Any) -> bool:
        """Whether the task is solved in a state."""
        return self.outline.solved(x)

    @property
    def seats(self) -> tuple[int, ...]:
        """The number of actions of each teammate."""
        return self.outline.seats

    @property
    def compiled(self) -> Any:
        """The same rules for kernels, as `walkon.tasks.compiled_rules.CompiledRules`; None where there are none."""
        return self.outline.value("compiled", None)

    @property
    def advised(self) -> bool:
        """Whether the rules say what a good helper would do."""
        return self.outline.has("advice")

    @cached_property
    def hash(self) -> str:
        """A digest of the rules as they are written (the file, or the code where there is none) and of their values."""
        if isinstance(self.outline.written, Trembling):
            steady = RuleTask(Outline.of(self.outline.written.rules, 0))
            return content_hash("trembling", self.outline.written.tremble, steady.hash)
        values = {word: repr(value) for word, value in _values(self.outline.written).items()}
        plain = tuple(sorted((word, said) for word, said in values.items() if " at 0x" not in said))
        return content_hash("rules", self.name, source_hash(self.outline.written), plain, self.horizon, self.discount)

    def paid(self, x: Any, a: int, b: Any, y: Any) -> float:
        """The reward of a step that led to state y."""
        return self.outline.reward(x, self.outline.actions[a], b, y)

    def counted(self, x: Any, a: int, b: Any) -> int:
        """How much the joint action adds to the tally."""
        if self.tally is None:
            return 0
        added = self.outline.counts(x, self.outline.actions[a], b)
        if not isinstance(added, bool | int | float | np.number) or added < 0 or added != int(added):
            call = f"{self.name}: counts({'; '.join(map(name_of, (x, self.outline.actions[a], b)))})"
            raise InputError(f"{call} is {added!r:.80}, expected a whole number, 0 or more")
        return int(added)

    @property
    def states(self) -> Names | None:
        """None: the states are not listed."""
        return None

    @property
    def observations(self) -> Names | None:
        """None: the observations are not listed."""
        return None

    def __getattr__(self, name: str) -> Any:
        """Refuse what only tables have."""
        if name not in TABLES:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        raise InputError(
            f'task "{self.name}" has no tables, and so no {name}: where its states are few enough, '
            "walkon.define(tasks) makes them"
        )


def source_hash(written: Any) -> str:
    """A digest of the file in which the rules are written; of their compiled code where there is no file."""
    kinds = [kind for kind in type(written).__mro__ if kind.__module__ != "builtins"]
    codes = [(word, rule.__code__) for kind in kinds for word, rule in vars(kind).items() if hasattr(rule, "__code__")]
    files = sorted({code.co_filename for _, code in codes})
    if files and all(Path(each).is_file() for each in files):
        return content_hash(*(hashlib.sha256(Path(each).read_bytes()).hexdigest() for each in files))
    return content_hash(*((word, code.co_code, code.co_names, _constants(code)) for word, code in sorted(codes)))


def _values(written: Any) -> dict[str, Any]:
    """What an object of a user holds: the fields of a named tuple, slots, or all else."""
    if isinstance(written, tuple) and hasattr(written, "_asdict"):
        return dict(written._asdict())
    slots = [word for kind in type(written).__mro__ for word in getattr(kind, "__slots__", ())]
    held = {word: getattr(written, word) for word in slots if hasattr(written, word) and word != "__dict__"}
    return held | getattr(written, "__dict__", {})


def _constants(code: CodeType) -> tuple[str, ...]:
    """The constants of compiled code as text; of functions inside it, their own code."""
    return tuple(repr(each.co_code) if isinstance(each, CodeType) else repr(each) for each in code.co_consts)
