from pathlib import Path

import numpy as np
import pytest

import walkon
from random_models import random_pomdp
from walkon import InputError, Task, TaskLibrary
from walkon.measuring.compare import compare, contenders, measured
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
    assert gap.high - gap.mean == pytest.approx(t * apart.std(ddof=1) / np.sqrt(apart.size))
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


def test_what_makes_no_sense_is_refused():
    with pytest.raises(InputError, match="there is no agent 'nobody'"):
        contenders(["nobody"], CORRIDOR)
    with pytest.raises(InputError, match="trials is 1"):
        compare(CORRIDOR, contenders(["random"], CORRIDOR), trials=1)
