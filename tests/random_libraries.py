"""Random libraries of tasks whose state spaces differ, and agents for them that need no solving."""

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from random_models import rows, seeds
from walkon import MMDP, POMDP, AlphaVectors, TabularPolicy, Task, TaskLibrary, agent
from walkon.agents.registry import AGENTS


def random_library(seed, K=3, sizes=(2, 3, 2), A=2, B=2, Z=3, sparsity=0.3):
    """K tasks that share actions and observations, and nothing else."""
    rng = np.random.default_rng(seed)
    tasks = []
    for k in range(K):
        X = sizes[k % len(sizes)]
        team = MMDP(rows(rng, (A, B, X, X), sparsity), rng.normal(size=(X, A, B)), discount=0.5 + 0.4 * rng.random())
        tasks.append(
            Task(
                team,
                teammates=rows(rng, (X, B), sparsity),
                sensor=rows(rng, (A, X, Z), sparsity),
                start=rows(rng, (X,), sparsity),
                name=f"task {k}",
            )
        )
    return TaskLibrary(tasks)


def policies_for(library, seed=0, tabular=False):
    """Any policies will do where only the beliefs are tested."""
    return policies_of([task.mdp if tabular else task.pomdp for task in library], seed)


def policies_of(problems, seed=0):
    rng = np.random.default_rng(seed)
    made = []
    for problem in problems:
        X, A = problem.R.shape
        if not isinstance(problem, POMDP):
            made.append(TabularPolicy(rng.normal(size=(X, A))))
        else:
            made.append(AlphaVectors(rng.normal(size=(4, X)), rng.integers(A, size=4), A))
    return made


def quick_agent(name, library, **options):
    needs = AGENTS[name].needs
    problems = (replace(needs, scope="each task") if needs.informed else needs).problems(library)
    return agent(name, library, policies=policies_of(problems), **options)


@st.composite
def libraries(draw, alike=False):
    K = draw(st.integers(1, 4))
    sizes = (3,) if alike else draw(st.tuples(*[st.integers(1, 3)] * K))
    return random_library(draw(seeds), K, sizes, sparsity=draw(st.sampled_from([0.0, 0.3, 0.6])))


@st.composite
def joint_histories(draw, library, longest=4):
    """Actions, teammates' joint actions and observations."""
    A, Z = len(library[0].pomdp.P), library[0].pomdp.O[0].shape[1]
    step = st.tuples(st.integers(0, A - 1), st.integers(0, 1), st.integers(0, Z - 1))
    return draw(st.lists(step, max_size=longest))
