"""Worlds of other packages: found by their entry points, described by a `World` or by a function alone."""

import json
import os

import gymnasium
import pytest

import fourth_world
from command_line import run, run_here
from fourth_world import BROKEN, NAME, install, offering
from walkon import InputError, make
from walkon.domains.registry import WORLDS
from walkon.envs import register


@pytest.fixture
def fourth():
    with offering():
        yield


@pytest.mark.usefixtures("fourth")
def test_a_function_says_its_options_in_its_signature_and_docstring():
    world = WORLDS[NAME]
    assert (world.title, world.goal.partition(";")[0]) == (
        "Two lamps",
        "A lamp and two switches, of which each turns it over",
    )
    assert [(option.name, option.default, option.help, option.kind) for option in world.options] == [
        ("glow", "dim", "How well the lamp is seen.", str),
        ("noise", "low", "A word about the hum.", str),
        ("back_door", False, "", bool),
        ("lamps", 2, "How many there are.", int),
        ("seed", 7, "", int),
        ("dimmer", None, "", None),
    ]
    assert make(NAME, glow="bright", lamps=1).names == world.task_names({}) == ("lazy", "busy")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"glow": "pink"}, "glow is 'pink', expected one of 'dim', 'bright'"),
        ({"lamps": "3"}, "lamps is '3', expected a whole number"),
        ({"lamps": True}, "lamps is True"),
        ({"back_door": 1}, "back_door is 1, expected True or False"),
        ({"noise": 0.3}, "noise is 0.3, expected a word"),
        ({"glwo": "dim"}, r"two-lamps has no option 'glwo' \(did you mean 'glow'\?\): it has glow, noise"),
        ({"tremble": 2}, "tremble is 2, expected a number from 0 to 1"),
    ],
)
@pytest.mark.usefixtures("fourth")
def test_what_its_annotations_do_not_allow_is_refused_by_name(options, said):
    with pytest.raises(InputError, match=said):
        make(NAME, **options)


@pytest.mark.usefixtures("fourth")
def test_its_teammates_can_tremble_though_it_has_no_such_option():
    assert make(NAME, tremble=0.1)[0].teammates.toarray()[0] == pytest.approx([0.95, 0.05])
    assert make(NAME, tremble=0.1).names == make(NAME).names


@pytest.mark.usefixtures("fourth")
def test_a_broken_package_is_named_when_its_world_is_asked_for_and_not_before():
    assert set(WORLDS.working()) == set(WORLDS) - {BROKEN}
    assert BROKEN in WORLDS
    for _ in range(2):
        with pytest.raises(
            InputError,
            match=r"no-lamp of another package \(fourth_world:nothing\) cannot be used: AttributeError: .*repair",
        ):
            make(BROKEN)


def test_a_package_may_describe_its_world_in_full_and_its_entry_point_names_it():
    with offering(beacon="fourth_world:WHOLE"):
        world = WORLDS["beacon"]
        assert (world.name, world.title) == ("beacon", "The Lamp")
        assert make("beacon", glow="bright").hash == fourth_world.library(glow="bright").hash
        assert world.task_names({}) == make("beacon").names


def test_a_package_cannot_take_the_name_of_a_world_of_ours():
    ours = next(iter(WORLDS))
    with offering(**{ours: "fourth_world:library"}):
        assert WORLDS[ours].title != "Two lamps"


def test_an_option_without_a_default_is_asked_for_in_words():
    with offering(lamp="fourth_world:no_default"):
        assert len(make("lamp", lamps=1)) == 2
        with pytest.raises(InputError, match="lamp has no default for lamps: give a value"):
            make("lamp")


def test_a_function_that_makes_no_library_is_refused():
    with offering(lamp="fourth_world:nothing_at_all"), pytest.raises(InputError, match="'no library', expected a"):
        make("lamp")


def test_an_installed_package_adds_its_world_to_every_command(tmp_path):
    path = os.pathsep.join([*install(tmp_path), os.environ.get("PYTHONPATH", "")])

    def walkon(*arguments):
        return run(*arguments, env={**os.environ, "PYTHONPATH": path})

    listed = json.loads(walkon("list", "--json").stdout)["worlds"]
    assert listed[NAME].startswith("Two lamps. A lamp and two switches")
    assert "cannot be used" in listed[BROKEN]
    played = json.loads(walkon("play", NAME, "--glow", "bright", "--noise", "high", "--lamps", "3", "--json").stdout)
    assert (played["world"], played["options"]) == (NAME, {"glow": "bright", "noise": "high", "lamps": 3})
    compared = walkon(
        "compare", NAME, "--back-door", "--agent", "random", "--agent", "perseus", "--trials", 3, "--json"
    )
    assert json.loads(compared.stdout)["tasks"] == ["lazy", "busy"]


@pytest.mark.usefixtures("fourth")
def test_commands_offer_its_options_and_refuse_those_that_it_does_not_have():
    for arguments, said in (
        ((NAME, "--size", "3"), "two-lamps has no option 'size'"),
        (("night-pursuit", "--noise", "high"), "noise is 'high', expected a number from 0 to 1"),
        ((BROKEN,), "no-lamp of another package"),
    ):
        refused = run_here("play", *arguments)
        assert (refused.returncode, said in " ".join(refused.stderr.split())) == (2, True), refused.stderr
    played = json.loads(
        run_here("play", "night-pursuit", "--noise", "0.1", "--size", 3, "--agent", "random", "--json").stdout
    )
    assert played["options"] == {"noise": 0.1, "size": 3}
    shown = " ".join(run_here("play", "--help").stdout.split())
    assert "two-lamps: How well the lamp" in shown


@pytest.mark.usefixtures("fourth")
def test_gymnasium_knows_it_by_its_name():
    register()
    try:
        env = gymnasium.make("walkon/TwoLamps-v0", glow="bright")
        assert env.reset(seed=1)[0].shape == (2,)
        assert env.unwrapped.library.names == ("lazy", "busy")
    finally:
        del gymnasium.registry["walkon/TwoLamps-v0"]
        del gymnasium.registry["walkon/NoLamp-v0"]
