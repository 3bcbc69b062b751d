"""The worlds of "Making Friends in the Dark" against exact numbers of an independent implementation.

V* is the value of an agent that sees the state and knows the task, averaged over the start. VI and Random are expected
scores within the horizon: that of a best response to the teammates, and that of uniform actions. `squares` is the sum
of squares of the entries of all P[a], and `checksum` the sum of (a+1)(x+1)(y+1) P[a][x,y] / X^2, which sees the order.
"""

import random
from functools import cache

import numpy as np
import pytest

import walkon

HORIZONS = {"gridworld": 50, "pursuit-task": 75, "pursuit-both": 85, "power-plant": 50, "one-soup": 50, "cit": 85}
MAPS = ("ntu", "isr", "mit", "pentagon", "cit")
SLOW = ("mit", "pentagon", "cit")
STATES = {"ntu": 241, "isr": 1807, "mit": 2163, "pentagon": 2653, "cit": 4831, "power-plant": 105, "one-soup": 1730}
REFERENCES = """
gridworld R | 0 | 69.201843 | 94.079235 | -6.167547 | 1760.016
gridworld R | 1 | 78.799855 | 96.136609 | 23.908598 | 1760.976
gridworld R | 2 | 70.567072 | 94.381937 | -4.977817 | 1760.016
gridworld R | 3 | 74.446325 | 95.210729 | 6.187134 | 1760.336
gridworld D | 0 | 71.244737 | 94.532705 | -5.505692 | 2491.6
gridworld D | 1 | 79.938984 | 96.360636 | 24.470786 | 2492.56
gridworld D | 2 | 72.215343 | 94.735922 | -4.388454 | 2491.6
gridworld D | 3 | 75.556941 | 95.433079 | 6.702891 | 2491.92
pursuit-task R | 0 | 68.994394 | 93.664698 | 8.7629 | 646
pursuit-task R | 1 | 66.696640 | 93.131095 | 7.909478 | 646
pursuit-task R | 2,3 | 68.718085 | 93.597457 | 13.543214 | 662
pursuit-task D | 0 | 64.325563 | 92.512031 | -14.437888 | 638
pursuit-task D | 1 | 64.055512 | 92.469568 | -14.73314 | 638
pursuit-task D | 2,3 | 65.449663 | 92.833417 | -14.500293 | 638
pursuit-both R | 4 | 55.719946 | 89.29463 | -6.745481 | 386
pursuit-both R | 5 | 53.808403 | 88.617197 | -8.682516 | 386
pursuit-both R | 6 | 55.124229 | 89.012724 | 0.351356 | 405.2
pursuit-both R | 7 | 54.173895 | 88.623824 | -0.322645 | 395.6
pursuit-both D | 4 | 64.424260 | 92.536281 | -15.702098 | 638
pursuit-both D | 5 | 64.029218 | 92.462227 | -16.070625 | 638
pursuit-both D | 6,7 | 65.490261 | 92.843147 | -15.76282 | 638
power-plant R | 0 | 70.190000 | 97 | 97 | 554.16
power-plant R | 1 | 47.409783 | 93.75 | 18.723723 | 513.84
power-plant D | 0 | 82.885000 | 97 | 97 | 554.16
power-plant D | 1 | 67.261789 | 93.75 | 18.723723 | 513.84
ntu R | 0,1,2,3,4,5 | 88.300000 | 98 | 85.722924 | 1049.416816
ntu D | 0,1,4,5 | 74.332923 | 95.124985 | 9.902917 | 1064.84
ntu D | 2,3 | 76.629076 | 95.639244 | 9.188073 | 1065.16
one-soup R | 0 | 37.057973 | 85.5 | -28.419014 | 5550.760952
one-soup R | 1 | 37.057973 | 85.5 | -32.887891 | 5427.877619
one-soup R | 2 | 22.308903 | 79.018799 | -37.354124 | 5406.449048
one-soup R | 3 | -15.609861 | -34.815806 | -49.883668 | 3410
one-soup D | 0 | 37.057973 | 85.5 | -28.419014 | 5550.760952
one-soup D | 1 | 37.057973 | 85.5 | -45.82299 | 6038.014921
one-soup D | 2 | 18.279919 | 77.695238 | -49.334189 | 6038.014921
one-soup D | 3 | -15.609861 | -34.815806 | -49.883668 | 3410
isr R | 0 | 56.163819 | 91 | -35.26301 | 6787.584079
isr R | 1 | 67.296708 | 93.666667 | -19.624687 | 6685.980783
isr R | 2 | 66.606521 | 93.5 | -15.794436 | 6661.202322
isr D | 0 | 52.249692 | 89.151837 | -52.972095 | 7864.76
isr D | 1 | 55.783968 | 89.891767 | -47.151222 | 7867.32
isr D | 2 | 56.385394 | 89.943861 | -46.220076 | 7867.64
mit R | 0 | 34.717133 | 84.666667 | -74.640823 | 7888.775867
mit R | 1,2 | 34.717133 | 84.666667 | -74.560466 | 7888.665761
mit D | 0 | 44.256586 | 86.819003 | -57.191435 | 9382.36
mit D | 1,2 | 41.717094 | 86.044025 | -57.302154 | 9382.04
pentagon R | 0 | 55.629929 | 91 | -59.467586 | 9304.987835
pentagon R | 1 | 55.629929 | 91 | -53.939323 | 9281.975532
pentagon R | 2 | 55.629929 | 91 | -48.994975 | 9470.716867
pentagon D | 0 | 52.421835 | 89.438058 | -54.031767 | 11413.48
pentagon D | 1 | 49.519040 | 88.351587 | -57.537571 | 11412.2
pentagon D | 2 | 53.608973 | 89.876257 | -52.726884 | 11412.2
cit R | 0 | 37.846216 | 85.666667 | -82.03682 | 17608.238396
cit R | 1 | 42.963476 | 87.333333 | -70.836165 | 17636.425451
cit R | 2 | 33.983310 | 84.333333 | -79.080214 | 17470.972653
cit D | 0 | 45.807309 | 87.590705 | -69.944097 | 22346.72
cit D | 1 | 45.308826 | 87.39863 | -70.370326 | 22347.08
cit D | 2 | 42.921264 | 86.601242 | -70.203926 | 22346.9
"""
SENSORS = {  # the sum of squares of one action's O: as run, as described
    "gridworld": (446.056768, 455.702656),
    "pursuit-task": (504.5536, 504.5536),
    "pursuit-both": (528.1616, 528.1616),
    "ntu": (104.668301, 110.772759),
    "isr": (874.717946, 916.065318),
    "mit": (1028.490872, 1081.214533),
    "pentagon": (1286.628199, 1352.516396),
    "cit": (3288.488195, 3325.819022),
}
CHECKSUMS = {
    ("power-plant R", 0): 767.831728,
    ("power-plant R", 1): 756.355213,
    ("power-plant D", 0): 767.831728,
    ("power-plant D", 1): 756.355213,
    ("gridworld R", 0): 3108.753062,
    ("gridworld D", 0): 3102.888197,
    ("pursuit-both R", 4): 2730.549232,
    ("pursuit-both D", 4): 2557.141930,
    ("ntu R", 0): 1236.820659,
    ("isr R", 0): 9049.092715,
    ("mit R", 0): 10869.934272,
    ("mit R", 1): 10876.275973,
    ("mit R", 2): 10876.275973,
    ("cit R", 2): 24244.575684,
    ("one-soup R", 0): 5945.814169,
    ("one-soup R", 1): 5806.774357,
    ("one-soup R", 2): 6066.136501,
}
VARIANTS = {"R": "run", "D": "described"}


def rows():
    for line in REFERENCES.split("\n"):
        if line:
            name, tasks, *numbers = (part.strip() for part in line.split("|"))
            slow = [pytest.mark.long] if name.split()[0] in SLOW and name != "mit R" else []
            yield pytest.param(name, [*map(int, tasks.split(","))], numbers, marks=slow, id=f"{name} {tasks}")


def names(slow=True):
    found = dict.fromkeys(line.split("|")[0].strip() for line in REFERENCES.split("\n") if line)
    return [name for name in found if slow or name.split()[0] not in SLOW]


@cache
def made(name):
    """The library of a line of the table; of ntu all six tasks."""
    world, variant = name.split()
    options = {"map": world} if world in MAPS else {}
    return walkon.make(
        "buildings" if world in MAPS else world,
        variant=VARIANTS[variant],
        **options,
        **({"tasks": 6} if world == "ntu" else {}),
    )


def score(task, policy):
    """The expected score of a policy [X, A] within the horizon."""
    now, total = task.start.copy(), 0.0
    for _ in range(task.horizon):
        total += float(now @ (policy * task.pomdp.R).sum(axis=1))
        now = sum((now * policy[:, a]) @ P for a, P in enumerate(task.pomdp.P))
    return total


def squares(matrices):
    return sum(float((matrix.data**2).sum()) for matrix in matrices)


def checksum(task):
    X = len(task.start)
    weights = np.arange(1, X + 1)
    return sum((a + 1) * float(weights @ (P @ weights)) for a, P in enumerate(task.pomdp.P)) / X**2


@pytest.mark.parametrize(("name", "tasks", "numbers"), [*rows()])
def test_values_and_scores_are_those_of_the_reference(name, tasks, numbers):
    for k in tasks:
        task = made(name)[k]
        solution = walkon.solve(task.mdp, walkon.ValueIteration())
        uniform = np.full(task.pomdp.R.shape, 1 / len(task.pomdp.P))
        found = (solution.lower, score(task, solution.policy.choices), score(task, uniform), squares(task.pomdp.P))
        for number, printed in zip(found, numbers, strict=True):
            assert abs(number - float(printed)) < 6e-7, (k, number, printed)


@pytest.mark.parametrize("name", names(slow=False))
def test_states_horizon_discount_and_solved_states_are_as_specified(name):
    world, variant = name.split()
    library = made(name)
    solved = {"power-plant": 25, "one-soup": 1, "ntu": 12 if variant == "R" else 2}.get(world, 2)
    if world.startswith("pursuit") and variant == "R":
        solved = 4
    for k, task in enumerate(library):
        diagonal = 2 if variant == "R" and world.startswith("pursuit") and k % 4 > 1 else 1
        states = 97 if task.name == "clean" else STATES.get(world, 626)
        assert len(task.start) == states
        assert task.solved.sum() == solved * diagonal + 1  # with Over
        assert task.horizon == HORIZONS.get(world, 75)
        assert task.pomdp.discount == (0.9 if name == "power-plant R" else 0.95)
        pays = np.where(task.solved, 100.0, -1.0)
        pays[-1] = 0
        wanted = np.repeat(pays[:, None], task.pomdp.R.shape[1], axis=1)
        np.testing.assert_allclose(task.pomdp.R, wanted, rtol=1e-15, atol=0)
        over = np.eye(1, states, states - 1)
        for P in task.pomdp.P:
            np.testing.assert_array_equal(
                P[np.flatnonzero(task.solved)].toarray(), np.repeat(over, task.solved.sum(), 0)
            )


@pytest.mark.parametrize("name", names(slow=False))
def test_sensors_have_the_sums_of_squares_of_the_reference(name):
    world, variant = name.split()
    library = made(name)
    if world == "power-plant":
        wanted = {"R": (376.133862, 353.380187), "D": (430.32, 397.68)}[variant]
        np.testing.assert_allclose([squares(task.sensor) for task in library], wanted, rtol=0, atol=6e-7)
    elif world != "one-soup":
        for task in library:
            assert abs(squares(task.sensor[:1]) - SENSORS[world]["RD".index(variant)]) < 6e-7
            assert all(sensor is task.sensor[0] or (sensor != task.sensor[0]).nnz == 0 for sensor in task.sensor)


@pytest.mark.long
@pytest.mark.parametrize("name", [f"{world} {variant}" for world in SLOW for variant in "RD"])
def test_sensors_of_the_large_buildings_have_them_too(name):
    assert abs(squares(made(name)[0].sensor[:1]) - SENSORS[name.split()[0]]["RD".index(name[-1])]) < 6e-7


@pytest.mark.parametrize(("name", "k"), CHECKSUMS)
def test_the_order_of_states_and_actions_is_that_of_the_reference(name, k):
    assert abs(checksum(made(name)[k]) - CHECKSUMS[name, k]) < 6e-7


def test_kinds_of_pursuit_are_presets_of_one_world():
    both = {variant: made(f"pursuit-both {variant}") for variant in "RD"}
    randoms = {"R": (9.510575, 8.629151, 14.594485, 14.594485), "D": (-15.744872, -16.043570, -15.808037, -15.808037)}
    for variant, library in both.items():
        for k, wanted in enumerate(randoms[variant]):
            assert abs(score(library[k], np.full((626, 5), 0.2)) - wanted) < 6e-7
            same = made(f"pursuit-task {variant}")[k].pomdp
            assert all((P != Q).nnz == 0 for P, Q in zip(library[k].pomdp.P, same.P, strict=True))
        two = walkon.make("pursuit-teammate", variant=VARIANTS[variant])
        assert [task.hash for task in two] == [library[0].hash, library[4].hash]


@pytest.mark.parametrize(
    ("map", "tasks", "wanted"),
    [
        ("ntu", (0, 1, 4, 5), (78.771856, 96.166667, 43.556591)),
        ("ntu", (2, 3), (80.443737, 96.5, 58.673909)),
        ("mit", (1, 2), (32.815200, 84, -74.515952)),
    ],
)
def test_as_run_but_with_the_goals_of_the_task_alone(map, tasks, wanted):
    for task in walkon.make("buildings", map=map, variant="run", goals="own", tasks=list(tasks)):
        solution = walkon.solve(task.mdp, walkon.ValueIteration())
        uniform = np.full(task.pomdp.R.shape, 0.2)
        found = (solution.lower, score(task, solution.policy.choices), score(task, uniform))
        np.testing.assert_allclose(found, wanted, rtol=0, atol=6e-7)


@pytest.mark.parametrize(("k", "wanted"), [(1, (37.057973, 85.5, -33.545212)), (2, (31.854316, 83.614286, -37.878857))])
def test_coins_with_seed_0_are_those_of_the_reference(k, wanted):
    (task,) = walkon.make("one-soup", variant="run", coin=0, tasks=[k])
    solution = walkon.solve(task.mdp, walkon.ValueIteration())
    found = (solution.lower, score(task, solution.policy.choices), score(task, np.full(task.pomdp.R.shape, 0.25)))
    np.testing.assert_allclose(found, wanted, rtol=0, atol=6e-7)


def test_the_pool_of_the_gridworld_is_drawn_as_the_program_drew_it():
    cells = [(c, r) for c in range(5) for r in range(5)]
    every = sorted((one, two) for one in cells for two in cells if one != two)
    drawn = random.Random(239758).sample(every, 64)[:32]
    assert walkon.make("gridworld", tasks=32).names == tuple(
        f"goals ({a},{b}) and ({c},{d})" for (a, b), (c, d) in drawn
    )


def test_every_agent_scores_97_when_the_plant_is_explored():
    """The human alone does it in three steps."""
    task = walkon.make("power-plant", variant="run")[0]
    for a in range(6):
        assert abs(score(task, np.repeat(np.eye(6)[[a]], len(task.start), axis=0)) - 97) < 1e-9
