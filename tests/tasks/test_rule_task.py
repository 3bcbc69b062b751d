"""Tasks without tables: the same rules, called one state at a time."""

import math
from collections import Counter
from random import Random
from typing import NamedTuple

import numpy as np
import pytest
from scipy.stats import chisquare

import walkon
from untabled_worlds import Doors, Lamp, Pair, Walk
from walkon import InputError
from walkon.tasks.simulator import MOST_OUTCOMES, RuleSimulator
from walkon.tasks.table_simulator import TableSimulator


def both(*tasks):
    return walkon.define(list(tasks)), walkon.define(list(tasks), tables=False)


@pytest.mark.parametrize("kind", [Lamp, Pair])
def test_the_same_seed_plays_the_same_episode_with_tables_and_without(kind):
    tabled, untabled = both(kind("on"), kind("off"))
    one, two = (walkon.agent("random", library) for library in (tabled, untabled))
    for seed in range(10):
        first, second = walkon.play(tabled[1], one, seed=seed), walkon.play(untabled[1], two, seed=seed)
        ours, theirs = first.steps_as_names(), second.steps_as_names()
        assert [{**row, "teammates": str(row["teammates"])} for row in ours] == theirs
        assert first.ret == second.ret


def test_the_simulators_of_rules_and_of_tables_agree():
    tabled, untabled = both(Lamp("on"), Lamp("off"))
    task, rules, table = tabled[1], untabled[1].simulator, TableSimulator(tabled[1])
    states = [(lamp, n) for lamp in ("off", "on") for n in range(4)]
    names = [f"({lamp}, {n})" for lamp, n in states]
    assert list(task.states) == names
    assert dict(rules.start()) == {states[x]: p for x, p in table.start()}
    for x, state in enumerate(states):
        for a in range(2):
            ours = {y: p for y, p, _ in rules.outcomes(state, a)}
            assert ours == pytest.approx({states[y]: p for y, p, _ in table.outcomes(x, a)})
            paid = sum(p * r for _, p, r in rules.outcomes(state, a))
            assert paid == pytest.approx(task.pomdp.R[x, a])
            for z, name in enumerate(tabled.observations):
                light, late = name.strip("()").split(", ")
                ours = rules.log_likelihood(a, state, (light, int(late)))
                assert math.exp(ours) == pytest.approx(math.exp(table.log_likelihood(a, x, z)))


def test_many_parts_are_drawn_by_their_own_distributions():
    chances = [0.1 + 0.8 * i / 20 for i in range(20)]

    class Parts(Lamp):
        def sensor(self, a, y):
            return tuple({True: p, False: 1 - p} for p in chances)

    rules, luck = walkon.define([Parts("on")], tables=False)[0].simulator, Random(1).random
    drawn = np.array([rules.observe(0, ("on", 0), luck) for _ in range(4000)])
    for p, column in zip(chances, drawn.T, strict=True):
        assert chisquare([column.sum(), (~column).sum()], [4000 * p, 4000 * (1 - p)]).pvalue > 1e-5
    assert np.abs(np.corrcoef(drawn.T) - np.eye(20)).max() < 0.09
    z = tuple(drawn[0].tolist())
    exact = math.prod(p if seen else 1 - p for p, seen in zip(chances, z, strict=True))
    assert math.exp(rules.log_likelihood(0, ("on", 0), z)) == pytest.approx(exact)
    assert rules.log_likelihood(0, ("on", 0), z[1:]) == -math.inf


def test_a_step_with_many_joint_actions_is_drawn_and_not_listed():
    class Crowd(Lamp):
        teammates = [lambda x: {"wait": 0.5, "press": 0.5}] * 12

        def moves(self, x, a, b):
            return (x[0], sum(each == "press" for each in b))

    rules = walkon.define([Crowd("on")], tables=False)[0].simulator
    assert rules.outcomes(("on", 0), 0) is None
    luck = Random(2).random
    counts = Counter(rules.step(("on", 0), 0, luck)[0][1] for _ in range(4000))
    expected = [4000 * math.comb(12, n) / 2**12 for n in range(13)]
    assert chisquare([counts[n] for n in range(13)], expected).pvalue > 1e-5
    assert MOST_OUTCOMES < 2**12


def test_a_start_with_a_parameter_draws_the_first_state():
    library = walkon.define([Walk(3)], tables=False)
    assert library[0].simulator.start() is None
    luck = Random(3).random
    counts = Counter(library[0].simulator.draw_start(luck) for _ in range(700))
    assert chisquare([counts[x] for x in range(-3, 4)]).pvalue > 1e-5
    with pytest.raises(InputError, match="start draws a state, and tables need all"):
        walkon.define([Walk(3)])


def test_a_task_says_what_it_is():
    library = walkon.define([Walk(3), Walk(-3)], tables=False)
    task = library["goal -3"]
    assert not library.tables
    assert (task.score, task.discount, task.horizon, task.action_count) == ("lefts", 0.95, 20, 2)
    assert library.actions == ("left", "right")
    assert (library.observations, library.observed, task.ends) == (None, False, True)
    assert task.is_solved(-3)
    assert not task.is_solved(3)
    assert task.hash == walkon.define([Walk(-3)], tables=False)[0].hash != library[0].hash


class Tower(NamedTuple):
    """A task that is a named tuple."""

    goal: int
    actions = ("up", "down")
    teammate_actions = ("wait",)
    start = 0

    def teammates(self, x):
        return "wait"

    def moves(self, x, a, b):
        return x + 1 if a == "up" else x - 1


def test_the_hash_follows_the_rules_and_their_values(tmp_path):
    assert _hash(Tower(3)) == _hash(Tower(3)) != _hash(Tower(4))
    assert _hash(Lamp("on")) != _hash(Lamp("on", 0.2))
    hashes = []
    for step in (1, 1, 2):
        space = {}
        source = "class Own:\n    actions, start = ['a'], 0\n    def teammates(self, x): return 'a'\n"
        exec(source + f"    def moves(self, x, a, b): return x + {step}", {"__name__": "own"}, space)
        hashes.append(_hash(space["Own"]()))
    assert hashes[0] == hashes[1] != hashes[2]


def _hash(task):
    return walkon.define([task], tables=False).hash


def test_an_episode_keeps_the_values_of_the_rules():
    library = walkon.define([Walk(3)], tables=False)
    episode = walkon.play(library[0], walkon.agent("atpo", library), seed=1, stop=True)
    assert episode.solved
    assert episode.states[-1] == 3
    assert all(isinstance(z, int) for z in episode.observations)
    assert episode.tally == {"lefts": int((episode.actions == 0).sum())}
    assert episode.ret == pytest.approx(0.95 ** (episode.steps - 1))


@pytest.mark.parametrize("part", ["pomdp", "mdp", "mmdp", "teammates", "solved", "start", "sensor", "state_numbers"])
def test_what_only_tables_have_is_refused_in_one_sentence(part):
    task = walkon.define([Lamp("on")], tables=False)[0]
    with pytest.raises(InputError, match=r'task "on" has no tables, and so no \w+: .*walkon.define\(tasks\)'):
        getattr(task, part)


def test_tasks_with_tables_and_without_do_not_mix():
    tabled, untabled = both(Lamp("on"))
    with pytest.raises(InputError, match="one has tables and the other has none"):
        walkon.TaskLibrary([tabled[0], untabled[0]])
    with pytest.raises(InputError, match="was not made for task"):
        walkon.play(tabled[0], walkon.agent("random", untabled))


def test_too_many_states_or_observations_point_to_rules_without_tables(monkeypatch):
    monkeypatch.setattr("walkon.tasks.define.MOST_STATES", 1000)

    class Endless(Walk):
        start = 0

    with pytest.raises(InputError, match=r"more than 1,000 states .* define\(tasks, tables=False\)"):
        walkon.define([Endless(-1)])
    with pytest.raises(InputError, match=r"more than 100,000 outcomes.*define\(tasks, tables=False\)"):
        walkon.define([Doors(20, 0)])


class Wrong(Lamp):
    def __init__(self, **rules):
        super().__init__("on")
        vars(self).update(rules)


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ({"sensor": lambda a, y: ({"x": 0.5},)}, r"sensor\(press; \(on, 0\)\) in its part 0 sums to 0.5"),
        ({"sensor": lambda a, y: {"light": {"x": 1}, "late": None}}, r"in its part 'late' gives None"),
        ({"sensor": lambda a, y: 1 / 0}, r"sensor\(press; \(on, 0\)\) failed with ZeroDivisionError.*, line \d+\)"),
        ({"advice": lambda x: "sing"}, r"advice\(\(on, 0\)\) gives 'sing', which is not one of the actions"),
    ],
)
def test_a_bad_rule_is_reported_with_its_call(rules, said):
    rules = RuleSimulator(walkon.define([Wrong(**rules)], tables=False)[0].outline)
    with pytest.raises(InputError, match=said):
        rules.advice(("on", 0)), rules.observe(0, ("on", 0), Random(1).random)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"discount": 1}, "discount is 1, expected a number from 0 to below 1"),
        ({"horizon": 0}, "horizon is 0, expected a whole number"),
    ],
)
def test_bad_values_are_refused(values, said):
    with pytest.raises(InputError, match=said):
        walkon.define([Wrong(**values)], tables=False)
