"""Maps of one's own, the options, the end of an episode, and what tells the tasks apart."""

import json
from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import eye_array

import walkon
from command_line import run_here
from walkon.domains.buildings.maps import MAPS, read
from walkon.envs import world_env
from walkon.pictures.text import board, text
from walkon.tasks.distinguish import alike, steps_apart
from walkon.tasks.last_states import last_states
from walkon.trials.trial import WorldSpec

ROOM = "G.S\n.#.\nS.G"


@pytest.mark.parametrize(
    ("map", "said"),
    [
        ("G.?\n..G", r"line 1, column 3 of the map is '\?', expected # \(wall\)"),
        ("\n\nG..\n.g.\n..G", "line 4, column 2 of the map is 'g'"),
        ("G..\n..\n..G", "line 2 of the map has 2 cells, line 1 has 3: fill the shorter lines up with #"),
        ("G..\n...", "the map has 1 goals, expected at least two: mark them with G"),
        ("###\n###", "the map has 0 goals"),
        ("\n \n", "the map is empty"),
        ("G.#G", "the goal in line 1, column 4 of the map cannot be reached from the goal in line 1, column 1"),
        ("GG#\n..#\n##.", "the free cell in line 3, column 3 of the map cannot be reached .*: open a way"),
        ("G" * 201, r"the map has 201 free cells, which make 40,200 states: at most 200 cells can be free"),
        ("atlantis", "map is 'atlantis', expected one of ntu, isr, mit, pentagon, cit, a map as text, or on the"),
        (7, "map is 7, expected one of ntu, isr, mit, pentagon, cit, or a map as text"),
    ],
)
def test_a_map_that_cannot_be_is_refused_with_place_and_remedy(map, said):
    with pytest.raises(walkon.InputError, match=said):
        walkon.make("buildings", map=map)


def test_a_map_without_two_marked_cells_cannot_be_started_on_them():
    with pytest.raises(walkon.InputError, match=r'1 cells to start on, expected at least two: .* start="anywhere"'):
        walkon.make("buildings", map="G.S\n..G", variant="run")
    assert len(walkon.make("buildings", map="G.S\n..G", variant="run", start="anywhere")) == 1


@pytest.mark.parametrize(
    ("world", "tasks", "said"),
    [
        ("buildings", [6], r"tasks\[0\] is 6, expected a whole number from 0 to 5"),
        ("buildings", 7, "tasks is 7, expected a whole number from 1 to 6"),
        ("buildings", [((0, 0), (1, 1))], r"tasks\[0\] has a goal at \(0, 0\), which is wall or outside"),
        ("buildings", [((1, 1), (1, 1))], "expected two different goals"),
        ("gridworld", [((5, 0), (1, 1))], r"tasks\[0\] has a goal at \(5, 0\)"),
        ("gridworld", [3, "corner"], r"tasks\[1\] is 'corner', expected a number, or a \(column, row\) for each goal"),
        ("gridworld", 33, "tasks is 33, expected a whole number from 1 to 32"),
        ("pursuit-task", [4], r"tasks\[0\] is 4, expected a whole number from 0 to 3"),
        ("power-plant", "all", "tasks is 'all', expected how many, or a list of the tasks"),
        ("one-soup", [], "tasks is empty"),
    ],
)
def test_tasks_that_do_not_exist_are_refused(world, tasks, said):
    with pytest.raises(walkon.InputError, match=said):
        walkon.make(world, tasks=tasks)


def test_the_same_map_is_the_same_world_however_it_is_given():
    by_text = walkon.make("buildings", map=f"\n{MAPS['isr']}  \n", noise=0.2)
    by_name = walkon.make("buildings", map="isr")
    assert [task.hash for task in by_text] == [task.hash for task in by_name]
    assert read(MAPS["isr"]).goals == ((0, 7), (3, 6), (5, 1))


def test_a_map_in_a_file_is_played_and_its_recording_holds_the_map(tmp_path):
    (tmp_path / "room.txt").write_text(ROOM + "\n")
    played = run_here("play", "buildings", "--map", str(tmp_path / "room.txt"), "--agent", "random", "--fast", "--json")
    assert played.returncode == 0
    assert json.loads(played.stdout)["options"]["map"].split() == ROOM.split()
    missing = run_here("play", "buildings", "--map", str(tmp_path / "rooms.txt"), "--agent", "random", "--json")
    assert missing.returncode == 2
    assert "expected one of ntu" in missing.stderr


def test_a_map_is_a_record_that_can_be_made_again():
    spec = WorldSpec.of("buildings", map=ROOM, tasks=[0])
    assert spec.make()[0].hash == walkon.make("buildings", map=ROOM)[0].hash
    assert spec.scale[0] >= len(spec.make()[0].start)


def test_options_follow_the_variant_unless_they_are_given():
    """Each option of the run variant, given to the described one, makes the run variant."""
    run = {"agent_fails": False, "misread": "wrong", "teammate": "optimal", "start": "marked", "goals": "in-line"}
    made = walkon.make("buildings", map=ROOM, **run)
    assert [task.hash for task in made] == [task.hash for task in walkon.make("buildings", map=ROOM, variant="run")]
    described = {name: value for name, value in run.items() if name != "misread"} | {"misread": "nothing"}
    other = walkon.make("buildings", map=ROOM, variant="run", misread="nothing")
    assert [task.hash for task in other] == [task.hash for task in walkon.make("buildings", map=ROOM, **described)]


def test_an_episode_earns_100_less_its_steps_or_minus_its_horizon():
    """The published score is the sum of the rewards: 100 - steps if solved in fewer than H steps, else -H."""
    seen = set()
    for world, options in (("gridworld", {}), ("buildings", {}), ("pursuit-task", {}), ("power-plant", {})):
        library = walkon.make(world, tasks=1, **options)
        for horizon in (4, library[0].horizon):
            for episode in walkon.play_many(
                library[0], walkon.agent("random", library), seeds=range(25), horizon=horizon
            ):
                in_time = episode.solved and episode.steps < horizon
                assert episode.rewards.sum() == (100 - episode.steps if in_time else -horizon)
                seen.add((in_time, episode.steps == horizon and episode.solved))
    assert seen == {(True, False), (False, False), (False, True)}


@pytest.mark.parametrize("play_one", [True, False])
def test_an_episode_that_stops_has_been_paid_for_its_solution(play_one):
    library = walkon.make("buildings", tasks=1)
    agent = (
        walkon.agent("value-iteration", library, target=0)
        if play_one
        else walkon.agent("perseus", library, target=0, effort="quick")
    )
    whole, short = (walkon.play_many(library[0], agent, seeds=[5], stop=stop)[0] for stop in (False, True))
    assert whole.solved
    assert short.steps == whole.steps
    assert short.ret == pytest.approx(whole.ret, rel=1e-12)
    assert len(short.actions) == whole.steps + 1
    env = world_env("buildings", tasks=1, stop_when_solved=True)
    env.reset(seed=5)
    rewards, ended = [], False
    while not ended:
        _, reward, ended, cut, _ = env.step(int(whole.actions[len(rewards)]))
        rewards.append(reward)
        assert not cut
    assert rewards[-1] == 100


def test_worlds_whose_end_pays_nothing_stop_where_they_are_solved():
    for options in ({}, {"after_capture": "continues"}, {"after_capture": "continues-paying"}):
        task = walkon.make("night-pursuit", size=3, tasks=1, **options)[0]
        np.testing.assert_array_equal(last_states(task), task.solved)
    assert not last_states(walkon.make("overcooked")[0]).any()
    task = walkon.make("gridworld", tasks=1)[0]
    assert np.flatnonzero(last_states(task)).tolist() == [625]


@pytest.mark.parametrize("world", ["gridworld", "buildings", "pursuit-both", "one-soup"])
def test_bopa_that_sees_the_state_is_bopa_where_the_sensor_is_the_state(world):
    library = walkon.make(world, variant="run", tasks=2)
    X = len(library[0].start)
    seen = walkon.TaskLibrary(
        [
            walkon.Task.from_pomdp(
                replace_sensor(task.pomdp, X), solved=task.solved, name=task.name, horizon=task.horizon
            )
            for task in library
        ]
    )
    sees, bopa = walkon.agent("bopa-state", library), walkon.agent("bopa", seen)
    folded = walkon.TaskLibrary([walkon.Task.from_pomdp(task.pomdp, task.solved, task.name) for task in library])
    for seed in range(3):
        one = walkon.play(folded[1], sees, seed=seed, horizon=30)
        two = walkon.play(seen[1], bopa, seed=seed, horizon=30)
        np.testing.assert_array_equal(one.states, two.states)
        np.testing.assert_array_equal(one.actions, two.actions)
        np.testing.assert_allclose(one.task_beliefs, two.task_beliefs, rtol=1e-9, atol=1e-15)


def replace_sensor(pomdp, X):
    """The same problem in which the observation is the state."""
    return replace(pomdp, O=[eye_array(X, format="csr")] * len(pomdp.P), observations=pomdp.states)


def test_bopa_that_sees_the_state_needs_it_and_starts_again_where_no_task_leads():
    library = walkon.make("gridworld", tasks=2)
    agent = walkon.agent("bopa-state", library)
    with pytest.raises(walkon.InputError, match="bopa-state sees the state"):
        agent.act(agent.start())
    there = int(library[1].pomdp.P[4][[0]].indices[0])
    memory = agent.update(agent.start(walkon.Percept(state=0)), 4, walkon.Percept(state=there))
    assert not memory.events
    far = agent.update(memory, 4, walkon.Percept(state=624))
    assert far.tasks.tolist() == [0.5, 0.5]
    assert len(far.events) == 1
    with pytest.raises(walkon.InputError, match="share one state space"):
        walkon.agent("bopa-state", walkon.make("power-plant"))


@pytest.mark.parametrize(
    ("world", "options", "wanted"),
    [
        ("buildings", {"variant": "run", "tasks": 6}, None),
        ("buildings", {"tasks": 6}, 1),
        ("gridworld", {"tasks": [0, 1, 2, 8]}, 1),
        ("gridworld", {"tasks": [3, 7, 16], "variant": "run"}, 1),
        ("pursuit-both", {}, 1),
        ("pursuit-both", {"variant": "run"}, 1),
        ("power-plant", {"variant": "run"}, 2),
        ("power-plant", {}, 2),
        ("buildings", {"map": "isr"}, 1),
        ("buildings", {"map": "cit", "variant": "run"}, 3),
    ],
)
def test_tasks_are_told_apart_as_soon_as_specified(world, options, wanted):
    library = walkon.make(world, **options)
    for j, one in enumerate(library):
        for two in library[j + 1 :] if j + 1 < len(library) else ():
            assert steps_apart(one, two) == wanted


@pytest.mark.parametrize(
    ("map", "wanted"),
    [
        ("isr", {(0, 1): 3, (0, 2): 3, (1, 2): 4}),
        ("pentagon", {(0, 1): 5, (0, 2): 4, (1, 2): 4}),
        ("mit", {(0, 1): 11, (0, 2): 11, (1, 2): None}),
    ],
)
def test_buildings_as_run_are_told_apart_as_soon_as_specified(map, wanted):
    library = walkon.make("buildings", map=map, variant="run")
    assert {(j, k): steps_apart(library[j], library[k]) for j, k in wanted} == wanted


def test_cooks_are_told_apart_at_once_but_optimal_from_random_after_two_steps():
    library = walkon.make("one-soup")
    apart = {(j, k): steps_apart(library[j], library[k]) for j in range(4) for k in range(j + 1, 4)}
    assert apart.pop((0, 3)) == 2
    assert set(apart.values()) == {1}


def test_all_tasks_of_ntu_as_run_are_alike():
    assert alike(walkon.make("buildings", variant="run")) == ((0, 1, 2, 3),)
    assert alike(walkon.make("buildings", map="mit", variant="run", tasks=[1, 2])) == ((0, 1),)


def test_a_map_is_drawn_with_its_walls_goals_and_what_was_observed():
    task = walkon.make("buildings", map=ROOM)[0]
    x = task.states.index("agent (1,0), teammate (2,0)")
    z = task.observations.index("nothing up, wall down, nothing left, teammate right")
    assert text(task.view.scene(x, observation=z)).splitlines()[:10] == [
        "Building",
        "+------+------+------+",
        "|  G   |░ A ░░|  T   |",
        "| (-)  |░░░░░░| (T)  |",
        "+------+------+------+",
        "|░░░░░░|▓▓▓▓▓▓|░░░░░░|",
        "|░░░░░░| (W) ▓|░░░░░░|",
        "+------+------+------+",
        "|░░░░░░|░░░░░░|░ G ░░|",
        "|░░░░░░|░░░░░░|░░░░░░|",
    ]
    assert board(task.view.scene(x, observation=z), compact=True)[1:-1] == [
        "| G(-)  ░ A ░░  T(T) |",
        "|░░░░░░  (W) ▓ ░░░░░░|",
        "|░░░░░░ ░░░░░░ ░ G ░░|",
    ]


def test_a_wide_building_fits_into_a_terminal():
    scene = walkon.make("buildings", map="mit", tasks=1)[0].view.scene(0)
    assert max(map(len, board(scene, compact=True))) <= 90
