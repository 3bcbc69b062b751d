"""Check an agent: it senses only what it declares, leaves its memories alone, and plays the same everywhere."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from walkon.agents.agent import Agent
from walkon.agents.memory import Percept
from walkon.agents.registry import agent, told
from walkon.errors import InputError
from walkon.formats.bundle import load, save
from walkon.processes import Workers
from walkon.simulation.play import play, play_many
from walkon.solvers.ascent import Ascent
from walkon.tasks import TaskLibrary
from walkon.testing.problems import random_library
from walkon.trials.episode import Episode

COLUMNS = ("states", "actions", "teammate_actions", "observations", "rewards", "counts", "task_beliefs")
STEPS, SEEDS = 20, (3, 4)


class Forbidden:
    """Stands for a value that an agent does not sense: any use of it is an error."""

    def refuse(self, *_: Any) -> NoReturn:
        """Raise an error, whatever was tried."""
        raise AssertionError("the agent uses something that it does not declare among its senses")

    __index__ = __int__ = __float__ = __eq__ = __lt__ = __bool__ = __array__ = __iter__ = __len__ = refuse
    __getattr__ = refuse


def check_agent(make: str | Callable[[TaskLibrary], Agent[Any]], library: TaskLibrary | None = None) -> None:
    """Check an agent on the second task of a library.

    An agent with a name is also saved and loaded. One episode is played in another process: in a script, call this
    under `if __name__ == "__main__"`.

    Args:
        make: The agent's name, or a function that makes one for a library.
        library: At least two tasks; three random ones of three states if not given.
    """
    ours = library or random_library(11, K=3, sizes=(3,), sparsity=0.0)
    player = _make(make, ours)
    check_rule(player, ours)
    check_senses(player, ours)
    check_foreign_memories(player, _make(make, random_library(12, K=4, sizes=(5,), A=3, Z=4, sparsity=0.0)))
    check_episodes(player, ours)
    if isinstance(make, str):
        check_saved(player, ours)


def check_rule(player: Agent[Any], library: TaskLibrary) -> None:
    """Check that `act` returns a distribution, and that neither `act` nor `update` changes a memory."""
    memory = _start(player, library)
    before = _contents(memory)
    probabilities = player.act(memory)
    A = library[1].pomdp.R.shape[1]
    assert probabilities.shape == (A,), f"act returns {probabilities}, expected a number for each of {A} actions"
    valid = (probabilities >= 0).all() and abs(probabilities.sum() - 1) < 1e-9
    assert valid, f"act returns {probabilities}, which is not a distribution"
    player.update(memory, 1, Percept(observation=1, state=1, teammates=1))
    assert _contents(memory) == before, "act or update changes the memory that it is given"
    assert player.act(memory).tolist() == probabilities.tolist(), "act returns something else for the same memory"


def check_senses(player: Agent[Any], library: TaskLibrary) -> None:
    """Check that the agent does not look at anything that it does not declare among its senses."""
    memory = other = _start(player, library)
    sizes = (library[1].pomdp.R.shape[1], library[1].pomdp.O[0].shape[1], len(library[1].start), 2)
    for a, z, x, b in np.random.default_rng(0).integers(sizes, size=(5, 4)).tolist():
        given: dict[str, Any] = {"observation": z, "state": x, "teammates": b}
        sensed: dict[str, Any] = {name: value for name, value in given.items() if name in player.senses}
        memory = player.update(memory, a, Percept(**sensed))
        other = player.update(other, a, Percept(**{name: sensed.get(name, Forbidden()) for name in given}))
        same = player.act(memory).tolist() == player.act(other).tolist()
        assert same, "the agent acts on something that it does not declare among its senses"


def check_foreign_memories(player: Agent[Any], other: Agent[Any]) -> None:
    """Check that the agent refuses the memories of an agent for another library, and values that are no memories."""
    wrong: Any
    for wrong in (_start(other, other.library), None, 7, "memory", ()):
        for use in (player.act, lambda memory: player.update(memory, 0, Percept(observation=0, state=0, teammates=0))):
            try:
                use(wrong)
            except InputError:
                continue
            raise AssertionError(f"the agent accepts a {type(wrong).__name__} that is not a memory of its own")


def check_episodes(player: Agent[Any], library: TaskLibrary) -> None:
    """Check that a seed decides an episode: alone, in a batch and in another process."""
    alone = [play(library[1], player, horizon=STEPS, seed=seed) for seed in SEEDS]
    for one, two in zip(alone, play_many(library[1], player, SEEDS, horizon=STEPS), strict=True):
        check_same_episode(one, two)
    with Workers(1) as process:
        elsewhere = process.submit(play, library[1], player, horizon=STEPS, seed=SEEDS[0])
        check_same_episode(alone[0], elsewhere.result())


def check_same_episode(one: Episode, two: Episode) -> None:
    """Check that two episodes are the same to the last bit; times do not count."""
    for name in COLUMNS:
        first, second = getattr(one, name), getattr(two, name)
        same = first is second is None or (first is not None and second is not None and np.array_equal(first, second))
        assert same, f"{name} differ between two episodes of the same seed: {first} and {second}"
    assert (one.steps, one.events) == (two.steps, two.events), "two episodes of the same seed differ"


def check_saved(player: Agent[Any], library: TaskLibrary) -> None:
    """Check that the agent can be saved and loaded, and goes on with its memories."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "agent.safetensors")
        save(player, path)
        loaded = load(path)
    memory = player.update(_start(player, library), 1, Percept(observation=1, state=1, teammates=1))
    assert loaded.act(memory).tolist() == player.act(memory).tolist(), "the agent acts differently after being loaded"
    check_same_episode(play(library[1], player, horizon=STEPS), play(library[1], loaded, horizon=STEPS))


def _make(make: str | Callable[[TaskLibrary], Agent[Any]], library: TaskLibrary) -> Agent[Any]:
    if callable(make):
        return make(library)
    return agent(make, library, solver=Ascent(backups=200), jobs=1, target=told(make, 1))


def _start(player: Agent[Any], library: TaskLibrary) -> Any:
    seen = "state" in player.senses or library.observed
    return player.start(Percept(state=0, observation=0) if seen else None)


def _contents(memory: Any) -> list[Any]:
    """The parts of a memory as values that stay what they are when the memory is changed."""
    parts = memory if isinstance(memory, tuple) else getattr(memory, "__dict__", {"": memory}).values()
    return [part.tobytes() if isinstance(part, np.ndarray) else repr(part) for part in parts]
