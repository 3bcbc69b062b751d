"""Search where little is seen for many steps: compares plans over the same scenarios, and follows the best a step.

A tree of single actions does not reach as far as it takes to find out where one is, and values of what lies beyond its
leaves that forget about that make finding out look useless. So plans are compared that go on to the end
(`walkon.agents.scenario_kernels`): they begin by repeating an action, or with the guess that one of the scenarios is
true, and then go from guess to guess, always to the one that is worth most, which is the nearest. It is a policy
improvement of the plan that guesses (a rollout algorithm, Bertsekas and Castanon 1999), on scenarios that are drawn
once, as DESPOT does (Ye, Somani, Hsu and Lee 2017).

All plans are tried on some scenarios, then the better ones on twice as many, and so on (successive halving). The best
is kept as an intent, and followed until it comes to its end or what is seen speaks against it: an agent that changes
its mind at each step, between plans that are worth about the same, gets nowhere. A scenario for which no guess is left
is charged what the others need from the start.

Plans are compared by the sum of the rewards up to the horizon, without discount: a reward that is a hundred steps away
would count for so little that only lucky scenarios mattered.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import product
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from walkon.agents.bundle_kernels import going_on
from walkon.agents.planning import Plan
from walkon.agents.scenario_kernels import DOUBT, LOST, TRIES, Room, Scenarios, follow_plan
from walkon.arrays import Floats, Ints
from walkon.tasks.compiled_rules import CompiledRules, Numbers

USED = ("step", "observe", "likelihood", "ends", "values")  # of the rules
KEPT = (8, 4, 2)  # how many plans are tried again, on twice as many scenarios each time
GUESSES = 8  # plans that begin with a guess
COUNTED = 32  # scenarios by which plans are counted
FEWEST = 4  # scenarios in which a plan is tried, also to measure the time
SPENT = 0.8  # of the time limit
MARGIN = 1.0  # standard errors by which repeating has to be better than a guess


class Intent(NamedTuple):
    """How a plan goes on: with an action that is repeated, or with a guess."""

    action: int
    times: int  # how often the action is repeated at most; 0 if a guess is followed
    then: tuple[int, int] = (0, 0)  # another action, and how often
    task: int = -1
    state: tuple[int, ...] = ()  # the guess, which moves on
    trust: float = 1.0  # how well it explains what was seen


@dataclass(frozen=True, eq=False)
class ScenarioSearch:
    """Plans in all tasks of a library at once, by their compiled rules."""

    rules: tuple[CompiledRules, ...]  # [K]
    horizon: int

    @cached_property
    def numbers(self) -> Numbers:
        """The numbers of all tasks."""
        return Numbers.of(self.rules)

    @cached_property
    def _pointers(self) -> tuple[Any, Any, Any, Any, Any]:
        """The rules as the kernel takes them."""
        step, observe, likelihood, ends, values = map(self.rules[0].pointer, USED)
        return step, observe, likelihood, ends, values

    def draw(self, tasks: Ints, states: Ints, weights: Floats, count: int, seen: int, seed: int) -> Scenarios:
        """Draw scenarios from a belief: evenly, and in an order by chance."""
        kept = weights.copy()
        going_on(self.rules[0].pointer("ends"), self.numbers, tasks, states, kept)
        upto = np.cumsum(kept if kept.any() else weights)
        marks = (np.random.default_rng(seed).permutation(count) + 0.5) / count
        at = np.searchsorted(upto, marks * upto[-1], side="right")
        nothing = np.zeros(count, dtype=np.int64)
        return Scenarios(
            tasks[at], states[at], nothing, np.full(count, seen), nothing.copy(), np.zeros(count), np.ones(count)
        )

    def earned(self, start: Intent, guess: int, drawn: Scenarios, count: int, seed: int) -> tuple[Floats, int]:
        """What a plan earns in each of the first scenarios that count, and the number of steps."""
        rules, D = self.rules[0], self.rules[0].state_size
        tasks, states, steps, seen, groups = (each[:count].copy() for each in drawn[:5])
        s = Scenarios(tasks, states, steps, seen, groups, np.zeros(count), np.ones(count))
        room = Room(
            state=np.empty(D, np.int64),
            guess=np.empty(D, np.int64),
            z=np.empty(rules.observation_size, np.int64),
            values=np.empty(rules.action_count),
            key=np.array([seed, 0, 0]),
            luck=np.zeros(1, np.uint64),
            own=np.array([seed], dtype=np.uint64),
            members=np.empty(count, np.int64),
            kinds=np.empty(count + 1, np.int64),
        )
        walked: int = follow_plan(
            *self._pointers, self.numbers, s, start.action, start.times, *start.then, guess, self.horizon, room
        )
        earned, lost = s.earned[::2], s.groups[::2] == LOST
        earned[lost] += -self.horizon if lost.all() else earned[~lost].mean()
        return earned, walked

    def starts(self, s: Scenarios, count: int) -> list[tuple[Intent, int]]:
        """All ways to begin a plan, with the scenarios that are guesses, of the first that count."""
        rules = self.rules[0]
        found = [(Intent(a, times), -1) for a, times in product(range(rules.action_count), rules.repeats)]
        guesses = [(int(k), x, self.advice(int(k), x)) for k, x in zip(s.tasks[:count], s.states[:count], strict=True)]
        helpful, most = sorted({a for _, _, a in guesses}), rules.repeats[-1]
        found += [(Intent(a, most, (b, most)), -1) for a, b in product(helpful, helpful) if a != b]
        for h in range(1, min(2 * GUESSES, count), 2):
            k, x, a = guesses[h]
            found.append((Intent(a, 0, (0, 0), k, tuple(x.tolist())), h))
        return found

    def advice(self, k: int, x: Ints) -> int:
        """The best action for a helper who knows task and state."""
        rules, v = self.rules[k], np.empty(self.rules[0].action_count)
        rules.values(rules.facts, rules.reals, x, v)
        return int(np.argmax(v))

    def compare(
        self, belief: tuple[Ints, Ints, Floats], simulations: int, seconds: float | None, seen: int, seed: int
    ) -> tuple[Intent, Plan]:
        """Find the best way to go on.

        Args:
            belief: Particles' tasks [n], states [n, numbers] and weights [n].
            simulations: How often a plan is followed through a scenario, if there is no time limit.
            seconds: The time limit.
            seen: The fingerprint of the last observation.
            seed: Fixes the scenarios.
        """
        began, rules = perf_counter(), self.rules[0]
        deadline = np.inf if seconds is None else began + seconds
        s = self.draw(*belief, COUNTED, seen, seed)
        plans = self.starts(s, COUNTED)
        if seconds is not None:
            now, few = perf_counter(), [each for each in plans if each[1] < FEWEST]
            for start, guess in few:
                self.earned(start, guess, s, FEWEST, seed)
            each = (perf_counter() - now) / (FEWEST * len(few))
            simulations = int(SPENT * (deadline - perf_counter()) / each)
        count = max(FEWEST, simulations // (len(plans) + sum(2**i * kept for i, kept in enumerate(KEPT, 1))))
        s = self.draw(*belief, count * 2 ** len(KEPT), seen, seed)
        left, tried, steps = self.starts(s, count), np.zeros(rules.action_count, dtype=np.int64), 0
        values = np.full(rules.action_count, -np.inf)
        for kept in (*KEPT, 1):
            found: dict[tuple[Intent, int], Floats] = {}
            for start, guess in left:
                if found and perf_counter() > deadline:
                    break
                earned, more = self.earned(start, guess, s, count, seed)
                found[start, guess] = earned
                tried[start.action], steps = tried[start.action] + count, steps + more
                values[start.action] = max(values[start.action], earned.mean())
            left, count = better(found)[:kept], 2 * count
            if perf_counter() > deadline:
                break
        best, simulated = left[0][0], int(tried.sum())
        visits = [simulated * (a == best.action) for a in range(len(values))]
        return best, Plan(tuple(values.tolist()), tuple(visits), simulated, steps)

    def goes_on(self, intent: Intent, z: Ints, changed: bool, seed: int) -> Intent | None:
        """The intent after its action, and what was seen; None if it is at its end.

        Args:
            intent: The intent before.
            z: What was seen.
            changed: Whether that is not what was seen before.
            seed: Fixes how the guess moves.
        """
        a, k = intent.action, intent.task
        if intent.times > 0:
            return None if changed or intent.times == 1 else intent._replace(times=intent.times - 1, then=(0, 0))
        rules, luck = self.rules[k], np.array([seed], dtype=np.uint64)
        y, expected = np.empty(rules.state_size, np.int64), np.empty(rules.observation_size, np.int64)
        for _ in range(TRIES):
            rules.step(a, rules.facts, rules.reals, np.array(intent.state), y, luck)
            if not rules.ends(rules.facts, rules.reals, y):
                break
        else:
            return None
        rules.observe(a, rules.facts, rules.reals, y, expected, luck)
        usual, fits = (rules.likelihood(a, rules.facts, rules.reals, y, each) for each in (expected, z))
        trust = intent.trust * min(1.0, fits / usual)
        return None if trust < DOUBT else Intent(self.advice(k, y), 0, (0, 0), k, tuple(y.tolist()), trust)


def better(found: dict[tuple[Intent, int], Floats]) -> list[tuple[Intent, int]]:
    """Plans by what they earn, the best first.

    The best guess comes before plans that do not earn more by a standard error of the difference: where luck decides,
    an agent that repeats actions for nothing gets nowhere.
    """
    order = sorted(found, key=lambda each: -found[each].mean())
    base = next((each for each in order if each[1] >= 0), order[0])

    def worth(each: tuple[Intent, int]) -> float:
        gap = found[each] - found[base]
        return float(gap.mean() - MARGIN * gap.std() / len(gap) ** 0.5) if each[1] < 0 else float(gap.mean())

    return sorted(order, key=lambda each: -worth(each))
