from pathlib import Path

import numpy as np
import pytest

import walkon
from random_models import random_pomdp
from walkon import InputError, Task, TaskLibrary
from walkon.measuring.compare import compare, measured
from walkon.measuring.contenders import contenders
from walkon.measuring.extremes import extremes
from walkon.measuring.seeds import trial_seeds

CORRIDOR = walkon.read_library(Path(__file__).parents[2] / "examples" / "corridor.py")
ROUGH = walkon.Perseus(beliefs=50, backups=100)


@pytest.fixture(scope="module")
def found():
    names = ["value-iteration", "perseus", "atpo", "bopa", "bayes", "random"]
    return compare(CORRIDOR, contenders(names, CORRIDOR, solver=ROUGH), trials=20, seed=5)


def test_every_number_is_that_of_the_episode_played_alone(found):
    policies = [walkon.solve(task.pomdp, ROUGH) for task in CORRIDOR]
    for k, task in enumerate(CORRIDOR):
        for name, options in [("atpo", {}), ("perseus", {"target": k})]:
            player = walkon.agent(name, CORRIDOR, policies=policies, **options)
            episodes = [walkon.play(task, player, seed=each) for each in trial_seeds("compare", 5, k, 20)]
            assert found.numbers[name][k].tolist() == [episode.steps for episode in episodes]
            assert found.solved[name][k].tolist() == [float(episode.solved) for episode in episodes]


def test_an_agent_that_is_told_more_needs_fewer_steps(found):
    steps = {name: found.mean(name).mean for name in found.numbers}
    assert steps["value-iteration"] <= steps["perseus"] < steps["atpo"] < steps["random"]
    assert steps["bayes"] < steps["random"]


def test_a_difference_is_taken_trial_by_trial(found):
    apart = found.numbers["atpo"] - found.numbers["random"]
    gap = found.difference("atpo", "random")
    assert gap.mean == pytest.approx(apart.mean())
    t = 2.022691  # Student's, of 39 degrees of freedom
    more = np.append(apart, [-50, 50])  # a number at each bound
    assert gap.high == pytest.approx(more.mean() + t * more.std(ddof=1) / np.sqrt(more.size))
    assert gap.low == pytest.approx(more.mean() - t * more.std(ddof=1) / np.sqrt(more.size))
    alone = found.difference("atpo", "random", task=1)
    assert (alone.mean, alone.n) == (pytest.approx(apart[1].mean()), 20)


def test_where_nothing_can_be_solved_the_discounted_return_counts():
    pomdps = [random_pomdp(np.random.default_rng(k), X=3, A=2, Z=2, discount=0.9) for k in range(2)]
    library = TaskLibrary([Task.from_pomdp(pomdp, name=f"task {k}") for k, pomdp in enumerate(pomdps)])
    assert measured(library) == ("return", "discounted return")
    random = contenders(["random"], library)
    played = compare(library, random, trials=3, horizon=7)
    for k, task in enumerate(library):
        seeds = trial_seeds("compare", 0, k, 3)
        alone = [walkon.play(task, random["random"][k], seed=each, horizon=7).ret for each in seeds]
        assert played.numbers["random"][k] == pytest.approx(alone)
    assert np.isnan(played.solved["random"]).all()


def test_soups_count_in_the_kitchen():
    assert measured(walkon.make("overcooked", role="cook")) == ("soups", "soups delivered")


def left(library):
    """An agent of one's own: a function of the library."""
    return walkon.player(lambda history: "left", library, name="left")


def test_agents_of_your_own_take_part_as_agents_as_lists_and_as_functions_of_the_library():
    agent = left(CORRIDOR)
    ways = {"one": agent, "each": [agent, agent], "made": left, "also": "random"}
    found = compare(CORRIDOR, ways, trials=4, keep=True)
    assert list(found.rows) == list(ways)
    assert found.numbers["one"].tolist() == found.numbers["each"].tolist() == found.numbers["made"].tolist()
    assert found.solved["one"].tolist() == [[1.0] * 4, [0.0] * 4]  # it always goes to the left
    assert found.numbers["one"][1].tolist() == [50.0] * 4
    for k in range(2):  # the episodes are kept for a metric of one's own
        assert [each.steps for each in found.episodes["one"][k]] == found.numbers["one"][k].tolist()
    assert compare(CORRIDOR, ["random"], trials=4).episodes is None


def test_a_frame_has_one_row_for_each_trial_from_which_every_number_can_be_computed_again(found):
    frame = found.frame()
    columns = ["agent", "task", "trial", "seed", "horizon", "steps", "solved", "return", "identified", "p_true"]
    assert list(frame) == [*columns, "unexplained"]
    assert {len(column) for column in frame.values()} == {6 * 2 * 20}
    for name in found.rows:
        own = [i for i, agent in enumerate(frame["agent"]) if agent == name]
        assert np.mean([frame["steps"][i] for i in own]) == pytest.approx(found.mean(name).mean)
    i = next(i for i, agent in enumerate(frame["agent"]) if agent == "atpo" and frame["trial"][i] == 3)
    assert frame["seed"][i] == trial_seeds("compare", 5, 0, 20)[3]
    assert frame["task"][i] == "Meeting(cell=0)"
    for name, has_belief in {"atpo": True, "bopa": True, "perseus": False, "random": False}.items():
        assert np.isnan(found.column(name, "p_true")).all() != has_belief


def test_an_option_of_an_agent_is_part_of_its_name():
    names = ["perseus", "perseus:target=0", "atpo:hazard=0.2"]
    found = compare(CORRIDOR, names, trials=4, solver=ROUGH)
    assert list(found.rows) == names
    assert found.numbers["perseus"][0].tolist() == found.numbers["perseus:target=0"][0].tolist()
    assert found.mean("perseus:target=0", 1).mean == 50  # told the wrong task, it waits in the wrong place
    assert found.regret("perseus:target=0", "perseus", 1) == 50 - found.mean("perseus", 1).mean
    assert found.regret("perseus:target=0", "perseus", 0) == 0
    atpo = walkon.agent("atpo", CORRIDOR, solver=ROUGH, hazard=0.2)
    steps = [walkon.play(CORRIDOR[1], atpo, seed=each).steps for each in trial_seeds("compare", 0, 1, 4)]
    assert found.numbers["atpo:hazard=0.2"][1].tolist() == steps


def test_teammates_from_outside_the_library_are_met_by_agents_that_do_not_know_them():
    found = compare(CORRIDOR, ["perseus", "atpo"], trials=4, teammates_of=1, solver=ROUGH)
    assert found.tasks == ("Meeting(cell=4)",)
    alone = walkon.agent("atpo", TaskLibrary([CORRIDOR[0]]), solver=ROUGH)
    steps = [walkon.play(CORRIDOR[1], alone, seed=each).steps for each in trial_seeds("compare", 0, 1, 4)]
    assert found.numbers["atpo"].tolist() == [steps]
    assert found.mean("perseus").mean < 10  # it is told the task
    assert np.isnan(found.column("atpo", "p_true")).all()  # no belief in what it does not know


@pytest.mark.parametrize("score", ["return", "solved", "identified", "steps"])
def test_any_score_can_be_compared_and_lies_within_its_bounds(score):
    found = compare(CORRIDOR, ["atpo", "random"], trials=6, seed=5, score=score, solver=ROUGH)
    low, high = found.bounds
    for name in found.rows:
        there = found.numbers[name][~np.isnan(found.numbers[name])]
        assert ((low <= there) & (there <= high)).all()
    assert np.isnan(found.numbers["random"]).all() == (score == "identified")  # it has no belief over tasks


def test_the_bounds_of_the_return_are_those_of_the_best_and_the_worst_episode():
    """In the corridor the best is to meet after two steps, -1 + 0.95 * 10; the worst is to lose 1 in each of 50."""
    low, high = extremes(CORRIDOR[0], "return", 50)
    assert high == pytest.approx(-1 + 0.95 * 10)
    assert low == pytest.approx(-(1 - 0.95**50) / 0.05)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"agents": ["nobody"]}, "there is no agent 'nobody'"),
        ({"agents": ["atpo", "atpo"]}, "'atpo' is given twice"),
        ({"agents": "atpo"}, "expected names"),
        ({"agents": []}, "at least one"),
        ({"agents": ["atpo,random"]}, "more than one agent"),
        ({"agents": ["bopa:evidenc=transitions"]}, "did you mean 'evidence'"),
        ({"agents": ["random:hazard=0.1"]}, "does not infer the task"),
        ({"agents": ["atpo:hazard=2"]}, "hazard is 2"),
        ({"agents": ["perseus:target=7"]}, "target is 7"),
        ({"agents": {"mine": 3}}, "'mine' is 3, expected an agent"),
        ({"agents": {"mine": [left(CORRIDOR)]}}, "has 1 agents for 2 tasks"),
        ({"trials": 1}, "trials is 1"),
        ({"trials": 2**31}, "at most 1,000,000"),
        ({"score": "soups"}, "score is 'soups'"),
        ({"teammates_of": 2}, "is 2, expected a whole number from 0 to 1"),
        ({"library": CORRIDOR[0]}, "walkon.TaskLibrary"),
    ],
)
def test_what_makes_no_sense_is_refused(given, told):
    with pytest.raises(InputError, match=told):
        compare(**{"library": CORRIDOR, "agents": ["random"]} | given)
