"""Sentences: what they say is what the numbers say."""

import re

import numpy as np
import pytest

import walkon
from night_matches import match_of, night_game, night_match
from random_libraries import quick_agent
from walkon.agents.evidence import log_bayes_factors
from walkon.saying import probability
from walkon.simulation.explain import HARDLY
from walkon.web import words
from walkon.web.game import Game
from walkon.web.timeline import Timeline


def plain(text):
    return text.replace("\N{NO-BREAK SPACE}", " ")


@pytest.fixture(scope="module")
def long_games():
    """Games of a person who trembles as expected, and of one who wanders at random."""
    library = walkon.make("night-pursuit", size=4, tasks=3, tremble=0.1)
    agent = quick_agent("atpo", library)
    games = {"fits": [], "wanders": []}
    for seed in range(12):
        match = match_of(library, agent, task=seed % 3, seed=seed)
        luck = np.random.default_rng(seed)
        for kind, found in games.items():
            timeline = Timeline.of(Game.begin(match))
            while not timeline.over:
                timeline = timeline.play(None if kind == "fits" else int(luck.integers(5)))
            found.append(timeline.game)
    return games


def test_before_the_first_observation_all_tasks_are_equally_likely():
    game = night_game()
    assert words.explain(game, 0) == "No observation yet: all 2 tasks are equally likely."
    assert words.describe_observation(game, 0) == "nothing yet"
    assert words.describe_surprise(game, 0) == ""
    assert words.evidence_rows(game.moments[0], game.match.library.names) == []


def test_the_sentence_names_what_was_ruled_out_and_who_gained(long_games):
    seen = 0
    for game in long_games["fits"]:
        for t in range(1, game.steps + 1):
            said, found = plain(words.explain(game, t)), game.moments[t].evidence
            if game.moments[t].memory.events != game.moments[t - 1].memory.events:
                continue
            out = [str(k) for k in np.flatnonzero((found.before > 0) & (found.after == 0))]
            assert ("ruled out" in said.replace("all but ruled out", "")) == bool(out)
            for k in out:
                assert re.search(rf"tasks? [\d, and]*{k}[\d, and]* ruled out", said), said
            gained = found.after - found.before
            if np.abs(gained).max() >= HARDLY:
                up = int(gained.argmax())
                assert f"task {up} now {plain(probability(found.after[up]))}" in said
                shown = [plain(probability(p)) for p in found.after]
                first = [k for k, each in enumerate(shown) if each == plain(probability(found.after.max()))]
                ahead = re.search(r"tasks? ([\d, and]+) (?:is|are) ahead", said)
                level = re.search(r"level with tasks? ([\d, and]+)", said)
                assert bool(ahead) == (up not in first)
                assert bool(level) == (up in first and len(first) > 1)
                for named in filter(None, (ahead, level)):  # nobody is left out who has as much
                    assert {int(k) for k in re.findall(r"\d+", named[1])} == set(first) - {up}
                seen += 1
            else:
                sure = found.before.max() > 0.99
                assert ("no news, task" if sure else "hardly tells the tasks apart") in said
            if factor := re.search(r"([\d.,]+) times likelier under task (\d)", said):
                expected = np.exp(log_bayes_factors(found)[int(factor[2])])
                assert float(factor[1].replace(",", "")) == pytest.approx(expected, rel=0.05)
    assert seen > 20


def test_only_what_is_there_is_described():
    game = night_game([0, 1, 2, 3])
    for t in range(1, game.steps + 1):
        name = game.match.played.observations[game.moments[t].step.observation]
        said = words.describe_observation(game, t)
        assert all(part in name for part in said.split(", ")) or said == "nothing around"
        assert not said.startswith("nothing ") or said == "nothing around"


def test_a_teammate_as_expected_raises_hardly_an_alarm_and_a_wanderer_does(long_games):
    def alarms(kind):
        told = [words.describe_surprise(game, t) for game in long_games[kind] for t in range(1, game.steps + 1)]
        return sum(said.startswith("Nothing in the library") for said in told) / len(told)

    assert alarms("fits") < 1 / 128
    assert alarms("wanders") > 0.2


def test_a_move_that_no_teammate_makes_is_called_stray(long_games):
    for game in long_games["wanders"]:
        for t in range(1, game.steps + 1):
            likely = [
                task.teammates[game.moments[t - 1].state, game.moments[t].step.teammate_action]
                for task in game.match.library
            ]
            assert bool(words.describe_stray(game, t)) == (max(likely) <= words.STRAY)


def test_an_observation_that_no_task_allows_is_called_so():
    library = walkon.make("night-pursuit", size=3, tasks=[((0, 0), (0, 1))], noise=0.0)
    other = walkon.make("night-pursuit", size=3, tasks=[((2, 2), (2, 1))], noise=0.0)
    agent = quick_agent("atpo", library)
    match = match_of(walkon.TaskLibrary([other[0]]), agent, seed=1, played_by=0)
    game = Game.begin(match).play([None] * 12)
    unexplained = [t for t in range(1, game.steps + 1) if "starts again" in words.explain(game, t)]
    assert len(unexplained) == len(game.moments[-1].memory.events) > 0
    assert all("every task gave it probability 0" in words.describe_surprise(game, t) for t in unexplained)


def test_agents_that_form_no_belief_have_no_reason():
    assert words.explain(night_game([0, 1], agent="random"), 2) == ""
    assert words.describe_surprise(night_game([0, 1], agent="value-iteration"), 2) == ""


def test_the_numbers_behind_a_sentence_are_the_evidence():
    game = night_game([0, 1, 2])
    rows = words.evidence_rows(game.moments[2], game.match.library.names)
    found = game.moments[2].evidence
    assert [plain(row[1]) for row in rows] == [plain(probability(p)) for p in found.before]
    assert [float(row[2]) for row in rows] == pytest.approx(found.likelihoods, rel=0.01)


@pytest.mark.parametrize(
    ("p", "said"), [(0, "0 %"), (1e-9, "less than 1 %"), (0.254, "25 %"), (0.9999, "more than 99 %"), (1, "100 %")]
)
def test_nothing_is_called_certain_that_is_not(p, said):
    assert plain(probability(p)) == said


def test_a_hint_is_what_the_tasks_own_teammate_does_most():
    game = night_game([0])
    x = game.moments[-1].state
    chances = game.match.played.teammates.toarray()[x]
    move = game.match.played.team.teammate_actions[int(chances.argmax())][0]
    assert plain(words.hint(game)).endswith(f"would do {move} here ({100 * chances.max():.0f} %).")
    steady = Game.begin(night_match(steady=True)).play([0])
    assert words.hint(steady).endswith(f"would do {move} here.")
    assert night_match().played.seats == (5,)


def test_the_end_of_a_game_is_said_with_its_reason():
    game = Game.begin(night_match(steady=True))
    while not game.over:
        assert words.describe_end(game) == ""
        game = game.step()
    assert words.describe_end(game) == f"★ The game is over: solved in {game.steps} steps."
    lost = Game.begin(night_match(seed=8)).play([0, 1] * 25)
    assert lost.steps == lost.match.horizon
    assert (
        words.describe_end(lost) == "The game is over: the horizon of 50 steps is reached, and the task is not solved."
    )
