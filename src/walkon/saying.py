"""Formats numbers, intervals and verdicts, the same way everywhere."""

import math
from collections.abc import Mapping, Sequence

SIGNS = {"holds": "✓", "fails": "✗", "not decided": "?", "not comparable": "≁", "no data": "–"}
UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


def mean(value: float, half: float, digits: int = 2, sign: str = "") -> str:
    """Format a mean and half of its interval, if there is one; empty for NaN.

    >>> mean(12.345, 0.678), mean(12.345, float("nan"), 1), mean(0.5, 0.25, sign="+"), mean(float("nan"), 1.0)
    ('12.35 ± 0.68', '12.3', '+0.50 ± 0.25', '')
    """
    if math.isnan(value):
        return ""
    return f"{value:{sign}.{digits}f}" + (f" ± {half:.{digits}f}" if math.isfinite(half) else "")


def interval(value: float, low: float, high: float, digits: int = 2, sign: str = "") -> str:
    """Format a mean and its interval, if there is one; empty for NaN.

    >>> interval(4.62, 3.71, 6.0), interval(-0.5, -1, 0.25, sign="+"), interval(2.0, float("nan"), float("nan"))
    ('4.62 [3.71, 6.00]', '-0.50 [-1.00, +0.25]', '2.00')
    """
    if math.isnan(value):
        return ""
    ends = f" [{low:{sign}.{digits}f}, {high:{sign}.{digits}f}]" if math.isfinite(low + high) else ""
    return f"{value:{sign}.{digits}f}{ends}"


def percent(share: float) -> str:
    """Format a share; empty for NaN.

    >>> percent(0.126), percent(float("nan"))
    ('13 %', '')
    """
    return "" if math.isnan(share) else f"{100 * share:.0f} %"


def probability(p: float) -> str:
    """Format a probability, as 0 % or 100 % only if it is exactly that; number and sign stay on one line.

    >>> probability(0.126).split(), probability(0.999).split()
    (['13', '%'], ['more', 'than', '99', '%'])
    """
    less, more = 0 < p < 0.005, 0.995 <= p < 1
    text = "less than 1 %" if less else "more than 99 %" if more else percent(p)
    return text.replace(" %", "\N{NO-BREAK SPACE}%")


def count(number: int, noun: str) -> str:
    """Format a number with its noun.

    >>> count(1, "task"), count(1200, "trial")
    ('1 task', '1,200 trials')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def listed(words: Sequence[str]) -> str:
    """Join words as in a sentence.

    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def seconds(time: float) -> str:
    """Format a time in a suitable unit.

    >>> seconds(0.00001), seconds(0.2), seconds(30.0)
    ('10 µs', '200 ms', '30 s')
    """
    size, unit = next(((size, unit) for size, unit in UNITS if time >= size * 0.9999), UNITS[-1])
    return f"{time / size:g} {unit}"


def duration(seconds: float) -> str:
    """Format how long something takes, roughly.

    >>> duration(0.3), duration(80), duration(90 * 60), duration(3e6)
    ('1 second', '80 seconds', '90 minutes', '35 days')
    """
    units = (("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1))
    unit, size = next((each for each in units if seconds >= 2 * each[1]), units[-1])
    return count(max(1, round(seconds / size)), unit)


def signed(outcome: str) -> str:
    """Put the sign of a verdict before it.

    >>> signed("not decided")
    '? not decided'
    """
    return f"{SIGNS[outcome]} {outcome}"


def counted(counts: Mapping[str, int]) -> str:
    """Format how many claims or sentences hold, fail, and are not decided.

    >>> counted({"holds": 1, "not decided": 2, "fails": 2})
    '1 holds, 2 fail, 2 not decided'
    """
    plural = {"holds": "hold", "fails": "fail"}
    found = [(outcome, counts[outcome]) for outcome in SIGNS if counts.get(outcome)]
    return ", ".join(f"{count} {outcome if count == 1 else plural.get(outcome, outcome)}" for outcome, count in found)


def briefly(thing: object) -> str:
    """Show a plain value, or name the type of anything else.

    >>> briefly("atpo"), briefly([1]), briefly(ValueError())
    ("'atpo'", 'a list', 'a ValueError')
    """
    if thing is None or isinstance(thing, str | int | float):
        return f"{thing!r:.60}"
    name = type(thing).__name__
    return f"a{'n' if name[0] in 'AEIOUaeiou' else ''} {name}"


def value(known: object) -> str:
    """Format any value with few digits; empty for NaN and None.

    >>> value(0.123456), value(float("nan")), value(float("inf")), value(1296.0), value(True)
    ('0.1235', '', '∞', '1296', 'yes')
    """
    if known is None or (isinstance(known, float) and math.isnan(known)):
        return ""
    if isinstance(known, bool):
        return "yes" if known else "no"
    if isinstance(known, float):
        sign = "-" if known < 0 else ""
        return f"{sign}∞" if math.isinf(known) else f"{known:.4g}" if known % 1 else f"{known:.0f}"
    return str(known)
