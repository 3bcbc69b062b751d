"""Episodes as files and films."""

import json
import re
from xml.etree import ElementTree

import numpy as np
import pytest

import walkon
from command_line import run
from night_tables import night_game
from random_libraries import quick_agent
from recorded import recorded
from walkon import InputError
from walkon.formats.episode_file import encoded
from walkon.tasks.library import trembling
from walkon.web.game import Game, Table
from walkon.web.replay import remembering, replayed
from walkon.web.sharing import filmed, opened, saved


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
def test_a_recording_is_worked_out_anew_to_the_last_bit_without_policies(world, agent, options):
    recording, memories = recorded(world, agent, options, task=1, seed=5, horizon=12)
    game = replayed(recording)
    assert len(game.points) == len(memories)
    for point, memory in zip(game.points, memories, strict=True):
        assert (point.memory.tasks == memory.tasks).all()
        for ours, theirs in zip(point.memory.states, memory.states, strict=True):
            assert (ours == theirs).all()
    assert encoded(game.recording) == encoded(game.recording)
    assert json.loads(encoded(game.recording))["states"] == recording.episode.states.tolist()
    assert (game.recording.choices == recording.choices).all()
    with pytest.raises(InputError, match="policies are not there"):
        game.until(0).step()


def test_a_saved_game_opens_again_here_and_in_the_terminal(tmp_path):
    game = night_game([0, 1, None, 3], seed=8)
    again = opened(saved(game))
    assert saved(again) == saved(game)
    assert again.table.seat is None  # trembling teammates: a person played
    (tmp_path / "episode.json").write_bytes(saved(game))
    told = run("play", tmp_path / "episode.json")
    assert told.returncode == 0, told.stderr
    assert f"{game.table.agent.name} · seed 8" in told.stdout


def test_an_episode_of_a_bopa_that_follows_transitions_opens_with_the_beliefs_it_was_saved_with():
    library = walkon.make("night-pursuit", size=3, tasks=2)
    options = {"size": 3, "tasks": 2}
    agents = {evidence: quick_agent("bopa", library, evidence=evidence) for evidence in ("observations", "transitions")}
    tables = {name: Table("night-pursuit", options, library, 1, agent, 5, 1, 20) for name, agent in agents.items()}
    games = {name: Game.begin(table).again([None] * 20) for name, table in tables.items()}
    for game in games.values():
        again = opened(saved(game))
        assert (again.recording.episode.task_beliefs == game.recording.episode.task_beliefs).all()
        assert saved(again) == saved(game)
    assert b'"evidence"' not in saved(games["observations"])  # as such files always were


def test_an_episode_of_ones_own_library_opens_where_that_is():
    library = walkon.make("night-pursuit", size=3, tasks=2)
    own = (library, trembling(library, 0.1, named="{}"))
    agent = quick_agent("atpo", own[1])
    data = saved(Game.begin(Table("own", {"tremble": 0.1}, own[1], 1, agent, 8, None, 50)).again([0, 1]))
    again = opened(data, own).table
    assert again.library is own[1]
    assert again.seat is None
    with pytest.raises(InputError, match="a library of somebody's own"):
        opened(data)
    changed = json.loads(data) | {"task_hash": "0"}
    with pytest.raises(InputError, match="a library of somebody's own"):
        opened(json.dumps(changed).encode(), own)
    changed = json.loads(data) | {"options": {"size": 3}}
    with pytest.raises(InputError, match="expected options of own: tremble"):
        opened(json.dumps(changed).encode(), own)


def test_a_file_may_not_ask_for_too_much():
    game = night_game([0])
    document = json.loads(saved(game)) | {"options": {"size": 10, "tasks": 32}}
    with pytest.raises(InputError, match="more than the 12,000 that a page may ask for"):
        opened(json.dumps(document).encode())
    with pytest.raises(InputError, match="not JSON"):
        opened(b"\xff")


def test_an_agent_without_policies_remembers_as_it_should():
    library = walkon.make("night-pursuit", size=3, tasks=2)
    empty = remembering("atpo", library, 0)
    full = walkon.agent("atpo", library, solver=walkon.Perseus(backups=50), jobs=1)
    one, other = empty.start(), full.start()
    for a, z in ((0, 0), (3, 1), (2, 0)):
        percept = walkon.Percept(observation=z)
        one, other = empty.update(one, a, percept), full.update(other, a, percept)
        assert (one.tasks == other.tasks).all()


def test_a_film_shows_every_step_in_its_turn():
    game = night_game([0, 1, None], seed=8)
    film = filmed(game)
    root = ElementTree.fromstring(film)
    space = "{http://www.w3.org/2000/svg}"
    frames = [group for group in root.iter(f"{space}g") if group.get("class") == "f"]
    assert len(frames) == game.steps + 1
    delays = [float(re.search(r"step-end ([\d.]+)s", frame.get("style"))[1]) for frame in frames]
    assert np.diff(delays) == pytest.approx(delays[1])
    words = ["".join(frame.itertext()) for frame in frames]
    for t, said in enumerate(words):
        assert f"Step {t}." in said
        assert all(name in said for name in game.table.library.names)
    assert "http" not in film.replace("http://www.w3.org/2000/svg", "")
    assert len(filmed(night_game([0], agent="random"))) > 100
