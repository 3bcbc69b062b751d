"""Beyond the paper: plans for whole libraries as part of a run, returns, and what is proven about them."""

import hashlib
import math
from dataclasses import replace

import numpy as np
import pytest

import walkon
from walkon.agents.registry import AGENTS
from walkon.domains.night_pursuit.pool import POOL
from walkon.measuring.claims import BEYOND, read_claims
from walkon.measuring.comparisons import TESTS
from walkon.measuring.summaries import best_possible
from walkon.paper.beyond import FADED, PLAYED_OUT
from walkon.paper.experiments import night
from walkon.paper.run import Run
from walkon.runs.run import Alone, Processes, run
from walkon.runs.store import Store
from walkon.runs.sweep import UNION, Point, Settings, Sweep, entries, fixed
from walkon.runs.tabulate import plans, tabulate
from walkon.runs.work import problems_of, solve
from walkon.tasks.union import Union
from walkon.trials.trial import Problem, Recipe, WorldSpec

ROUGH = Recipe(options=(("backups", 40), ("beliefs", 30)))
SETTINGS = Settings(trials=3, recipe=ROUGH)
SMALL = WorldSpec.of("night-pursuit", size=3, noise=0.3, tasks=[0, 1])
PLAN = Recipe("sarsop", (("backups", 300), ("gap", 0.01)))
TINY = Sweep(
    name="beyond-night",
    agents=("value-iteration", "perseus", "bayes", "atpo-search", "atpo-look", "atpo-q", "atpo"),
    points=(Point(math.nan, SMALL),),
    measure="return",
    horizon=FADED,
    union=PLAN,
)
PLACES = list(entries(TINY, SETTINGS))
KITCHEN = replace(
    TINY,
    name="beyond-overcooked",
    agents=("bayes",),
    points=(Point(math.nan, WorldSpec.of("overcooked", role="cook")),),
)


def ran(folder, pool, places):
    with Store(folder / "run", write=True) as store:
        store.begin({}, SETTINGS.record())
        try:
            run((entry.trial for entry in places), store, pool)
        finally:
            pool.close()
        return tabulate(places, store), store.policies(), plans(store)


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    folder = tmp_path_factory.mktemp("alone")
    return ran(folder, Alone(str(folder)), PLACES)


def test_the_trials_of_the_papers_figures_are_what_they_were():
    """A digest of all their keys, in order, from before anything went beyond the paper, in the words of then."""
    digest = hashlib.sha256()
    for entry in Run(Settings()).entries(reading="literal"):
        if entry.sweep == "decision-tasks":
            continue  # for a claim alone, and added later
        record = entry.trial.json().replace('"evidence":"observations"', '"evidence":"readings"')
        digest.update(hashlib.sha256(record.encode()).hexdigest()[:24].encode())
    assert digest.hexdigest() == "1a62fe2229016212f95f1516c9bb922c0dc43953dbf8c2c56b7385a47219e57a"


def test_bayes_needs_one_plan_for_the_whole_library_and_all_targets_share_it():
    trials = [entry.trial for entry in PLACES if entry.trial.agent == "bayes"]
    assert {trial.task for trial in trials} == {0, 1}
    needed = {problem for trial in trials for problem in problems_of(trial)}
    assert needed == {Problem(SMALL, None, PLAN)}
    assert "all tasks at once" in next(iter(needed)).name


def test_a_plan_is_that_of_solving_the_union_and_is_kept(tmp_path):
    made = solve(Problem.of(SMALL, None, PLAN), str(tmp_path))
    library = SMALL.make()
    union = Union.of(library, np.array([0.5, 0.5]))
    solution = walkon.solve(union.pomdp, PLAN.make())
    np.testing.assert_array_equal(made.policy.vectors, solution.policy.vectors)
    assert (made.facts["lower"], made.facts["upper"]) == (solution.lower, solution.upper)
    assert made.facts["model"] == union.pomdp.hash
    assert not made.facts["found"]
    assert solve(Problem.of(SMALL, None, PLAN), str(tmp_path)).facts["found"]


def test_where_the_state_is_seen_bounds_are_those_of_the_first_step_not_of_the_one_before(tmp_path):
    world = WorldSpec.of("overcooked", role="cook")
    facts = solve(Problem.of(world, None, Recipe("sarsop", (("gap", 0.01),))), str(tmp_path)).facts
    library = world.make()
    known = np.mean([task.pomdp.start @ walkon.solve(task.mdp).policy.table.max(axis=1) for task in library])
    assert facts["upper"] - facts["lower"] <= 0.01 / 0.95
    assert facts["lower"] <= known + 1e-9  # to know the teammate can only help
    assert known - facts["upper"] < 0.2  # and here it helps little


def test_a_run_in_processes_gives_the_same_results(tmp_path, alone):
    table, _, _ = ran(tmp_path, Processes(str(tmp_path / "policies"), 2), PLACES)
    for name, column in alone[0].columns.items():
        np.testing.assert_array_equal(column, table.columns[name])


def test_returns_are_those_of_playing_to_the_end_and_steps_those_of_the_papers_horizon(alone):
    table, _, _ = alone
    for entry in PLACES[2 :: len(PLACES) // 7]:  # one of each agent
        trial = entry.trial
        library = trial.world.make()
        options = {"target": trial.task} if trial.agent in ("perseus", "value-iteration") else {}
        solver = trial.recipe.make() if trial.recipe else None
        agent = walkon.agent(trial.agent, library, solver=solver, jobs=1, **options)
        whole = walkon.play(library[trial.task], agent, seed=trial.seed, horizon=FADED)
        short = walkon.play(library[trial.task], agent, seed=trial.seed)
        row = table.where(agent=trial.agent, pair=entry.pair)
        assert row["return"][0] == pytest.approx(sum(r * 0.95**t for t, r in enumerate(whole.rewards)))
        assert row["steps"].tolist() == [short.steps]
        assert row["solved"].tolist() == [short.solved]


def test_soups_and_dead_ends_are_counted_within_the_kitchens_own_horizon(tmp_path):
    places = list(entries(KITCHEN, replace(SETTINGS, trials=1)))
    table, _, _ = ran(tmp_path, Alone(str(tmp_path)), places)
    for entry in places:
        library = entry.trial.world.make()
        solver = entry.trial.recipe.make() if entry.trial.recipe else None
        agent = walkon.agent(entry.trial.agent, library, solver=solver, jobs=1)
        episode = walkon.play(library[entry.trial.task], agent, seed=entry.trial.seed)
        row = table.where(agent=entry.trial.agent, pair=entry.pair)
        assert row["tally"].tolist() == [episode.soups]
        assert len(episode.actions) == 75


def test_where_questions_cost_something_actions_and_rewards_are_kept_until_the_end_of_the_task(tmp_path):
    sweep = next(sweep for sweep in Run(replace(SETTINGS, quick=True)).sweeps("beyond") if sweep.name == "beyond-price")
    places = list(entries(replace(sweep, trials=1, agents=("perseus", "atpo")), SETTINGS))
    table, _, _ = ran(tmp_path, Alone(str(tmp_path)), places)
    for entry in places:
        library, trial = entry.trial.world.make(), entry.trial
        told = {"target": trial.task} if trial.agent == "perseus" else {}
        agent = walkon.agent(trial.agent, library, solver=trial.recipe.make(), jobs=1, **told)
        episode = walkon.play(library[trial.task], agent, seed=trial.seed, horizon=200, stop=True)
        row = table.where(agent=trial.agent, pair=entry.pair, x=entry.x)
        kept = slice(0, len(episode.actions))
        assert row["steps"].tolist() == [episode.steps]
        assert row.curves["taken"][0, kept].tolist() == episode.actions.tolist()
        assert row.curves["paid"][0, kept].tolist() == episode.rewards.tolist()
        assert np.isnan(row.curves["paid"][0, len(episode.actions) :]).all()


def test_every_row_of_a_library_has_its_proven_bounds_and_what_is_earned_lies_between_them(alone):
    table, policies, made = alone
    (facts,) = (each for each in policies if each["problem"]["task"] is None)
    assert set(table["lower"]) == {facts["lower"]}
    assert set(table["upper"]) == {facts["upper"]}
    assert facts["lower"] < facts["upper"]
    assert [row["upper"] for row in made] == [facts["upper"]]
    rows = best_possible(table, PLAYED_OUT)
    assert {row["agent"] for row in rows} == set(TINY.agents)
    told = {"perseus", "value-iteration"}  # bound by nothing
    assert all(row["within"] == ("" if row["agent"] in told else "yes") for row in rows)


def test_what_is_earned_lies_between_the_bounds_of_a_small_library():
    """Many trials; the upper bound for everyone who is not told the task, the lower one for the plan that proves it."""
    library = SMALL.make()
    union = Union.of(library, np.array([0.5, 0.5]))
    solution = walkon.solve(union.pomdp, walkon.Sarsop(backups=2000, gap=0.5))
    assert solution.upper - solution.lower < 1
    for name, policies in (("bayes", [solution]), ("atpo-q", None)):
        agent = walkon.agent(name, library, policies=policies, solver=walkon.Perseus(beliefs=200), jobs=1)
        earned = []
        for k, task in enumerate(library):
            for seed in range(150):
                rewards = walkon.play(task, agent, seed=1000 * k + seed, horizon=FADED, stop=True).rewards
                earned.append(0.95 ** np.arange(len(rewards)) @ rewards)
        chance = 3 * np.std(earned) / len(earned) ** 0.5
        assert np.mean(earned) <= solution.upper + chance
        assert name != "bayes" or np.mean(earned) >= solution.lower - chance


def test_an_agent_that_earns_more_than_is_possible_is_found_out(alone):
    table, _, _ = alone
    more = table.columns | {"return": table["return"] + 100}
    rows = best_possible(type(table)(more, table.curves), PLAYED_OUT)
    assert {row["agent"] for row in rows if row["within"] == "no"} == set(TINY.agents) - {"value-iteration", "perseus"}


def test_the_libraries_do_not_depend_on_the_seed_and_differ():
    first, other = ({sweep.name: sweep for sweep in Run(Settings()).sweeps("beyond")} for _ in range(2))
    worlds = [point.world for point in first["beyond-libraries"].points]
    assert worlds == [point.world for point in other["beyond-libraries"].points]
    assert len({frozenset(dict(world.options)["tasks"]) for world in worlds}) == len(worlds) == 11
    assert dict(worlds[1].options)["tasks"] == dict(fixed(night(), POOL, 0).options)["tasks"]
    played = {
        entry.trial.world
        for seed in (0, 1)
        for entry in entries(first["beyond-noise-fixed"], Settings(seed=seed))
        if entry.x == 0.3
    }
    assert played == set(worlds[1:5])


def test_each_fixed_library_is_played_equally_often_and_its_tasks_in_turn():
    sweep = next(sweep for sweep in Run(Settings()).sweeps("beyond") if sweep.name == "beyond-size-fixed")
    places = [entry for entry in entries(sweep, Settings()) if entry.trial.agent == "bayes" and entry.x == 625]
    counts = {}
    for entry in places:
        counts.setdefault(entry.trial.world, []).append(entry.trial.task)
    assert [sorted(targets) for targets in counts.values()] == [[0, 0, 1, 1, 2, 2, 3, 3]] * 4


@pytest.mark.parametrize("quick", [False, True])
def test_agents_of_one_pair_meet_the_same_task_and_luck(quick):
    for sweep in Run(Settings(quick=quick)).sweeps("beyond"):
        met = {}
        for entry in entries(replace(sweep, trials=2), Settings(quick=quick)):
            what = (entry.trial.world, entry.trial.task, entry.trial.seed)
            assert met.setdefault((str(entry.x), entry.pair), what) == what


def test_the_worlds_of_the_paper_are_played_with_the_papers_luck():
    ours = {sweep.name: sweep for sweep in Run(Settings()).sweeps("beyond")}
    for sweep in Run(Settings()).sweeps(reading="literal"):
        if sweep.name in ("pursuit", "overcooked", "size", "noise", "tasks"):
            theirs = {(e.trial.world, e.trial.task, e.trial.seed) for e in entries(sweep, Settings(trials=2))}
            mine = entries(ours[f"beyond-{sweep.name}"], Settings(trials=2))
            assert {(e.trial.world, e.trial.task, e.trial.seed) for e in mine} == theirs


def test_episodes_last_until_what_follows_hardly_counts():
    assert 0.95**FADED < 1e-4
    for sweep in Run(Settings()).sweeps("beyond"):
        for point in sweep.points[:1]:
            assert point.world.make()[0].pomdp.discount == 0.95
    assert UNION.solver == "sarsop"  # which proves bounds from both sides


@pytest.mark.parametrize("claim", read_claims(BEYOND), ids=lambda claim: claim.id)
def test_what_is_expected_can_be_tested_on_what_is_run(claim):
    sweep = next(sweep for sweep in Run(Settings()).sweeps("beyond") if sweep.name == claim.sweep)
    assert claim.test in TESTS
    assert claim.id.startswith("beyond-")
    assert claim.figure == claim.sweep
    named = {*claim.agents, *(agent for pair in claim.pairs for agent in pair)}
    assert named <= set(sweep.agents) & set(AGENTS)
    assert claim.reason or not claim.limit
