"""The matrices of the worlds of "Making Friends in the Dark" against worlds that are played state by state."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import slow_worlds
import walkon
from conftest import fewer
from walkon.domains.overcooked.world import ACTIONS, STATES, delivers, matrices

NOISES = st.sampled_from([0.0, 0.05, 0.2, 0.5, 1.0])
PLAIN = (0, 1, 2, 3)  # up, down, left, right
SIDEWAYS = (2, 3, 0, 1)
LETTERS = "...S.GG#"


def agrees(task, world, discount=0.95):
    """Compare a task with a slow world, entry by entry."""
    states = [*world.states, slow_worlds.OVER]
    number = {x: i for i, x in enumerate(states)}
    X, (A, Z) = len(states), (len(task.pomdp.P), task.sensor[0].shape[1])
    assert task.pomdp.R.shape == (X, A)
    assert task.pomdp.discount == discount
    start = np.zeros(X)
    start[[number[x] for x in world.starts]] = 1 / len(world.starts)
    np.testing.assert_allclose(task.start, start, rtol=0, atol=1e-15)
    np.testing.assert_array_equal(task.solved, [x in world.solved or x == slow_worlds.OVER for x in states])
    pays = [0.0 if x == slow_worlds.OVER else 100.0 if x in world.solved else -1.0 for x in states]
    for a in range(A):
        P, O = np.zeros((X, X)), np.zeros((X, Z))
        for i, x in enumerate(states):
            if x in world.solved or x == slow_worlds.OVER:
                P[i, -1] = 1.0
            else:
                for y, p in world.moves(x, a).items():
                    P[i, number[y]] += p
            for z, p in ({0: 1.0} if x == slow_worlds.OVER else world.sees(a, x)).items():
                O[i, z] += p
        np.testing.assert_allclose(task.pomdp.P[a].toarray(), P, rtol=0, atol=1e-14)
        np.testing.assert_allclose(task.sensor[a].toarray(), O, rtol=0, atol=1e-14)
        np.testing.assert_allclose(task.pomdp.R[:, a], pays, rtol=1e-14, atol=0)


@fewer(4)
@given(
    task=st.integers(0, 31),
    noise=NOISES,
    teammate_fails=st.booleans(),
    misread=st.sampled_from(["nothing", "wrong"]),
)
def test_a_gridworld_is_that_of_the_text(task, noise, teammate_fails, misread):
    options = {"noise": noise, "teammate_fails": teammate_fails, "misread": misread}
    (made,) = walkon.make("gridworld", tasks=[task], **options)
    goals = [(int(made.name[i]), int(made.name[i + 2])) for i in (7, 17)]
    free = {(c, r) for c in range(5) for r in range(5)}
    everywhere = {"sharing": True, "agent_fails": True, "teammate": "closest", "starts": lambda x: True}
    agrees(made, slow_worlds.floor(free, goals, order=SIDEWAYS, **everywhere, **options))


@st.composite
def small_maps(draw):
    """Maps of up to 4 x 4 cells that can be walked."""
    columns, rows = draw(st.integers(2, 4)), draw(st.integers(2, 4))
    lines = [draw(st.text(LETTERS, min_size=columns, max_size=columns)) for _ in range(rows)]
    cells = {(c, r): letter for r, line in enumerate(lines) for c, letter in enumerate(line) if letter != "#"}
    goals = sorted(cell for cell, letter in cells.items() if letter == "G")
    assume(len(goals) > 1 and list(cells.values()).count("S") > 1)
    reached, edge = set(), {goals[0]}
    while edge:
        reached |= edge
        edge = {(c + d, r + e) for c, r in edge for d, e in slow_worlds.STEPS} & cells.keys() - reached
    assume(len(reached) == len(cells))
    return lines, cells, goals


@fewer(8)
@given(
    drawn=small_maps(),
    noise=NOISES,
    agent_fails=st.booleans(),
    misread=st.sampled_from(["nothing", "wrong"]),
    teammate=st.sampled_from(["closest", "optimal"]),
    start=st.sampled_from(["anywhere", "marked"]),
    widely=st.booleans(),
    which=st.integers(0, 99),
)
def test_a_building_of_ones_own_is_that_of_the_text(drawn, noise, agent_fails, misread, teammate, start, widely, which):
    lines, cells, goals = drawn
    pairs = [(one, two) for i, one in enumerate(goals) for two in goals[i + 1 :]]
    k = which % len(pairs)
    options = {"noise": noise, "agent_fails": agent_fails, "misread": misread, "teammate": teammate}
    how = {"start": start, "goals": "in-line" if widely else "own"}
    (made,) = walkon.make("buildings", map="\n".join(lines), tasks=[k], **options, **how)
    chosen = list(pairs[k])
    if widely:
        chosen += [g for g in goals if g not in pairs[k] and any(g[0] == c or g[1] == r for c, r in pairs[k])]

    def starts(x):
        return start == "anywhere" or cells[x[:2]] == cells[x[2:]] == "S"

    agrees(
        made,
        slow_worlds.floor(
            cells.keys(), chosen, sharing=False, teammate_fails=False, order=PLAIN, starts=starts, **options
        ),
    )


@pytest.mark.parametrize("ring", ["modulo", "reversed"])
@pytest.mark.parametrize("search", ["torus", "quadrant"])
def test_pursuit_is_that_of_the_text(ring, search):
    """Each combination with another pair of sides; greedy does not search."""
    k = 2 * (ring == "modulo") + (search == "torus")
    for task, kind in ((k, "greedy"), (4 + k, "aware")):
        (made,) = walkon.make("pursuit-both", tasks=[task], ring=ring, search=search, noise=0.1)
        pair = list(slow_worlds.SIDES)[k]
        agrees(made, slow_worlds.pursuit(kind, pair, noise=0.1, ring=ring, search=search))


def test_an_aware_teammate_is_lost_as_often_as_specified():
    """As run, it moves at random in 325, 325, 321 and 333 of the states that are not solved."""
    library = walkon.make("pursuit-both", variant="run")
    lost = [int(((task.teammates.toarray() == 0.2).all(axis=1) & ~task.solved).sum()) for task in library]
    assert lost == [0, 0, 0, 0, 325, 325, 321, 333]


def test_as_described_greedy_and_aware_differ_in_few_states():
    library = walkon.make("pursuit-both")
    for k in range(4):
        differ = (library[k].teammates != library[4 + k].teammates).toarray().any(axis=1)
        assert 16 <= differ[~library[k].solved].sum() <= 22


@fewer(6)
@given(
    cleaning=st.booleans(),
    noise=st.sampled_from([0.0, 0.2, 0.35]),
    misread=st.sampled_from(["nothing", "wrong"]),
    discount=st.sampled_from([0.8, 0.9, 0.95]),
)
def test_the_power_plant_is_that_of_the_text(cleaning, noise, misread, discount):
    options = {"noise": noise, "misread": misread, "discount": discount}
    (made,) = walkon.make("power-plant", tasks=[int(cleaning)], **options)
    agrees(made, slow_worlds.plant(cleaning, **options), discount)


@pytest.fixture(scope="module")
def kitchens():
    return {variant: walkon.make("one-soup", variant=variant) for variant in ("described", "run")}


def test_one_soup_moves_as_overcooked_does_but_for_the_delivery(kitchens):
    ours, theirs, N = kitchens["run"][0].mmdp, matrices("helper"), len(STATES)
    for a in range(len(ACTIONS)):
        for b, cook in enumerate(ACTIONS):
            wanted = theirs.P[a][b].toarray()
            delivering = np.array([delivers(x, cook) for x in STATES])
            wanted[delivering] = 0.0
            found = ours.P[a][b].toarray()
            np.testing.assert_array_equal(found[:N, :N], wanted)
            np.testing.assert_array_equal(found[:N, N], delivering)
            assert found[N, N + 1] == found[N + 1, N + 1] == 1


def test_the_cooks_are_those_of_the_text(kitchens):
    """By value iteration over all pairs of actions; the marginal of all optimal pairs is the optimal cook."""
    team = kitchens["described"][0].mmdp
    following = np.array([[P.indices for P in row] for row in team.P])  # [A, B, X]
    value = np.zeros(len(team.R))
    for _ in range(800):
        value = (team.R.transpose(1, 2, 0) + 0.95 * value[following]).max(axis=(0, 1))
    worth = team.R.transpose(1, 2, 0) + 0.95 * value[following]
    best = worth > worth.max(axis=(0, 1)) - 1e-9
    assert best.all(axis=(0, 1))[:1728].sum() == 492
    optimal = (best.sum(axis=0) / best.sum(axis=(0, 1))).T  # [X, B]
    for variant, share in (("described", 1.0), ("run", 0.5)):
        cooks = [task.teammates.toarray() for task in kitchens[variant]]
        np.testing.assert_allclose(cooks[0], optimal, rtol=0, atol=1e-15)
        np.testing.assert_array_equal(cooks[3], np.full((1730, 4), 0.25))
        for cook, own in ((cooks[1], 0), (cooks[2], 1)):
            for i, x in enumerate(STATES):
                wanted = optimal[i]
                if x.cook_hand == 0:
                    wanted = share * np.eye(4)[3 if x.cook == own else own] + (1 - share) * optimal[i]
                np.testing.assert_allclose(cook[i], wanted, rtol=0, atol=1e-15)


def test_the_helper_sees_the_kitchen_and_starts_in_one_of_four_states(kitchens):
    task = kitchens["described"][0]
    assert task.observed
    assert [STATES[i] for i in np.flatnonzero(task.start)] == [x for x in STATES if not any(x[2:])]
