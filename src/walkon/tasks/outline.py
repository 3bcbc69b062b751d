"""A task as a user writes it: an object with a few functions over plain states.

    start                   the first state, or several with their probabilities; a value, or a function of nothing
    actions                 the ad hoc agent's actions
    moves(x, a, b)          the next state, when the agent does a and the teammates do b in state x
    teammates(x)            the teammates' action in state x; or a list of such functions, one for each teammate
    sensor(a, y)            the agent's observation when a led to y; the state itself if there is no such function
    reward(x, a, b, y)      the reward of the step; 0 if there is no such function
    solved(x)               whether the task is solved in x; never if there is no such function
    counts(x, a, b)         how much the step adds to the tally; there is no tally without such a function
    picture(x, z)           a picture of the moment, as a Scene or a text; the names if there is no such function

and, if wanted, `name`, `discount`, `horizon`, `states`, `observations`, `tally` (what is counted, in the plural) and
`teammate_actions` (those of one teammate; `actions` if not given). With a list of teammates, b is the tuple of their
actions. Once the task is solved, the state stays the same and nothing is paid or counted any more.

A function returns a distribution or an outcome that is certain. A dict `{outcome: probability}`, a list of pairs
`[(outcome, probability), ...]`, or a generator that yields such pairs is a distribution; anything else (a tuple, a
word, a number) is an outcome. In a list, the probabilities of equal outcomes are added up. A dict cannot do that: of
two equal keys it keeps the last.
"""

import inspect
import math
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field, is_dataclass
from difflib import get_close_matches
from itertools import product
from pathlib import Path
from typing import Any, TypeAlias

from walkon.errors import InputError
from walkon.models.distributions import ROW_SUM_TOLERANCE

ARGUMENTS = {
    "moves": ("state", "action", "teammate_action"),
    "teammates": ("state",),
    "sensor": ("action", "state"),
    "reward": ("state", "action", "teammate_action", "next_state"),
    "solved": ("state",),
    "counts": ("state", "action", "teammate_action"),
    "picture": ("state", "observation"),
}
NEEDED = ("start", "actions", "moves", "teammates")
SAME = "A dict keeps only the last of two equal outcomes: if some may be equal, give a list of pairs, which adds them"

Chances: TypeAlias = list[tuple[Hashable, float]]


@dataclass(frozen=True, eq=False)
class Outline:
    """A user's object, checked as far as possible without calling its functions."""

    written: Any
    name: str
    actions: tuple[Hashable, ...]
    mates: tuple[Callable[..., Any], ...]  # the teammates, each a function of the state
    theirs: tuple[Hashable, ...]  # the actions of each teammate
    _done: dict[Any, bool] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, written: Any, k: int) -> "Outline":
        """Check the k-th object."""
        name = task_name(written, k)
        if inspect.isclass(written):
            raise InputError(f"tasks[{k}] is the class {name}, expected an object of it, as in {name}()")
        for need in NEEDED:
            if getattr(written, need, None) is None:
                close = get_close_matches(need, [word for word in dir(written) if word[0] != "_" and word != need], n=1)
                meant = f" (is `{close[0]}` meant to be it?)" if close else ""
                raise InputError(f"{name} has no `{need}`{meant}: a task has {', '.join(NEEDED)}")
        actions = _listing(name, "actions", written.actions)
        mates = written.teammates
        if callable(mates):
            mates = (mates,)
        elif not isinstance(mates, Sequence) or not mates or not all(map(callable, mates)):
            raise InputError(f"{name}: teammates is {mates!r:.80}, expected a function of the state, or a list of them")
        for mate in mates:
            _check_call(name, "teammates", mate)
        for word in ARGUMENTS:
            if word != "teammates" and (function := getattr(written, word, None)) is not None:
                _check_call(name, word, function)
        theirs = _listing(name, "teammate_actions", getattr(written, "teammate_actions", actions))
        return cls(written, name, actions, tuple(mates), theirs)

    @property
    def teammate_actions(self) -> tuple[Any, ...]:
        """The teammates' joint actions, row-major over the teammates."""
        alone = callable(self.written.teammates)
        return self.theirs if alone else tuple(product(self.theirs, repeat=len(self.mates)))

    @property
    def seats(self) -> tuple[int, ...]:
        """The number of actions of each teammate."""
        return (len(self.theirs),) * len(self.mates)

    def value(self, word: str, otherwise: Any) -> Any:
        """Return a plain value, or a default if it is not given."""
        found = getattr(self.written, word, None)
        return otherwise if found is None else found

    def has(self, word: str) -> bool:
        """Whether the object has such a function."""
        return getattr(self.written, word, None) is not None

    def start(self) -> Chances:
        """The first states."""
        given = self.written.start
        return self._chances("start", given if callable(given) else lambda: given)

    def moves(self, x: Any, a: Any, b: Any) -> Chances:
        """The next states. A state in which the task is solved stays the same."""
        return [(x, 1.0)] if self.solved(x) else self._chances("moves", self.written.moves, x, a, b)

    def teammates(self, x: Any) -> Chances:
        """The teammates' joint actions, each drawn independently."""
        each = [self._chances("teammates", mate, x) for mate in self.mates]
        for b in (b for choice in each for b, _ in choice if b not in self.theirs):
            known = f"one of their actions ({', '.join(map(name_of, self.theirs))}): list them as `teammate_actions`"
            raise InputError(f"{self._call('teammates', x)} gives {b!r:.80}, which is not {known}")
        if callable(self.written.teammates):
            return each[0]
        return [(tuple(b for b, _ in joint), math.prod(p for _, p in joint)) for joint in product(*each)]

    def sensor(self, a: Any, y: Any) -> Chances:
        """The possible observations."""
        return self._chances("sensor", self.written.sensor, a, y) if self.has("sensor") else [(y, 1.0)]

    def reward(self, x: Any, a: Any, b: Any, y: Any) -> float:
        """The reward of a step; 0 once the task is solved."""
        if not self.has("reward") or self.solved(x):
            return 0.0
        paid = self._ask("reward", self.written.reward, x, a, b, y)
        try:
            number = float(paid)
        except (TypeError, ValueError, OverflowError):
            number = math.nan
        if not math.isfinite(number):
            raise InputError(f"{self._call('reward', x, a, b, y)} is {paid!r:.80}, expected a finite number")
        return number

    def counts(self, x: Any, a: Hashable, b: Hashable) -> Any:
        """How much a step adds to the tally; nothing once the task is solved."""
        return 0 if self.solved(x) else self._ask("counts", self.written.counts, x, a, b)

    def solved(self, x: Any) -> bool:
        """Whether the task is solved; computed once for each state."""
        if x not in self._done:
            self._done[x] = self.has("solved") and bool(self._ask("solved", self.written.solved, x))
        return self._done[x]

    def picture(self, x: Any, z: Any) -> Any:
        """The picture of a moment."""
        return self._ask("picture", self.written.picture, x, z)

    def _chances(self, word: str, function: Callable[..., Any], *arguments: Any) -> Chances:
        answer = self._ask(word, function, *arguments)
        try:
            return chances(answer)
        except InputError as cause:
            raise InputError(f"{self._call(word, *arguments)} {cause}") from None

    def _ask(self, word: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call a function of the user's, and report an error in it with its place."""
        try:
            answer = function(*arguments)
            return list(answer) if inspect.isgenerator(answer) else answer
        except Exception as cause:
            place = inspect.getinnerframes(cause.__traceback__)[-1] if cause.__traceback__ else None
            where = f" ({Path(place.filename).name}, line {place.lineno})" if place else ""
            what = f"{type(cause).__name__}: {cause}".rstrip(": ")
            raise InputError(f"{self._call(word, *arguments)} failed with {what}{where}") from cause

    def _call(self, word: str, *arguments: Any) -> str:
        """Describe a call: `Corridor(goal=3): moves(agent 1, mate 2; left; stay)`."""
        return f"{self.name}: {word}({'; '.join(map(name_of, arguments))})"


def _listing(name: str, word: str, values: Any) -> tuple[Hashable, ...]:
    """Check a list of different things."""
    if isinstance(values, str) or not hasattr(values, "__iter__"):
        raise InputError(f"{name}: {word} is {values!r:.80}, expected a list")
    things = tuple(values)
    if not things:
        raise InputError(f"{name}: {word} is empty, expected at least one")
    for i, thing in enumerate(things):
        if not isinstance(thing, Hashable):
            raise InputError(f"{name}: {word} has {thing!r:.80}, expected words, numbers or tuples")
        if thing in things[:i]:
            raise InputError(f"{name}: {word} has {name_of(thing)} twice")
    return things


def _check_call(name: str, word: str, function: Any) -> None:
    """Refuse a function that cannot be called with its arguments."""
    wanted = ARGUMENTS[word]
    if not callable(function):
        raise InputError(f"{name}: {word} is {function!r:.80}, expected a function {word}({', '.join(wanted)})")
    try:
        signature = inspect.signature(function)
    except ValueError:  # some built-in functions have no signature
        return
    try:
        signature.bind(*wanted)
    except TypeError:
        call = f"{word}({', '.join(wanted)})"
        raise InputError(f"{name}: {word}{signature} cannot be called as {call}: give it these arguments") from None


def name_of(thing: Any) -> str:
    """Name a thing; named tuples are named with their fields.

    >>> from typing import NamedTuple
    >>> class Cell(NamedTuple):
    ...     column: int
    ...     row: int
    >>> name_of(Cell(2, 0)), name_of(("left", 3)), name_of("stay")
    ('column 2, row 0', '(left, 3)', 'stay')
    """
    if isinstance(thing, tuple) and not _has_own_str(thing):
        if fields := getattr(thing, "_fields", None):
            return ", ".join(f"{field} {name_of(part)}" for field, part in zip(fields, thing, strict=True))
        return f"({', '.join(map(name_of, thing))})"
    return str(thing)


def task_name(written: Any, k: int) -> str:
    """Name a task by its `name`, by its own `__str__`, or by its number."""
    name = getattr(written, "name", None)
    if isinstance(name, str) and name:
        return name
    if isinstance(written, type):
        return written.__name__
    named = _has_own_str(written) or is_dataclass(written) or hasattr(written, "_fields")
    return str(written) if named and len(str(written)) <= 80 else f"{type(written).__name__} {k}"


def _has_own_str(thing: Any) -> bool:
    """Whether its class defines `__str__`."""
    method: Any = type(thing).__str__
    return method is not object.__str__


def chances(answer: Any) -> Chances:
    """Return the outcomes with their probabilities, without those of probability 0.

    >>> chances("stay")
    [('stay', 1.0)]
    >>> chances({"left": 0.5, "right": 0.5, "stay": 0})
    [('left', 0.5), ('right', 0.5)]
    """
    if not isinstance(answer, dict | list | Iterator):
        return [(_outcome(answer), 1.0)]
    total: dict[Hashable, float] = {}
    for pair in answer.items() if isinstance(answer, dict) else answer:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise InputError(f"lists {pair!r:.80}, expected a pair (outcome, probability)")
        outcome, probability = pair
        thing = _outcome(outcome)
        total[thing] = total.get(thing, 0.0) + _probability(probability, thing)
    whole = math.fsum(total.values())
    if not total:
        raise InputError("gives no outcome")
    if abs(whole - 1) > ROW_SUM_TOLERANCE:
        shown = [f"{thing!r:.60} {p:g}" for thing, p in list(total.items())[:4]] + ["..."] * (len(total) > 4)
        remedy = f". {SAME}" if isinstance(answer, dict) and whole < 1 else ""
        raise InputError(f"sums to {whole:.9g}, not 1 (off by {whole - 1:+.3g}): {', '.join(shown)}{remedy}")
    return [(thing, p / whole) for thing, p in total.items() if p > 0]


def _outcome(thing: Any) -> Hashable:
    """Check that an outcome can be looked up."""
    if thing is None:
        raise InputError("gives None: did a branch forget to return?")
    if isinstance(thing, set | frozenset) and not isinstance(thing, Hashable):
        raise InputError(f"gives the set {thing!r:.80}, which has no probabilities: expected a dict")
    try:
        hash(thing)
    except TypeError:
        expected = "expected a tuple, a NamedTuple, a word or a number"
        raise InputError(f"gives {thing!r:.80}, which has mutable parts: {expected}") from None
    named: Hashable = thing
    return named


def _probability(value: Any, of: Hashable) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"gives {of!r:.80} the probability {value!r:.80}, which is not a number") from None
    if not math.isfinite(number) or number < 0:
        raise InputError(f"gives {of!r:.80} the probability {number:g}: expected a number from 0 to 1")
    return number
