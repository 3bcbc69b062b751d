import math

import pytest

from walkon import InputError
from walkon.agents.registry import AGENTS
from walkon.measuring.claims import PAPER, amendment, read_claims
from walkon.measuring.comparisons import TESTS
from walkon.measuring.table import CURVES

CLAIMS = read_claims()
FIVE = {"value-iteration", "perseus", "atpo", "bopa", "random"}
FOUR = {"value-iteration", "perseus", "atpo", "bopa"}
PLAYERS = {
    "baseline": FIVE,
    "size": FIVE,
    "noise": FIVE,
    "tasks": {"atpo", "bopa"},
    "setup": FOUR,
    "decision": FOUR,
    "decision-tasks": {"bopa", "atpo"},
    "pursuit": FIVE,
    "overcooked": {"value-iteration", "atpo", "assistant", "random"},
    "bound": {"atpo"},
}


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_a_claim_can_be_tested_on_what_the_paper_ran(claim):
    """Its test exists, its agents play in its sweep, and it has a margin if it needs one, by the rules of the file."""
    assert claim.test in TESTS
    assert claim.id.startswith(claim.figure)
    named = {*claim.agents, *(agent for pair in claim.pairs for agent in pair)}
    assert named <= PLAYERS[claim.sweep] & set(AGENTS)
    assert bool(claim.pairs) == (claim.test in ("difference", "difference-of-rises", "orders"))
    assert set(claim.rights) <= set(CURVES)
    if claim.must in ("stay within", "be at most"):
        assert math.isnan(claim.margin) != math.isnan(claim.stake)
    if not math.isnan(claim.stake):
        assert {"random", "value-iteration"} <= PLAYERS[claim.stake_sweep or claim.sweep]
    if claim.test == "difference" and claim.measure == "steps" and not claim.directed:
        assert claim.stake == 0.1
    if claim.measure == "soups":
        assert claim.most == 5
        assert claim.directed or claim.margin == 0.25
    if claim.measure == "identified_at":
        assert math.isinf(claim.never)  # a cap is no time of identification


def test_only_claims_that_the_amendment_added_have_no_former_test():
    assert {claim.id for claim in CLAIMS if claim.before is None} == {"4b-linear-in-tasks", "6b-ten-steps-median"}
    formerly = {claim.id: claim.before for claim in CLAIMS if claim.before}
    assert formerly["3a-same-order"].test == "concordance"
    assert formerly["3a-same-order"].agents == ("value-iteration", "perseus", "atpo", "bopa", "random")
    assert (formerly["6b-ten-steps"].measure, formerly["6b-ten-steps"].never) == ("identified_at", 75)
    assert not any(claim.amended or claim.differs for claim in formerly.values())
    date, reason = amendment(PAPER)
    assert date == "2026-11-16"
    assert reason


def test_a_sentence_is_named_by_its_first_claim():
    first = {claim.id for claim in CLAIMS if claim.sentence == claim.id}
    seen = set()
    for claim in CLAIMS:
        assert claim.sentence in first
        assert claim.sentence in seen or claim.sentence == claim.id
        seen.add(claim.id)
    assert {claim.figure for claim in CLAIMS if claim.section == "proposition"} == {"bound"}


def test_every_figure_of_the_paper_has_claims():
    figures = {"2a", "2b", "3a", "3b", "3c", "4a", "4b", "5a", "5b", "6a", "6b", "bound"}
    assert {claim.figure for claim in CLAIMS} == figures


def test_a_claim_that_departs_from_the_common_limits_says_why():
    for claim in CLAIMS:
        if claim.limit and claim.figure not in ("4a",):
            assert claim.reason, claim.id


GOOD = """
[[claim]]
id = "one"
figure = "2a"
says = "Better."
sweep = "baseline"
test = "difference"
measure = "steps"
pairs = [["atpo", "bopa"]]
must = "be below"
"""


def test_a_file_of_ones_own_is_read(tmp_path):
    path = tmp_path / "claims.toml"
    path.write_text(GOOD)
    (claim,) = read_claims(path)
    assert (claim.id, claim.pairs, claim.limit, claim.directed) == ("one", (("atpo", "bopa"),), 0.0, True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("claim = [", "no file of claims"),
        ("[claims]", "no file of claims"),
        (GOOD + GOOD, "2 claims with id 'one'"),
        (GOOD + 'colour = "red"', "claim one: there is no field 'colour'"),
        (GOOD.replace('must = "be below"', ""), "claim one: 'must' is missing"),
        (GOOD.replace("be below", "be nice"), "must is 'be nice', expected one of be below"),
        (GOOD.replace('"steps"', '"stepz"'), "measure is 'stepz', expected one of steps"),
        (GOOD.replace("be below", "stay within"), "to stay within needs a margin or a stake"),
        (GOOD + 'agents = ["atpo"]', "either agents or pairs"),
        (GOOD + 'by = "agent"', "by is 'agent', expected x or task"),
        (GOOD + 'sentence = "two"', "claim one: sentence is 'two', expected the id of a claim"),
        (GOOD + '[claim.before]\nmust = "be nice"', "must is 'be nice'"),
        (GOOD + "amended = false", "there is no field 'amended'"),
    ],
)
def test_a_wrong_file_is_refused_with_its_mistake(tmp_path, text, message):
    path = tmp_path / "claims.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        read_claims(path)
