"""The speed of the ground floor on this machine: belief updates against SciPy and NumPy, backups, tabulation.

Everything is timed in one run, after compilation, on one thread; ratios say more than seconds, because machines differ.
"""

from time import perf_counter

import numpy as np

import walkon
from walkon.solvers.perseus import Perseus


def corridor(n):
    """Two walkers on an n x n grid, one of them seen only nearby: n^4 states, 5 actions, 10 observations."""
    cells = [(c, r) for c in range(n) for r in range(n)]
    ways = [(0, -1), (0, 1), (-1, 0), (1, 0), (0, 0)]

    def step(cell, way):
        return tuple(min(max(x + d, 0), n - 1) for x, d in zip(cell, way, strict=True))

    states = [(a, b) for a in cells for b in cells]
    rules = walkon.Rules(
        states=states,
        actions=ways,
        replies=ways,
        moves=lambda x, a, b: [((step(x[0], a), step(x[1], b)), 0.7), ((x[0], step(x[1], b)), 0.3)],
        reward=lambda x, a, b, y: 100.0 * (y[0] == y[1]) - 1.0,
    )
    uniform = np.full((len(states), 5), 0.2)

    def reading(x):
        (c, r), (d, s) = x
        near = max(abs(c - d), abs(r - s)) <= 1
        seen = (d - c + 1) * 3 + (s - r + 1) if near else 9
        return [(seen, 0.8), (9, 0.2)]

    sensor = walkon.tabulate(states, range(10), reading)
    return rules, uniform, [sensor] * 5


def per_call(function, repeat=2000):
    """Microseconds for one call: the median of the best of batches."""
    function()
    batches = []
    for _ in range(20):
        began = perf_counter()
        for _ in range(repeat // 20):
            function()
        batches.append((perf_counter() - began) / (repeat // 20))
    return 1e6 * float(np.median(batches))


def main():
    """Print the table."""
    machine = per_call(lambda: np.linalg.norm(np.ones((300, 300)) @ np.ones((300, 300))), 200)
    print(f"machine: a fixed NumPy kernel takes {machine:.0f} us")

    for n in (4, 5, 6):
        rules, teammates, sensor = corridor(n)
        began = perf_counter()
        mmdp = rules.mmdp()
        built = perf_counter() - began
        pomdp = mmdp.pomdp(teammates, sensor)
        began = perf_counter()
        walkon.solve(pomdp, Perseus(backups=1))
        compiled = perf_counter() - began
        belief = np.full(len(pomdp.start), 1 / len(pomdp.start))
        P, O = pomdp.P[0], pomdp.O[0].tocsc()[:, [9]].toarray().ravel()
        dense_P, dense_O = P.toarray(), pomdp.O[0].toarray()

        ours = per_call(lambda: walkon.update(pomdp, belief, 0, 9))  # noqa: B023
        sparse = per_call(lambda: (belief @ P) * O)  # noqa: B023
        dense = per_call(lambda: (belief @ dense_P) * dense_O[:, 9], 200)  # noqa: B023
        began = perf_counter()
        solution = walkon.solve(pomdp, Perseus(beliefs=200, backups=1000))
        print(
            f"{n**4:6,} states: tabulate {built:5.2f} s; first call {compiled:5.2f} s; "
            f"update {ours:6.1f} us, {sparse / ours:4.1f} x faster than SciPy, {dense / ours:5.1f} x than dense; "
            f"backup {1e6 * solution.seconds / 1000:6.0f} us ({len(solution.policy.vectors)} vectors)"
        )


if __name__ == "__main__":
    main()
