"""The belief over tasks and the K beliefs over states, updated by actions and observations.

For every task k, one pass computes joint_k(y) = (b_k P_k,a)(y) O_k,a(z|y). Its sum is the likelihood of the observation
under the task, and its normalisation is the next b_k. Then p(k) is multiplied by the likelihood and normalised.
The paper's equation (Task-update) also multiplies by pi_t(a|h_t), the probability of the agent's own action. It is the
same for every task and cancels, so it is left out.

- Without an observation, the state beliefs are only predicted, and p does not change.
- Soft evidence w: O_k,a(z|y) becomes sum_z w(z) O_k,a(z|y).
- A task under which an observation is impossible is refuted: p(k) = 0 from then on.
- If no task explains an observation, the memory records the event, a warning is given once, and the agent starts again
  from its prior and the start beliefs (or the state, if it is observed). Nothing is smoothed, and the episode goes on.
- Teammates that may change their task: with a hazard rate h, before each update the joint weight w_k(x) = p(k) b_k(x)
  becomes (1-h) w_k + h/(K-1) sum over j != k of w_j if the tasks share their states, and
  (1-h) w_k + h/(K-1) (1-p(k)) start_k if they do not. So a refuted task may become possible again.
- A weight may become arbitrarily small: below 1e-250 it is kept as m 2^e (see `walkon.models.packed_beliefs`). It is 0
  only if the observations are impossible, and grows again with evidence for it.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from scipy.sparse import csr_array

from walkon.agents.conditioning import exact_posterior, posterior
from walkon.agents.faint_kernels import faint_posterior
from walkon.agents.inference_kernels import Models, switch
from walkon.agents.memory import Memory, Origin, Percept, Unexplained, UnexplainedWarning, remember
from walkon.agents.naming import first_percept, numbered
from walkon.arrays import Floats, Ints
from walkon.checks import share
from walkon.errors import InputError
from walkon.models.belief import check_index, prediction
from walkon.models.distributions import distribution, numbers
from walkon.models.faint_kernels import with_exact_tasks
from walkon.models.packed_beliefs import believing, has_tail, log_weights, pack
from walkon.models.scaled import logarithms, powers, product, scaled, shares, shown
from walkon.models.scaled_kernels import SMALL
from walkon.models.stacked import Stacked, plain
from walkon.tasks import Task, TaskLibrary

Switching: TypeAlias = tuple[Floats, Ints, float, bool]


@dataclass(frozen=True, init=False, eq=False)
class Inference:
    """The beliefs over the tasks of a library and their states: where they start, and how they are updated."""

    library: TaskLibrary
    prior: Floats  # [K]
    A: int  # the number of actions
    Z: int  # the number of observations
    hazard: float  # the probability that the task changes at each step

    def __init__(self, library: TaskLibrary, prior: Any = None, hazard: float = 0.0) -> None:
        """Check and store the prior over tasks, [K], uniform if not given, and the hazard rate."""
        share("hazard", hazard)
        K = len(library)
        weights, model = distribution("prior", np.full(K, 1 / K) if prior is None else prior, K), library[0].pomdp
        A, Z = len(model.P), model.O[0].shape[1]
        vars(self).update(library=library, prior=weights, A=A, Z=Z, hazard=float(hazard))

    def with_prior(self, prior: Any) -> "Inference":
        """Return the same inference with another prior over tasks, [K], and the same arguments of the kernel."""
        other = Inference(self.library, prior, self.hazard)
        vars(other).update(models=self.models, origin=self.origin)
        return other

    @cached_property
    def origin(self) -> Origin:
        """The mark of its memories."""
        return Origin("beliefs over tasks and their states", (self.library,))

    def start(self, percept: Percept | None = None) -> Memory:
        """Return the memory before the first action: the prior and the start beliefs, or the first state if seen."""
        memory = Memory(self.first.copy(), self.sizes, of=self.origin)
        percept = None if percept is None else first_percept(self.library, percept)
        first = None if percept is None else percept.observation if percept.state is None else percept.state
        if first is None or not self.library.observed:
            return memory
        starts = [task.pomdp.start for task in self.library]
        likelihood = np.array([start[check_index("state", first, len(start))] for start in starts])
        return self.weigh(memory, -1, first, self._certain(first), likelihood, step=0)

    def update(self, memory: Memory, action: int, percept: Percept) -> Memory:
        """Return the memory after an action and its observation, if there was one."""
        if getattr(memory, "of", None) is not self.origin:
            self.origin.check(memory)
        if type(action) is not int or type(percept) is not Percept or type(percept.observation) is not int:
            action, percept = numbered(self.library, action, percept)
        if not 0 <= action < self.A:
            check_index("action", action, self.A)
        if self.hazard:
            memory = self.switch_task(memory)
        observation = percept.observation
        if observation is None and self.library.observed:
            observation = percept.state
        if observation is None:
            if percept.likelihood is None:
                beliefs, total = self.predict(memory.beliefs, action), 1.0
            else:
                w = numbers("likelihood", percept.likelihood, (self.Z,), "(Z,)")
                if (w < 0).any() or not w.any():
                    raise InputError(
                        "likelihood has a negative or no positive weight: expected weights over the observations"
                    )
                beliefs, exact = exact_posterior(self.models, memory.beliefs, action, np.array(w))
                total = float(shown(exact))
        elif percept.likelihood is not None:
            raise InputError(f"both an observation ({observation}) and a likelihood were given, expected one of them")
        else:
            if not 0 <= observation < self.Z:
                check_index("observation", observation, self.Z)
            beliefs, total = posterior(self.models, memory.beliefs, action, observation)
        if not total > 0.0:
            return self.restart(memory, action, observation)
        return Memory(beliefs, memory.sizes, memory.step + 1, memory.state, memory.events, None, total, self.origin)

    def switch_task(self, memory: Memory) -> Memory:
        """Account for a possible change of the task before an update, if there are several and a hazard rate."""
        if not self.hazard or len(self.library) == 1:
            return memory
        return memory._replace(beliefs=switch(memory.beliefs, *self.switching))

    @cached_property
    def switching(self) -> Switching:
        """The arguments of the kernel of a change, after the beliefs."""
        return self.first, np.array(self.sizes), self.hazard, self.library.shared

    def forecast(self, memory: Memory, action: int, watching: bool = False) -> Floats:
        """Return the probability of each observation z after an action under each task, [K, 1, Z].

        For an agent that watches its teammates, it is that of z and their joint action b, [K, B, Z]. It is 0 for a
        refuted task.
        """
        K, widest = len(self.library), max(1 if t.teammates is None else t.teammates.shape[1] for t in self.library)
        actions = list(range(widest)) if watching else [None]
        if has_tail(memory.beliefs, K):
            even = believing(memory.beliefs, np.full(K, 1 / K))
            logs = [[self._foretell_exactly(even, action, b, z)[1] for z in range(self.Z)] for b in actions]
            return shown(powers(np.moveaxis(np.array(logs), -1, 0)))
        rows = [
            [predict_step(task, belief, action, b) @ task.pomdp.O[action] for b in actions]
            for task, belief in zip(self.library, memory.states, strict=True)
        ]
        found = np.array(rows)
        found[memory.refuted] = 0.0
        return found

    def predict(self, beliefs: Floats, action: int) -> Floats:
        """Return packed beliefs after an action without an observation; the belief over tasks stays."""
        models = self._stack([*(plain(task.pomdp.P[action]) for task in self.library), *self.blind])
        return believing(posterior(models, beliefs, 0, 0)[0], beliefs[: len(self.library)], beliefs)

    def condition(self, beliefs: Floats, action: int, observation: int) -> tuple[Floats, float]:
        """Return packed beliefs after an observation, and the exact logarithm of its probability."""
        after, total = posterior(self.models, beliefs, action, observation)
        if not 0.0 < total < SMALL:
            return after, float(np.log(total)) if total else -np.inf
        after, exact = exact_posterior(self.models, beliefs, action, np.eye(1, self.Z, observation)[0])
        return after, float(logarithms(exact))

    def foretell(self, beliefs: Floats, action: int, observation: int) -> tuple[Floats, Floats]:
        """Return packed beliefs after an observation, and the logarithm of its probability under each task, [K].

        The belief over tasks stays uniform, so that the result for one task does not depend on the others.
        """
        K = len(self.library)
        after, total = posterior(self.models, beliefs, action, observation)
        if has_tail(after, K) or 0.0 < total < SMALL:
            after, logs = self._foretell_exactly(beliefs, action, None, observation)
            after = believing(after, np.full(K, 1 / K))
        else:
            with np.errstate(divide="ignore"):
                logs = np.log(after[:K] * total * K)
                after[:K] = 1 / K
        return after, logs

    def _foretell_exactly(
        self, beliefs: Floats, action: int, teammate_action: int | None, observation: int
    ) -> tuple[Floats, Floats]:
        """Do the same as `foretell` with weights too small for floats, but update the belief over tasks."""
        K, weights = len(self.library), np.eye(1, self.Z, observation)[0]
        models, taken, number = self.models, np.empty(0), action
        if teammate_action is not None:
            (models, taken), number = self.step_models(action, teammate_action), 0
        after, exact, _ = faint_posterior(*models, beliefs, number, taken, weights)
        return after, log_weights(after, K)[:K] + logarithms(np.array(exact)) + np.log(K)

    @cached_property
    def even(self) -> Floats:
        """The uniform belief over tasks and the start beliefs, packed: where `foretell` starts."""
        K = len(self.library)
        return np.concatenate([np.full(K, 1 / K), self.first[K:]])

    def weigh(
        self, memory: Memory, action: int, z: int | None, states: Sequence[Floats], likelihood: Floats, step: int = -1
    ) -> Memory:
        """Multiply the task belief by the tasks' likelihoods; start again if all products are 0."""
        joint = memory.tasks * likelihood
        possible = (memory.tasks > 0.0) & (likelihood > 0.0)
        if not possible.any():
            return self.restart(memory, action, z)
        refuted = memory.refuted | (likelihood == 0.0)
        step = memory.step + 1 if step < 0 else step
        if joint[possible].min() >= SMALL:
            total = float(joint.sum())
            after = remember(joint / total, states, refuted, step, memory.state, memory.events, self.origin)
            return after._replace(likelihood=total)
        tasks, exact = shares(product(scaled(memory.tasks), scaled(likelihood)))
        after = remember(shown(tasks), states, refuted, step, memory.state, memory.events, self.origin)
        return after._replace(beliefs=with_exact_tasks(after.beliefs, tasks), likelihood=float(shown(exact)))

    def _certain(self, state: int) -> list[Floats]:
        """Return the state beliefs of all tasks after the state was observed."""
        return [np.eye(1, X, state)[0] for X in self.sizes]

    def restart(self, memory: Memory, action: int, observation: int | None) -> Memory:
        """Start again from the prior and the start beliefs, or the state if it is observed, and record the event."""
        events = (*memory.events, Unexplained(memory.step, action, observation))
        if not memory.events:
            warnings.warn(
                f"no task of the library explains observation {observation} after action {action} at step "
                f"{memory.step}: starting again from the prior",
                UnexplainedWarning,
                stacklevel=4,
            )
        states = [task.pomdp.start for task in self.library]
        if observation is not None and self.library.observed:
            states = self._certain(observation)
        after = remember(self.prior, states, None, memory.step + 1, memory.state, events, self.origin)
        return after._replace(likelihood=0.0)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """The number of states of each task, [K]."""
        return tuple(len(task.pomdp.start) for task in self.library)

    @cached_property
    def first(self) -> Floats:
        """The prior and the start beliefs, packed."""
        return pack(self.prior, np.zeros(len(self.library)), [task.pomdp.start for task in self.library])

    @cached_property
    def models(self) -> Models:
        """The models of all tasks for the kernels."""
        pomdps = [task.pomdp for task in self.library]
        return self._stack([*(pomdp.transitions for pomdp in pomdps), *(pomdp.sensor_rows for pomdp in pomdps)])

    def step_models(self, action: int, teammate_action: int, blind: bool = False) -> tuple[Models, Floats]:
        """Return the models of a step for the kernels, as their action 0, and the probability of the teammates' action.

        The latter is given for the states of all tasks in turn. If `blind`, observations carry no information.
        """
        steps = [step_matrices(task, action, teammate_action) for task in self.library]
        sensors = self.blind if blind else [plain(task.pomdp.O[action]) for task in self.library]
        return self._stack([*(plain(P) for P, _ in steps), *sensors]), np.concatenate([taken for _, taken in steps])

    @cached_property
    def blind(self) -> list[Stacked]:
        """A sensor for each task that always gives the same observation."""
        return [plain(csr_array(np.ones((X, 1)))) for X in self.sizes]

    def _stack(self, stacks: list[Stacked]) -> Models:
        """Stack the dynamics of all tasks and then their sensors, with the first state of each task."""
        ends = np.cumsum([0, *(len(each.data) for each in stacks)])
        begins = [[0], *(each.indptr[1:] + end for each, end in zip(stacks, ends, strict=False))]
        return (
            np.concatenate(begins).astype(np.uint32),
            np.concatenate([each.indices for each in stacks]),
            np.concatenate([each.data for each in stacks]),
            np.cumsum([0, *self.sizes]),
        )


def step_matrices(task: Task, action: int, teammate_action: int) -> tuple[csr_array, Floats]:
    """Return P_ab(.|x) [X, X], and the probability pi(b|x) of the teammates' joint action b, [X]."""
    assert task.mmdp is not None
    assert task.teammates is not None
    X, B = task.teammates.shape
    if not 0 <= teammate_action < B:
        return task.mmdp.P[action][0], np.zeros(X)
    return task.mmdp.P[action][teammate_action], task.teammates[:, [teammate_action]].toarray().ravel()


def predict_step(task: Task, belief: Floats, action: int, teammate_action: int | None) -> Floats:
    """Return sum_x b(x) pi(b|x) P_ab(.|x), [X], or sum_x b(x) P_a(.|x) if the teammates' action b is not known."""
    if teammate_action is None:
        return prediction(task.pomdp, belief, action)
    P, taken = step_matrices(task, action, teammate_action)
    joint: Floats = (belief * taken) @ P
    return joint
