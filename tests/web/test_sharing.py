"""Episodes as files and films."""

import json
import re
from collections import deque
from xml.etree import ElementTree

import numpy as np
import pytest

import walkon
from command_line import run_here
from night_matches import match_of, night_game
from random_libraries import quick_agent
from recorded import recorded
from walkon import InputError
from walkon.formats.episode_file import encode
from walkon.tasks.library import trembling
from walkon.trials.trial import Trial, WorldSpec
from walkon.web.game import Game
from walkon.web.replay import agent_without_policies, film_game, open_game, replay


def last(parts):
    return deque(parts, 1)[0]


def save(game):
    return encode(game.recording)


@pytest.mark.parametrize(
    ("world", "agent", "options"),
    [
        ("night-pursuit", "atpo", {"size": 3, "tasks": 2}),
        ("night-pursuit", "perseus", {"size": 3, "tasks": 2}),
        ("night-pursuit", "bayes", {"size": 3, "tasks": 2}),
        ("night-pursuit", "random", {"size": 3, "tasks": 2}),
        ("pursuit", "bopa", {"size": 3}),
        ("pursuit", "assistant", {"size": 3}),
        ("overcooked", "value-iteration", {}),
        ("overcooked", "assistant", {"role": "cook"}),
    ],
)
def test_a_recording_is_recomputed_to_the_last_bit_without_policies(world, agent, options):
    recording, memories = recorded(world, agent, options, task=1, seed=5, horizon=12)
    game = replay(recording)
    assert len(game.moments) == len(memories)
    for moment, memory in zip(game.moments, memories, strict=True):
        assert (moment.memory.tasks == memory.tasks).all()
        for ours, theirs in zip(moment.memory.states, memory.states, strict=True):
            assert (ours == theirs).all()
    assert encode(game.recording) == encode(game.recording)
    assert json.loads(encode(game.recording))["states"] == recording.episode.states.tolist()
    assert (game.recording.choices == recording.choices).all()
    with pytest.raises(InputError, match="policies are not there"):
        game.until(0).step()


def test_a_saved_game_opens_again_here_and_in_the_terminal(tmp_path):
    game = night_game([0, 1, None, 3], seed=8)
    again = last(open_game(save(game)))
    assert save(again) == save(game)
    assert again.match.trial.played_by is None  # trembling teammates: a person played
    (tmp_path / "episode.json").write_bytes(save(game))
    told = run_here("play", tmp_path / "episode.json")
    assert told.returncode == 0, told.stderr
    assert f"{game.match.agent.name} · seed 8" in told.stdout


def test_an_episode_of_a_bopa_that_follows_transitions_opens_with_the_beliefs_it_was_saved_with():
    library = walkon.make("night-pursuit", size=3, tasks=2)
    options = {"size": 3, "tasks": 2}
    agents = {evidence: quick_agent("bopa", library, evidence=evidence) for evidence in ("observations", "transitions")}
    matches = {
        name: match_of(library, each, options=options, task=1, seed=5, played_by=1) for name, each in agents.items()
    }
    games = {name: Game.begin(match).play([None] * 20) for name, match in matches.items()}
    for game in games.values():
        again = last(open_game(save(game)))
        assert (again.recording.episode.task_beliefs == game.recording.episode.task_beliefs).all()
        assert save(again) == save(game)
    assert b'"evidence"' not in save(games["observations"])  # as such files always were


def test_an_episode_of_ones_own_library_opens_where_that_is():
    library = walkon.make("night-pursuit", size=3, tasks=2)
    own = (library, trembling(library, 0.1, named="{}"))
    agent = quick_agent("atpo", own[1])
    data = save(Game.begin(match_of(own[1], agent, world="own", options={"tremble": 0.1}, task=1, seed=8)).play([0, 1]))
    again = last(open_game(data, own)).match
    assert again.library is own[1]
    assert again.trial.played_by is None
    with pytest.raises(InputError, match="a library of the user's own"):
        last(open_game(data))
    changed = json.loads(data) | {"task_hash": "0"}
    with pytest.raises(InputError, match="a library of the user's own"):
        last(open_game(json.dumps(changed).encode(), own))
    changed = json.loads(data) | {"options": {"size": 3}}
    with pytest.raises(InputError, match="expected options of own: tremble"):
        last(open_game(json.dumps(changed).encode(), own))


def test_a_file_may_not_ask_for_too_much():
    game = night_game([0])
    document = json.loads(save(game)) | {"options": {"size": 10, "tasks": 32}}
    with pytest.raises(InputError, match="more than the 12,000 that a page may ask for"):
        last(open_game(json.dumps(document).encode()))
    with pytest.raises(InputError, match="not JSON"):
        last(open_game(b"\xff"))


def test_an_agent_without_policies_remembers_as_it_should():
    library = walkon.make("night-pursuit", size=3, tasks=2)
    empty = agent_without_policies(Trial(world=WorldSpec.of("night-pursuit")), library)
    full = walkon.agent("atpo", library, solver=walkon.Perseus(backups=50), jobs=1)
    one, other = empty.start(), full.start()
    for a, z in ((0, 0), (3, 1), (2, 0)):
        percept = walkon.Percept(observation=z)
        one, other = empty.update(one, a, percept), full.update(other, a, percept)
        assert (one.tasks == other.tasks).all()


def test_a_film_shows_every_step_in_its_turn():
    game = night_game([0, 1, None], seed=8)
    film = last(film_game(game))
    root = ElementTree.fromstring(film)
    space = "{http://www.w3.org/2000/svg}"
    frames = [group for group in root.iter(f"{space}g") if group.get("class") == "f"]
    assert len(frames) == game.steps + 1
    delays = [float(re.search(r"step-end ([\d.]+)s", frame.get("style"))[1]) for frame in frames]
    assert np.diff(delays) == pytest.approx(delays[1])
    words = ["".join(frame.itertext()) for frame in frames]
    for t, said in enumerate(words):
        assert f"Step {t}." in said
        assert all(name in said for name in game.match.library.names)
    assert "http" not in film.replace("http://www.w3.org/2000/svg", "")
    assert len(last(film_game(night_game([0], agent="random")))) > 100
