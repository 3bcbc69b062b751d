"""The answers that a rule may give: an outcome that is certain, or outcomes with their probabilities.

A dict `{outcome: probability}`, a list of pairs `[(outcome, probability), ...]`, or an iterator over such pairs is a
distribution; anything else (a tuple, a word, a number) is an outcome. In a list, the probabilities of equal outcomes
are added up. A dict cannot do that: of two equal keys it keeps the last.

A sensor may also answer with independent parts, each with a distribution of its own: a tuple of distributions, or a
dict from the name of each part to its distribution. The observation is then the tuple of the parts' outcomes, in their
order, and 125 parts with two outcomes each cost 125 numbers. An answer has parts if it is a tuple or a dict and holds
a dict or a list; a part that is neither is certain.
"""

import math
from collections.abc import Hashable, Iterator
from typing import Any, TypeAlias

from walkon.checks import as_number
from walkon.errors import InputError
from walkon.models.distributions import ROW_SUM_TOLERANCE

SAME = "A dict keeps only the last of two equal outcomes: if some may be equal, give a list of pairs, which adds them"

Chances: TypeAlias = list[tuple[Hashable, float]]


def chances(answer: Any) -> Chances:
    """Return the outcomes with their probabilities, without those of probability 0.

    >>> chances("stay")
    [('stay', 1.0)]
    >>> chances({"left": 0.5, "right": 0.5, "stay": 0})
    [('left', 0.5), ('right', 0.5)]
    """
    if not isinstance(answer, dict | list | Iterator):
        _refuse_pair(answer)
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


def parts(answer: Any) -> tuple[Chances, ...] | None:
    """Return the distribution of each independent part; None for an answer without parts.

    >>> parts(({"wall": 0.9, "free": 0.1}, "north"))
    ([('wall', 0.9), ('free', 0.1)], [('north', 1.0)])
    >>> parts({"wall": 0.9, "free": 0.1}) is None
    True
    """
    if not isinstance(answer, dict | tuple):
        return None
    names, each = (list(answer), list(answer.values())) if isinstance(answer, dict) else (range(len(answer)), answer)
    if not any(isinstance(part, dict | list) for part in each):
        return None
    found = []
    for name, part in zip(names, each, strict=True):
        try:
            found.append(chances(part))
        except InputError as cause:
            raise InputError(f"in its part {name!r:.60} {cause}") from None
    return tuple(found)


def _refuse_pair(answer: Any) -> None:
    """Refuse a single outcome with its probability, which would be taken for an outcome; two floats may be a place."""
    pair = type(answer) is tuple and len(answer) == 2 and not isinstance(answer[0], float)
    if pair and isinstance(answer[1], float) and 0 < answer[1] <= 1:
        remedy = f"an outcome with its probability stands in a list of pairs, [{answer!r:.80}, ...]"
        raise InputError(f"gives {answer!r:.80}: {remedy}; if the tuple itself is the outcome, give {{it: 1}}")


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
        number = float(as_number(value))
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"gives {of!r:.80} the probability {value!r:.80}, which is not a number") from None
    if not math.isfinite(number) or number < 0:
        raise InputError(f"gives {of!r:.80} the probability {number:g}: expected a number from 0 to 1")
    return number
