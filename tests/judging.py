"""Claims of the tests' own, and what is judged of them."""

from walkon.measuring.claims import Claim, read_claims
from walkon.measuring.verdicts import judge


def claim(**fields):
    common = {"id": "one", "figure": "2a", "says": "", "sweep": "baseline", "test": "difference", "measure": "steps"}
    return Claim(**common | {"must": "be below"} | fields)


def one(table, **fields):
    (verdict,) = judge(table, [claim(**fields)])
    return verdict


def paper(ids, table):
    return [verdict.outcome for verdict in judge(table, [claim for claim in read_claims() if claim.id in ids])]


BETTER = {"pairs": (("atpo", "bopa"),)}
ALIKE = {"pairs": (("atpo", "perseus"),), "must": "stay within", "stake": 0.1}
