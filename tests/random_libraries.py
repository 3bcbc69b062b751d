"""Random libraries of tasks whose state spaces differ, and agents for them that need no solving."""

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from random_models import seeds
from walkon import POMDP, AlphaVectors, TabularPolicy, agent
from walkon.agents.registry import AGENTS
from walkon.testing.problems import random_library

__all__ = ["joint_histories", "libraries", "policies_for", "policies_of", "quick_agent", "random_library"]


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
