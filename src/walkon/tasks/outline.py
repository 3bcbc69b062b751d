"""A task as a user writes it: an object with a few functions over plain states.

    start                   the first state, or several with their probabilities; a value, or a function of nothing;
                            without tables also a function of a random generator, which draws one
    actions                 the ad hoc agent's actions
    moves(x, a, b)          the next state, when the agent does a and the teammates do b in state x
    teammates(x)            the teammates' action in state x; or a list of such functions, one for each teammate
    sensor(a, y)            the agent's observation when a led to y, or its independent parts; the state itself if there
                            is no such function
    reward(x, a, b, y)      the reward of the step; 0 if there is no such function
    solved(x)               whether the task is solved in x; never if there is no such function
    counts(x, a, b)         how much the step adds to the tally; there is no tally without such a function
    picture(x, z)           a picture of the moment, as a Scene or a text; the names if there is no such function; a
                            third parameter, belief=None, gets the probabilities of the states in a dict
    advice(x)               what a good helper would do who knew the task and the state: an action, or several with
                            their probabilities; for agents that search

and, if wanted, `name`, `discount`, `horizon`, `states`, `observations`, `tally` (what is counted, in the plural),
`score` ("return", if episodes are judged by it although there is an end or a tally), `teammate_actions` (those of one
teammate; `actions` if not given) and, for libraries without tables, `compiled`: the same rules in a form that kernels
can call (`walkon.tasks.compiled_rules`). With a list of teammates, b is the tuple of their actions. Once the task is
solved, the state stays the same and nothing is paid or counted any more.

Any other name could be a misspelt one of these, and is refused unless it begins with an underscore, is a parameter of
the constructor, or is listed in `own`, the names of the task's own functions and values. A parameter that is nearly
one of these names has to be listed, too.

A function returns a distribution or an outcome that is certain; see `walkon.tasks.chances`.
"""

import inspect
import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from walkon.checks import as_number
from walkon.errors import InputError
from walkon.tasks.chances import Chances, chances, parts
from walkon.tasks.naming import name_of, task_name
from walkon.tasks.written import ARGUMENTS, LISTS, NEEDED, bindable, check_call, check_order, listing, refuse_unknown

OTHERWISE = {"sensor": "the agent sees the state", "reward": "every reward is 0", "solved": "the task is never solved"}
MOST_KEPT = 1_000_000  # states of which it is known whether the task is solved; beyond, all are forgotten
MOST_OBSERVATIONS = 100_000  # of one step, where the parts of an observation are put together


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
        refuse_unknown(name, written)
        for word in LISTS:
            if (listed := getattr(written, word, None)) is not None:
                check_order(name, word, listed)
        actions = listing(name, "actions", written.actions)
        mates = written.teammates
        if callable(mates):
            mates = (mates,)
        elif not isinstance(mates, Sequence) or not mates or not all(map(callable, mates)):
            raise InputError(f"{name}: teammates is {mates!r:.80}, expected a function of the state, or a list of them")
        for mate in mates:
            check_call(name, "teammates", mate)
        for word in ARGUMENTS:
            if word != "teammates" and (function := getattr(written, word, None)) is not None:
                check_call(name, word, function)
        theirs = listing(name, "teammate_actions", getattr(written, "teammate_actions", actions))
        return cls(written, name, actions, tuple(mates), theirs)

    @property
    def teammate_actions(self) -> tuple[Any, ...]:
        """The teammates' joint actions, row-major over the teammates."""
        return self.theirs if self.alone else tuple(product(self.theirs, repeat=len(self.mates)))

    @property
    def alone(self) -> bool:
        """Whether there is one teammate, whose action is no tuple."""
        return callable(self.written.teammates)

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

    @property
    def omitted(self) -> tuple[str, ...]:
        """What holds because a function was left out, in words."""
        return tuple(f"no `{word}`: {rule}" for word, rule in OTHERWISE.items() if not self.has(word))

    @cached_property
    def draws_start(self) -> bool:
        """Whether `start` is a function of a random generator that draws the first state."""
        given = self.written.start
        return callable(given) and not bindable(given) and bindable(given, None)

    def start(self) -> Chances:
        """The first states."""
        given = self.written.start
        return self._chances("start", given if callable(given) else lambda: given)

    def draw_start(self, rng: np.random.Generator) -> Hashable:
        """Draw the first state, where `start` does that."""
        drawn = self._chances("start", self.written.start, rng)
        if len(drawn) != 1:
            raise InputError(f"{self.name}: start(rng) gives a distribution: draw from it, or leave its parameter out")
        return drawn[0][0]

    def moves(self, x: Any, a: Any, b: Any) -> Chances:
        """The next states. A state in which the task is solved stays the same."""
        return [(x, 1.0)] if self.solved(x) else self._chances("moves", self.written.moves, x, a, b)

    def teammates(self, x: Any) -> Chances:
        """The teammates' joint actions, each drawn independently."""
        each = self.each_teammate(x)
        if self.alone:
            return each[0]
        return [(tuple(b for b, _ in joint), math.prod(p for _, p in joint)) for joint in product(*each)]

    def each_teammate(self, x: Any) -> list[Chances]:
        """The actions of each teammate."""
        each = [self._chances("teammates", mate, x) for mate in self.mates]
        for b in (b for choice in each for b, _ in choice if b not in self.theirs):
            known = f"one of their actions ({', '.join(map(name_of, self.theirs))}): list them as `teammate_actions`"
            raise InputError(f"{self._call('teammates', x)} gives {b!r:.80}, which is not {known}")
        return each

    def sensor(self, a: Any, y: Any) -> Chances:
        """The possible observations; those with parts are put together."""
        each = self.sensor_parts(a, y)
        if len(each) == 1:
            return each[0]
        if math.prod(map(len, each)) > MOST_OBSERVATIONS:
            what = f"has more than {MOST_OBSERVATIONS:,} outcomes, all parts together"
            raise InputError(f"{self._call('sensor', a, y)} {what}: define(tasks, tables=False) keeps them apart")
        return [(tuple(z for z, _ in joint), math.prod(p for _, p in joint)) for joint in product(*each)]

    def sensor_parts(self, a: Any, y: Any) -> tuple[Chances, ...]:
        """The distributions of an observation's independent parts; a single one for an observation without parts."""
        if not self.has("sensor"):
            return ([(y, 1.0)],)
        answer = self._ask("sensor", self.written.sensor, a, y)
        try:
            found = parts(answer)
            if found is not None and len(found) == 1:
                return ([((z,), p) for z, p in found[0]],)  # an observation with one part is a tuple, too
            return (chances(answer),) if found is None else found
        except InputError as cause:
            raise InputError(f"{self._call('sensor', a, y)} {cause}") from None

    def advice(self, x: Any) -> Chances:
        """The actions that a good helper would take."""
        advised = self._chances("advice", self.written.advice, x)
        for a in (a for a, _ in advised if a not in self.actions):
            known = f"one of the actions ({', '.join(map(name_of, self.actions))})"
            raise InputError(f"{self._call('advice', x)} gives {a!r:.80}, which is not {known}")
        return advised

    def reward(self, x: Any, a: Any, b: Any, y: Any) -> float:
        """The reward of a step; 0 once the task is solved."""
        if not self.has("reward") or self.solved(x):
            return 0.0
        paid = self._ask("reward", self.written.reward, x, a, b, y)
        try:
            number = float(as_number(paid))
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
            answer = self._ask("solved", self.written.solved, x) if self.has("solved") else False
            if not isinstance(answer, bool | int | np.bool_ | np.integer) or answer not in (0, 1):
                forgot = ": did a branch forget to return?" if answer is None else ""
                raise InputError(f"{self._call('solved', x)} is {answer!r:.80}, expected True or False{forgot}")
            if len(self._done) >= MOST_KEPT:
                self._done.clear()
            self._done[x] = bool(answer)
        return self._done[x]

    @cached_property
    def draws_belief(self) -> bool:
        """Whether `picture` also takes a belief over the states."""
        return bindable(self.written.picture, None, None, None)

    def picture(self, x: Any, z: Any, belief: Any = None) -> Any:
        """The picture of a moment."""
        return self._ask("picture", self.written.picture, x, z, *([belief] if self.draws_belief else []))

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
