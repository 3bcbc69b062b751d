"""Tasks and libraries that are made by hand."""

import pickle

import numpy as np
import pytest

from walkon.domains.classics import tiger
from walkon.errors import InputError
from walkon.models.mmdp import MMDP
from walkon.models.rules import Rules
from walkon.models.tabulate import tabulate
from walkon.tasks import Tally, Task, TaskLibrary

KEEP, SWAP = np.eye(2), np.eye(2)[::-1]
LEVER = MMDP(P=[[KEEP, SWAP], [SWAP, KEEP]], R=np.arange(8).reshape(2, 2, 2), discount=0.9, states=["on", "off"])
BLUR = [[0.8, 0.2], [0.3, 0.7]]


def lever(**changes):
    parts = {"teammates": [[0.25, 0.75], [1, 0]], "sensor": [BLUR, BLUR], "start": [1, 0], "name": "lever"}
    return Task(LEVER, **(parts | changes))


def test_the_teammates_are_folded_in():
    task = lever()
    np.testing.assert_allclose(task.pomdp.P[0].toarray(), [[0.25, 0.75], [0, 1]])
    np.testing.assert_allclose(task.pomdp.R, [[0.25 * 0 + 0.75 * 1, 0.25 * 2 + 0.75 * 3], [4, 6]])
    assert task.mdp.hash == task.pomdp.mdp.hash
    assert task.mdp is task.mdp
    assert task.mmdp is LEVER


def test_a_simulator_can_ask_one_step_at_a_time():
    task = lever()
    np.testing.assert_array_equal(task.teammate_actions(0).indices, [0, 1])
    np.testing.assert_array_equal(task.teammate_actions(0).probabilities, [0.25, 0.75])
    np.testing.assert_array_equal(task.teammate_actions(1).indices, [0])
    np.testing.assert_array_equal(task.outcomes(0, 0, 1).indices, [1])
    np.testing.assert_allclose(task.observation_outcomes(0, 1).probabilities, [0.3, 0.7])
    assert task.paid(1, 0, 1, 0) == 5
    assert task.counted(0, 0, 0) == 0


def test_a_task_whose_teammates_are_folded_in_is_played_with_one_teammates_action():
    task = Task.from_pomdp(tiger(), solved=[False, True], name="tiger")
    assert task.mmdp is None
    assert task.teammates is None
    assert task.seats == ()
    np.testing.assert_array_equal(task.teammate_actions(1).indices, [0])
    np.testing.assert_array_equal(task.outcomes(1, 1, 0).probabilities, [0.5, 0.5])
    assert task.paid(0, 1, 0, 1) == -100
    assert task.solved.tolist() == [False, True]


def test_a_task_is_fully_observed_exactly_if_the_observation_is_the_state():
    assert lever(sensor=[KEEP, KEEP]).observed
    assert not lever(sensor=[KEEP, BLUR]).observed
    assert not lever(sensor=[SWAP, SWAP]).observed
    assert not lever(sensor=[np.eye(2, 3)] * 2).observed


def rules():
    def moves(x, a, b):
        yield (x + a + b) % 3, 0.5
        yield (x + a) % 3, 0.25
        yield x, 0.25

    return Rules([0, 1, 2], [0, 1], [0, 1, 2], moves, lambda x, a, b, y: 10.0 * (y == 2) - a, 0.9)


def choices(x):
    return [(0, 0.5), (x, 0.5)]


def test_rules_and_their_matrices_are_the_same_task():
    sensor = [np.eye(3)] * 2
    by_rules = Task.from_rules(rules(), choices, sensor, [1, 0, 0], None, "rules")
    policy = tabulate([0, 1, 2], [0, 1, 2], choices)
    by_arrays = Task(rules().mmdp(), policy, sensor, [1, 0, 0], name="arrays")
    shared = Task.from_rules(rules(), choices, sensor, [1, 0, 0], None, "shared", mmdp=rules().mmdp())
    for a in range(2):
        np.testing.assert_allclose(by_rules.pomdp.P[a].toarray(), by_arrays.pomdp.P[a].toarray())
        np.testing.assert_allclose(by_rules.pomdp.P[a].toarray(), shared.pomdp.P[a].toarray())
        for b in range(3):
            for x in range(3):
                ours, theirs = by_rules.outcomes(x, a, b), by_arrays.outcomes(x, a, b)
                np.testing.assert_array_equal(ours.indices, theirs.indices)
                np.testing.assert_allclose(ours.probabilities, theirs.probabilities)
                paid = sum(p * by_rules.paid(x, a, b, y) for y, p in zip(*ours, strict=True))
                assert paid == pytest.approx(by_arrays.paid(x, a, b, 0))  # arrays know the expectation only
    np.testing.assert_allclose(by_rules.pomdp.R, by_arrays.pomdp.R)
    assert by_rules.mmdp.hash == by_arrays.mmdp.hash
    assert by_rules.seats == by_arrays.seats == (3,)


def test_the_hash_knows_numbers_and_not_names():
    assert lever().hash == lever(name="other").hash
    assert lever().hash != lever(teammates=[[0.25, 0.75], [0.9, 0.1]]).hash
    assert lever().hash != lever(solved=[True, False]).hash
    assert lever().hash != lever(horizon=7).hash
    assert TaskLibrary([lever()]).hash != TaskLibrary([lever(), lever()]).hash


def test_a_sensor_that_does_not_depend_on_the_action_is_kept_once():
    task = lever()
    assert task.sensor[0] is task.sensor[1]
    apart = lever(sensor=[BLUR, KEEP])
    np.testing.assert_array_equal(apart.sensor[0].toarray(), BLUR)
    np.testing.assert_array_equal(apart.sensor[1].toarray(), KEEP)


def test_solved_states_may_be_given_as_zeros_and_ones():
    np.testing.assert_array_equal(lever(solved=[0, 1]).solved, [False, True])


def test_a_pickled_task_is_the_same_task():
    assert pickle.loads(pickle.dumps(lever())).hash == lever().hash


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"teammates": [[1, 0]]}, r"teammates has shape \(1, 2\), expected \(2, 2\)"),
        ({"teammates": [[0.5, 0.4], [1, 0]]}, r'teammates row 0 \("on"\) sums to 0.9'),
        ({"sensor": [BLUR]}, "O has 1 matrices, expected one for each of the 2 actions"),
        ({"start": [1, 1]}, "start sums to 2"),
        ({"solved": [True]}, r"solved has shape \(1,\) and holds bool, expected bools of shape \(2,\)"),
        ({"solved": [0, 2]}, "solved has shape .* and holds int64"),
        ({"solved": [[True, False]]}, r"solved has shape \(1, 2\)"),
        ({"horizon": 0}, "horizon is 0"),
        (
            {"tally": Tally("boxes", np.ones((2, 2, 1)))},
            r"the counts of boxes have shape \(2, 2, 1\), expected \(2, 2, 2\)",
        ),
        ({"state_numbers": [[1, 2]]}, r"state_numbers has shape \(1, 2\)"),
    ],
)
def test_what_does_not_fit_is_named(changes, message):
    with pytest.raises(InputError, match=message):
        lever(**changes)


def test_a_library_is_a_sequence_of_tasks():
    library = TaskLibrary([lever(name="first"), lever(name="second")])
    assert len(library) == 2
    assert library.names == ("first", "second")
    assert library[1].name == library[-1].name == "second"
    assert [task.name for task in library] == ["first", "second"]
    assert not library.observed
    with pytest.raises(IndexError, match="task 2 does not exist"):
        library[2]


def test_tasks_of_a_library_may_have_different_states():
    small = Task.from_pomdp(tiger(), name="small")
    wide = np.eye(3)
    large = Task(
        MMDP(P=[[wide]] * 3, R=np.zeros((3, 3, 1))), np.ones((3, 1)), [[[1, 0], [0, 1], [0.5, 0.5]]] * 3, name="large"
    )
    assert [task.pomdp.R.shape[0] for task in TaskLibrary([small, large])] == [2, 3]


def test_tasks_of_a_library_share_actions_and_observations():
    with pytest.raises(InputError, match='task 1 \\("tiger"\\) has 3 actions, task 0 has 2'):
        TaskLibrary([lever(), Task.from_pomdp(tiger(), name="tiger")])
    with pytest.raises(InputError, match='task 1 \\("lever"\\) has 3 observations, task 0 has 2'):
        TaskLibrary([lever(), lever(sensor=[np.eye(2, 3)] * 2)])
    with pytest.raises(InputError, match=r'observations\[1\] of task 1 \("lever"\) is "c", of task 0 "b"'):
        TaskLibrary([lever(observations=["a", "b"]), lever(observations=["a", "c"])])
    with pytest.raises(InputError, match="the library is empty"):
        TaskLibrary([])
    with pytest.raises(InputError, match=r"tasks\[0\] is a POMDP, expected a Task"):
        TaskLibrary([tiger()])
