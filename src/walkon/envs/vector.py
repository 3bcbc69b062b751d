"""Many environments of the ad hoc agent as one, in compiled code: a vector environment of Gymnasium."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from gymnasium.spaces import Discrete
from gymnasium.utils.seeding import np_random
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from walkon.arrays import Bools, Floats, Ints, things
from walkon.checks import index_of, whole
from walkon.envs.environments import METADATA, TrialEnv
from walkon.envs.step_kernels import step_all
from walkon.errors import InputError
from walkon.memory import check_memory
from walkon.models.chance_kernels import choose
from walkon.models.rules import Rules
from walkon.models.stacked import Stacked
from walkon.simulation.play import tables_of
from walkon.tasks import Task, TaskLibrary
from walkon.tasks.given import check_library
from walkon.tasks.last_states import last_states
from walkon.trials.luck import CHUNK, Uniforms

BYTES_PER_ENTRY = 20  # of joint transitions: an index, a probability, a reward


class Tables(NamedTuple):
    """The tables of all tasks of a library, one below the other, as `step_all` takes them."""

    rows: tuple[Stacked, Stacked, Stacked]  # joint transitions, teammates, sensors
    paid: Floats  # the reward of each entry of the joint transitions
    over: Bools  # where an episode ends
    layout: Ints  # [K, 4]: numbers of states and joint actions, rows of the first state and of its transitions

    @classmethod
    def of(cls, library: TaskLibrary, stop: bool) -> "Tables":
        """Put the tables together; without `stop`, no state ends an episode."""
        each = []
        for task in library:
            tables = tables_of(task, 0)
            if tables is None:
                raise InputError(
                    f'the matrices of each joint action in task "{task.name}" are too large to be made, or the task '
                    "does not follow them: make single environments, walkon.AdHocEnv"
                )
            each.append(tables)
        entries = sum(len(joint.data) for joint, _, _ in each)
        remedy = "give fewer or smaller tasks, or make single environments, walkon.AdHocEnv"
        check_memory(entries * BYTES_PER_ENTRY, "the tables of the vector environment", remedy)
        X = np.array([len(task.pomdp.start) for task in library])
        B = np.array([1 if task.teammates is None else task.teammates.shape[1] for task in library])
        transitions = np.array([len(joint.indptr) - 1 for joint, _, _ in each])
        joint, teammates, sensors = (_below(parts) for parts in zip(*each, strict=True))
        return cls(
            (joint, teammates, sensors),
            np.concatenate([_paid(task, parts[0]) for task, parts in zip(library, each, strict=True)]),
            np.concatenate([last_states(task) & stop for task in library]),
            np.stack([X, B, np.cumsum(X) - X, np.cumsum(transitions) - transitions], axis=1),
        )


def _below(parts: Sequence[Stacked]) -> Stacked:
    """Stack matrices of any width vertically."""
    ends = np.cumsum([len(part.data) for part in parts])
    starts = [part.indptr[:-1] + np.uint32(end - len(part.data)) for part, end in zip(parts, ends, strict=True)]
    return Stacked(
        np.concatenate([*starts, ends[-1:].astype(np.uint32)]),
        np.concatenate([part.indices for part in parts]),
        np.concatenate([part.data for part in parts]),
    )


def _paid(task: Task, joint: Stacked) -> Floats:
    """Return the reward of each entry of the joint transitions: each next state may have its own."""
    X = len(task.pomdp.start)
    B = 1 if task.teammates is None else task.teammates.shape[1]
    rows = np.repeat(np.arange(len(joint.indptr) - 1), np.diff(joint.indptr))
    (a, b), x = divmod(rows // X, B), rows % X
    if isinstance(task.team, Rules):
        steps = zip(x.tolist(), a.tolist(), b.tolist(), joint.indices.tolist(), strict=True)
        return np.array([task.team.paid(*step) for step in steps], dtype=np.float64)
    found: Floats = task.pomdp.R[x, a] if task.team is None else task.team.R[x, a, b]
    return found


class VectorAdHocEnv(TrialEnv, VectorEnv[Ints, Any, Any]):
    """Take the place of the ad hoc agent in many episodes at once: N environments `AdHocEnv` in one compiled loop.

    Environment i is `AdHocEnv(library)`, episode for episode: `reset(seed=7)` seeds it with 7 + i, a list seeds each
    with its own. When an episode has ended, the next `step` begins a new one there, whatever the action; it has reward
    0. `reset(options={"task": 2})` chooses the task of all; with "reset_mask" [N], only these environments begin anew.

    Observations, rewards, terminations and truncations are arrays with a row for each environment, and so are those of
    `info`: "observation", -1 before the first one, and with `privileged` "task", "task_name", "state" and "teammates",
    -1 where there was no step. As everywhere in Gymnasium, "_observation" tells which environments have one.
    """

    metadata = METADATA | {"autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        library: TaskLibrary,
        num_envs: int = 1,
        *,
        horizon: int | None = None,
        stop_when_solved: bool = False,
        privileged: bool = False,
        render_mode: str | None = None,
    ) -> None:
        """Make the environments.

        Args:
            library: The tasks from which each episode draws one.
            num_envs: The number of environments.
            horizon: The number of steps of an episode; that of the tasks if not given.
            stop_when_solved: End an episode when its task is solved.
            privileged: Put the truth into `info`.
            render_mode: "ansi" for text, "rgb_array" for pixels.
        """
        check_library(library)
        if not library.tables:
            remedy = "put single ones together, gymnasium.vector.SyncVectorEnv([lambda: walkon.AdHocEnv(library)] * 8)"
            raise InputError(f"many environments at once need tables, and the library has none: {remedy}")
        self._prepare(library, horizon, stop_when_solved, render_mode)
        self.horizon = whole("horizon", self.horizon, 1, None)
        self.num_envs = N = whole("num_envs", num_envs, 1, None)
        self.privileged = privileged
        self.single_action_space = Discrete(len(library[0].pomdp.P))
        self.single_observation_space = self._spaces.observations
        self.action_space = batch_space(self.single_action_space, N)
        self.observation_space = batch_space(self.single_observation_space, N)
        self._tables = Tables.of(library, stop_when_solved)
        shown = [*range(len(library[0].observation_numbers)), *(() if library.observed else (None,))]
        self._numbers = np.stack([library.observation_numbers(z) for z in shown])  # the last row, -1, is that of None
        self._names = things(library.names)
        self._rngs = [np_random(None)[0] for _ in range(N)]  # draw tasks and luck
        self._streams = list(self._rngs)  # the luck of the current episodes
        self._luck = np.empty((N, min(CHUNK, self.horizon), len(Uniforms._fields)))  # that of the next steps
        self._tasks, self._observations = np.full(N, -1), np.full(N, -1)
        self._states, self._times = np.zeros(N, dtype=np.int64), np.zeros(N, dtype=np.int64)
        self._ended = np.zeros(N, dtype=np.bool_)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Ints, dict[str, Any]]:
        """Begin an episode in every environment, or in those of the option "reset_mask"."""
        N = self.num_envs
        given = [seed] * N if seed is None else seed
        if not isinstance(given, Sequence | np.ndarray):
            given = [whole("seed", seed, 0, None) + i for i in range(N)]
        if len(given) != N:
            raise InputError(f"seed has {len(given)} numbers, expected one for each of {N} environments")
        seeds = [None if each is None else whole("seed", each, 0, None) for each in given]
        mask = np.ones(N, dtype=np.bool_)
        if isinstance(options, Mapping) and "reset_mask" in options:
            mask = np.asarray(options["reset_mask"])
            options = {name: value for name, value in options.items() if name != "reset_mask"}
            if mask.dtype != np.bool_ or mask.shape != (N,) or not mask.any():
                raise InputError(
                    f'the option "reset_mask" is {mask!r:.60}, expected {N} truth values, one of them True'
                )
            if (self._tasks[~mask] < 0).any():
                self._not_begun()
        for i in np.flatnonzero(mask).tolist():
            if seeds[i] is not None:
                self._rngs[i], _ = np_random(seeds[i])
            self._begin_in(i, seeds[i], options)
        self._ended &= ~mask
        return self._numbers.take(self._observations, axis=0), self._infos(np.full(N, -1), mask)

    def step(self, actions: Any) -> tuple[Ints, Floats, Bools, Bools, dict[str, Any]]:
        """Play one step in every environment, with an action for each, by its number or name."""
        chosen, resting = self._chosen(actions), self._ended
        if (self._tasks < 0).any():
            self._not_begun()
        for i in np.flatnonzero(resting).tolist():
            self._begin_in(i)
        for i in np.flatnonzero((self._times % self._luck.shape[1] == 0) & ~resting).tolist():
            self._streams[i].random(out=self._luck[i])
        environments = (self._tasks, self._states, self._times, self._observations)
        rewards, teammates, terminated, truncated = step_all(
            *self._tables, self.horizon, *environments, resting, chosen, self._luck
        )
        self._ended = terminated | truncated
        numbers = self._numbers.take(self._observations, axis=0)
        return numbers, rewards, terminated, truncated, self._infos(teammates, np.ones(self.num_envs, dtype=np.bool_))

    def render(self) -> Any:
        """Draw the environments, a tuple of texts or of pixels; None without a render mode."""
        if self.render_mode is None:
            return None
        if (self._tasks < 0).any():
            self._not_begun()
        now = zip(self._tasks.tolist(), self._states.tolist(), self._observations.tolist(), strict=True)
        return tuple(self._picture(self.library[k], x, None if z < 0 else z) for k, x, z in now)

    def _begin_in(self, i: int, seed: int | None = None, options: Any = None) -> None:
        """Begin an episode in one environment."""
        k, luck = self._draw(self._rngs[i], seed, options)
        task = self.library[k]
        self._streams[i] = np.random.default_rng(luck.seed)  # as in `Luck`: one for the start, then four for each step
        x = choose(task.pomdp.start, self._streams[i].random())
        self._tasks[i], self._states[i], self._times[i] = k, x, 0
        self._observations[i] = x if task.observed else -1

    def _chosen(self, actions: Any) -> Ints:
        """Check the actions, and turn names into numbers."""
        chosen, A = np.asarray(actions), len(self.library[0].pomdp.P)
        if chosen.shape != (self.num_envs,):
            raise InputError(f"actions has shape {chosen.shape}, expected ({self.num_envs},): one for each environment")
        if chosen.dtype.kind in "iu" and chosen.min() >= 0 and chosen.max() < A:
            return np.array(chosen, dtype=np.int64)
        each = [
            index_of(f"in environment {i}, action", a, A, self.library.actions) for i, a in enumerate(chosen.tolist())
        ]
        return np.array(each, dtype=np.int64)

    def _infos(self, teammates: Ints, told: Bools) -> dict[str, Any]:
        """Return what is known of the environments, with a mask: of those that are told of, and have such a thing."""
        infos = {"observation": self._observations.copy(), "_observation": told & (self._observations >= 0)}
        if self.privileged:
            truth = {"task": self._tasks.copy(), "task_name": self._names[self._tasks], "state": self._states.copy()}
            infos |= truth | {f"_{name}": told.copy() for name in truth}
            infos |= {"teammates": teammates, "_teammates": teammates >= 0}
        return infos

    def _not_begun(self) -> None:
        raise InputError("no episode has begun: call reset first")
