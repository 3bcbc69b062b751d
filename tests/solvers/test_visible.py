"""The blocks of states that are always told apart, against sets joined one by one."""

from ast import literal_eval

import numpy as np
from hypothesis import given

from random_models import pomdps
from twins import dense
from walkon import POMDP
from walkon.domains.classics import CAUGHT, tag
from walkon.solvers.points.visible import find_blocks, simple_plans


def joined(pomdp):
    """The finest partition that holds what each block, action and observation leave possible within one block."""
    P, O = dense(pomdp.P) > 0, dense(pomdp.O) > 0
    X, A, Z = P.shape[1], len(P), O.shape[2]
    parts = [{x} for x in range(X)]
    changed = True
    while changed:
        changed = False
        for part in [set(np.flatnonzero(pomdp.start)), *parts]:
            for a in range(A):
                reached = P[a][sorted(part)].any(axis=0)
                for z in range(Z):
                    after = set(np.flatnonzero(reached & O[a][:, z]))
                    touched = [other for other in parts if other & after]
                    if len(touched) > 1:
                        parts = [other for other in parts if not other & after] + [set().union(*touched)]
                        changed = True
    return {frozenset(part) for part in parts}


def parts_of(found):
    count = found.block.max() + 1
    return {frozenset(found.states[found.first[g] : found.first[g + 1]].tolist()) for g in range(count)}


@given(pomdps())
def test_the_blocks_are_the_finest_that_no_observation_leads_out_of(pomdp):
    found = find_blocks(pomdp)
    assert parts_of(found) == joined(pomdp)
    X = len(pomdp.start)
    assert (found.states[found.slot] == np.arange(X)).all()
    assert (found.first[found.block] <= found.slot).all()
    assert (found.slot < found.first[found.block + 1]).all()
    here = found.states[found.first[found.start] : found.first[found.start + 1]]
    assert set(np.flatnonzero(pomdp.start)) <= set(here.tolist())


def test_where_the_state_is_seen_each_state_is_a_block_and_where_nothing_is_there_is_one():
    anywhere = np.full((4, 4), 0.25)
    seen = find_blocks(POMDP([anywhere], [np.eye(4)], np.zeros((4, 1))))
    assert np.diff(seen.first).tolist() == [1, 1, 1, 1, 4]  # and the start, before anything was read
    assert seen.start == 4
    blind = find_blocks(POMDP([anywhere], [np.ones((4, 1))], np.zeros((4, 1))))
    assert np.diff(blind.first).tolist() == [4]
    assert blind.start == 0


def test_in_tag_a_block_is_our_own_place():
    pomdp = tag()
    found = find_blocks(pomdp)
    states = [literal_eval(name) for name in pomdp.states]
    for part in parts_of(found):
        places = {states[x][0] for x in part}
        level = all(states[x][0] == states[x][1] for x in part)  # where we moved onto the opponent we read only that
        assert len(places) == 1 or level
    assert np.diff(found.first).max() == 841  # the start: anywhere, but not caught
    assert all(states[x][1] != CAUGHT for x in found.states[found.first[found.start] :])


@given(pomdps())
def test_the_simplest_plans_are_worth_no_less_than_their_bounds_however_early_they_are_wanted(pomdp):
    """Oracle: the linear equations of each plan, v = r + gamma P v."""
    X, P = len(pomdp.start), dense(pomdp.P)
    for patience in (0, 1, 5, 10**9):
        looks = iter(range(10**9))
        plans = simple_plans(pomdp, find_blocks(pomdp), pomdp.R, lambda n=patience, looks=looks: next(looks) >= n)
        for value, actions in plans:
            rows = P[actions, np.arange(X)]
            exact = np.linalg.solve(np.eye(X) - pomdp.discount * rows, pomdp.R[np.arange(X), actions])
            assert (value <= exact + 1e-9 * abs(exact).max()).all()
