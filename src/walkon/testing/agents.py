"""What every agent keeps to: it senses only what it declares, changes nothing, and plays the same everywhere."""

import pickle
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from walkon.agents.agent import Agent
from walkon.agents.percept import Percept
from walkon.agents.registry import agent, told
from walkon.errors import InputError
from walkon.formats.bundle import load, save
from walkon.processes import Workers
from walkon.simulation.batch import play_many
from walkon.simulation.play import play
from walkon.solvers.ascent import Ascent
from walkon.tasks import TaskLibrary
from walkon.testing.models import random_library
from walkon.trials.episode import Episode

COLUMNS = ("states", "actions", "teammate_actions", "observations", "rewards", "task_beliefs")
STEPS, SEEDS = 20, (3, 4)


class Forbidden:
    """Stands for whatever an agent does not sense: any use of it is an error."""

    def refuse(self, *_: Any) -> NoReturn:
        """Whatever was tried, it may not be done."""
        raise AssertionError("the agent uses something that it does not declare among its senses")

    __index__ = __int__ = __float__ = __lt__ = __bool__ = __array__ = __iter__ = __len__ = __getattr__ = refuse


def check_agent(make: str | Callable[[TaskLibrary], Agent[Any]], library: TaskLibrary | None = None) -> None:
    """Check an agent on the second task of a library.

    Args:
        make: The agent's name, or a function that makes one for a library.
        library: At least two tasks; three random ones of three states if not given.
    """
    ours = library or random_library(11, K=3, sizes=(3,), sparsity=0.0)
    player = _made(make, ours)
    check_rule(player, ours)
    check_senses(player, ours)
    check_episodes(player, ours)
    check_saved(player, ours)
    check_foreign_memories(player, _made(make, random_library(12, K=4, sizes=(5,), A=3, Z=4, sparsity=0.0)))


def check_rule(player: Agent[Any], library: TaskLibrary) -> None:
    """It acts by a distribution, and neither acting nor updating changes what it was given."""
    memory = _begun(player, library)
    before = pickle.dumps(memory)
    probabilities = player.act(memory)
    A = library[1].pomdp.R.shape[1]
    assert probabilities.shape == (A,), f"act gives {probabilities}, expected a number for each of {A} actions"
    fair = (probabilities >= 0).all() and abs(probabilities.sum() - 1) < 1e-9
    assert fair, f"{probabilities} is no distribution"
    player.update(memory, 1, Percept(observation=1, state=1, teammates=1))
    assert pickle.dumps(memory) == before, "act or update changes the memory that it is given"
    assert player.act(memory).tolist() == probabilities.tolist(), "act gives another answer for the same memory"


def check_senses(player: Agent[Any], library: TaskLibrary) -> None:
    """What it does not declare among its senses changes nothing, and is not so much as looked at."""
    memory = other = _begun(player, library)
    sizes = (library[1].pomdp.R.shape[1], library[1].pomdp.O[0].shape[1], len(library[1].start), 2)
    for a, z, x, b in np.random.default_rng(0).integers(sizes, size=(5, 4)).tolist():
        given: dict[str, Any] = {"observation": z, "state": x, "teammates": b}
        clean: dict[str, Any] = {name: value for name, value in given.items() if name in player.senses}
        memory = player.update(memory, a, Percept(**clean))
        other = player.update(other, a, Percept(**{name: clean.get(name, Forbidden()) for name in given}))
        assert player.act(memory).tolist() == player.act(other).tolist(), "it senses more than it declares"


def check_episodes(player: Agent[Any], library: TaskLibrary) -> None:
    """A seed decides an episode: alone, in a batch and in another process."""
    alone = [play(library[1], player, horizon=STEPS, seed=seed) for seed in SEEDS]
    for one, two in zip(alone, play_many(library[1], player, SEEDS, horizon=STEPS), strict=True):
        same_episode(one, two)
    process = Workers(1)
    same_episode(alone[0], process.submit(play, library[1], player, horizon=STEPS, seed=SEEDS[0]).result())
    process.shutdown()


def same_episode(one: Episode, two: Episode) -> None:
    """All that happened is the same, to the last bit; times do not count."""
    for name in COLUMNS:
        first, second = getattr(one, name), getattr(two, name)
        same = first is second is None or (first is not None and second is not None and np.array_equal(first, second))
        assert same, f"{name} differ between two episodes of the same seed: {first} and {second}"
    assert (one.steps, one.events) == (two.steps, two.events), "two episodes of the same seed differ"


def check_saved(player: Agent[Any], library: TaskLibrary) -> None:
    """A bundle gives the same agent again, which goes on with the memories of the first."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "agent.safetensors")
        save(player, path)
        loaded = load(path)
    memory = player.update(_begun(player, library), 1, Percept(observation=1, state=1, teammates=1))
    assert loaded.act(memory).tolist() == player.act(memory).tolist(), "saved and loaded, it acts otherwise"
    same_episode(play(library[1], player, horizon=STEPS), play(library[1], loaded, horizon=STEPS))


def check_foreign_memories(player: Agent[Any], other: Agent[Any]) -> None:
    """It refuses the memories of an agent over another library, and what is no memory at all."""
    wrong: Any
    for wrong in (_begun(other, other.library), None, 7, "memory", ()):
        for use in (player.act, lambda memory: player.update(memory, 0, Percept(observation=0, state=0, teammates=0))):
            try:
                use(wrong)
            except InputError:
                continue
            raise AssertionError(f"it takes {type(wrong).__name__} of something else for a memory of its own")


def _made(make: str | Callable[[TaskLibrary], Agent[Any]], library: TaskLibrary) -> Agent[Any]:
    if callable(make):
        return make(library)
    return agent(make, library, solver=Ascent(backups=200), jobs=1, target=told(make, 1))


def _begun(player: Agent[Any], library: TaskLibrary) -> Any:
    seen = "state" in player.senses or library.observed
    return player.start(Percept(state=0, observation=0) if seen else None)
