"""What a rule may answer: a thing that is certain, or several with their probabilities.

A dict `{outcome: probability}`, a list of pairs `[(outcome, probability), ...]`, or a generator that yields such pairs
is a distribution; anything else (a tuple, a word, a number) is the one outcome that is certain. In a list, outcomes
that are named more than once are added up. A dict cannot do that: of two equal keys it keeps the last.
"""

import math
from collections.abc import Hashable, Iterable, Iterator
from typing import Any, TypeAlias

from walkon.errors import InputError
from walkon.models.distributions import ROW_SUM_TOLERANCE

Chances: TypeAlias = list[tuple[Hashable, float]]

SAME = (
    "A dict keeps only the last of two equal outcomes: if they may be equal, give a list of pairs, which adds them up"
)


def chances(said: Any) -> Chances:
    """The outcomes with their probabilities; those of probability 0 are left out.

    >>> chances("stay")
    [('stay', 1.0)]
    >>> chances({"left": 0.5, "right": 0.5, "stay": 0})
    [('left', 0.5), ('right', 0.5)]
    """
    if isinstance(said, dict):
        pairs: Any = said.items()
    elif isinstance(said, list | Iterator):
        pairs = _pairs(said)
    else:
        return [(_outcome(said), 1.0)]
    total: dict[Hashable, float] = {}
    for outcome, probability in pairs:
        thing = _outcome(outcome)
        total[thing] = total.get(thing, 0.0) + _probability(probability, thing)
    whole = math.fsum(total.values())
    if not total:
        raise InputError("gives no outcome")
    if abs(whole - 1) > ROW_SUM_TOLERANCE:
        lost = isinstance(said, dict) and whole < 1
        remedy = f". {SAME}" if lost else ""
        raise InputError(f"sums to {whole:.9g}, not 1 (off by {whole - 1:+.3g}): {_listed(total)}{remedy}")
    return [(thing, p / whole) for thing, p in total.items() if p > 0]


def _pairs(said: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
    for pair in said:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise InputError(f"lists {pair!r:.80}, expected a pair (outcome, probability)")
        yield pair


def _outcome(thing: Any) -> Hashable:
    """Something that can be looked up."""
    if thing is None:
        raise InputError("gives None: did a branch forget to return?")
    if isinstance(thing, set | frozenset) and not isinstance(thing, Hashable):
        raise InputError(f"gives the set {thing!r:.80}, which has no probabilities: expected a dict")
    try:
        hash(thing)
    except TypeError:
        raise InputError(
            f"gives {thing!r:.80}, which holds something that can change: expected a tuple, a NamedTuple, a word or a "
            "number"
        ) from None
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


def _listed(total: dict[Hashable, float]) -> str:
    shown = [f"{thing!r:.60} {p:g}" for thing, p in list(total.items())[:4]]
    return ", ".join(shown + ["..."] * (len(total) > 4))
