"""The contract of every world: `walkon.testing.check_world`, and the descriptions of walkon's own worlds."""

from functools import cache

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from walkon.domains.registry import WORLDS, make
from walkon.domains.world import MISSING
from walkon.envs.environments import AdHocEnv
from walkon.errors import InputError
from walkon.pictures.text import text
from walkon.testing import check_world
from walkon.testing.worlds import check_content, check_episodes, check_pictures

READINGS = {
    "night-pursuit": [{"size": 3, "sees_walls": True, "after_capture": "continues"}, {"size": 3, "start": "corner"}],
    "pursuit": [{"size": 3, "after_capture": "continues-paying", "ties": "first"}],
    "overcooked": [{"cooks": "stubborn", "stubbornness": 0.5, "ties": "first"}],
    "buildings": [{"map": "G.S\n.#.\nS.G", "variant": "run"}],
}
ALIKE = ("buildings", {"variant": "run"})  # as run, all tasks of the map ntu are the same


ALONE = {"rock-sample": 0, "tag": 2}  # worlds without teammates, and how many beliefs their pictures have

PRESETS = ("pursuit-task", "pursuit-both")  # with other tasks than pursuit-teammate, and the same options


def variations(world):
    """The options of a world as they are, and then each at another value that the page offers, or turned over."""
    yield {}
    if world.name in PRESETS:
        return
    for option in world.options:
        if option.name == "tables":  # what follows is about tables
            continue
        others = [value for value in option.page if value != option.default]
        if option.kind is bool:
            others = [not option.default]
        yield from ({option.name: value} for value in others[:1])
    yield {"tremble": 0.1}
    yield from READINGS.get(world.name, ())


every_world = pytest.mark.parametrize("name", WORLDS)
LIBRARIES = [(name, options) for name, world in WORLDS.items() for options in variations(world)]
every_library = pytest.mark.parametrize(("name", "options"), LIBRARIES)


@cache
def _made(name, options):
    return make(name, **dict(options))


def made(name, options):
    """The library of a world with these options, made once for all tests."""
    return _made(name, tuple(options.items()))


@every_world
@pytest.mark.usefixtures("shared_process")
def test_it_passes_the_check_for_worlds(name):
    check_world(name)


@pytest.mark.parametrize(("name", "options"), [pair for pair in LIBRARIES if pair[1]])  # the others are checked above
def test_with_other_options_a_library_passes_the_same_checks(name, options):
    library = made(name, options)
    assert library.hash == make(name, **options).hash
    assert len(set(library.names)) == len(library)
    assert len({task.hash for task in library}) == (1 if (name, options) == ALIKE else len(library))
    for task in library:
        check_content(task)
    check_pictures(library[-1])
    check_env(AdHocEnv(library), skip_render_check=True)


@every_world
@pytest.mark.usefixtures("shared_process")
def test_with_other_options_a_seed_decides_an_episode_also_in_another_process(name):
    check_episodes(task for options in variations(WORLDS[name]) if options for task in made(name, options))


@every_library
def test_rows_sum_to_one(name, options):
    for task in made(name, options):
        for matrix in (*task.pomdp.P, *task.pomdp.O, task.teammates):
            np.testing.assert_allclose(matrix.sum(axis=1), np.ones(matrix.shape[0]), rtol=0, atol=1e-12)


@every_library
def test_everything_has_a_name_and_a_tuple_in_order(name, options):
    for task in made(name, options):
        (X, A), Z = task.pomdp.R.shape, task.pomdp.O[0].shape[1]
        assert (len(task.states), len(task.actions), len(task.observations)) == (X, A, Z)
        for table in (task.state_numbers, task.observation_numbers):
            rows = [tuple(row) for row in table]
            assert rows == sorted(rows)


@every_world
def test_a_tremble_changes_the_hash_and_leaves_every_reply_possible(name):
    steady, trembling = made(name, {}), made(name, {"tremble": 0.1})
    for task, shaky in zip(steady, trembling, strict=True):
        B = task.teammates.shape[1]
        assert task.hash != shaky.hash or (task.teammates.toarray() == 1 / B).all()
        wanted = 0.9 * task.teammates.toarray() + 0.1 / B
        np.testing.assert_allclose(shaky.teammates.toarray(), wanted, rtol=0, atol=1e-15)


@every_library
def test_what_a_world_says_about_its_library_without_making_it_is_true(name, options):
    world, library = WORLDS[name], made(name, options)
    assert world.task_names(options) == library.names
    assert world.observed in (None, library.observed)
    if world.scale is not None:
        states, observations = world.scale(**world.checked(options))
        true = sum(len(task.pomdp.start) for task in library)
        assert true <= states <= 1.5 * true
        assert observations == library[0].pomdp.O[0].shape[1]


@every_world
def test_a_world_says_what_people_call_it_and_what_each_option_means(name):
    world = WORLDS[name]
    assert (world.name, bool(world.title), bool(world.goal)) == (name, True, True)
    for option in world.every_option.values():
        assert len(option.help.split()) > 3
        assert option.default is None or option.check(option.name, option.default) == option.default
        for value in option.page:
            assert option.check(option.name, value) == value
            assert option.said(value)
            assert option.read(str(value)) == value or isinstance(value, bool)
        assert not option.page or option.default in option.page


@every_world
def test_an_option_that_is_none_or_a_value_that_cannot_be_is_refused_by_name(name):
    with pytest.raises(InputError, match=f"{name} has no option 'colour': it has "):
        make(name, colour="red")
    for option in WORLDS[name].every_option.values():
        if option.default is not None and option.default is not MISSING:
            with pytest.raises(InputError, match=f"{option.name} is <object"):
                make(name, **{option.name: object()})


@every_library
def test_a_scene_shows_the_agent_the_teammate_and_two_beliefs(name, options):
    task = made(name, options)[-1]
    X = len(task.pomdp.start)
    for x in (0, X // 3, X - 1):
        scene = task.view.scene(x, observation=0, belief=task.pomdp.start)
        assert len(scene.beliefs) == (0 if task.observed else ALONE.get(name, 2))
        kinds = [piece.kind for piece in scene.pieces]
        assert kinds.count("agent") == 1
        assert kinds.count("teammate") == (name not in ALONE)
        assert text(scene).count("A") >= 2  # on the board and in the key
