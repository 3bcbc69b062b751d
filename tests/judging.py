"""Claims of the tests' own, and what is judged of them."""

from walkon.measuring.claims import Claim, read_claims
from walkon.measuring.verdicts import judge


def claim(**fields):
    common = {"id": "one", "figure": "2a", "says": "", "sweep": "baseline", "test": "difference", "measure": "steps"}
    return Claim(**common | {"must": "be below"} | fields)


def one(table, **fields):
    (verdict,) = judge(table, [claim(**fields)])
    return verdict


def claims_of(ids):
    return [claim for claim in read_claims() if claim.id in ids]


def paper(ids, table):
    return [verdict.outcome for verdict in judge(table, claims_of(ids))]


def before(ids, table):
    """The outcomes by the tests and rules before the amendment."""
    return [verdict.before for verdict in judge(table, claims_of(ids))]


BETTER = {"pairs": (("atpo", "bopa"),)}
ALIKE = {"pairs": (("atpo", "perseus"),), "must": "stay within", "stake": 0.1}
