"""Tasks and libraries that are allowed but often a mistake."""

from types import SimpleNamespace

import walkon
from walkon.formats.check import doubts_of_library, doubts_of_task


def doors(**changed):
    """A mate who pushes a door open, with some luck."""
    words = {
        "name": "doors",
        "start": "shut",
        "actions": ["push", "wait"],
        "teammates": lambda x: "push",
        "moves": lambda x, a, b: [("open", 0.9), (x, 0.1)] if b == "push" and x == "shut" else x,
        "sensor": lambda a, y: "light" if y == "open" else "dark",
        "solved": lambda x: x == "open",
        "reward": lambda x, a, b, y: float(y == "open") - (a == "push"),
    }
    return SimpleNamespace(**{**words, **changed})


def kinds(*tasks):
    library = walkon.define(list(tasks))
    found = [doubt for task in library for doubt in doubts_of_task(task)]
    return {doubt.kind: doubt for doubt in [*found, *doubts_of_library(library)]}


def test_a_sound_task_raises_no_doubts():
    assert kinds(doors()) == {}


def test_a_teammate_that_never_does_what_it_must_is_stuck():
    found = kinds(doors(teammates=lambda x: "wait"))
    assert "never solved" in found
    lazy = doors(teammates=lambda x: {"push": 0.5, "wait": 0.5} if x == "shut" else "wait")
    assert kinds(lazy) == {}
    loses_heart = doors(
        start={"shut": 0.5, "sulking": 0.5},
        teammates=lambda x: "push" if x == "shut" else "wait",
        moves=lambda x, a, b: "open" if b == "push" else x,
    )
    found = kinds(loses_heart)
    assert found["stuck teammates"].examples == ("sulking",)
    assert "the teammates get stuck" in found["stuck teammates"].message
    assert "dead ends" not in found


def test_a_state_that_cannot_be_left_is_a_dead_end_and_not_the_teammates_fault():
    jams = doors(moves=lambda x, a, b: {"open": 0.5, "jammed": 0.5} if b == "push" and x == "shut" else x)
    found = kinds(jams)
    assert found["dead ends"].examples == ("jammed",)
    assert "stuck teammates" not in found
    assert found["absorbing states"].examples == ("jammed",)  # "open" is absorbing as well, but solved


def test_a_state_counts_as_reached_if_any_teammates_could_lead_there():
    assert kinds(doors(states=["open", "shut", "painted"]))["unreached states"].examples == ("painted",)
    other = doors(moves=lambda x, a, b: "open" if b == "push" else "aired")
    assert "unreached states" not in kinds(other)  # this teammate never waits


def test_rewards_that_never_differ_and_observations_that_are_never_made_are_named():
    found = kinds(doors(reward=lambda x, a, b, y: 0, observations=["dark", "light", "music"]))
    assert found["constant reward"].examples == ("0",)
    assert found["unmade observations"].examples == ("music",)
    assert found["equal actions"].examples == ("wait",)


def test_an_observation_of_only_one_task_is_not_doubtful():
    loud = doors(name="loud", sensor=lambda a, y: "music" if y == "open" else "dark")
    assert kinds(doors(), loud) == {}


def test_tasks_that_cannot_be_told_apart_are_named_together_with_equal_names():
    other = doors(name="pays more", reward=lambda x, a, b, y: 2 * (y == "open") - (a == "push"))
    found = kinds(doors(), other, doors(name="dark", sensor=lambda a, y: "dark"))
    assert found["indistinguishable tasks"].examples == ("doors", "pays more")
    assert '0 ("doors"), 1 ("pays more") cannot be told apart' in found["indistinguishable tasks"].message
    twice = [walkon.define([each])[0] for each in (doors(), doors(start={"shut": 0.5, "open": 0.5}))]
    assert {doubt.kind for doubt in doubts_of_library(walkon.TaskLibrary(twice))} == {"equal names"}


def test_what_was_left_out_is_said_with_what_holds_instead():
    """No sensor is the mistake that makes a task easy: the agent then sees the state."""
    bare = walkon.define([doors(sensor=None, reward=None, solved=None)])[0]
    said = [doubt.message for doubt in doubts_of_task(bare) if doubt.kind == "omitted"]
    left_out = ["no `sensor`: the agent sees the state", "no `reward`: every reward is 0"]
    assert said == [*left_out, "no `solved`: the task is never solved"]
