"""The classic problems, against their rules played state by state and the numbers of the literature."""

from ast import literal_eval

import numpy as np
import pytest

from walkon import Ascent, solve
from walkon.domains.classics import CAUGHT, CELLS, CLASSICS, hallway, hallway2, rock_sample, tag

SIZES = {
    "tiger": (2, 3, 2),
    "tag": (870, 5, 30),
    "hallway": (60, 5, 21),
    "hallway2": (92, 5, 17),
    "rock-sample": (257, 9, 2),
}


@pytest.mark.parametrize("name", CLASSICS)
def test_it_has_its_published_size_and_discount(name):
    pomdp = CLASSICS[name]()
    assert (*pomdp.R.shape, pomdp.O[0].shape[1]) == SIZES[name]
    assert pomdp.discount == 0.95


def row(pomdp, matrices, action, state):
    """The outcomes of a row by name, for rows and columns with names."""
    matrix = matrices[pomdp.actions.index(action)]
    chances = matrix.toarray()[number(pomdp, state)]
    names = pomdp.states if matrices is pomdp.P else pomdp.observations
    return {meant(names[j]): pytest.approx(chances[j]) for j in np.flatnonzero(chances)}


def number(pomdp, state):
    return pomdp.states.index(str(state))


def meant(name):
    """Parse a name into a tuple, a number or a word."""
    return literal_eval(name) if name[0] in "(0123456789" else name


def test_the_opponent_of_tag_runs_away():
    pomdp = tag()
    here, there = (1, 0), (5, 1)  # it stands to our north-east, below the upper part
    assert row(pomdp, pomdp.P, "north", (here, there)) == {
        ((1, 1), (5, 1)): 0.2,
        ((1, 1), (6, 1)): 0.4,
        ((1, 1), (5, 2)): 0.4,
    }
    assert row(pomdp, pomdp.P, "north", (here, here)) == {
        ((1, 1), (0, 0)): 0.2,
        ((1, 1), (1, 0)): 0.4,
        ((1, 1), (2, 0)): 0.2,
        ((1, 1), (1, 1)): 0.2,
    }
    assert row(pomdp, pomdp.P, "west", ((1, 0), (0, 0))) == {((0, 0), (0, 0)): 0.8, ((0, 0), (0, 1)): 0.2}
    assert row(pomdp, pomdp.P, "catch", (here, here)) == {(here, CAUGHT): 1.0}
    assert row(pomdp, pomdp.P, "east", (here, CAUGHT)) == {(here, CAUGHT): 1.0}


def test_in_tag_we_observe_our_place_unless_we_moved_onto_the_opponent():
    pomdp = tag()
    for state in [(CELLS[3], CELLS[3]), (CELLS[3], CELLS[4]), (CELLS[3], CAUGHT)]:
        level = state[0] == state[1]
        assert row(pomdp, pomdp.O, "north", state) == {"found" if level else CELLS[3]: 1.0}
        assert row(pomdp, pomdp.O, "catch", state) == {CELLS[3]: 1.0}
    rewards = {meant(state): pomdp.R[x].tolist() for x, state in enumerate(pomdp.states)}
    assert rewards[CELLS[3], CELLS[3]] == [-1, -1, -1, -1, 10]
    assert rewards[CELLS[3], CELLS[4]] == [-1, -1, -1, -1, -10]
    assert rewards[CELLS[3], CAUGHT] == [-1, -1, -1, -1, 0]


def test_in_a_hallway_a_step_may_slip_and_turn():
    pomdp = hallway()
    north, east, south, west = range(4)
    assert row(pomdp, pomdp.P, "forward", ((2, 0), north)) == {  # a wall ahead, a room behind
        ((2, 0), north): 0.85,
        ((3, 0), east): 0.05,
        ((2, 1), north): 0.025,
        ((2, 1), south): 0.025,
        ((1, 0), west): 0.05,
    }
    assert row(pomdp, pomdp.P, "around", ((2, 0), north)) == {
        ((2, 0), north): 0.1,
        ((2, 0), east): 0.15,
        ((2, 0), south): 0.6,
        ((2, 0), west): 0.15,
    }
    assert row(pomdp, pomdp.O, "stay", ((2, 0), south)) == {(2, 0): 1.0}
    walls = row(pomdp, pomdp.O, "stay", ((2, 0), north))  # ahead, right, behind, left: 8, 4, 2, 1
    assert walls[8] == 0.9 * 0.95**3
    assert walls[15] == 0.9 * 0.05**3
    assert max(row(pomdp, pomdp.O, "stay", ((0, 0), north)).items(), key=lambda item: item[1].expected)[0] == 8 + 2 + 1


@pytest.mark.parametrize("world", [hallway, hallway2])
def test_the_goal_of_a_hallway_pays_one_and_leads_anywhere_else(world):
    pomdp = world()
    goal = np.array([pomdp.O[0][x, pomdp.O[0].shape[1] - 1] == 1 for x in range(len(pomdp.start))])
    assert goal.sum() == 4
    assert (pomdp.start[goal] == 0).all()
    for a, p in enumerate(pomdp.P):
        assert p.toarray()[goal] == pytest.approx(np.tile(pomdp.start, (4, 1)))
        assert pomdp.R[:, a] == pytest.approx(p.toarray()[:, goal].sum(axis=1))


def test_rocks_are_sampled_once_and_checked_from_afar():
    pomdp = rock_sample()
    good, bad = 0b1111, 0b1110  # the first rock lies at (3, 1)
    assert row(pomdp, pomdp.P, "sample", (3, 1, good)) == {(3, 1, bad): 1.0}
    rewards = pomdp.R[[number(pomdp, s) for s in [(3, 1, good), (3, 1, bad), (0, 0, good), "over"]]]
    assert rewards[:, pomdp.actions.index("sample")].tolist() == [10, -10, -100, 0]
    assert row(pomdp, pomdp.O, "check 0", (3, 1, good)) == {"good": 1.0}
    assert row(pomdp, pomdp.O, "check 0", (3, 3, bad)) == {
        "good": (1 - np.exp(-2)) / 2,
        "bad": (1 + np.exp(-2)) / 2,
    }
    assert row(pomdp, pomdp.P, "east", (3, 0, good)) == {"over": 1.0}
    assert pomdp.R[number(pomdp, (3, 0, good)), pomdp.actions.index("east")] == 10
    assert pomdp.R[number(pomdp, (0, 0, good)), pomdp.actions.index("west")] == -100


@pytest.mark.parametrize(("world", "backups", "low", "high"), [(tag, 8000, -6.3, -5.9), (hallway, 3000, 0.95, 1.05)])
def test_policies_earn_about_what_the_literature_reports(world, backups, low, high):
    """Tag: -5.9 to -6.2 at best; Hallway: about 1.01 (Kurniawati, Hsu and Lee 2008; Shani et al. 2013)."""
    assert low <= solve(world(), Ascent(backups=backups)).lower <= high
