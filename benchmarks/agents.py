"""The speed of ATPO on this machine: one decision through the public calls, and the update against SciPy and NumPy.

Everything is timed in one run, after compilation, on one thread
(set OPENBLAS_NUM_THREADS=1, as `make bench` does). Ratios say more than seconds, because machines differ.
"""

import sys
from time import perf_counter

import numpy as np

import walkon
from walkon import Percept
from walkon.models.chance_kernels import choose
from walkon.simulation.luck import Luck
from walkon.simulation.step import first_state, step


def padded(policy, N):
    """A policy with at least N vectors: its own, then slightly worse copies of them, which have to be looked at too."""
    rounds = -(-N // len(policy.vectors))
    vectors = np.concatenate([policy.vectors - 1e-3 * i for i in range(rounds)])
    return walkon.AlphaVectors(vectors, np.tile(policy.actions, rounds), policy.action_count)


def decisions(agent, library, episodes):
    """Microseconds of every decision over whole episodes: act, draw the action, update."""
    acts, updates, moments = [], [], []
    for e in range(episodes):
        task = library[e % len(library)]
        luck = Luck.of(e, 50)
        x, memory = first_state(task, luck), agent.start()
        for t in range(50):
            began = perf_counter()
            action = choose(agent.act(memory), luck.steps[t, 3])
            acted = perf_counter()
            happened = step(task, x, action, luck[t])
            percept = Percept(observation=happened.observation)
            before = perf_counter()
            after = agent.update(memory, action, percept)
            updates.append(perf_counter() - before)
            acts.append(acted - began)
            moments.append((memory, action, happened.observation))
            memory, x = after, happened.state
    return 1e6 * np.array(acts), 1e6 * np.array(updates), moments


def updates_by(agent, library, moments):
    """Microseconds of the same updates by walkon, with SciPy CSR and with dense NumPy, all K tasks each time."""
    pomdps = [task.pomdp for task in library]
    columns = [[o.tocsc() for o in p.O] for p in pomdps]
    dense = [([m.toarray() for m in p.P], [m.toarray() for m in p.O]) for p in pomdps]

    def by_walkon(memory, states, a, z):
        agent.update(memory, a, Percept(observation=z))

    def by_scipy(memory, states, a, z):
        for p, o, b in zip(pomdps, columns, states, strict=True):
            joint = (b @ p.P[a]) * o[a][:, [z]].toarray().ravel()
            joint / joint.sum()

    def by_numpy(memory, states, a, z):
        for (P, O), b in zip(dense, states, strict=True):
            joint = (b @ P[a]) * O[a][:, z]
            joint / joint.sum()

    methods = (by_walkon, by_scipy, by_numpy)
    spent = np.full((3, len(moments), 7), np.inf)
    for i, (memory, action, reading) in enumerate(moments):
        states = memory.states  # in full, as the others need them
        for j, method in enumerate(methods):  # side by side: what else the machine does meets all of them
            for repeat in range(7):  # in a row: in an episode, too, the last belief has just been written
                began = perf_counter()
                method(memory, states, action, reading)
                spent[j, i, repeat] = perf_counter() - began
    return 1e6 * np.median(spent.min(axis=2), axis=1)


def main(vectors=500):
    """Print the table."""
    cases = [(5, 1), (5, 2), (5, 4), (5, 8), (3, 4), (4, 4), (6, 4), (6, 10)]
    print("                           | one decision, us: | of which:   | update alone: us, times faster than")
    print("size   K  states non-zeros |   median      p99 |  act update |          SciPy CSR  dense NumPy")
    for size, K in cases:
        library = walkon.make("night-pursuit", size=size, tasks=K)
        solver = walkon.Perseus(beliefs=300, tolerance=1e-2)
        solved = walkon.agent("atpo", library, solver=solver).mixture.policies
        agent = walkon.agent("atpo", library, policies=[padded(policy, vectors) for policy in solved])
        decisions(agent, library, 2)
        acts, updates, moments = decisions(agent, library, 40)
        with np.errstate(invalid="ignore"):
            update, scipy, numpy = updates_by(agent, library, moments[:: max(1, len(moments) // 200)])
        both = acts + updates
        nonzeros = sum(sum(m.nnz for m in (*task.pomdp.P, *task.pomdp.O)) for task in library)
        print(
            f"{size}x{size} {K:3} {size**4:7,} {nonzeros:9,} | "
            f"{np.median(both):8.1f} {np.percentile(both, 99):8.1f} | "
            f"{np.median(acts):4.1f} {np.median(updates):6.1f} | "
            f"{update:6.1f} {scipy / update:10.1f} {numpy / update:11.1f}"
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
