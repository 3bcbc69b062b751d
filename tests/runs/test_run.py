import os
import signal

import numpy as np
import pytest

import walkon
from small_runs import KITCHEN, ROUGH, SETTINGS, SMALL, small_entries, small_trials
from walkon.paper.experiments import BASELINE
from walkon.processes import Workers
from walkon.runs.columns import unpack
from walkon.runs.run import Alone, Processes, local_pool, run
from walkon.runs.store import Store
from walkon.runs.sweep import Point, Sweep, entries
from walkon.runs.tabulate import tabulate
from walkon.runs.work import play_trials, problems_of
from walkon.shipped.policies import shipped_policy
from walkon.solvers.parallel import solve_all
from walkon.trials.trial import MeasuredTrial, Problem, Recipe, WorldSpec


def finished(folder, pool, trials=None, watch=lambda progress: None):
    """Run into a folder; the table, and everything that was told."""
    told = []

    def tell(progress):
        told.append(progress)
        watch(progress)

    try:
        with Store(folder / "run", write=True) as store:
            store.begin({}, SETTINGS.record())
            run(trials or small_trials(SMALL, KITCHEN), store, pool, tell)
            return tabulate(small_entries(SMALL, KITCHEN), store), told
    finally:
        pool.close()


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    folder = tmp_path_factory.mktemp("alone")
    return finished(folder, Alone(str(folder)))[0]


def same(ours, theirs):
    for name, column in ours.columns.items():
        np.testing.assert_array_equal(column, theirs.columns[name])
    for name, curve in ours.curves.items():
        np.testing.assert_array_equal(curve, theirs.curves[name])


def test_a_run_in_processes_gives_the_same_results(tmp_path, alone):
    same(finished(tmp_path, Processes(str(tmp_path / "policies"), 2))[0], alone)


def test_an_outcome_is_that_of_playing_the_trial_by_hand(alone):
    for entry in small_entries(SMALL):
        trial = entry.trial
        library = trial.world.make()
        told = {"target": trial.task} if trial.agent in ("perseus", "value-iteration") else {}
        agent = walkon.agent(trial.agent, library, solver=ROUGH.make(), jobs=1, **told)
        episode = walkon.play(library[trial.task], agent, seed=trial.seed)
        row = alone.where(sweep="size", agent=trial.agent, pair=entry.pair)
        assert row["steps"].tolist() == [episode.steps]
        assert row["solved"].tolist() == [episode.solved]
        assert row["task"].tolist() == [episode.task]
        if episode.entropies is not None and agent.identifies:
            np.testing.assert_allclose(row.curve("entropy")[0], episode.entropies, atol=1e-12)
            np.testing.assert_allclose(row.curve("p_true")[0], episode.task_beliefs[:, trial.task], atol=1e-12)


def test_agents_without_a_task_belief_have_no_curves(alone):
    for name in ("value-iteration", "perseus", "random"):
        rows = alone.where(sweep="size", agent=name)
        assert rows.curve("entropy").shape[1] == 0
        assert np.isnan(rows["final_p_true"]).all()


def test_a_second_call_runs_only_what_is_missing(tmp_path, alone):
    trials = small_trials(SMALL, KITCHEN)
    finished(tmp_path, Alone(str(tmp_path)), trials[:7])
    table, told = finished(tmp_path, Alone(str(tmp_path)))
    assert (told[0].kept, told[0].trials) == (7, len(trials) - 7)
    assert told[-1].played == len(trials) - 7
    same(table, alone)
    _, told = finished(tmp_path, Alone(str(tmp_path)))
    assert [progress.trials for progress in told] == [0]


def test_progress_ends_with_everything_done(tmp_path):
    _, told = finished(tmp_path, Alone(str(tmp_path)))
    last = told[-1]
    assert (last.solved, last.played) == (last.problems, last.trials)
    assert last.solved_work == pytest.approx(1.0)
    assert [progress.played for progress in told] == sorted(progress.played for progress in told)


def test_a_problem_is_solved_before_its_trials_are_played_and_only_once(tmp_path):
    asked = []

    class Noted(Alone):
        def ask(self, request):
            asked.append(request)
            super().ask(request)

    finished(tmp_path, Noted(str(tmp_path)))
    problems = [request for request in asked if isinstance(request, Problem)]
    assert len(problems) == len(set(problems)) > 0
    for i, request in enumerate(asked):
        if not isinstance(request, Problem):
            assert {each for trial in request for each in problems_of(trial)} <= set(asked[:i])


def test_a_worker_that_is_killed_is_replaced_and_nothing_is_lost(tmp_path, alone):
    pool = Processes(str(tmp_path / "policies"), 2)
    killed = []

    def kill(progress):
        if progress.solved and not killed:
            killed.append(next(iter(pool._pool._processes)))
            os.kill(killed[0], signal.SIGKILL)

    table, _ = finished(tmp_path, pool, watch=kill)
    assert killed
    same(table, alone)


def test_workers_that_die_again_and_again_end_the_run_with_a_reason(tmp_path, monkeypatch):
    def doomed(jobs):
        workers = Workers(jobs)
        workers.submit(os._exit, 1)
        return workers

    monkeypatch.setattr("walkon.runs.run.Workers", doomed)
    pool = Processes(str(tmp_path), 2)
    with pytest.raises(walkon.InputError, match="worker processes died one after another"):
        finished(tmp_path, pool)


def test_what_is_timed_is_asked_for_when_nothing_else_is_going_on(tmp_path):
    going, beside = [], []

    class Noted(Alone):
        slots = 3

        def ask(self, request):
            going.append(request)
            super().ask(request)

        def next(self):
            for request in going:
                if not isinstance(request, Problem) and request[0].measure in ("setup", "decision"):
                    beside.append(len(going))
            request, answer = super().next()
            going.remove(request)
            return request, answer

    world = WorldSpec.of("night-pursuit", size=3, tasks=[0])
    timed = [
        MeasuredTrial(
            world=world, task=0, agent=agent, seed=1, recipe=ROUGH if agent == "atpo" else None, measure=measure
        )
        for agent in ("atpo", "value-iteration")
        for measure in ("setup", "decision")
    ]
    finished(tmp_path, Noted(str(tmp_path)), [*timed, *small_trials()])
    assert beside == [1, 1, 1, 1]


def test_times_are_measured_and_positive(tmp_path):
    world = WorldSpec.of("night-pursuit", size=3, tasks=[0, 1])
    setup = MeasuredTrial(world=world.having(tasks=[0]), task=0, agent="atpo", seed=1, recipe=ROUGH, measure="setup")
    (outcome,) = play_trials([setup], str(tmp_path))
    assert outcome.numbers["seconds"] > 0
    decision = MeasuredTrial(world=world, task=0, agent="bopa", seed=1, measure="decision")
    (outcome,) = play_trials([decision], str(tmp_path))
    times = unpack(outcome.episode)["decision_seconds"]
    assert len(times) == 50
    assert (times > 0).all()


def test_what_is_timed_is_solved_also_where_walkon_comes_with_the_policies(tmp_path, monkeypatch):
    solved = []

    def counted(problems, solver, **options):
        solved.extend(problems)
        return solve_all(problems, solver, **options)

    monkeypatch.setattr("walkon.runs.work.solve_all", counted)
    world, recipe = WorldSpec.of("night-pursuit", size=3, tasks=2), Recipe("perseus", (("beliefs", 100),))
    assert all(shipped_policy(task.pomdp, recipe.make(), 0) is not None for task in world.make())
    play_trials(
        [MeasuredTrial(world=world, task=0, agent="atpo", seed=1, recipe=recipe, measure="setup")], str(tmp_path)
    )
    assert [problem.hash for problem in solved[1:]] == [
        task.pomdp.hash for task in world.make()
    ]  # after the warming up


def test_the_bound_is_measured_along_the_episode_of_the_baseline(tmp_path):
    world = WorldSpec.of("night-pursuit", size=3, noise=0.3, tasks=[0, 1])
    sweep = Sweep(name="bound", agents=("atpo",), points=(Point(float("nan"), world),), measure="loss")
    trials = [entry.trial for entry in entries(sweep, SETTINGS)]
    for outcome in play_trials(trials, str(tmp_path)):
        columns = unpack(outcome.episode)
        assert len(columns["loss"]) == 50
        for side in ("bound_fixed", "bound_best", "bound_fixed_largest", "bound_best_largest", "bound_distance"):
            assert (columns["loss"] <= columns[side] + 1e-9).all()
        assert (columns["bound_distance"] <= columns["bound_best_largest"] + 1e-9).all()
        assert ((columns["affinity"] > 0) & (columns["affinity"] <= 1)).all()


def test_trials_are_played_the_same_alone_and_together(tmp_path):
    trials = small_trials()[:6]
    world = trials[0].world
    one_world = [trial for trial in small_trials() if trial.world == world]
    together = play_trials(one_world, str(tmp_path))
    assert together == [play_trials([trial], str(tmp_path))[0] for trial in one_world]


def test_the_number_of_jobs_is_checked_and_one_stays_here(tmp_path):
    assert isinstance(local_pool(str(tmp_path), 1), Alone)
    with pytest.raises(walkon.InputError, match="jobs is 0"):
        local_pool(str(tmp_path), 0)


def test_the_papers_baseline_is_one_of_its_sweeps():
    assert BASELINE.points[0].world.make().names == walkon.make("night-pursuit").names


def test_a_hunt_is_told_in_steps_and_a_kitchen_in_soups(alone):
    hunt, kitchen = alone.where(sweep="size"), alone.where(sweep="overcooked")
    assert np.isnan([hunt["tally"], hunt["dead_end"]]).all()
    assert not np.isnan([hunt["steps"], hunt["solved"]]).any()
    assert np.isnan([kitchen["steps"], kitchen["solved"]]).all()
    assert not np.isnan([kitchen["tally"], kitchen["dead_end"]]).any()
