"""The screen of `walkon play`: everything is on it, at any size, and nothing is told by colour alone."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import walkon
from recorded import recorded, recorded_picture
from walkon.agents.memory import Unexplained
from walkon.cli import show
from walkon.cli.screen import layout
from walkon.formats.episode_file import Recording
from walkon.trials.trial import Trial, WorldSpec

WORLDS = {
    "night": ("night-pursuit", "atpo", {"size": 3, "tasks": 3}, {"seed": 3}),
    "day": ("pursuit", "atpo", {"size": 3}, {"seed": 1}),
    "kitchen": ("overcooked", "assistant", {}, {"horizon": 20}),
    "large": ("night-pursuit", "random", {"size": 8, "tasks": 1}, {"horizon": 3}),
    "many": ("night-pursuit", "atpo", {"size": 3, "tasks": 32, "noise": 0.5}, {"task": 31, "horizon": 3}),
    "told": ("night-pursuit", "value-iteration", {"size": 3}, {"task": 1, "seed": 2}),
    "crowd": ("night-pursuit", "random", {"size": 3, "teammates": 2, "tasks": 1}, {"horizon": 2}),
}
_recordings = {}


def shown(name):
    """The recording of a world and its memories, made once."""
    if name not in _recordings:
        world, agent, options, how = WORLDS[name]
        _recordings[name] = recorded(world, agent, options, **how)
    return _recordings[name]


def lines(name, t, width=80, height=24, remembered=True, hint="q quit"):
    recording, memories = shown(name)
    return [
        line.plain
        for line in layout(recorded_picture(recording, t, memories[t] if remembered else None), width, height, hint)
    ]


@pytest.mark.parametrize("name", WORLDS)
def test_a_screen_fits_into_the_smallest_usual_terminal_and_shows_everything(name):
    recording, _ = shown(name)
    for t in range(len(recording.episode.actions) + 1):
        screen = lines(name, t)
        assert len(screen) <= 24
        assert max(map(len, screen)) <= 80
        said = "\n".join(screen)
        task = recording.library[recording.task]
        assert recording.episode.agent in said
        assert f"step {t}/{recording.episode.horizon}" in said
        assert sum("A ad hoc agent" in line for line in screen) == 1
        assert any(f"* {task.name}" in line for line in screen)
        for action in task.actions:
            assert any(f"  {action} " in line or f"> {action} " in line for line in screen)
        assert screen[-1] == "q quit"


def test_at_night_the_screen_shows_the_state_the_observation_and_the_belief():
    screen = lines("night", 1)
    recording, memories = shown("night")
    episode, library = recording.episode, recording.library
    said = "\n".join(screen)
    p = episode.task_beliefs[1]
    for k, name in enumerate(library.names):
        line = next(line for line in screen if f"{name} " in line and "belief in %" not in line)
        assert line.endswith(f"{p[k]:.3f}")
        assert (f"* {name}" in line) == (k == recording.task)
    taken = library.actions[episode.actions[1]]
    assert f"> {taken} " in said
    assert said.count("> ") == 2  # the mark, and what it means
    did = library.actions[episode.actions[0]]
    assert f"did     agent {did}, teammate " in said
    assert f"sensed  {library.observations[episode.observations[0]]}" in said
    best = library.names[int(p.argmax())]
    assert f"belief in %, if {best}" in said
    view = library[int(p.argmax())].view
    heat = view.scene(int(episode.states[1]), belief=memories[1].states[int(p.argmax())]).beliefs[0]
    assert f"{100 * heat.grid.max():4.0f}" in said


def test_before_the_first_step_nothing_was_done_and_read():
    said = "\n".join(lines("night", 0))
    assert "did     nothing yet" in said
    assert "sensed  nothing yet" in said
    kitchen = "\n".join(lines("kitchen", 0))
    assert "sensed  helper" in kitchen  # the first state is seen


def test_the_end_says_that_it_is_solved_and_takes_no_further_action():
    recording, _ = shown("night")
    screen = lines("night", len(recording.episode.actions))
    assert screen[0].endswith("solved")
    assert not screen[0].endswith("not solved yet")
    assert "> is taken" not in "\n".join(screen)


def test_soups_are_counted_as_they_are_delivered():
    recording, _ = shown("kitchen")
    (first, *_) = [t for t, soups in enumerate(recording.episode.counts, start=1) if soups]
    assert lines("kitchen", first - 1)[0].endswith("0 soups")
    assert lines("kitchen", first)[0].endswith("1 soup")
    assert "a soup is delivered" in "\n".join(lines("kitchen", first))
    assert "and what the teammates did" in " ".join(" ".join(lines("kitchen", first)).split())


def test_of_many_tasks_the_most_probable_and_the_true_one_are_shown():
    screen = lines("many", 1)
    recording, _ = shown("many")
    p = recording.episode.task_beliefs[1]
    said = "\n".join(screen)
    assert f"* {recording.library.names[31]}" in said
    assert f"  {recording.library.names[int(p.argmax())]}" in said
    bars = [line for line in screen if "prey (" in line and "belief in %" not in line]
    assert f"and {32 - len(bars)} more, together" in said


def test_agents_that_are_told_the_task_or_the_state_are_said_to_be():
    said = "\n".join(lines("told", 1))
    recording, _ = shown("told")
    assert "it is told the task" in said
    assert f"sensed  the state: {recording.library[1].states[recording.episode.states[1]]}" in said
    assert "(P)" not in said
    assert "belief in %" not in said
    assert "it has no senses" in "\n".join(lines("crowd", 1))


def test_what_nothing_explains_is_said():
    recording, _ = shown("night")
    episode = replace(recording.episode, events=(Unexplained(1, 0, 0),))
    surprised = replace(recording, episode=episode)
    plain = [line.plain for line in layout(recorded_picture(surprised, 2), 80, 24)]
    assert any("nothing in the library explains this" in line for line in plain)
    assert "nothing in the library explains this" in show.describe_step(recorded_picture(surprised, 2))
    assert "nothing in the library" not in show.describe_step(recorded_picture(surprised, 1))
    assert "1 observations that nothing in the library explains" in list(show.closing(surprised))


@given(name=st.sampled_from(sorted(WORLDS)), width=st.integers(20, 200), height=st.integers(1, 70), end=st.booleans())
def test_no_terminal_is_too_small_or_too_large(name, width, height, end):
    recording, _ = shown(name)
    t = len(recording.episode.actions) if end else 0
    assert len(lines(name, t, width, height)) <= height
    assert len(lines(name, t, width, None, remembered=False)) > 5


def test_a_task_that_never_ends_is_told_in_its_return_and_a_new_count_by_its_name():
    class Lamp:
        start, actions, horizon, tally = 0, ["press", "wait"], 6, "flashes"

        def teammates(self, x):
            return "wait"

        def moves(self, x, a, b):
            return 1 - x if a == "press" else x

        def reward(self, x, a, b, y):
            return y

    class Flashing(Lamp):
        def counts(self, x, a, b):
            return 2 * (a == "press")

    for written in (Lamp, Flashing):
        library = walkon.define([written()])
        player = walkon.agent("value-iteration", library, target=0, jobs=1)
        episode = walkon.play(library[0], player)
        recording = Recording(Trial(world=WorldSpec.of("own")), library, episode, np.full((7, 2), 0.5))
        (end, *_) = show.closing(recording)
        seen = recorded_picture(recording, 1)
        assert show.summary(recording)["return"] == episode.ret == pytest.approx(sum(0.95**t for t in range(6)))
        if written is Lamp:
            assert end == "a discounted return of 5.30 in 6 steps, earned 6 in all"
            assert seen.status == "return 1.00"
            assert "flashes" not in show.summary(recording)
        else:
            assert end == f"{episode.tally['flashes']} flashes in 6 steps, earned 6"
            assert (seen.status, show.summary(recording)["flashes"]) == ("2 flashes", episode.tally["flashes"])
            assert seen.did.endswith("reward 1, 2 flashes are counted")
