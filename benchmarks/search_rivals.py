"""The agents that `benchmarks/search.py` pairs `search` with.

In small rooms these are `bayes` and ATPO with tables, whose seeds have the same luck as those without.
Followers of advice share the beliefs of `search`. ATPO mixes the advice in all tasks and states by what it believes;
"greedy" takes what most of the belief advises (the nearest to QMDP that advice allows); "likeliest" takes the advice in
the likeliest task and state (the nearest to BOPA). "corner" walks left and then up, for as long as a room may need
unless it knows its cell before, and then mixes the advice as ATPO does.
"told" is `search` in a library of the true task alone, with the same budget.
"plan" is the simple plan of RockSample: walk to a rock, check it on the spot, take it if it is good.
"""

from functools import cache

import numpy as np

import walkon
from walkon.agents import bundle_kernels
from walkon.agents.atpo import advised
from walkon.tasks.compiled_rules import Numbers

SURE = 0.5  # how likely the corner script's cell must be before it follows the advice


class Following:
    """An agent with the beliefs of another one, and a rule of its own."""

    def __init__(self, agent, choose):
        """Take the beliefs of an agent, and a function from a memory to an action's number, or a chance for each."""
        self.agent, self.choose = agent, choose

    def __getattr__(self, name):
        """Everything else is as there."""
        return getattr(self.agent, name)

    def act(self, memory):
        """What the rule says, [A]."""
        chosen = self.choose(memory)
        return np.eye(self.agent.library.action_count)[chosen] if np.ndim(chosen) == 0 else chosen


def likeliest(agent, memory):
    """The advice in the likeliest state of the likeliest task, among those in which it is not over."""
    states = [going_on(rules, belief) for rules, belief in zip(agent.inference.rules, memory.beliefs, strict=True)]
    k = int(np.argmax([p * weights.sum() for p, weights in zip(memory.tasks, states, strict=True)]))
    state = tuple(memory.beliefs[k].rows[np.argmax(states[k])].tolist())
    return int(np.argmax(agent.inference.simulators[k].advice(state)))


def going_on(rules, belief):
    """The weights of a belief, with 0 where the task is over."""
    weights = belief.weights.copy()
    bundle_kernels.going_on(
        rules.pointer("ends"), Numbers.of([rules]), np.zeros(len(weights), np.int64), belief.rows, weights
    )
    return weights


def cornered(agent, memory, size, noise=0.3):
    """Walk left, then up, for as long as a room may need; then mix the advice as ATPO does."""
    cells = {}
    for row, w in zip(memory.beliefs[0].rows[:, :2].tolist(), memory.beliefs[0].weights, strict=True):
        cells[tuple(row)] = cells.get(tuple(row), 0.0) + w
    each = int(np.ceil(size / (1 - noise) + 2 * np.sqrt(size * noise) / (1 - noise)))
    if max(cells.values()) > SURE or memory.step >= 2 * each:
        return advised(memory, agent.inference)
    return agent.library.actions.index("Left" if memory.step < each else "Up")


def planned(task, memory):
    """The next action of the simple plan of RockSample."""
    outline, x, fades = task.outline.written, memory.beliefs[0].rows[0].tolist(), 0.95 ** np.arange(100)
    n, (c, r) = outline.size, x[:2]
    best, target = 10 * fades[n - 1 - c], None
    for i, (rock, share) in enumerate(zip(outline.rocks, x[3:], strict=True)):
        p, d = share * 2.0**-52, abs(rock[0] - c) + abs(rock[1] - r)
        blind, sure = 10 * (2 * p - 1), 0.95 * 10 * p
        later = fades[d + 1] * (1 if blind >= sure else 0.95 * p + 1 - p)
        total = fades[d] * max(blind, sure) + later * 10 * fades[n - 1 - rock[0]]
        if p >= 0.05 and total > best:
            best, target = total, (i, rock, blind >= sure)
    i, (to, up), blind = target or (0, (n, r), False)
    if (c, r) == (to, up):
        return outline.actions.index("sample" if blind else f"check {i}")
    return outline.actions.index("east" if to > c else "west" if to < c else "north" if up > r else "south")


def once(name, library, **options):
    """A function from a trial's seed to an agent, which is made when it is first asked for."""
    made = cache(lambda: walkon.agent(name, library, **options))
    return lambda seed: made()


def solved_agents(world, options):
    """The agents with tables that `search` is paired with in small rooms, as `rivals` gives them."""
    tabled = walkon.make(world, **{**options, "tables": True})
    return {"bayes": (once("bayes", tabled), {}), "atpo-tables": (once("atpo", tabled), {})}


def rivals(world, library, budget, particles):
    """The agents that `search` is paired with: by name, a function from a seed to the agent, and its options."""
    if world == "rock-sample":
        beliefs = walkon.agent("search", library, simulations=1)
        plan = Following(beliefs, lambda m: planned(library[0], m))
        return {"plan": (lambda seed: plan, {})}
    if world != "night-pursuit":
        return {}
    atpo = walkon.agent("atpo", library, **particles)
    if len(library) == 1:
        size = library[0].outline.written.room.size
        corner = Following(atpo, lambda m: cornered(atpo, m, size))
        return {"corner": (lambda seed: corner, particles)}
    greedy = Following(atpo, lambda m: int(np.argmax(advised(m, atpo.inference))))
    likely = Following(atpo, lambda m: likeliest(atpo, m))
    followers = {"atpo": atpo, "greedy": greedy, "likeliest": likely}
    told = [once("search", walkon.TaskLibrary([task]), **budget, **particles) for task in library]
    return {name: (lambda seed, agent=agent: agent, particles) for name, agent in followers.items()} | {
        "told": (lambda seed: told[seed % len(told)](seed), budget | particles)
    }
