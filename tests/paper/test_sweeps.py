from collections import Counter
from dataclasses import replace

import pytest

import walkon
from walkon.agents.registry import AGENTS
from walkon.measuring.verdicts import judge
from walkon.paper import BEYOND, DARK, PAPER
from walkon.paper.readings import readings, rows_by_reading, verdicts_by_reading
from walkon.paper.run import FIGURES as DRAWN
from walkon.paper.run import Run
from walkon.runs.run import Alone, run
from walkon.runs.store import Store
from walkon.runs.sweep import Settings, entries
from walkon.runs.tabulate import tabulate
from walkon.trials.trial import WorldSpec

FIGURES = ["2a", "2b", "3a", "3b", "3c", "4a", "4b", "5a", "5b", "6a", "6b", "bound"]
SETTINGS = Settings()


def placed(sweep, settings=SETTINGS):
    return list(entries(sweep, settings))


def by_name(name, quick=False):
    return next(sweep for sweep in Run(Settings(quick=quick)).sweeps(reading="literal") if sweep.name == name)


def test_every_figure_of_the_paper_has_one_sweep():
    assert list(DRAWN) == FIGURES
    drawn = list(dict.fromkeys(DRAWN[name].sweep for name in FIGURES))
    undrawn = "decision-tasks"  # for a claim alone
    literal = Run(SETTINGS).sweeps(reading="literal")
    assert [sweep.name for sweep in literal if sweep.name != undrawn] == drawn
    assert [sweep.name for sweep in Run(SETTINGS).sweeps("4b")] == ["decision", undrawn]


@pytest.mark.parametrize(
    ("name", "agents", "points", "trials"),
    [
        ("baseline", 5, 1, 4 * 32),
        ("size", 5, 4, 32),
        ("noise", 5, 6, 32),
        ("tasks", 2, 10, 32),
        ("pursuit", 5, 1, 3 * 32),
        ("overcooked", 4, 1, 6 * 32),
        ("bound", 1, 1, 4 * 32),
    ],
)
def test_the_trial_counts_are_the_papers(name, agents, points, trials):
    found = placed(by_name(name))
    counts = Counter((str(entry.x), entry.trial.agent) for entry in found)
    assert len(counts) == agents * points
    assert set(counts.values()) == {trials}


def test_agents_of_one_pair_meet_the_same_task_and_luck():
    for sweep in Run(Settings()).sweeps():
        met = {}
        for entry in placed(sweep, Settings(trials=3)):
            what = (entry.trial.world, entry.trial.task, entry.trial.seed)
            assert met.setdefault((str(entry.x), entry.pair), what) == what


def test_the_draw_of_a_pair_is_the_same_at_every_point_of_a_sweep():
    noise = [entry for entry in placed(by_name("noise")) if entry.pair == 5]
    assert len({(dict(entry.trial.world.options)["tasks"], entry.trial.task) for entry in noise}) == 1
    larger = {
        entry.x: dict(entry.trial.world.options)["tasks"] for entry in placed(by_name("tasks")) if entry.pair == 5
    }
    assert all(larger[K] == larger[10][: int(K)] for K in larger)


def test_drawn_libraries_have_different_tasks_and_a_target_among_them():
    for entry in placed(by_name("tasks")):
        tasks = dict(entry.trial.world.options)["tasks"]
        assert len(set(tasks)) == len(tasks) == entry.x
        assert 0 <= entry.trial.task < len(tasks)


def test_targets_are_drawn_evenly():
    targets = Counter(entry.trial.task for entry in placed(by_name("size"), Settings(trials=2000)) if entry.x == 81)
    assert all(abs(count / 10_000 - 0.25) < 0.04 for count in targets.values())


def test_more_trials_begin_with_the_same_ones():
    for sweep in Run(Settings()).sweeps():
        few = {entry.trial for entry in placed(sweep, Settings(trials=2))}
        assert few <= {entry.trial for entry in placed(sweep, Settings(trials=3))}


def test_another_seed_gives_other_luck():
    ours, theirs = (placed(by_name("baseline"), Settings(seed=seed)) for seed in (0, 1))
    assert not {entry.trial.seed for entry in ours} & {entry.trial.seed for entry in theirs}


def test_the_bound_is_measured_on_the_trials_of_the_baseline():
    ours = {(e.trial.world, e.trial.task, e.trial.seed) for e in placed(by_name("bound"))}
    assert ours == {(e.trial.world, e.trial.task, e.trial.seed) for e in placed(by_name("baseline"))}


def test_every_agent_exists():
    assert {agent for sweep in Run(Settings()).sweeps() for agent in sweep.agents} <= AGENTS.keys()


def test_figures_are_found_by_name_and_a_wrong_name_is_refused():
    assert [sweep.name for sweep in Run(SETTINGS).sweeps("5b", "2a", reading="literal")] == ["baseline", "pursuit"]
    with pytest.raises(walkon.InputError, match="no figure '7a': expected 2a"):
        Run(SETTINGS).sweeps("7a")


def test_settings_are_the_same_after_a_round_trip():
    settings = Settings(seed=3, trials=5, quick=True)
    assert Settings.from_record(settings.record()) == settings


@pytest.mark.parametrize("wrong", [{"seed": -1}, {"trials": 0}])
def test_settings_that_make_no_sense_are_refused(wrong):
    with pytest.raises(walkon.InputError, match="expected"):
        Settings(**wrong)


PAPERS = Run(SETTINGS).parts[PAPER]


def test_a_reading_keeps_the_luck_and_changes_whom_it_concerns():
    ours = {sweep.name: placed(sweep, Settings(trials=1)) for sweep in PAPERS}
    for reading in readings():
        for sweep in reading.sweeps(PAPERS):
            pairs = list(zip(placed(sweep, Settings(trials=1)), ours[sweep.name], strict=True))
            assert all(theirs.trial.seed == mine.trial.seed for theirs, mine in pairs)
            changed = {theirs.trial.agent for theirs, mine in pairs if theirs.trial != mine.trial}
            assert changed == ({"bopa"} if reading.evidence else set(sweep.agents))


def test_every_reading_changes_something_and_can_be_built():
    for reading in readings():
        under = reading.sweeps(PAPERS)
        assert under
        for sweep in under:
            world = sweep.points[0].world
            assert len(world.make()) == world.size


def test_no_computing_time_is_measured_under_another_reading():
    for reading in readings():
        assert not {"setup", "decision"} & {sweep.measure for sweep in reading.sweeps(PAPERS)}


def test_the_fitted_reading_is_the_sum_of_its_parts():
    fitted, *others = readings()
    named = {reading.name: reading for reading in others}
    joint = {}
    for part in fitted.parts:
        for world, options in named[part].worlds.items():
            joint[world] = joint.get(world, {}) | options
    joint["pursuit"].pop("ties")  # in a fixed order only in Overcooked
    assert fitted.name == "fitted"
    assert joint == fitted.worlds
    assert all(named[part].pro and named[part].con and named[part].sure for part in fitted.parts)


def test_the_figures_that_test_the_fitted_reading_are_those_it_was_not_chosen_by():
    fitted = readings()[0]
    touched = {DRAWN[name].sweep for name in FIGURES} & {sweep.name for sweep in fitted.sweeps(PAPERS)}
    tested = {name for name in FIGURES if DRAWN[name].sweep in touched and name not in fitted.chosen_by}
    assert tested == {"5a", "6a", "bound"}


def test_only_claims_whose_trials_were_all_run_under_a_reading_are_judged(tmp_path, monkeypatch):
    few = Run(Settings(trials=1))
    small = {
        name: tuple(replace(sweep, agents=("value-iteration", "random")) for sweep in under if sweep.name == "baseline")
        for name, under in Run(SETTINGS).parts.items()
    }
    monkeypatch.setattr(Run, "parts", small)

    def compared(store):
        begun = few.begun(store)
        literal = judge(tabulate(begun[PAPER], store))
        return rows_by_reading(literal, verdicts_by_reading(begun, literal, store))

    with Store(tmp_path, write=True) as store:
        store.begin({}, {})
        assert compared(store) == []
        for name in (PAPER, "slips"):
            places = [entry for sweep in small[name] for entry in entries(sweep, few.settings)]
            run([entry.trial for entry in places], store, Alone(str(tmp_path)))
        rows = compared(store)
    assert {row["reading"] for row in rows} == {"slips", "transitions"}
    assert {row["figure"] for row in rows} == {"2a", "2b"}
    assert {row["changed"] for row in rows if row["reading"] == "transitions"} == {"no"}


def test_what_was_not_begun_is_neither_listed_nor_built(tmp_path, monkeypatch):
    one = Run(Settings(trials=1))
    trials = [entry.trial for entry in one.entries("2a", reading="literal") if entry.trial.agent == "random"]
    with Store(tmp_path, write=True) as store:
        store.begin({}, {})
        run(trials, store, Alone(str(tmp_path)))
        monkeypatch.setattr(WorldSpec, "make", lambda world: pytest.fail(f"{world} was built"))
        begun = one.begun(store)
    assert {entry.sweep for entry in begun[PAPER]} >= {"baseline"}
    assert not {"pursuit", "overcooked", "setup", "bound"} & {entry.sweep for entry in begun[PAPER]}
    assert begun[BEYOND] == begun["printed-noise"] == begun["slips"] == begun["fitted"] == []


def test_the_parts_of_a_run_are_the_paper_its_readings_what_goes_beyond_and_the_second_paper():
    whole = Run(SETTINGS)
    assert list(whole.parts) == [PAPER, *(reading.name for reading in readings()), BEYOND, DARK]
    literal, fitted = (whole.sweeps(reading=name) for name in ("literal", "fitted"))
    assert whole.sweeps() == literal + fitted
    assert whole.sweeps("5a", reading="fitted") == [sweep for sweep in fitted if sweep.name == "pursuit"]
    every = whole.sweeps("readings")
    assert every[: len(whole.sweeps())] == whole.sweeps()  # to compare with
    assert every[len(whole.sweeps()) :] == [sweep for reading in readings()[1:] for sweep in whole.parts[reading.name]]
    with pytest.raises(walkon.InputError, match="no reading 'mine': expected literal or fitted"):
        whole.sweeps(reading="mine")
