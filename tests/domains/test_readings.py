"""The other readings of the paper's worlds, against values of an independent implementation and a slow twin."""

import numpy as np
import pytest

import walkon
from walkon.domains import make
from walkon.models.rules import Rules
from walkon.solvers.value_iteration import ValueIteration
from walkon.tasks.dead_ends import dead_ends

ALL_NOTHING, WALL_UP, WALL_DOWN, WALLS_NOTHING = [0] * 4, [3, 0, 0, 0], [0, 3, 0, 0], [0] * 4
TORUS = [1, 0, 2, 0]
GO, PAYING = {"after_capture": "continues"}, {"after_capture": "continues-paying"}
WALLS = {"sees_walls": True}
STUBBORN, FIRST = {"cooks": "stubborn"}, {"ties": "first"}


def night(prey, size=5, noise=0.3, **more):
    return ("night-pursuit", {"size": size, "noise": noise, "tasks": [prey], **more}, 0)


# Each: a task; states, observations, entries of all P, of one O; the optimal value of the MDP, steps of Value
# Iteration and of Random; an observation, and the probability to make it after each of Up, Left, Down, Right(, Stay).
HUNTS = [
    (night(((0, 0), (4, 4)), **WALLS), (625, 256, 5121, 1581), (73.9454797749, 5.9857922495, 41.1865555517),
     WALL_UP, 3.8877373259e-03),
    (night(((1, 0), (1, 2)), **WALLS, **GO), (1250, 256, 10250, 3432), (79.8428802591, 4.7273369181, 36.5130461167),
     WALLS_NOTHING, 4.8687843722e-02),
    (night(((0, 2), (2, 1)), 4, 0.2, teammate_noise=True, **WALLS, **PAYING), (256, 256, 3840, 905),
     (1784.8675190351, 3.2562374458, 28.3740702572), WALL_DOWN, 3.8512492159e-03),
    (night(((0, 2), (2, 1)), **GO), (1250, 81, 10250, 1796), (80.5471070390, 4.5812559963, 36.3078554382),
     ALL_NOTHING, 3.4467849084e-01),
    (("pursuit", GO, 0), (1104, 625, 33200, 27600), (71.5103377299, 7.0290621090, 28.1291915495),
     TORUS, 2.2131275137e-11),
    (("pursuit", GO, 1), (1104, 625, 38760, 27600), (73.3730426203, 6.4836885150, 26.0400596609),
     TORUS, 1.5042712094e-11),
    (("pursuit", GO, 2), (1104, 625, 75512, 27600), (65.7082560322, 8.6893534268, 31.1714222749),
     TORUS, 2.0525211040e-10),
    (("pursuit", PAYING, 1), (552, 625, 19380, 13800), (510.1256900658, 6.4836885150, 26.0400596609),
     TORUS, 1.5042712094e-11),
]  # fmt: skip

# Each: a task; entries of all P; value, soups of Value Iteration and Random; the teammate's policy summed over states.
KITCHENS = [
    ({**STUBBORN}, 2, 9428, (-3.5446291450, 5.0, 0.0813028279), (505.2952, 360.4429, 119.8429, 742.419)),
    ({**STUBBORN}, 3, 9428, (-10.8415149482, 4.0, 0.0291000762), (289.2952, 576.4429, 119.8429, 742.419)),
    ({**FIRST}, 0, 6912, (-3.5446291450, 5.0, 0.3258702639), (912, 310, 0, 506)),
    ({**FIRST, "role": "cook"}, 0, 6912, (-3.5446291450, 5.0, 0.2303691986), (1430, 129, 0, 169)),
    ({**FIRST}, 2, 6912, (-3.5446291450, 5.0, 0.0945802661), (1060, 254, 0, 414)),
    ({**FIRST}, 3, 6912, (-9.8832756052, 4.0, 0.0333950431), (960, 319, 0, 449)),
    ({**STUBBORN, **FIRST}, 3, 6912, (-9.8832756052, 4.0, 0.0282757382), (637, 467, 0, 624)),
    ({**STUBBORN, "stubbornness": 0.5}, 3, 11276, (-10.2899416341, 3.6740757075, 0.2442245556),
     (344.8643, 519.6190, 150.1226, 713.3940)),
]  # fmt: skip

# Sums that see the order of states and observations: of a x y P_a(x, y), x z O(z | x), a x R(x, a), with a from 1.
ORDERS = [
    (night(((0, 0), (4, 4)), **WALLS), (1212466010, 6952374.66, -630838.2)),
    (night(((1, 0), (1, 2)), **WALLS, **GO), (9758186500, 32964465.1, -1396098.7)),
    (("pursuit", GO, 0), (4293111753.166667, 214437390, 1258439.383333)),
    (("overcooked", STUBBORN, 2), (15592012271.009521, 1718434080, 24252480)),
]


def built(world, options, k):
    return make(world, **options)[k]


def score(task, choices):
    """Steps to the first capture, or soups, in expectation: the distribution over states is carried forward."""
    now, total = task.start.copy(), 0.0
    if task.score == "soups":
        gain = np.einsum("xa,xb,xab->x", choices, task.teammates.toarray(), task.tally.counts)
    else:
        gain = np.ones(len(now))
        now = now * ~task.solved
    for _ in range(task.horizon):
        total += now @ gain
        now = sum((now * choices[:, a]) @ P for a, P in enumerate(task.pomdp.P))
        if task.score == "steps":
            now = now * ~task.solved  # only those that have never captured go on
    return total


def check_values(task, value, best, random):
    policy = ValueIteration().solve(task.mdp).policy
    X, A = task.pomdp.R.shape
    assert policy.value(task.start) == pytest.approx(value, abs=1e-8)
    assert score(task, policy.choices) == pytest.approx(best, abs=1e-8)
    assert score(task, np.full((X, A), 1 / A)) == pytest.approx(random, abs=1e-8)


@pytest.mark.parametrize(("which", "sizes", "values", "seen", "chance"), HUNTS)
def test_hunts_have_the_values_of_an_independent_implementation(which, sizes, values, seen, chance):
    task = built(*which)
    entries = sum(np.count_nonzero(P.data) for P in task.pomdp.P)
    assert (len(task.start), task.pomdp.O[0].shape[1], entries, np.count_nonzero(task.pomdp.O[0].data)) == sizes
    check_values(task, *values)
    z = task.observation_numbers.tolist().index(seen)
    now = task.start
    for a in ("Up", "Left", "Down", "Right", "Stay")[: len(task.actions)]:
        a = task.actions.index(a)
        now = (now @ task.pomdp.P[a]) * task.pomdp.O[a][:, [z]].toarray()[:, 0]
    assert now.sum() == pytest.approx(chance, rel=1e-9)


@pytest.mark.parametrize(("options", "k", "entries", "values", "policy"), KITCHENS)
def test_cooks_have_the_values_of_an_independent_implementation(options, k, entries, values, policy):
    task = make("overcooked", **options)[k]
    assert sum(np.count_nonzero(P.data) for P in task.pomdp.P) == entries
    check_values(task, *values)
    assert task.teammates.toarray().sum(axis=0) == pytest.approx(np.array(policy), abs=6e-5)


@pytest.mark.parametrize(("which", "sums"), ORDERS)
def test_states_and_observations_are_in_the_order_of_the_independent_implementation(which, sums):
    pomdp = built(*which).pomdp
    X, A, Z = *pomdp.R.shape, pomdp.O[0].shape[1]
    x, a, z = np.arange(X), np.arange(1, A + 1), np.arange(Z)
    found = (
        sum(number * (x @ P @ x) for number, P in zip(a, pomdp.P, strict=True)),
        x @ pomdp.O[0] @ z,
        x @ pomdp.R @ a,
    )
    assert found == pytest.approx(sums, rel=1e-9)


READINGS = [
    night(((0, 1), (2, 2)), 3, 0.2, **reading) for reading in ({**WALLS}, {**GO}, {**PAYING}, {**WALLS, **GO})
] + [("pursuit", {"size": 3, **reading, **ties}, 1) for reading in (GO, PAYING) for ties in ({}, FIRST)]


@pytest.mark.parametrize("which", READINGS)
def test_matrices_are_those_of_the_rules_state_by_state(which):
    task = built(*which)
    assert isinstance(task.team, Rules)
    B = task.team.teammate_actions
    policy = task.teammates.toarray()
    twin = task.team.mdp(lambda x: zip(B, policy[task.team.states.index(x)], strict=True), task.start)
    for fast, slow in zip(task.pomdp.P, twin.P, strict=True):
        assert np.abs((fast - slow).toarray()).max() < 1e-15
    assert pytest.approx(twin.R, abs=1e-12) == task.pomdp.R


def test_walls_that_are_taken_for_nothing_leave_the_sensor_without_walls():
    with_walls, without = (make("night-pursuit", size=4, sees_walls=sees)[0] for sees in (True, False))
    merged = np.zeros((256, 81))
    plain = without.observation_numbers.tolist()
    for i, z in enumerate(with_walls.observation_numbers.tolist()):
        merged[i, plain.index([0 if side == 3 else side for side in z])] = 1
    assert with_walls.pomdp.O[0] @ merged == pytest.approx(without.pomdp.O[0].toarray(), abs=1e-15)


@pytest.mark.parametrize(("world", "size"), [("night-pursuit", 3), ("pursuit", 4)])
def test_the_hunt_pays_once_and_every_state_after_it_pays_nothing(world, size):
    for task in make(world, size=size, **GO):
        half = len(task.start) // 2
        assert not task.solved[half:].any()
        assert not task.start[half:].any()
        assert not task.pomdp.R[half:].any()
        assert not task.pomdp.R[task.solved].any()
        for P in task.pomdp.P:
            assert not P[half:, :half].nnz  # there is no way back
            assert not P[np.flatnonzero(task.solved)][:, :half].nnz


@pytest.mark.parametrize(("world", "size"), [("night-pursuit", 3), ("pursuit", 4)])
def test_what_happens_after_the_capture_does_not_change_what_happened_before(world, size):
    stops, continues = (make(world, size=size, after_capture=after) for after in ("stops", "continues"))
    for one, other in zip(stops, continues, strict=True):
        policy, again = (ValueIteration().solve(task.mdp).policy for task in (one, other))
        half = len(one.start)
        assert policy.value(one.start) == pytest.approx(again.value(other.start), abs=1e-9)
        before = ~one.solved
        assert policy.choices[before] == pytest.approx(again.choices[:half][before])


STARTS = {
    "uniform": lambda x: True,
    "corner": lambda x: x[:2] == [0, 0],
    "corners": lambda x: x == [0, 0, 3, 3],
}


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("after", [GO, {}])
def test_hunts_start_uniformly_over_the_placements_that_the_option_names(start, after):
    for task in make("night-pursuit", size=4, start=start, **after):
        chosen = [
            STARTS[start](x[-4:]) and not over and (len(x) == 4 or x[0] == 0)
            for x, over in zip(task.state_numbers.tolist(), task.solved, strict=True)
        ]
        assert task.start == pytest.approx(np.array(chosen) / sum(chosen))


def test_hunts_for_preys_in_both_corners_start_with_all_predators_in_the_first():
    task = make("night-pursuit", size=4, tasks=[((0, 0), (3, 3))], start="corners")[0]
    assert task.state_numbers[task.start > 0].tolist() == [[0, 0, 0, 0]]


def test_steps_count_to_the_first_capture_though_the_world_goes_on():
    library = make("night-pursuit", size=3, tasks=2, **PAYING)
    agent = walkon.agent("value-iteration", library, target=1)
    for seed in range(20):
        episode = walkon.play(library[1], agent, seed=seed)
        held = library[1].solved[episode.states]
        assert held.any()
        assert episode.steps == int(held.argmax())
        assert len(episode.actions) == 50


def test_a_view_shows_the_same_moment_in_both_copies():
    for world in ("night-pursuit", "pursuit"):
        task = make(world, size=3, **GO)[0]
        half = len(task.start) // 2
        belief = np.append(task.start[:half], task.start[:half]) / 2
        one, other = (task.drawing.scene(x, observation=0, belief=belief) for x in (5, 5 + half))
        assert one.pieces == other.pieces
        assert sum(heat.grid.sum() for heat in one.beliefs) == pytest.approx(2)


def test_what_comes_after_a_capture_is_no_dead_end():
    for task in make("night-pursuit", size=3, **GO):
        assert not dead_ends(task).any()
