"""Claims as data: a statement about a figure, and the test that decides it.

The paper's claims are in claims.toml, which explains the tests, margins and limits; those beyond the paper are in
beyond.toml, those of the second paper in dark.toml. Several claims may come from one sentence. A claim whose test was
amended keeps the former one beside it.
"""

import tomllib
from dataclasses import MISSING, dataclass, fields, replace
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Literal, get_args

from walkon.errors import InputError
from walkon.measuring.table import MEASURES, NAN, Measure, Options, measure_of

Must = Literal["be below", "be above", "stay within", "be at most", "never exceed"]
PAPER, BEYOND, DARK = (files("walkon.paper") / name for name in ("claims.toml", "beyond.toml", "dark.toml"))


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One claim, with the fields of claims.toml."""

    id: str  # a name that never changes
    figure: str  # comparisons of one figure are adjusted for one another
    says: str  # the claim, in the paper's words or nearly so
    sweep: str  # the sweep whose trials are tested; the first of `sweeps` if there are several
    test: str  # one of `TESTS`: what is estimated
    measure: str  # one of `MEASURES`, or a tally
    must: Must  # where the estimate has to lie
    agents: tuple[str, ...] = ()  # for tests of one agent at a time, or of all at once
    sweeps: tuple[str, ...] = ()  # where it has to hold in each of several sweeps, or is about all of them
    pairs: tuple[tuple[str, str], ...] = ()  # for differences: the first agent minus the second
    limit: float = 0.0  # the value that `must` refers to
    margin: float = NAN  # how far from the limit still counts as at it
    stake: float = NAN  # the margin as a share of Random minus Value Iteration
    stake_sweep: str = ""  # the sweep of these two; the claim's own if empty
    points: tuple[float, ...] = ()  # of the sweep; all if empty
    by: Literal["", "x", "task"] = ""  # whether each x, or each task, has a difference of its own
    at: int | None = None  # see `Options`
    never: float = NAN  # see `Options`
    other_sweep: str = ""  # for a difference of growths: what growth is compared with
    other_measure: str = ""
    rights: tuple[str, ...] = ()  # the curves that a curve must not exceed
    reason: str = ""  # why this test, limit or margin
    verb: str = ""  # what an agent does to a tally, such as "delivers"
    most: float = NAN  # the largest value of a tally
    sentence: str = ""  # the id of the first claim from the same sentence; its own by default
    differs: str = ""  # what we do otherwise than the paper, so that the outcome is "not comparable"
    before: "Claim | None" = None  # its test before the amendment; None if it is new
    amended: bool = True  # False for the test before the amendment, which is judged by the rules of then

    @property
    def section(self) -> Literal["claims", "proposition"]:
        """Whether it is a sentence on results, or on Proposition 1."""
        return "proposition" if self.figure == "bound" else "claims"

    @property
    def number(self) -> Measure:
        """The measure that the claim is about."""
        return measure_of(self.measure, self.verb)

    @property
    def options(self) -> Options:
        """The options of its measure."""
        return Options(at=self.at, never=self.never)

    @property
    def directed(self) -> bool:
        """Whether it is decided by a two-sided test against a limit, rather than by equivalence."""
        return self.must in ("be below", "be above")

    @property
    def level(self) -> float:
        """The confidence level of the interval that goes with its test."""
        return 0.95 if self.directed else 0.9


def read_claims(source: Traversable = PAPER) -> tuple[Claim, ...]:
    """Read the claims of a file; those of the paper by default."""
    claims = tuple(_amended(row) for row in _read(source)["claim"])
    ids = [claim.id for claim in claims]
    for name in ids:
        if ids.count(name) > 1:
            raise InputError(f"there are {ids.count(name)} claims with id {name!r}: give each its own")
    for claim in claims:
        if claim.sentence not in ids:
            raise InputError(f"claim {claim.id}: sentence is {claim.sentence!r}, expected the id of a claim")
    return claims


def amendment(source: Traversable) -> tuple[str, str]:
    """Return the date of the amendment of a file of claims, and what it changed; empty if there is none."""
    found = _read(source).get("amendment", {})
    return str(found.get("date", "")), str(found.get("reason", ""))


def _read(source: Traversable) -> dict[str, Any]:
    try:
        found = tomllib.loads(source.read_text(encoding="utf-8"))
        return found | {"claim": list(found["claim"])}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError) as cause:
        raise InputError(f"{source} is no file of claims: {cause!r}; expected TOML with [[claim]] entries") from None


def _amended(row: dict[str, Any]) -> Claim:
    """Make a claim with its test before it was amended: the fields that differed, all if none did.

    A claim that is new had none; if it was amended all the same, both tests are judged by the same rules.
    """
    before, new = row.pop("before", {}), row.pop("new", False)
    claim = replace(_claim(row), sentence=row.get("sentence", row.get("id", "")))
    if new and not before:
        return claim
    former = {name: value for name, value in (row | before).items() if value != []}
    return replace(claim, before=replace(_claim(former), amended=new, differs=""))


def _claim(row: dict[str, Any]) -> Claim:
    place = f"claim {row.get('id', 'without an id')}"
    if row.get("sweeps") and "sweep" not in row:
        row = row | {"sweep": row["sweeps"][0]}
    known = {field.name: field.default for field in fields(Claim) if field.name not in ("before", "amended")}
    if surplus := sorted(row.keys() - known):
        raise InputError(f"{place}: there is no field {surplus[0]!r}; expected {', '.join(sorted(known))}")
    if missing := sorted({name for name in known if known[name] is MISSING} - row.keys()):
        raise InputError(f"{place}: {missing[0]!r} is missing")
    if row["must"] not in get_args(Must):
        raise InputError(f"{place}: must is {row['must']!r}, expected one of {', '.join(get_args(Must))}")
    if row["measure"] not in MEASURES and "verb" not in row:
        raise InputError(
            f"{place}: measure is {row['measure']!r}, expected one of {', '.join(MEASURES)}, "
            "or a tally with the verb that goes with it"
        )
    if row["must"] in ("stay within", "be at most") and not {"margin", "stake"} & row.keys():
        raise InputError(f"{place}: to {row['must']} needs a margin or a stake")
    if row.get("by", "") not in ("", "x", "task"):
        raise InputError(f"{place}: by is {row['by']!r}, expected x or task")
    if ("agents" in row) == ("pairs" in row):
        raise InputError(f"{place}: give either agents or pairs")
    lists = {key: tuple(row[key]) for key in ("agents", "points", "rights", "sweeps") if key in row}
    pairs = {"pairs": tuple((first, second) for first, second in row["pairs"])} if "pairs" in row else {}
    return Claim(**row | lists | pairs)
