"""The tiger problem of two agents, worked out by hand, as a file and as a task."""

from itertools import product

import numpy as np
import pytest

import walkon
from walkon.errors import InputError

TIGER = """# two agents
agents: 2
discount: 1
values: reward
states: tiger-left tiger-right
start:
uniform
actions:
listen open-left open-right
# the second agent
listen open-left open-right
observations:
hear-left hear-right
2
T: * :
uniform
T: listen listen :
identity
O: * :
uniform
O: listen listen : tiger-left : hear-left 0 : 0.7225
O: 0 : tiger-left : hear-left 1 : 0.1275
O: 0 0 : tiger-left : hear-right 0 : 0.1275
O: listen 0 : tiger-left : 3 : 0.0225
O: listen listen : tiger-right :
0.0225 0.1275 0.1275 0.7225
R: * : * : * : * : -100
R: listen listen: * : * : * : -2
R: open-left open-left : tiger-left : * : * : -50
R: open-right open-right : tiger-right : * : * : -50
R: open-left open-left : tiger-right : * : * : +20
R: open-right open-right : tiger-left : * : * : 20
R: open-left listen: tiger-left : * : * : -101
R: listen open-right: tiger-right : * : * : -101
R: listen open-left: tiger-left : * : * : -101
R: open-right listen: tiger-right : * : * : -101
R: listen open-right: tiger-left : * : * : 9
R: listen open-left: tiger-right : * : * : 9
R: open-right listen: tiger-left : * : * : 9
R: open-left listen: tiger-right : * : * : 9
"""
HEAR = np.array([[0.85, 0.15], [0.15, 0.85]])


@pytest.fixture
def tiger(tmp_path):
    path = tmp_path / "tiger.dpomdp"
    path.write_text(TIGER)
    return walkon.read_dpomdp(path)


def test_the_arrays_are_those_of_the_literature(tiger):
    assert repr(tiger) == "DecPOMDP(2 agents, 2 states, 9 joint actions, 4 joint observations, discount 1)"
    np.testing.assert_array_equal(tiger.P[0].toarray(), np.eye(2))
    np.testing.assert_allclose(tiger.O[0].toarray(), [np.kron(row, row) for row in HEAR])
    for j in range(1, 9):
        np.testing.assert_array_equal(tiger.P[j].toarray(), np.full((2, 2), 0.5))
        np.testing.assert_array_equal(tiger.O[j].toarray(), np.full((2, 4), 0.25))
    left = [-2, -101, 9, -101, -50, -100, 9, -100, 20]
    right = [-2, 9, -101, 9, 20, -100, -101, -100, -50]
    np.testing.assert_array_equal(tiger.R, [left, right])
    assert tiger.agents == ("agent 0", "agent 1")
    assert tiger.observations == (("hear-left", "hear-right"), ("0", "1"))


def test_with_a_teammate_who_listens_it_is_the_tiger_of_one_agent(tiger):
    task = tiger.task([[[1, 0, 0], [1, 0, 0]]], discount=0.95)
    listened = np.array([0, 2])  # the states "after listen"
    assert task.states == tuple(
        f"tiger-{side}, after {a}" for side in ("left", "right") for a in ("listen", "open-left")
    )
    np.testing.assert_allclose(task.pomdp.O[0].toarray()[listened], HEAR)
    np.testing.assert_allclose(task.pomdp.O[1].toarray(), 0.5)
    np.testing.assert_array_equal(task.start, [0.5, 0, 0.5, 0])
    np.testing.assert_array_equal(task.pomdp.R[listened], [[-2, -101, 9], [-2, 9, -101]])
    for p in task.pomdp.P:
        assert p.toarray()[:, [1, 3]].sum() == 0  # nobody else ever opens a door
    assert task.actions == ("listen", "open-left", "open-right")
    assert task.mmdp.teammate_actions == ("listen", "open-left", "open-right")


def test_what_one_observes_has_the_probability_that_the_file_gives_it(tiger):
    """All histories of two steps, against sums over everything that the file leaves open."""
    rng = np.random.default_rng(0)
    policy = rng.dirichlet(np.ones(3), size=2)  # the teammate's, by the state
    task = tiger.task([policy], discount=0.9)
    for actions in product(range(3), repeat=2):
        for observed in product(range(2), repeat=2):
            expected = 0.0
            for x, b, y, c, z in product(range(2), range(3), range(2), range(3), range(2)):
                (a, d), (first, second) = actions, observed
                step = tiger.start[x] * policy[x, b] * tiger.P[3 * a + b].toarray()[x, y]
                step *= tiger.O[3 * a + b].toarray()[y, [2 * first, 2 * first + 1]].sum()
                step *= policy[y, c] * tiger.P[3 * d + c].toarray()[y, z]
                expected += step * tiger.O[3 * d + c].toarray()[z, [2 * second, 2 * second + 1]].sum()
            belief, likelihood = task.start, 1.0
            for a, z in zip(actions, observed, strict=True):
                joint = (belief @ task.pomdp.P[a]) * task.pomdp.O[a].toarray()[:, z]
                likelihood *= joint.sum()
                belief = joint / joint.sum()
            assert likelihood == pytest.approx(expected, abs=1e-12)


def test_either_agent_may_be_the_ad_hoc_agent(tiger):
    one, two = (tiger.task([np.full((2, 3), 1 / 3)], agent=i, discount=0.95) for i in (0, 1))
    assert one.pomdp.hash == two.pomdp.hash  # the problem is symmetric
    assert two.observations == ("0", "1")


def test_a_task_can_be_played(tiger):
    task = tiger.task([[[0.9, 0.1, 0], [0.9, 0, 0.1]]], discount=0.9, name="tiger", horizon=5)
    library = walkon.TaskLibrary([task])
    episode = walkon.play(task, walkon.agent("random", library), seed=1)
    assert len(episode.actions) == 5
    assert task.name == "tiger"


def test_the_others_need_policies_and_a_discount_below_one(tiger):
    with pytest.raises(InputError, match=r"0 policies of teammates, expected one for each of 1: agent 1"):
        tiger.task([], discount=0.95)
    with pytest.raises(InputError, match=r"the discount is 1.*give discount=0\.95"):
        tiger.task([np.full((2, 3), 1 / 3)])
    with pytest.raises(InputError, match=r"the policy of agent 1 row 0 \(\"tiger-left\"\) sums to 0\.9"):
        tiger.task([[[0.9, 0, 0], [1, 0, 0]]], discount=0.95)
    with pytest.raises(InputError, match="agent is 2"):
        tiger.task([np.full((2, 3), 1 / 3)], agent=2, discount=0.95)
