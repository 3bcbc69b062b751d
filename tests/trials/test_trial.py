import json
from dataclasses import replace

import pytest

import walkon
from walkon.paper.run import Run
from walkon.runs.sweep import Settings
from walkon.trials.trial import MeasuredTrial, Problem, Recipe, WorldSpec

WORLD = WorldSpec.of("night-pursuit", size=3, tasks=[4, 7])
TRIAL = MeasuredTrial(world=WORLD, task=1, agent="atpo", seed=5, recipe=Recipe())


def test_every_trial_of_the_paper_is_the_same_after_a_round_trip_through_its_record():
    for entry in Run(Settings(trials=1)).entries():
        again = MeasuredTrial.from_json(entry.trial.json())
        assert again == entry.trial
        assert again.key == entry.trial.key


@pytest.mark.parametrize(
    "change",
    [
        {"world": WORLD.having(noise=0.1)},
        {"task": 0},
        {"agent": "bopa"},
        {"seed": 6},
        {"recipe": None},
        {"recipe": Recipe(seed=1)},
        {"evidence": "transitions"},
        {"measure": "loss"},
        {"horizon": 10},
    ],
)
def test_everything_that_determines_a_trial_changes_its_key(change):
    assert replace(TRIAL, **change).key != TRIAL.key


def test_libraries_share_the_tasks_that_they_have_in_common():
    one, two = WORLD.make(), WorldSpec.of("night-pursuit", size=3, tasks=[7, 1, 4]).make()
    assert one[0] is two[2]
    assert one[1] is two[0]
    alone = WORLD.make_unshared()
    assert alone[0] is not one[0]
    assert alone.hash == one.hash
    assert [each.hash for each in alone.variants()] == [each.hash for each in one.variants()]


def test_the_order_in_which_options_are_given_does_not_matter():
    assert WorldSpec.of("night-pursuit", tasks=(4, 7), size=3) == WORLD


def test_libraries_share_the_problem_of_a_task_that_both_have():
    other = WORLD.having(tasks=[7, 9, 11])
    assert Problem.of(WORLD, 1, Recipe()) == Problem.of(other, 0, Recipe())
    assert Problem.of(WORLD, 1, Recipe()).world.make()[0].pomdp.hash == WORLD.make()[1].pomdp.hash


def test_a_world_counts_its_tasks():
    assert WORLD.size == 2
    assert WorldSpec.of("overcooked", role="cook").size == 2


def test_a_record_that_is_not_one_is_refused():
    with pytest.raises(walkon.InputError, match="not the record of a trial"):
        MeasuredTrial.from_json(json.dumps({"agent": "atpo"}))


def test_a_solver_that_does_not_exist_is_refused():
    with pytest.raises(walkon.InputError, match=r"'perseuss'.*expected one of"):
        Recipe("perseuss")
