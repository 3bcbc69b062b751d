"""A run to look at: while it grows, and trial by trial."""

from dataclasses import replace

import numpy as np
import pytest

from small_runs import KITCHEN, SETTINGS, SMALL, small_entries
from walkon import InputError
from walkon.runs.store import Store, being_written
from walkon.runs.sweep import Point, Settings
from walkon.runs.work import play_trials
from walkon.web.results import Run, drawn_figures, game_of
from walkon.web.seen import look_at


@pytest.fixture(scope="module")
def trials():
    """Trials of which some are asked for by the settings below, and what came of them."""
    found = [entry.trial for sweep in (SMALL, KITCHEN) for entry in small_entries(sweep)]
    return list(zip(found, [play_trials([trial], None)[0] for trial in found], strict=True))


@pytest.fixture
def folder(tmp_path, trials, monkeypatch):
    """A run of two small experiments."""
    parts = {"paper": (SMALL, KITCHEN), "beyond": ()}
    monkeypatch.setattr("walkon.paper.run.Run.parts", parts)
    with Store(tmp_path, write=True) as store:
        store.begin({}, SETTINGS.record())
        store.add(trials)
    return tmp_path


def seen(folder, part=""):
    return look_at(folder, part, Run(folder).mark)


def test_the_tables_are_those_of_the_store(folder, trials):
    run, page = Run(folder), seen(folder)
    assert run.mark == (len(trials), False)
    assert (page.name, page.parts) == ("paper", {"paper": "The paper"})
    assert {each.agent for each in page.played} == {trial.agent for trial, _ in trials}
    assert "Value Iteration" in page.results
    assert "±" in page.results
    assert "have no data" in page.claims
    assert "2 trials for each task or point, seed 0" in page.settings
    assert page.warnings == ()


def test_a_quick_run_and_one_that_was_stopped_say_so_first(folder, trials):
    with Store(folder, write=True) as store:
        store.begin({}, replace(SETTINGS, quick=True, trials=3).record())
    quick, missing = seen(folder).warnings
    assert quick.startswith("This was a quick run")
    assert "trials of these experiments are missing" in missing


def test_a_run_that_is_going_on_is_seen_to_grow(tmp_path, trials):
    with Store(tmp_path, write=True) as store:
        store.begin({}, Settings().record())
        run = Run(tmp_path)
        assert run.mark == (0, True)
        store.add(trials[:3])
        assert run.mark == (3, True)
        assert being_written(tmp_path)
    assert run.mark == (3, False)
    assert not being_written(tmp_path / "nowhere")


def test_every_trial_can_be_replayed_to_the_last_bit(folder, trials):
    run = Run(folder)
    listed = seen(folder).played
    assert len(listed) == len({trial.key for trial, _ in trials})
    with Store(folder) as store:
        for row in store.rows([each.key for each in listed]):
            game = run.game(row.trial.key)
            recorded = game.recording.episode
            for name in ("states", "actions", "teammate_actions", "observations", "rewards"):
                assert (getattr(recorded, name) == row.columns[name]).all()
            if "task_beliefs" in row.columns:
                assert recorded.task_beliefs == pytest.approx(row.columns["task_beliefs"], abs=1e-12)
            assert game.match.ready  # its policies are kept, so what it would do is known
            for t, action in enumerate(row.columns["actions"].tolist()):
                assert game.decide(t).moments[t].choices[action] > 0


@pytest.mark.parametrize("evidence", ["observations", "transitions"])
def test_a_replayed_trial_goes_on_from_each_of_its_steps_with_the_beliefs_it_was_played_with(evidence, tmp_path):
    trials = [entry.trial for entry in small_entries(replace(SMALL, agents=("bopa",), evidence=evidence))]
    with Store(tmp_path, write=True) as store:
        store.begin({}, Settings().record())
        store.add([(trial, play_trials([trial], None)[0]) for trial in trials])
        rows = list(store.rows([trial.key for trial in trials]))
    for row in rows:
        game = game_of(row)
        for t, moment in enumerate(game.moments[1:]):
            one_on = game.until(t).append(moment.action, moment.step)
            assert one_on.moments[-1].memory.tasks == pytest.approx(row.columns["task_beliefs"][t + 1], abs=1e-12)


@pytest.mark.parametrize("measure", ["return", "score"])
def test_trials_of_which_only_numbers_were_kept_are_listed_and_played_again(tmp_path, monkeypatch, measure):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    sweep = replace(SMALL, name="beyond-night", agents=("random", "atpo-q"), measure=measure, horizon=60)
    other = replace(SMALL, agents=("random",), points=(Point(81, SMALL.points[0].world.having(noise=0.1)),))
    monkeypatch.setattr("walkon.paper.run.Run.parts", {"paper": (), "less noise": (other,), "beyond": (sweep,)})
    trials = [entry.trial for entry in small_entries(sweep, other)]
    with Store(tmp_path, write=True) as store:
        store.begin({}, SETTINGS.record())
        store.add([(trial, play_trials([trial], None)[0]) for trial in trials])
    run, listed = Run(tmp_path), [*seen(tmp_path, "beyond").played, *seen(tmp_path, "less noise").played]
    asked = {trial.key: trial for trial in trials}
    assert {each.key for each in listed} == set(asked)
    assert seen(tmp_path).parts == {"less noise": "Less noise", "beyond": "Beyond the paper"}
    assert "Night-time Pursuit" in seen(tmp_path, "beyond").results
    for each in listed:
        episode = run.game(each.key).recording.episode
        task = asked[each.key].world.make()[asked[each.key].task]
        assert episode.until(task.horizon).steps == each.steps


def test_a_trial_that_cannot_be_played_again_says_why(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    trial = small_entries(replace(SMALL, agents=("atpo",), measure="score"))[0].trial
    with Store(tmp_path, write=True) as store:
        store.begin({}, SETTINGS.record())
        store.add([(trial, play_trials([trial], None)[0])])
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "empty"))
    with pytest.raises(InputError, match=r"only its numbers were kept, .* run its experiments here first"):
        Run(tmp_path).game(trial.key)


def test_without_its_policies_a_trial_is_shown_but_not_what_it_would_do(folder, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "empty"))
    run = Run(folder)
    key = next(each.key for each in seen(folder).played if each.agent == "atpo" and each.task.startswith("prey"))
    game = run.game(key)
    assert not game.match.ready
    assert np.isnan(game.moments[0].choices).all()


def test_what_is_not_there_is_refused(folder, tmp_path):
    with pytest.raises(InputError, match=r"has no results\.sqlite"):
        Run(tmp_path / "nothing")
    with pytest.raises(InputError, match="there is no trial 'x'"):
        Run(folder).game("x")
    with pytest.raises(InputError, match="no trials of 'beyond': it has paper"):
        seen(folder, "beyond")
    assert drawn_figures(folder) == {}
    (folder / "figures").mkdir()
    (folder / "figures" / "2a.svg").write_text("<svg/>")
    (folder / "secret.svg").write_text("<svg/>")
    assert list(drawn_figures(folder)) == ["2a.svg"]
