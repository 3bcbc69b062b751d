from typing import NamedTuple

import numpy as np
import pytest

from walkon import InputError, Rules, tabulate
from walkon.models import rules as rules_module


class Cell(NamedTuple):
    column: int
    row: int


CELLS = [Cell(c, r) for c in range(3) for r in range(2)]


def drift(cell):
    yield Cell(min(cell.column + 1, 2), cell.row), 0.75
    yield cell, 0.25


def test_a_rule_becomes_the_matrix_that_it_says():
    expected = np.zeros((6, 6))
    for i, cell in enumerate(CELLS):
        for next_cell, probability in drift(cell):
            expected[i, CELLS.index(next_cell)] += probability
    assert tabulate(CELLS, CELLS, drift).toarray().tolist() == expected.tolist()


def test_an_outcome_named_twice_is_added_up():
    assert tabulate([0], ["a", "b"], lambda _: [("a", 0.25), ("b", 0.5), ("a", 0.25)]).toarray().tolist() == [
        [0.5, 0.5]
    ]


def test_an_outcome_listed_twice_is_refused():
    with pytest.raises(InputError, match="b is in the list twice"):
        tabulate([0], ["a", "b", "b"], lambda _: [("a", 1.0)])


def test_a_rule_that_leaves_the_list_is_told_where():
    with pytest.raises(InputError, match=r"from Cell\(column=2, row=0\) to Cell\(column=3, row=0\)"):
        tabulate(CELLS, CELLS, lambda cell: [(Cell(cell.column + 1, cell.row), 1.0)])


def team(teammate_actions=("push", "wait", "pull")):
    """Two on a line of five: the cart goes where both pull, slips with 0.1, and pays where it arrives."""
    step = {"push": 1, "wait": 0, "pull": -1}

    def moves(cart, a, b):
        yield min(max(cart + a + step[b], 0), 4), 0.9
        yield cart, 0.1

    return Rules(
        states=range(5),
        actions=[-1, 1],
        teammate_actions=teammate_actions,
        moves=moves,
        reward=lambda cart, a, b, then: 10.0 * (then == 4) - (a != 0),
        discount=0.9,
    )


def test_rules_pay_what_is_expected_over_the_next_state():
    mmdp = team().mmdp()
    assert mmdp.R[2, 1, 0] == pytest.approx(0.9 * 10 - 1)  # 2 + 1 + 1 = 4, unless it slips
    assert mmdp.R[2, 1, 1] == -1
    assert mmdp.R[4, 1, 0] == pytest.approx(9)
    assert mmdp.P[1][0].toarray()[2].tolist() == [0, 0, 0.1, 0, 0.9]
    assert mmdp.teammate_actions == ("push", "wait", "pull")


def test_folding_while_tabulating_is_folding_afterwards():
    def teammates(cart):
        return [("push", 0.5), ("pull", 0.5)] if cart < 2 else [("wait", 1.0)]

    table = [[0.5, 0, 0.5]] * 2 + [[0, 1, 0]] * 3
    one, other = team().mdp(teammates, start=[1, 0, 0, 0, 0]), team().mmdp().mdp(table, start=[1, 0, 0, 0, 0])
    for p, q in zip(one.P, other.P, strict=True):
        assert p.toarray() == pytest.approx(q.toarray(), abs=1e-15)
    assert pytest.approx(other.R) == one.R


def test_matrices_past_the_limit_are_refused_with_the_remedy(monkeypatch):
    monkeypatch.setattr(rules_module, "LARGEST", 1e-9)
    with pytest.raises(InputError, match=r"the 2 x 3 matrices over 5 states would take .* Rules.mdp\(teammates\)"):
        team().mmdp()
    assert team().mdp(lambda cart: [("wait", 1.0)]).P[0].shape == (5, 5)


def test_ten_thousand_states_with_five_actions_and_replies_tabulate_without_a_square_array():
    n = 100
    cells = [Cell(c, r) for c in range(n) for r in range(n)]
    ways = [(0, -1), (0, 1), (-1, 0), (1, 0), (0, 0)]

    def moves(cell, a, b):
        c, r = (min(max(x + d + e, 0), n - 1) for x, d, e in zip(cell, a, b, strict=True))
        yield Cell(c, r), 0.7
        yield cell, 0.3

    big = Rules(cells, ways, ways, moves, lambda *_: -1.0)
    faced = big.mdp(lambda cell: [((0, 1), 0.5), ((1, 0), 0.5)])
    assert faced.P[0].shape == (10_000, 10_000)
    assert faced.P[0].nnz <= 30_000
