"""Claims as data: what is said of which figure, and by which test it stands or falls.

The paper's are read from claims.toml, which says what the tests, margins and limits mean, and why; those about what
goes beyond it from beyond.toml.
"""

import tomllib
from dataclasses import dataclass, fields
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Literal, get_args

from walkon.errors import InputError
from walkon.measuring.measures import MEASURES, Measure, Options, measure_of

Must = Literal["be below", "be above", "stay within", "be at most", "never exceed"]
NAN = float("nan")
PAPER, BEYOND = (files("walkon.paper") / name for name in ("claims.toml", "beyond.toml"))


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One claim. Its fields are those of claims.toml.

    Attributes:
        id: A name that stays.
        figure: The figure it is about; comparisons of one figure are adjusted for one another.
        says: The claim, in the paper's words or nearly so.
        sweep: Where the trials are.
        test: What is estimated.
        measure: Of which number: one of `MEASURES`, or a tally.
        must: Where the estimate has to lie.
        agents: Of whom, for tests of one agent at a time or of all at once.
        pairs: Of whom minus whom, for differences.
        limit: The place that `must` speaks of.
        margin: How far from the limit still counts as at it.
        stake: The margin as a share of Random minus Value Iteration.
        stake_sweep: Where to take these from; the claim's own sweep if not given.
        points: Which points of the sweep; all if none are given.
        by: Whether a difference is taken for each "x" or each "task" apart.
        at, never: See `Options`.
        verb: What an agent does to what is counted, where the measure is a tally.
        other_sweep, other_measure: What growth is compared with.
        rights: The curves that a curve must not exceed.
        reason: Why this test, limit or margin.
    """

    id: str
    figure: str
    says: str
    sweep: str
    test: str
    measure: str
    must: Must
    agents: tuple[str, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    limit: float = 0.0
    margin: float = NAN
    stake: float = NAN
    stake_sweep: str = ""
    points: tuple[float, ...] = ()
    by: Literal["", "x", "task"] = ""
    at: int | None = None
    never: float = NAN
    other_sweep: str = ""
    other_measure: str = ""
    rights: tuple[str, ...] = ()
    reason: str = ""
    verb: str = ""

    @property
    def number(self) -> Measure:
        """The number that it is about."""
        return measure_of(self.measure, self.verb)

    @property
    def options(self) -> Options:
        """What it says about its measure."""
        return Options(at=self.at, never=self.never)

    @property
    def directed(self) -> bool:
        """Whether it is decided by a two-sided test against a limit, rather than by equivalence."""
        return self.must in ("be below", "be above")

    @property
    def level(self) -> float:
        """The probability of the interval that goes with its test."""
        return 0.95 if self.directed else 0.9


def read_claims(source: Traversable = PAPER) -> tuple[Claim, ...]:
    """The claims of a file; those of the paper if none is given."""
    try:
        rows = tomllib.loads(source.read_text(encoding="utf-8"))["claim"]
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError) as cause:
        raise InputError(f"{source} is no file of claims: {cause!r}; expected TOML with [[claim]] entries") from None
    claims = tuple(_claim(row) for row in rows)
    ids = [claim.id for claim in claims]
    for name in ids:
        if ids.count(name) > 1:
            raise InputError(f"there are {ids.count(name)} claims with id {name!r}: give each its own")
    return claims


def _claim(row: dict[str, Any]) -> Claim:
    name = row.get("id", "without an id")
    known = {field.name for field in fields(Claim)}
    if surplus := sorted(set(row) - known):
        raise InputError(f"claim {name}: there is no field {surplus[0]!r}; expected {', '.join(sorted(known))}")
    missing = sorted({"id", "figure", "says", "sweep", "test", "measure", "must"} - set(row))
    if missing:
        raise InputError(f"claim {name}: {missing[0]!r} is missing")
    if row["must"] not in get_args(Must):
        raise InputError(f"claim {name}: must is {row['must']!r}, expected one of {', '.join(get_args(Must))}")
    if row["measure"] not in MEASURES and "verb" not in row:
        raise InputError(
            f"claim {name}: measure is {row['measure']!r}, expected one of {', '.join(MEASURES)}, "
            "or a tally with the verb that goes with it"
        )
    if row["must"] in ("stay within", "be at most") and not {"margin", "stake"} & set(row):
        raise InputError(f"claim {name}: to {row['must']} needs a margin or a stake")
    if row.get("by", "") not in ("", "x", "task"):
        raise InputError(f"claim {name}: by is {row['by']!r}, expected x or task")
    if ("agents" in row) == ("pairs" in row):
        raise InputError(f"claim {name}: give either agents or pairs")
    lists = {key: tuple(row[key]) for key in ("agents", "points", "rights") if key in row}
    pairs = {"pairs": tuple((first, second) for first, second in row["pairs"])} if "pairs" in row else {}
    return Claim(**row | lists | pairs)
