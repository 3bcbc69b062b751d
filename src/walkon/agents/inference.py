"""Where the agent is and what is going on: K state beliefs and the task belief, from actions and observations.

For every task k, one pass gives joint_k(y) = (b_k P_k,a)(y) O_k,a(z|y). Its sum is the likelihood of the observation
under the task, its normalisation the next b_k. Then p(k) is multiplied by the likelihood and normalised.

- Nothing was read: the beliefs are only predicted, and p stays (it is the sum over all observations).
- Soft evidence w: O_k,a(z|y) becomes sum_z w(z) O_k,a(z|y).
- A task that gives an observation probability 0 is refuted: p(k) = 0 from then on.
- No task explains an observation: the event is kept in the memory, a warning is given once, and the agent begins anew
  from its prior and the start beliefs (or the state, where that is seen). Nothing is smoothed, and no exception ends
  the episode.
- Teammates who may change their task: with a hazard rate h, before each update the joint weight w_k(x) = p(k) b_k(x)
  becomes (1-h) w_k + h/(K-1) sum over j != k of w_j where the tasks share their states, and
  (1-h) w_k + h/(K-1) (1-p(k)) start_k where they do not. A task that was refuted may so come back.
- A weight may become as small as it will: below 1e-250 it carries a power of two (see `walkon.models.packed_beliefs`).
  It is at 0 only where what was read is impossible, and comes back when what is read speaks for it.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from scipy.sparse import csr_array

from walkon.agents.faint_kernels import faint_posterior
from walkon.agents.inference_kernels import Models, posterior, switch
from walkon.agents.memory import Memory, Origin, Unexplained, UnexplainedWarning, remember
from walkon.agents.percept import Percept
from walkon.agents.step import arrived, step
from walkon.arrays import Floats, Ints
from walkon.errors import InputError
from walkon.models.distributions import distribution, numbers
from walkon.models.faint_kernels import retold
from walkon.models.packed_beliefs import believing, has_tail, log_weights, pack
from walkon.models.scaled import logarithms, powers, product, scaled, shares, shown
from walkon.models.scaled_kernels import SMALL
from walkon.models.stacked import Stacked, plain
from walkon.tasks import TaskLibrary

Switching: TypeAlias = tuple[Floats, Ints, float, bool]


@dataclass(frozen=True, init=False, eq=False)
class Inference:
    """The beliefs over a library: where they start, and how they change."""

    library: TaskLibrary
    prior: Floats  # [K]
    A: int  # the number of actions
    Z: int  # the number of observations
    hazard: float  # how likely the task changes at each step

    def __init__(self, library: TaskLibrary, prior: Any = None, hazard: float = 0.0) -> None:
        """Check and keep the prior over tasks, [K], uniform if not given; and the hazard rate."""
        if not 0 <= hazard <= 1:
            raise InputError(f"hazard is {hazard}, expected a probability: how likely the task changes at each step")
        K = len(library)
        put = object.__setattr__
        put(self, "library", library)
        put(self, "prior", distribution("prior", np.full(K, 1 / K) if prior is None else prior, K))
        put(self, "A", len(library[0].pomdp.P))
        put(self, "Z", library[0].pomdp.O[0].shape[1])
        put(self, "hazard", float(hazard))

    def with_prior(self, prior: Any) -> "Inference":
        """The same with another prior over tasks, [K]. What was prepared for the kernel is shared."""
        other = Inference(self.library, prior, self.hazard)
        vars(other)["models"] = self.models
        vars(other)["origin"] = self.origin
        return other

    @cached_property
    def origin(self) -> Origin:
        """What its memories are of."""
        return Origin("beliefs over tasks and their states", (self.library,))

    def start(self, percept: Percept | None = None) -> Memory:
        """Before the first action: the prior and the start beliefs, or the first state where that is seen."""
        memory = Memory(self.first.copy(), self.sizes, of=self.origin)
        first = None if percept is None else percept.observation if percept.state is None else percept.state
        if first is None or not self.library.observed:
            return memory
        chances = np.array(
            [task.pomdp.start[check_index("state", first, len(task.pomdp.start))] for task in self.library]
        )
        return self.weighed(memory, -1, first, self._seen(first), chances, step=0)

    def update(self, memory: Memory, action: int, percept: Percept) -> Memory:
        """After an action and what was read, if anything was."""
        if getattr(memory, "of", None) is not self.origin:
            self.origin.check(memory)
        if not 0 <= action < self.A:
            check_index("action", action, self.A)
        if self.hazard:
            memory = self.switched(memory)
        observation = percept.observation
        if observation is None and self.library.observed:
            observation = percept.state
        if observation is None:
            if percept.likelihood is None:
                beliefs, total = self.predicted(memory.beliefs, action), 1.0
            else:
                beliefs, total = self._weighed_softly(memory.beliefs, action, percept.likelihood)
        elif percept.likelihood is not None:
            raise InputError(f"both an observation ({observation}) and a likelihood were given: expected one of them")
        else:
            if not 0 <= observation < self.Z:
                check_index("observation", observation, self.Z)
            beliefs, total = posterior(*self.models, memory.beliefs, action, observation)
        if not total > 0.0:
            return self.unexplained(memory, action, observation)
        return Memory(beliefs, memory.sizes, memory.step + 1, memory.state, memory.events, None, total, self.origin)

    def switched(self, memory: Memory) -> Memory:
        """Before an update: the task may have changed. With one task, or no hazard rate, nothing happens."""
        if not self.hazard or len(self.library) == 1:
            return memory
        return memory._replace(beliefs=switch(memory.beliefs, *self.switching))

    @cached_property
    def switching(self) -> Switching:
        """What the kernel of a change takes after the beliefs."""
        return self.first, np.array(self.sizes), self.hazard, self.library.shared

    def _weighed_softly(self, before: Floats, action: int, likelihood: Any) -> tuple[Floats, float]:
        """Packed beliefs after soft evidence, and its probability."""
        w = numbers("likelihood", likelihood, (self.Z,), "(Z,)")
        if (w < 0).any() or not w.any():
            raise InputError("likelihood has a negative weight or none at all; expected weights over the observations")
        beliefs, exact = self._weighed_faintly(before, action, np.array(w))
        return beliefs, float(shown(exact))

    def _weighed_faintly(self, before: Floats, action: int, weights: Floats) -> tuple[Floats, Floats]:
        """Packed beliefs after soft evidence, and its probability as mantissa and exponent [2]."""
        beliefs, total, _ = faint_posterior(*self.models, before, action, np.zeros(0), weights)
        return beliefs, np.array(total)

    def forecast(self, memory: Memory, action: int, watching: bool = False) -> Floats:
        """How likely each task holds each observation z after an action, [K, 1, Z].

        For an agent that watches its teammates, the same together with their joint action b, [K, B, Z]. A refuted task
        forecasts nothing.
        """
        K, widest = len(self.library), max(1 if t.teammates is None else t.teammates.shape[1] for t in self.library)
        actions = list(range(widest)) if watching else [None]
        if has_tail(memory.beliefs, K):
            even = believing(memory.beliefs, np.full(K, 1 / K))
            logs = [[self._exactly_foretold(even, action, b, z)[1] for z in range(self.Z)] for b in actions]
            return shown(powers(np.moveaxis(np.array(logs), -1, 0)))
        rows = [
            [arrived(task, belief, action, b) @ task.pomdp.O[action] for b in actions]
            for task, belief in zip(self.library, memory.states, strict=True)
        ]
        found = np.array(rows)
        found[memory.refuted] = 0.0
        return found

    def predicted(self, beliefs: Floats, action: int) -> Floats:
        """Packed beliefs after an action of which nothing was read; those over tasks stay."""
        models = self.joined([*(plain(task.pomdp.P[action]) for task in self.library), *self.blind])
        return believing(posterior(*models, beliefs, 0, 0)[0], beliefs[: len(self.library)], beliefs)

    def told(self, beliefs: Floats, action: int, observation: int) -> tuple[Floats, float]:
        """Packed beliefs after an observation, and the logarithm of its probability, however small that is."""
        after, total = posterior(*self.models, beliefs, action, observation)
        if not 0.0 < total < SMALL:
            return after, float(np.log(total)) if total else -np.inf
        after, exact = self._weighed_faintly(beliefs, action, np.eye(1, self.Z, observation)[0])
        return after, float(logarithms(exact))

    def foretold(self, beliefs: Floats, action: int, observation: int) -> tuple[Floats, Floats]:
        """Packed beliefs after an observation, and the logarithm of its probability under each task, [K].

        All tasks keep equal shares of the belief over tasks, so that what one foretold does not depend on the others.
        """
        K = len(self.library)
        after, total = posterior(*self.models, beliefs, action, observation)
        if has_tail(after, K) or 0.0 < total < SMALL:
            after, logs = self._exactly_foretold(beliefs, action, None, observation)
            after = believing(after, np.full(K, 1 / K))
        else:
            with np.errstate(divide="ignore"):
                logs = np.log(after[:K] * total * K)
                after[:K] = 1 / K
        return after, logs

    def _exactly_foretold(
        self, beliefs: Floats, action: int, teammate_action: int | None, observation: int
    ) -> tuple[Floats, Floats]:
        """What `foretold` gives, but for the equal shares of the tasks afterwards, whatever is too small for floats."""
        K, read = len(self.library), np.eye(1, self.Z, observation)[0]
        models, taken, number = self.models, np.empty(0), action
        if teammate_action is not None:
            (models, taken), number = self.step_models(action, teammate_action), 0
        after, exact, _ = faint_posterior(*models, beliefs, number, taken, read)
        return after, log_weights(after, K)[:K] + logarithms(np.array(exact)) + np.log(K)

    @cached_property
    def even(self) -> Floats:
        """Equal shares for all tasks and the start beliefs, packed: where `foretold` begins."""
        K = len(self.library)
        return np.concatenate([np.full(K, 1 / K), self.first[K:]])

    def weighed(
        self,
        memory: Memory,
        action: int,
        observation: int | None,
        states: Sequence[Floats],
        likelihood: Floats,
        step: int | None = None,
    ) -> Memory:
        """The task belief multiplied by the tasks' likelihoods; or a new beginning where nothing explains them."""
        joint = memory.tasks * likelihood
        possible = (memory.tasks > 0.0) & (likelihood > 0.0)
        if not possible.any():
            return self.unexplained(memory, action, observation)
        refuted = memory.refuted | (likelihood == 0.0)
        step = memory.step + 1 if step is None else step
        if joint[possible].min() >= SMALL:
            total = float(joint.sum())
            after = remember(joint / total, states, refuted, step, memory.state, memory.events, self.origin)
            return after._replace(likelihood=total)
        tasks, exact = shares(product(scaled(memory.tasks), scaled(likelihood)))
        after = remember(shown(tasks), states, refuted, step, memory.state, memory.events, self.origin)
        return after._replace(beliefs=retold(after.beliefs, tasks), likelihood=float(shown(exact)))

    def _seen(self, state: int) -> list[Floats]:
        """All belief in a state that was seen, whatever the task."""
        return [np.eye(1, X, state)[0] for X in self.sizes]

    def unexplained(self, memory: Memory, action: int, observation: int | None) -> Memory:
        """Begin anew: from the prior, and from the start beliefs or the state where that is seen."""
        events = (*memory.events, Unexplained(memory.step, action, observation))
        if not memory.events:
            warnings.warn(
                f"no task of the library explains observation {observation} after action {action} at step "
                f"{memory.step}: beginning anew from the prior",
                UnexplainedWarning,
                stacklevel=4,
            )
        states = [task.pomdp.start for task in self.library]
        if observation is not None and self.library.observed:
            states = self._seen(observation)
        after = remember(self.prior, states, None, memory.step + 1, memory.state, events, self.origin)
        return after._replace(likelihood=0.0)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """How many states each task has, [K]."""
        return tuple(len(task.pomdp.start) for task in self.library)

    @cached_property
    def first(self) -> Floats:
        """The prior and the start beliefs, packed."""
        return pack(self.prior, np.zeros(len(self.library)), [task.pomdp.start for task in self.library])

    @cached_property
    def models(self) -> Models:
        """What the kernel takes."""
        pomdps = [task.pomdp for task in self.library]
        return self.joined([*(pomdp.transitions for pomdp in pomdps), *(pomdp.sensor_rows for pomdp in pomdps)])

    def step_models(self, action: int, teammate_action: int, blind: bool = False) -> tuple[Models, Floats]:
        """The models of a step for the kernels, as their action 0; and the probability of the teammates' action.

        That is given for the states of all tasks behind one another. If `blind`, nothing is told by observations.
        """
        steps = [step(task, action, teammate_action) for task in self.library]
        sensors = self.blind if blind else [plain(task.pomdp.O[action]) for task in self.library]
        return self.joined([*(plain(P) for P, _ in steps), *sensors]), np.concatenate([taken for _, taken in steps])

    @cached_property
    def blind(self) -> list[Stacked]:
        """Sensors that always read the same, for each task."""
        return [plain(csr_array(np.ones((X, 1)))) for X in self.sizes]

    def joined(self, stacks: list[Stacked]) -> Models:
        """The dynamics of all tasks and then their sensors, under one another; and where each one's states begin."""
        ends = np.cumsum([0, *(len(each.data) for each in stacks)])
        begins = [[0], *(each.indptr[1:] + end for each, end in zip(stacks, ends, strict=False))]
        return (
            np.concatenate(begins).astype(np.uint32),
            np.concatenate([each.indices for each in stacks]),
            np.concatenate([each.data for each in stacks]),
            np.cumsum([0, *self.sizes]),
        )


def check_index(what: str, index: int, size: int) -> int:
    """The index of an action, an observation or a state, which has to exist."""
    if not 0 <= index < size:
        raise InputError(f"{what} {index} does not exist: they are numbered 0 to {size - 1}")
    return index
