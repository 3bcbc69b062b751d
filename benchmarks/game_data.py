"""Make the libraries of the first game: models, and policies small enough for a page without a server.

python benchmarks/game_data.py [KEY ...]

The policies are those that the usual solver finds. Of their vectors, the few are kept that are worth most at the
beliefs that an agent reaches, in the order of what each adds. At the end both sets play the same trials.
"""

import sys
from pathlib import Path

import numpy as np

import walkon
from walkon.agents.registry import AGENTS
from walkon.models.chance_kernels import choose
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.simulation.stepping import begun, first_state, sensed, step
from walkon.trials.luck import Luck
from walkon.web.library_script import LibraryScript
from walkon.web.setup import TREMBLE

HERE = Path(walkon.__file__).parent / "web" / "static" / "game"
LIBRARIES = {
    "night-pursuit": ("night-pursuit", {"size": 5, "noise": 0.3, "tasks": 4}),
    "night-pursuit-easy": ("night-pursuit", {"size": 5, "noise": 0.1, "tasks": 4}),
    "pursuit": ("pursuit", {"size": 5, "capture": "opposite"}),
    "overcooked": ("overcooked", {"role": "helper"}),
}
OFFERED = ("atpo", "atpo-greedy", "perseus", "random-picker", "random")  # the agents that the page can play by itself
MOST_VECTORS = 64
GAMES = 400


def play(library, agent, first, beliefs=None):
    """Play some trials, and return how many steps each took; the beliefs that are reached are added to the lists."""
    lengths = []
    for game in range(GAMES):
        task, luck = library[game % len(library)], Luck.of(first + game, library[0].horizon)
        x = first_state(task, luck)
        memory = begun(agent, task, x)
        for t in range(task.horizon):
            for k, belief in enumerate(memory.states if beliefs else ()):
                if memory.tasks[k] > 1e-3:
                    beliefs[k].append(np.array(belief, dtype=np.float32))
            action = choose(agent.act(memory), luck[t].agent)
            moved = step(task, x, action, luck[t])
            memory = agent.update(memory, action, sensed(agent, task, moved.state, moved.observation, None))
            x = moved.state
            if task.solved[x]:
                break
        lengths.append(t + 1)
    return np.array(lengths)


def worth_most(policy, beliefs):
    """Keep the vectors that are worth most at some beliefs, added one by one."""
    values = np.array(beliefs) @ policy.vectors.T.astype(np.float32)  # [beliefs, N]
    kept = [int(values.sum(axis=0).argmax())]
    reached = values[:, kept[0]]
    while len(kept) < min(MOST_VECTORS, len(policy.vectors)):
        kept.append(int(np.maximum(values - reached[:, None], 0.0).sum(axis=0).argmax()))
        reached = np.maximum(reached, values[:, kept[-1]])
    return AlphaVectors(policy.vectors[kept], policy.actions[kept], policy.action_count)


def make(key):
    """Write the script of one library."""
    world, options = LIBRARIES[key]
    library = walkon.make(world, **options, tremble=TREMBLE)
    agent = walkon.agent("atpo", library)
    policies = agent.policies
    if not library.observed:
        beliefs = [[] for _ in library]
        play(library, agent, 10_000, beliefs)
        policies = [worth_most(policy, found) for policy, found in zip(policies, beliefs, strict=True)]
    about = {name: [AGENTS[name].title, AGENTS[name].summary] for name in OFFERED}
    script = LibraryScript.of(
        library, policies, key=key, world=world, options=options, tremble=TREMBLE, agents=about
    )  # fmt: skip
    text = script.text()
    (HERE / f"{key}.js").write_text(text, encoding="utf-8")
    print(f"{key}: {len(text):,} bytes")
    if not library.observed:
        small = walkon.agent("atpo", library, policies=LibraryScript.read(text).policies())
        before, after = (play(library, each, 50_000) for each in (agent, small))
        lost, error = (after - before).mean(), 1.96 * (after - before).std() / GAMES**0.5
        print(f"  {before.mean():.2f} steps with all vectors, {after.mean():.2f} with these: {lost:+.2f} ± {error:.2f}")


if __name__ == "__main__":
    for key in sys.argv[1:] or LIBRARIES:
        make(key)
