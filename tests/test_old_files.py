"""Files that an older walkon wrote (commit 8544c1f): they still open, with the numbers that they had then."""

import gzip
from pathlib import Path

import numpy as np
import pytest

import walkon
from command_line import run_here
from walkon.formats.episode_file import read_episode, write_episode
from walkon.runs.store import Store
from walkon.trials.trial import MeasuredTrial
from walkon.web.replay import replay
from walkon.web.results import game_of

OLD = Path(__file__).parent / "old_files"


def unpacked(name, folder):
    path = folder / name
    path.write_bytes(gzip.decompress((OLD / f"{name}.gz").read_bytes()))
    return path


def test_an_old_episode_of_a_hunt_opens_and_plays_on(tmp_path):
    recording = read_episode(OLD / "night-pursuit.json")
    episode = recording.episode
    assert (episode.agent, episode.steps, episode.tally, episode.soups) == ("atpo", 5, {}, 0)
    assert episode.teammate_actions.tolist() == [3, 4, 4, 4, 4]
    assert episode.ret == pytest.approx(-1 - 0.95 - 0.95**2 - 0.95**3 + 100 * 0.95**4)
    assert replay(recording).moments[-1].memory.tasks.tolist() == episode.task_beliefs[-1].tolist()
    write_episode(recording, tmp_path / "new.json")
    again = read_episode(tmp_path / "new.json")
    assert again.document() == recording.document()
    assert again.document()["version"] == 2


def test_an_old_episode_of_a_kitchen_opens_with_its_soups_and_its_evidence(tmp_path):
    recording = read_episode(OLD / "overcooked.json")
    assert recording.episode.tally == {"soups": 5}
    assert recording.episode.soups == 5
    assert recording.trial.evidence == "transitions"
    write_episode(recording, tmp_path / "new.json")
    assert read_episode(tmp_path / "new.json").document()["tally"] == {"soups": recording.episode.counts.tolist()}


@pytest.mark.parametrize(
    ("name", "tasks", "act"),
    [
        ("atpo", [0.558711910501267, 0.4412880894987328], [0, 0.4412880894987328, 0.558711910501267, 0, 0]),
        ("bopa", [0.42857142857142866, 0.5714285714285715], [0, 0.5, 0.35714285714285715, 0.14285714285714288, 0]),
        ("bayes", [0.558711910501267, 0.4412880894987328], [0, 1, 0, 0, 0]),
    ],
)
def test_an_old_agent_believes_and_acts_as_it_did(name, tasks, act, tmp_path):
    agent = walkon.load(unpacked(f"{name}.safetensors", tmp_path))
    memory = agent.update(agent.start(), 0, walkon.Percept(observation=0))
    assert memory.tasks.tolist() == pytest.approx(tasks, abs=1e-12)
    assert agent.act(memory).tolist() == pytest.approx(act, abs=1e-12)


def test_an_old_library_counts_what_it_counted(tmp_path):
    library = walkon.load(unpacked("library.safetensors", tmp_path))
    agent = walkon.load(unpacked("assistant.safetensors", tmp_path))
    assert [task.hash[:8] for task in library] == [task.hash[:8] for task in agent.library] == ["90176ff4", "78644718"]
    assert library[0].score == "soups"
    episodes = [walkon.play(library[1], agent, seed=seed) for seed in range(3)]
    assert [episode.soups for episode in episodes] == [5, 4, 3]
    assert episodes[0].actions.tolist() == [1, 0, 1, 0, 0, 1, 1, 1, 0]
    walkon.save(library, tmp_path / "new.safetensors")
    assert walkon.load(tmp_path / "new.safetensors").hash == library.hash


KITCHEN = '{"agent":"atpo","evidence":"observations","horizon":null,"measure":"episode","recipe":null,' \
    '"seed":7508618824184,"target":3,"world":{"domain":"overcooked","options":[["role","helper"]]}}'  # fmt: skip


@pytest.mark.parametrize("write", [False, True])
def test_old_results_are_read_and_added_to(write, tmp_path):
    path = unpacked("results.sqlite", tmp_path)
    before = path.read_bytes()
    trial = MeasuredTrial.from_json(KITCHEN)
    with Store(tmp_path, write=write) as store:
        assert store.count() == 9
        assert store.scores()[trial.key].tally == 4
        (row,) = store.rows([trial.key])
        assert row.trial == trial
        assert row.numbers["tally"] == row.columns["counts"].sum() == 4
        assert "soups" not in row.numbers
        assert game_of(row).episode.soups == 4
    assert (path.read_bytes() == before) == (not write)  # a reader leaves the file as it is
    with Store(tmp_path) as store:
        assert trial.key in store.finished()


def test_results_that_cannot_be_renewed_stay_as_they_were(tmp_path, monkeypatch):
    path = unpacked("results.sqlite", tmp_path)
    left = iter(range(4))
    known = MeasuredTrial.from_json

    def stopped(text):
        if next(left) == 3:
            raise KeyboardInterrupt
        return known(text)

    monkeypatch.setattr(MeasuredTrial, "from_json", stopped)
    with pytest.raises(KeyboardInterrupt):
        Store(tmp_path, write=True)
    monkeypatch.undo()
    with Store(tmp_path, write=True) as store:
        assert len(store.finished()) == 9
        assert np.isfinite([score.tally for score in store.scores().values() if score.tally is not None]).all()
    assert path.exists()


def test_an_old_run_is_reported(tmp_path):
    unpacked("results.sqlite", tmp_path)
    done = run_here("report", tmp_path)
    assert done.returncode == 0, done.stderr
    assert "overcooked" in done.stdout
    table = (tmp_path / "tables" / "trials.csv").read_text().splitlines()
    assert len(table) == 10
    assert "soups" in table[0].split(",")
