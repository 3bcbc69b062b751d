"""Plans over scenarios: the kernel against an obvious twin, and intents."""

import numpy as np
import pytest

import walkon
from walkon import Percept
from walkon.agents.scenario_kernels import DOUBT, LOST, NOTHING, OVER, TRIES
from walkon.agents.scenarios import Intent, better
from walkon.models.luck_kernels import fingerprint

HORIZON = 60


def night(size=11, tasks=1, **options):
    library = walkon.make("night-pursuit", size=size, tasks=tasks, tables=False)
    return walkon.agent("search", library, **{"simulations": 300, "particles": 2000, **options})


def mark(row):
    return int(fingerprint(np.ascontiguousarray(row), len(row)))


class Twin:
    """Follows a plan with lists, one scenario at a time, in the order of the kernel."""

    def __init__(self, search, drawn, seed):
        self.rules, self.seed, self.horizon = search.rules, seed, search.horizon
        self.tasks, self.states = drawn.tasks.tolist(), [x.copy() for x in drawn.states]
        self.steps, self.seen, self.earned = [0] * len(self.tasks), drawn.seen.tolist(), [0.0] * len(self.tasks)
        self.trust, self.end, self.z = [1.0] * len(self.tasks), [0] * len(self.tasks), [None] * len(self.tasks)
        self.own = np.array([seed], dtype=np.uint64)

    def go(self, i, a):
        rules = self.rules[self.tasks[i]]
        key = np.array([self.seed, i, self.steps[i]])
        luck, y, z = np.array([mark(key)], dtype=np.int64).view(np.uint64), self.states[i].copy(), np.zeros(4, np.int64)
        self.earned[i] += rules.step(a, rules.facts, rules.reals, self.states[i], y, luck)
        self.states[i], self.steps[i] = y, self.steps[i] + 1
        if self.steps[i] >= self.horizon or rules.ends(rules.facts, rules.reals, y):
            self.end[i] = OVER
            return False
        rules.observe(a, rules.facts, rules.reals, y, z, luck)
        self.seen[i], self.z[i] = mark(z), z
        return True

    def follow(self, intent, guess):
        waiting = [list(range(len(self.tasks)))]
        for a, times in ((intent.action, intent.times), intent.then):
            if times:
                waiting = [*self.repeat(waiting[0], a, times, waiting[1:])]
        while waiting:
            members, guess = waiting.pop(0), -1 if guess is None else guess
            waiting += self.pursue(members, guess)
            guess = None

    def repeat(self, members, a, times, waiting):
        groups = {self.seen[others[0]]: others for others in waiting}
        for i in members:
            for _ in range(times):
                before = self.seen[i]
                if not self.go(i, a) or before not in (NOTHING, self.seen[i]):
                    break
            if self.end[i] != OVER:
                groups.setdefault(self.seen[i], []).append(i)
        return groups.values()

    def worth(self, i):
        rules, v = self.rules[self.tasks[i]], np.empty(5)
        rules.values(rules.facts, rules.reals, self.states[i], v)
        return v.max()

    def pursue(self, members, guess):
        members = sorted(members)
        guesses = [guess] if guess >= 0 else [i for i in members if i % 2 == 1]
        if not guesses:
            for i in members:
                self.end[i] = LOST
            return []
        best = max(guesses, key=self.worth)
        k, x = self.tasks[best], self.states[best].copy()
        rules, v, left = self.rules[k], np.empty(5), {}
        for i in members:
            self.trust[i] = 1.0
        while members:
            rules.values(rules.facts, rules.reals, x, v)
            a, y, z, usual = int(np.argmax(v)), x.copy(), np.zeros(4, np.int64), 1.0
            for _ in range(TRIES):
                rules.step(a, rules.facts, rules.reals, x, y, self.own)
                reached = rules.ends(rules.facts, rules.reals, y)
                if not reached:
                    break
            x = y
            if not reached:
                rules.observe(a, rules.facts, rules.reals, x, z, self.own)
                usual = rules.likelihood(a, rules.facts, rules.reals, x, z)
            stay = []
            for i in members:
                if not self.go(i, a):
                    continue
                if self.seen[i] != mark(z) or reached:
                    self.trust[i] *= min(1.0, rules.likelihood(a, rules.facts, rules.reals, x, self.z[i]) / usual)
                if reached or self.trust[i] < DOUBT:
                    left.setdefault(self.seen[i], []).append(i)
                else:
                    stay.append(i)
            members = stay
        return list(left.values())


@pytest.mark.parametrize("plan", ["guess", "repeat", "both"])
def test_the_kernel_follows_plans_as_its_twin_does(plan):
    agent = night(tasks=2)
    search = type(agent.scenarios)(agent.scenarios.rules, HORIZON)
    drawn = search.draw(*agent._particles(agent.start()), 40, NOTHING, 5)
    intent, guess = {
        "guess": next(each for each in search.starts(drawn, 40) if each[1] == 1),
        "repeat": (Intent(2, 7), -1),
        "both": (Intent(2, 16, (1, 16)), -1),
    }[plan]
    earned, steps = search.earned(intent, guess, drawn, 40, 5)
    twin = Twin(search, drawn, 5)
    twin.follow(intent, guess)
    lost = np.array(twin.end[::2]) == LOST
    expected = np.array(twin.earned[::2])
    expected[lost] += expected[~lost].mean()
    assert earned.tolist() == pytest.approx(expected.tolist())
    assert steps == sum(twin.steps)


def test_scenarios_come_from_the_belief_and_never_from_what_is_over():
    search = night().scenarios
    prey = search.rules[0].facts[5:9]
    over = np.array([[*prey[:2], *prey[2:]], [0, 0, 0, 0]])
    drawn = search.draw(np.zeros(2, np.int64), over, np.array([0.9, 0.1]), 10, NOTHING, 0)
    assert not drawn.states.any()


def test_equal_memories_give_equal_decisions_whatever_was_called_before():
    one, two = night(), night()
    memory = one.start()
    for _ in range(6):
        action = int(one.act(memory).argmax())
        assert int(two.act(memory).argmax()) == action
        two.act(two.start())
        after = one.update(memory, action, Percept(observation=(0, 0, 0, 0)))
        assert two.update(memory, action, Percept(observation=(0, 0, 0, 0))).intent == after.intent
        memory = after


def test_a_repeated_action_has_to_be_better_than_the_best_guess_beyond_chance():
    guess, worse, luck, sure = (
        (Intent(0, 0, state=(1,)), 3),
        (Intent(1, 0, state=(2,)), 5),
        *((Intent(a, 9), -1) for a in (2, 3)),
    )
    rng = np.random.default_rng(0)
    base = rng.normal(0.0, 50.0, 64)
    noise = rng.normal(0.0, 50.0, 64)
    found = {luck: base + noise - noise.mean() + 1.0, worse: base - 5.0, guess: base, sure: base + 0.5}
    assert better(found) == [sure, guess, worse, luck]
    assert better({luck: base, sure: base + 1.0}) == [sure, luck]  # no guess among them


def test_an_intent_is_followed_until_something_speaks_against_it():
    agent = night()
    search = agent.scenarios
    nothing, mate, intent = np.zeros(4, np.int64), np.array([1, 0, 0, 0]), Intent(2, 3, (1, 5))
    assert search.goes_on(intent, nothing, False, 0) == Intent(2, 2)
    assert search.goes_on(intent, mate, True, 0) is None
    assert search.goes_on(Intent(2, 1), nothing, False, 0) is None
    guess = Intent(search.advice(0, np.array([0, 0, 10, 10])), 0, (0, 0), 0, (0, 0, 10, 10))
    after = search.goes_on(guess, nothing, False, 0)
    assert after.task == 0
    assert after.state != guess.state
    assert search.goes_on(guess, mate, True, 0) is None  # far from both, the guess sees no teammate


def test_another_action_than_the_intended_ends_the_intent():
    agent = night()
    memory = agent.start()
    other = (int(agent.act(memory).argmax()) + 1) % 5
    assert agent.update(memory, other, Percept(observation=(0, 0, 0, 0))).intent is None


def test_a_large_room_is_solved():
    agent = night(simulations=1500, particles=20_000)
    episodes = [walkon.play(agent.library[0], agent, seed=i, stop=True) for i in range(6)]
    assert all(episode.solved for episode in episodes)
    assert np.mean([episode.steps for episode in episodes]) < 90


def test_a_time_limit_is_kept():
    agent = night(simulations=None, seconds=0.05)
    plan = agent.plan(agent.start())
    assert plan.simulations > 0
    assert agent.library.actions[plan.action]
