"""Which luck trials meet: runs with other seeds share none of it, longer runs begin with that of shorter ones."""

import pytest

import walkon
from random_libraries import quick_agent, random_library
from walkon.measuring import compare, identification
from walkon.measuring.contenders import contenders
from walkon.measuring.seeds import trial_seeds
from walkon.paper.experiments import BASELINE
from walkon.runs.sweep import Settings, entries
from walkon.speed import solving

LIBRARY = random_library(3, K=2)


@pytest.fixture
def met(monkeypatch):
    """The seeds of the played trials, task by task."""

    def met(play, seed, trials):
        seeds = []

        def noted(task, agent, given, **options):
            seeds.append(list(given))
            return walkon.play_many(task, agent, seeds[-1], **options)

        for room in (compare, identification):
            monkeypatch.setattr(room, "play_many", noted)
        play(seed, trials)
        return seeds

    return met


def compared(seed, trials):
    compare.compare(LIBRARY, contenders(["random"], LIBRARY), trials=trials, seed=seed, horizon=3)


def identified(seed, trials):
    random = {"random": quick_agent("random", LIBRARY)}
    identification.identify(LIBRARY, random, trials=trials, seed=seed, horizon=3)


@pytest.mark.parametrize("play", [compared, identified])
def test_seeds_that_are_neighbours_share_no_trial(play, met):
    trials = [seed for each in (0, 1, 2) for task in met(play, each, 32) for seed in task]
    assert len(trials) == len(set(trials)) == 3 * 32 * len(LIBRARY)


@pytest.mark.parametrize("play", [compared, identified])
def test_a_longer_one_begins_with_the_trials_of_a_shorter_one(play, met):
    short, long = met(play, 7, 4), met(play, 7, 9)
    assert [task[:4] for task in long] == short


@pytest.mark.parametrize("play", [compared, identified])
def test_a_seed_that_is_none_is_refused(play):
    with pytest.raises(walkon.InputError, match="seed is -1, expected a whole number"):
        play(-1, 2)


def test_larger_worlds_are_measured_on_luck_of_their_own(monkeypatch):
    seeds = []

    def noted(task, player, *, seed, stop):
        seeds.append(seed)
        return walkon.play(task, player, seed=seed, stop=stop)

    monkeypatch.setattr(solving, "play", noted)
    for seed in (0, 1):
        solving._larger({"size": 3, "tasks": 1}, 20, 3, seed)
    assert len(seeds) == len(set(seeds)) == 6


def test_the_reproductions_own_seeds_are_what_they_were():
    """Stored numbers: results of every run that was ever made are found by them."""
    settings = Settings(seed=0, trials=2)
    first = [entry.trial.seed for entry in entries(BASELINE, settings) if entry.trial.agent == "atpo"]
    assert first[:2] == trial_seeds("baseline", 0, 0, 2)
    assert first[0] == 138374002686902
