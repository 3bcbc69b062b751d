"""`walkon reproduce dark`: the worlds of the second paper as sweeps, and their numbers beside the published ones."""

from collections import Counter
from dataclasses import replace
from html import unescape

import numpy as np
import pytest

from command_line import run as command
from made_up_results import table_of, trials
from walkon.agents.registry import AGENTS
from walkon.html import Markup
from walkon.measuring.claims import BEYOND, DARK, PAPER, read_claims
from walkon.paper import against
from walkon.paper.dark import DESCRIBED, PLACES, POOL, RUN, TABLE, published
from walkon.paper.parts import Part
from walkon.paper.report.claims import how
from walkon.paper.report.dark import Dark, apart
from walkon.paper.run import QUICK, Run
from walkon.runs.run import Alone, run
from walkon.runs.store import Store
from walkon.runs.sweep import Settings
from walkon.runs.tabulate import tabulate

NAMES = [place.name for place in PLACES]
SETTINGS = Settings(quick=True, dark=2, recipe=QUICK)


@pytest.fixture(scope="module")
def places():
    return Run(Settings(dark=3)).entries("dark")


def test_every_task_is_played_equally_often_as_run_and_as_described(places):
    for place in PLACES:
        for variant in (RUN, DESCRIBED):
            own = [entry.trial for entry in places if entry.sweep == place.sweep(variant)]
            counts = Counter((trial.agent, trial.task) for trial in own)
            assert set(counts.values()) == {3}
            assert {task for _, task in counts} == set(range(place.tasks))
            assert {trial.world for trial in own} == {place.world(variant)}


def test_all_agents_of_the_papers_table_play_but_bopa_in_the_power_plant(places):
    for name in NAMES:
        agents = {entry.trial.agent for entry in places if entry.sweep == name}
        assert set(TABLE) - agents == ({"bopa-state"} if name == "power-plant" else set())
        assert {"bayes", "atpo-greedy"} <= agents


@pytest.mark.parametrize("place", PLACES, ids=NAMES)
def test_the_sizes_are_those_of_the_worlds(place):
    library = place.world(RUN).make()
    assert len(library) == place.tasks
    assert len(library[0].pomdp.start) == place.states


def test_libraries_grow_from_2_to_32_tasks_of_the_pool_with_a_target_among_them(places):
    own = [entry for entry in places if entry.sweep == "gridworld-tasks"]
    assert {entry.x for entry in own} == set(range(2, POOL + 1))
    for entry in own:
        tasks = dict(entry.trial.world.options)["tasks"]
        assert len(set(tasks)) == entry.x
        assert 0 <= entry.trial.task < len(tasks)


def test_the_published_numbers_are_complete_and_agree_with_one_another():
    told = published()
    assert {(row[1], row[2]) for row in told["samples"] if row[0] == "table"} == {
        (name, agent) for name in NAMES for agent in TABLE if (name, agent) != ("power-plant", "bopa-state")
    }
    for _, name, agent, n, _, deviation, counts in told["samples"]:
        assert agent in AGENTS
        assert sum(counts) == n
        assert deviation >= 0
        assert len(counts) == next(place.tasks for place in PLACES if place.name == name)
    assert told["sweep"]["tasks"] == list(range(2, POOL + 1))
    assert np.mean(told["sweep"]["scores"]) == pytest.approx(81.28, abs=0.01)  # as the raw runs give it
    assert told["times"].keys() == set(NAMES)


def test_every_claim_is_about_sweeps_that_are_run_and_agents_that_play_there(places):
    played = {(entry.sweep, entry.trial.agent) for entry in places}
    for claim in read_claims(DARK):
        for sweep in claim.sweeps or (claim.sweep,):
            for agent in (*claim.agents, *(agent for pair in claim.pairs for agent in pair)):
                assert (sweep, agent) in played, claim.id


def test_claims_about_beliefs_were_amended_in_their_trials_and_in_nothing_else():
    amended = [claim for claim in read_claims(DARK) if claim.before]
    assert {claim.figure for claim in amended} == {"dark-beliefs"}
    for claim in amended:
        former = tuple(sweep.removesuffix(", beliefs") for sweep in claim.sweeps)
        now = replace(claim, before=None, sentence=claim.before.sentence)
        assert claim.before == replace(now, sweeps=former, sweep=former[0])


def test_each_file_of_claims_says_when_it_was_amended():
    assert "an amendment of 2026-11-16 " in how(PAPER)
    assert "an amendment of 2026-11-18 " in how(DARK)
    assert how(BEYOND).endswith("before the first full run.")
    nothing = {f"dark-{name}": [] for name in ("scores", "published", "targets", "findings", "times")}
    assert how(DARK) in unescape("".join(Dark(verdicts=(), sheets=nothing).shown(Markup(), {})))
    assert {Part.of(name).source for name in ("paper", "fitted", "beyond", "dark")} == {PAPER, BEYOND, DARK}


def test_tasks_are_weighted_as_in_the_published_trials():
    rows = trials("ntu", "atpo", "score", [0.0, 10.0, 20.0, 30.0] * 5)  # task i % 4, each always the same
    assert against.weighted(table_of(rows), [1, 0, 0, 3]).value == pytest.approx((0 + 90) / 4)
    chance = np.random.default_rng(0)
    table = table_of(trials("ntu", "atpo", "score", chance.standard_normal(400)))
    alone = table.where(task="task 2")["score"]
    found = against.weighted(table, [0, 0, 7, 0])
    assert (found.value, found.error) == pytest.approx((alone.mean(), alone.std(ddof=1) / 10))


def test_our_scores_are_compared_with_both_samples_and_adjusted_over_all_of_them():
    chance = np.random.default_rng(1)
    rows = trials("ntu", "atpo", "score", 97.2 + 0.5 * chance.standard_normal(400))
    rows += trials("gridworld", "atpo", "score", 40 + 9 * chance.standard_normal(400))
    found = {(row["world"], row["sample"]): row for row in against.differences(table_of(rows))}
    assert found.keys() == {("ntu", "table"), ("ntu", "second"), ("gridworld", "table"), ("gridworld", "second")}
    assert found["gridworld", "table"]["difference"] == pytest.approx(40 - 86.53, abs=2)
    assert found["gridworld", "table"]["p_holm"] < 1e-3 < found["ntu", "table"]["p_holm"]
    row = found["ntu", "table"]
    assert row["difference_error"] == pytest.approx(np.hypot(row["error"], 0.54 / np.sqrt(32)))
    assert row["p_holm"] >= row["p"]


def test_relative_scores_run_from_random_to_value_iteration():
    scores = {"value-iteration": 90.0, "atpo": 80.0, "random": 40.0}
    rows = [row for agent, score in scores.items() for row in trials("isr", agent, "score", [score] * 4)]
    found = {row["agent"]: row for row in against.scores(table_of(rows))}
    assert [found[agent]["relative"] for agent in scores] == pytest.approx([100, 80, 0])
    assert found["atpo"]["published_relative"] == pytest.approx(91.54, abs=0.01)  # the paper's table 4


def test_what_cannot_be_told_apart_is_found():
    rows = against.findings(NAMES)
    said = {name: apart([row for row in rows if row["world"] == name]) for name in NAMES}
    assert said["ntu"] == "never: all tasks are alike"
    assert said["mit"] == "after 11 steps; never: 1 and 2"
    assert said["isr"] == "after 3 and 4 steps"
    assert said["pentagon"] == "after 4 and 5 steps"
    assert said["cit"] == "after 3 steps"
    assert said["power-plant"] == "after 2 steps"
    assert said["gridworld"] == said["pursuit-both"] == "after 1 step"


def test_scores_are_sums_of_rewards_and_the_first_task_of_the_power_plant_needs_no_help(tmp_path):
    own = [entry for entry in Run(SETTINGS).entries("dark") if entry.sweep.startswith("power-plant")]
    with Store(tmp_path / "run", write=True) as store:
        store.begin({}, SETTINGS.record())
        run([entry.trial for entry in own], store, Alone(str(tmp_path)))
        table = tabulate([entry for entry in own if entry.sweep == "power-plant"], store)
        believed = tabulate([entry for entry in own if entry.sweep == "power-plant, beliefs"], store)
    solved = table["solved"] == 1
    assert table["score"][solved] == pytest.approx(100 - table["steps"][solved])
    assert (table["score"][~solved] == -50).all()
    assert (table["states"] == 105).all()
    first = table.rows(table["task"] == table["task"][0])
    assert (first["score"] == 97).all()
    curves = table.where(agent="atpo").curves["p_true"]
    ends = (~np.isnan(curves)).sum(axis=1) - 1
    assert ends == pytest.approx(table.where(agent="atpo")["steps"])  # beliefs end where the task is solved
    assert not np.isnan(believed.curves["p_true"]).any()  # these go on to the horizon

    done = command("report", tmp_path / "run")
    assert done.returncode == 0, done.stderr
    assert "power-plant, run" in done.stdout
    assert "the second paper's sentences" in done.stdout
    page = (tmp_path / "run" / "report.html").read_text()
    assert '<section id="dark">' in page
    assert "after 2 steps" in page
    for name in ("dark-scores.svg", "dark-beliefs.svg"):
        assert (tmp_path / "run" / "figures" / name).is_file()
    assert (tmp_path / "run" / "tables" / "dark-published.csv").read_text().count("\n") == 6
