"""Exact numbers of HOTSPOT, which an independent model found, to all of its digits."""

import numpy as np
import pytest

import walkon
from walkon.agents.inference import Inference
from walkon.domains import make
from walkon.formats.check import doubts_of_library, doubts_of_task
from walkon.tasks.distinguish import steps_apart

THIRD, STAY, ASK = 2, 3, 4
VALUES = {  # task: V* at the start, steps of value iteration, of random, without questions; V* at (0, 3) and (1, 2)
    0: (-4.25884677, 9.72842105, 67.94062936, 88.62409827, -4.20205144, -3.64604791),
    1: (-4.09126296, 9.22736842, 59.23468514, 76.73291471, -4.44374551, -3.64604791),
    2: (-4.35005113, 10.61052632, 104.14524306, 131.39231353, -4.31336059, -3.77003213),
}
CUT = {0: (43.6830, 61.7783, 67.6586), 1: (41.9636, 55.8525, 59.1354), 2: (46.9705, 76.7680, 98.4837)}
CHECKSUMS = (1171.897918, 1193.825211, 1193.022067)
ENDS = {0: (0.1444, 0.29602, 0.3055, 0.20291), 1: (0.1805, 0.471105, 0.29539, 0.04714)}


def chain(task, choices):
    """The transition matrix under a policy [X, A]."""
    return sum(np.diag(choices[:, a]) @ P.toarray() for a, P in enumerate(task.pomdp.P))


def expected_steps(task, choices):
    going = ~task.solved
    inner = chain(task, choices)[np.ix_(going, going)]
    return task.start[going] @ np.linalg.solve(np.eye(going.sum()) - inner, np.ones(going.sum()))


def ended_by(task, choices, steps):
    """The probability that all balls are gone after each number of steps, from 0 on."""
    moves, now, found = chain(task, choices), task.start, []
    for _ in range(steps + 1):
        found.append(now @ task.solved)
        now = now @ moves
    return np.array(found)


def uniform(task):
    return np.full(task.pomdp.R.shape, 1 / task.pomdp.R.shape[1])


@pytest.mark.parametrize("k", VALUES)
def test_values_and_steps_are_exact(k):
    start, best, random, random_without, away, near = VALUES[k]
    asking, seeing = make("hotspot", tasks=3)[k], make("hotspot", tasks=3, questions=False)[k]
    for task, wandering in ((asking, random), (seeing, random_without)):
        policy = walkon.solve(task.mdp, walkon.ValueIteration()).policy
        assert policy.value(task.start) == pytest.approx(start, abs=6e-9)
        assert expected_steps(task, policy.choices) == pytest.approx(best, abs=6e-9)
        assert expected_steps(task, uniform(task)) == pytest.approx(wandering, abs=6e-9)
        number = {tuple(x): i for i, x in enumerate(task.state_numbers.tolist())}
        for x, value in (((0, 3, 0, 0, 0), away), ((1, 2, 0, 0, 0), near)):
            assert policy.value(np.eye(260)[number[x]]) == pytest.approx(value, abs=6e-9)
    done = ended_by(asking, uniform(asking), 200)
    for cut, mean in zip((50, 100, 200), CUT[k], strict=True):
        assert (1 - done[:cut]).sum() == pytest.approx(mean, abs=6e-5)


@pytest.mark.parametrize("k", ENDS)
def test_value_iteration_ends_when_it_should(k):
    task = make("hotspot")[k]
    done = ended_by(task, walkon.solve(task.mdp, walkon.ValueIteration()).policy.choices, 11)
    assert np.diff(done)[7:] == pytest.approx(ENDS[k], abs=6e-6)


def test_the_checksums_see_the_order_of_actions_and_states():
    n = np.arange(1, 261)
    for task, wanted in zip(make("hotspot", tasks=3), CHECKSUMS, strict=True):
        found = sum((a + 1) * (n @ P @ n) for a, P in enumerate(task.pomdp.P)) / 260**2
        assert found == pytest.approx(wanted, abs=6e-7)


def information(library, actions):
    """The mutual information of the task and the observations after these actions, in nats, over all observations."""
    K = len(library)
    weights = np.array([[task.start / K for task in library]])  # [paths, K, X]
    for a in actions:
        moved = np.stack([weights[:, k] @ task.pomdp.P[a] for k, task in enumerate(library)], axis=1)
        seen = np.stack([task.pomdp.O[a].toarray() for task in library])  # [K, X, Z]
        weights = np.einsum("nkx,kxz->nzkx", moved, seen).reshape(-1, *moved.shape[1:])
        weights = weights[weights.sum(axis=(1, 2)) > 0]
    joint = weights.sum(axis=2)  # [paths, K]
    both = joint / joint.sum(axis=1, keepdims=True)
    return float(np.log(K) + (joint * np.log(np.where(both > 0, both, 1))).sum())


TOLD = {
    (2, True): {
        (ASK,): 0.0271297572, (THIRD, ASK): 0.0662006032, (THIRD, THIRD, ASK): 0.0732786468,
        (ASK, ASK): 0.1077230759, (THIRD, ASK, ASK): 0.1363604340,
    },
    (2, False): {(STAY,): 0.0159216724, (STAY, STAY): 0.0643511637, (THIRD, STAY): 0.1098825696},
    (3, True): {(ASK,): 0.0675440289, (ASK, ASK): 0.1523177239, (THIRD, ASK): 0.0847945797},
}  # fmt: skip


@pytest.mark.parametrize(("tasks", "questions"), TOLD)
def test_what_actions_tell_about_the_task_is_exact(tasks, questions):
    library = make("hotspot", tasks=tasks, questions=questions)
    for actions, nats in TOLD[tasks, questions].items():
        assert information(library, actions) == pytest.approx(nats, abs=6e-11)


def test_every_two_tasks_can_be_told_apart_after_one_step():
    library = make("hotspot", tasks=3)
    for some in (library, make("hotspot", questions=False)):
        assert all(steps_apart(one, two) == 1 for one in some for two in some if one is not two)
    with pytest.raises(walkon.InputError, match="BOPA needs tasks that share one state space"):
        walkon.agent("bopa", library)


def test_nothing_is_doubtful_but_that_no_ball_is_passed_by():
    """The 260 states include those in which the person went past a ball, which never happens."""
    library = make("hotspot", tasks=3)
    assert [*doubts_of_library(library)] == []
    for task in library:
        (doubt,) = doubts_of_task(task)
        assert doubt.kind == "unreached states"
        assert not task.start[[task.states.index(name) for name in doubt.examples]].any()


def test_only_questions_change_the_belief_over_tasks():
    library = make("hotspot", tasks=3)
    agent, player, moved = walkon.agent("random", library), Inference(library), 0
    for k, task in enumerate(library):
        episode, memory = walkon.play(task, agent, seed=k, horizon=60), player.start()
        for action, observation in zip(episode.actions.tolist(), episode.observations.tolist(), strict=True):
            after = player.update(memory, action, walkon.Percept(observation=observation))
            if action != ASK:
                np.testing.assert_allclose(after.tasks, memory.tasks, rtol=0, atol=1e-12)
            moved += action == ASK and abs(after.tasks - memory.tasks).max() > 1e-6
            memory = after
    assert moved > 10


def test_random_actions_tell_the_tasks_apart_as_slowly_as_they_should():
    library = make("hotspot", tasks=3)
    found = walkon.identify(library, {"random": walkon.agent("random", library)}, trials=200, horizon=12)
    speeds = [found.speeds["random"][j][k].mean for j in range(3) for k in range(3) if j != k]
    assert 0.03 < min(speeds) < 0.06
    assert 0.11 < max(speeds) < 0.17
