"""The numbers of the sections, except for times, which no test depends on."""

import numpy as np
import pytest

from walkon.agents.registry import agent
from walkon.domains.classics import tiger
from walkon.domains.registry import make
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.simulation.play import play
from walkon.solvers import defaults
from walkon.solvers.ascent import Ascent
from walkon.solvers.perseus import Perseus
from walkon.speed import deciding, searching, solving
from walkon.speed.bench import Bench, kernel_seconds, least_seconds


def test_bounds_are_told_at_the_marks_and_at_the_end(monkeypatch):
    monkeypatch.setattr(solving, "EPISODES", 400)
    monkeypatch.setattr(solving, "MARKS", (0.05, 0.1, 5.0))
    told = []
    solving.compile_solvers()
    rows = list(solving.solving(Bench(seconds=0.3, problems={"tiger": tiger()}, report=told.append)))
    assert {row["solver"] for row in rows} == {"ascent", "sarsop", "perseus"}
    for method in ("ascent", "sarsop", "perseus"):
        own = [row for row in rows if row["solver"] == method]
        assert own[-1]["seconds"] <= 0.3
        assert [row["earned"] is None for row in own] == [True] * (len(own) - 1) + [False]
        assert own[-1]["lower"] == pytest.approx(19.37, abs=0.05)
        assert abs(own[-1]["earned"] - 19.37) < 2 * own[-1]["half_width_95"]
        assert all(row["upper"] is None for row in own) == (method != "sarsop")
    assert rows[-1]["problem"] == "tiger"
    assert any("sarsop on tiger" in what for what in told)


def test_a_solve_stops_when_somebody_asks():
    rows, solution = solving.bounds(
        make("night-pursuit", size=3)[0].pomdp, solving.METHODS["ascent"], Bench(seconds=1e9, stop=lambda: True)
    )
    assert solution.stopped == "asked"
    assert rows[-1]["lower"] == solution.lower


def test_decisions_are_timed_with_the_policies_that_a_user_gets():
    library = make("night-pursuit", size=3, tasks=2)
    pairs = zip(deciding.agent_of(library).mixture.policies, agent("atpo", library).mixture.policies, strict=True)
    for own, usual in pairs:
        np.testing.assert_array_equal(own.vectors, usual.vectors)


def test_steps_of_training_are_counted_without_those_that_only_begin_an_episode(monkeypatch):
    calls = []
    monkeypatch.setattr(deciding, "ENVIRONMENTS", 3)
    monkeypatch.setattr(deciding, "least_seconds", lambda work, times: calls.append(work) or 0.5)
    assert deciding.steps_per_second(make("night-pursuit", size=3), cycles=2) == 2 * 3 * 2 * deciding.STEPS
    truncations = []
    step = deciding.VectorAdHocEnv.step
    monkeypatch.setattr(
        deciding.VectorAdHocEnv, "step", lambda env, a: truncations.append((got := step(env, a))[3].sum()) or got
    )
    calls[0]()
    assert len(truncations) == 2 * (deciding.STEPS + 1)
    assert sum(truncations) == 2 * 3


@pytest.mark.parametrize("n", [3, 4, 5, 11])
def test_a_policy_is_thinned_out_or_repeated_to_a_size(n):
    policy = AlphaVectors(np.diag([1.0, 2.0, 3.0, 4.0]), [0, 1, 2, 3], 4)
    found = deciding._sized(policy, n)
    assert len(found.vectors) == n
    assert {tuple(v) for v in np.round(found.vectors - found.vectors.min(axis=1, keepdims=True), 9)} <= {
        tuple(v) for v in policy.vectors
    }


def test_decisions_that_are_timed_are_those_of_an_episode():
    library = make("night-pursuit", size=3, tasks=2)
    atpo = deciding.agent_of(library)
    spent, made = deciding.decide(atpo, library, 2)
    assert spent.shape == (100, 2)
    for e in range(2):
        episode = play(library[e], atpo, seed=e)
        own = made[50 * e : 50 * (e + 1)]
        assert [each.action for each in own] == episode.actions.tolist()
        assert [each.observation for each in own] == episode.observations.tolist()


def test_every_case_of_decisions_has_a_row(monkeypatch):
    monkeypatch.setattr(deciding, "CASES", ((3, 1), (3, 2)))
    monkeypatch.setitem(defaults.BACKUPS, ("pomdp", "usual"), 30)
    rows = list(deciding.deciding(Bench()))
    assert [(row["states"], row["tasks"]) for row in rows] == [(81, 1), (81, 2)]
    assert all(np.isfinite([value for value in row.values() if isinstance(value, float)]).all() for row in rows)


def test_growth_measures_every_axis(monkeypatch):
    for name, few in {"SIZES": (3,), "SPLITS": (2,), "TASKS": (1,), "BACKUPS": (16,)}.items():
        monkeypatch.setattr(deciding, name, few)
    monkeypatch.setattr(deciding, "EPISODES", 1)
    monkeypatch.setattr(deciding, "USUAL", {"size": 3, "tasks": 2})
    monkeypatch.setattr(deciding, "SOLVING", Ascent(backups=30))
    monkeypatch.setitem(defaults.BACKUPS, ("pomdp", "usual"), 30)
    rows = list(deciding.growth(Bench()))
    assert {(row["axis"], row["measure"]) for row in rows} == {
        *(("states", measure) for measure in ("build", "agent", "decision", "solving", "backup")),
        *(("observations", measure) for measure in ("agent", "decision", "solving", "backup")),
        *(("tasks", measure) for measure in ("build", "agent", "decision")),
        *(("vectors", measure) for measure in ("agent", "decision")),
    }
    assert all(row["value"] > 0 for row in rows)


def test_agents_of_each_solver_play_the_same_luck(monkeypatch):
    monkeypatch.setattr(solving, "LIBRARIES", {"night 3x3": ("night-pursuit", {"size": 3, "tasks": 2})})
    monkeypatch.setattr(solving, "SOLVERS", {"one": Ascent(backups=50), "two": Perseus(), "three": Ascent(backups=50)})
    one, two, three = solving.agents(Bench())
    assert [one["solver"], two["solver"], three["solver"]] == ["one", "two", "three"]
    assert one["difference"] == three["difference"] == 0.0
    assert two["difference"] == pytest.approx(two["atpo"] - one["atpo"])
    assert two["lower"] > one["lower"] == three["lower"]
    assert all(row["told"] <= row["atpo"] + 1 for row in (one, two, three))


def test_a_larger_world_is_built_solved_and_played(monkeypatch):
    monkeypatch.setattr(solving, "LARGER", {"small": {"size": 3, "tasks": 1}})
    monkeypatch.setattr(solving, "BACKUPS", (40, 80))
    monkeypatch.setattr(solving, "LARGER_EPISODES", 20)
    few, many = solving.larger(Bench())
    assert (few["world"], few["states"], few["backups"], many["backups"]) == ("small", 81, 40, 80)
    assert few["lower"] <= many["lower"]
    assert 0 < many["steps"] < 50
    assert many["solved"] == 1.0
    assert many["peak_mib"] is None or many["peak_mib"] > 10


def test_the_least_of_several_calls_is_taken():
    assert least_seconds(lambda: None, 3) >= 0
    assert kernel_seconds() > 0


def test_search_is_measured_with_tables_and_without(monkeypatch):
    monkeypatch.setattr(searching, "SIZES", {True: (3,), False: (3, 40)})
    monkeypatch.setattr(searching, "SIMULATIONS", 5)
    monkeypatch.setattr(searching, "alone", lambda bench, work, *given: work(*given))
    rows = list(searching.searching(Bench()))
    assert [(row["form"], row["states"]) for row in rows] == [("tables", 81), ("rules", 81), ("rules", 40**4)]
    assert all(row["decision"] > 0 and row["MiB"] >= 0 for row in rows)
