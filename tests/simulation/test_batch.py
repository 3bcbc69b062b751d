"""Many episodes at once are those that one plays by oneself, whatever the agent does."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from random_libraries import quick_agent, random_library
from walkon import AlphaVectors, Percept, Task, play, play_many
from walkon.agents.atpo import ATPO, COMPILED, GreedyATPO, PerseusAgent, RandomPicker
from walkon.agents.inference import Inference
from walkon.policies.mixture import Mixture

LIBRARY = random_library(21, K=3, sizes=(3,), sparsity=0.2)


class Stubborn(ATPO):
    """Always does the same."""

    def act(self, memory):
        return np.array([0.0, 1.0])


class Rash(GreedyATPO):
    """Its first action is its last."""

    def act(self, memory):
        return np.array([1.0, 0.0]) if memory.step else super().act(memory)


class Deaf(ATPO):
    """Hears nothing."""

    def update(self, memory, action, percept):
        return super().update(memory, action, Percept())


class Prejudiced(ATPO):
    """Knows better from the start."""

    def start(self, percept=None):
        return super().start(percept).believing(np.array([0.0, 0.0, 1.0]))


class Slow(RandomPicker):
    """Forgets every second step."""

    def update(self, memory, action, percept):
        return (
            super().update(memory, action, percept) if memory.step % 2 else self.start()._replace(step=memory.step + 1)
        )


class Opened(ATPO):
    """Has an opening of its own."""

    opening = np.array([0.1, 0.9])


class Blind(ATPO):
    """Senses nothing."""

    senses = frozenset()


class Between(ATPO):
    """Is asked by whoever asks the class behind it."""

    def act(self, memory):
        return np.array([0.4, 0.6]) if memory.step % 3 else np.array([0.6, 0.4])


class Sandwiched(GreedyATPO, Between):
    """Defines nothing, and does what stands between its parents."""


class Named(ATPO):
    """Does nothing otherwise."""

    name = "named"


@dataclass(frozen=True, eq=False)
class Noted(GreedyATPO):
    """Has a note, and does nothing otherwise."""

    note: str = "hello"


class Coarse(Mixture):
    """Mixes in halves."""

    def probabilities(self, beliefs):
        return np.round(2 * super().probabilities(beliefs)) / np.round(2 * super().probabilities(beliefs)).sum()


class Doubtful(Inference):
    """Believes half of what it reads."""

    def update(self, memory, action, percept):
        after = super().update(memory, action, percept)
        return after.believing((after.tasks + memory.tasks) / 2)


def atpo(kind=ATPO, mixture=Mixture, **parts):
    made = quick_agent("atpo", LIBRARY)
    built = kind(**{"inference": made.inference, "policies": made.policies} | parts)
    vars(built)["mixture"] = mixture(made.policies)
    return built


DIFFERENT = {
    "act": atpo(Stubborn),
    "act of a relative": atpo(Rash),
    "update": atpo(Deaf),
    "update of a relative": atpo(Slow),
    "start": atpo(Prejudiced),
    "opening": atpo(Opened),
    "senses": atpo(Blind),
    "what stands between its parents": atpo(Sandwiched),
    "its mixture": atpo(mixture=Coarse),
    "its beliefs": atpo(inference=Doubtful(LIBRARY)),
}
ALIKE = {
    "atpo": atpo(),
    "atpo-greedy": atpo(GreedyATPO),
    "random-picker": atpo(RandomPicker),
    "perseus": atpo(PerseusAgent),
    "hazard": atpo(inference=Inference(LIBRARY, hazard=0.1)),
    "prior": atpo(inference=Inference(LIBRARY).with_prior([0.2, 0.3, 0.5])),
    "a name of its own": atpo(Named),
    "a field of its own": atpo(Noted),
}


def same(agent, task=LIBRARY[1]):
    many = play_many(task, agent, range(6), horizon=25)
    for seed, episode in enumerate(many):
        alone = play(task, agent, seed=seed, horizon=25)
        for column in ("states", "actions", "teammate_actions", "observations", "rewards"):
            assert getattr(alone, column).tolist() == getattr(episode, column).tolist(), column
        if agent.identifies:
            assert alone.task_beliefs.tobytes() == episode.task_beliefs.tobytes()
        assert alone.events == episode.events
    return many


def compiled(episodes):
    """Only the compiled loop has no time to measure times."""
    return all(np.isnan(episode.decision_times).all() for episode in episodes)


@pytest.mark.filterwarnings("ignore::walkon.agents.memory.UnexplainedWarning")
@pytest.mark.parametrize("what", DIFFERENT)
def test_an_agent_that_does_something_otherwise_is_played_as_it_does(what):
    many = same(DIFFERENT[what])
    assert not compiled(many)


@pytest.mark.filterwarnings("ignore::walkon.agents.memory.UnexplainedWarning")
@pytest.mark.parametrize("what", DIFFERENT)
def test_and_that_is_something_else_than_its_parents_do(what):
    agent = DIFFERENT[what]
    plain = atpo(next(kind for kind in type(agent).__mro__ if kind in COMPILED))
    ours, theirs = (play_many(LIBRARY[1], each, range(20), horizon=25) for each in (agent, plain))
    assert [each.actions.tolist() for each in ours] != [each.actions.tolist() for each in theirs]


@pytest.mark.filterwarnings("ignore::walkon.agents.memory.UnexplainedWarning")
@pytest.mark.parametrize("what", ALIKE)
def test_the_agents_that_it_knows_play_in_the_compiled_loop(what):
    assert compiled(same(ALIKE[what]))


def test_a_method_that_was_put_in_place_of_another_counts(monkeypatch):
    """On the class, also where another class's function calls it; and on the one agent."""
    with monkeypatch.context() as patch:
        patch.setattr(ATPO, "act", lambda self, memory: np.array([0.0, 1.0]))
        for kind in (ATPO, GreedyATPO, Named):
            episodes = same(atpo(kind))
            assert not compiled(episodes)
            assert all((episode.actions == 1).all() for episode in episodes)
    agent = atpo()
    object.__setattr__(agent, "act", lambda memory: np.array([0.0, 1.0]))
    assert all((episode.actions == 1).all() for episode in same(agent))
    assert compiled(same(atpo()))


def test_a_task_of_a_class_of_its_own_is_played_as_it_does():
    class Frozen(Task):
        """Nothing moves."""

        def outcomes(self, x, a, b):
            return super().outcomes(x, a, b)._replace(indices=np.array([x]), probabilities=np.ones(1))

    task = LIBRARY[1]
    frozen = Frozen(task.mmdp, task.teammates, list(task.pomdp.O), task.start, name="frozen")
    episodes = same(atpo(), frozen)
    assert all((episode.states == episode.states[0]).all() for episode in episodes)


def test_where_the_state_is_seen_the_first_one_is_known_in_a_batch_too():
    seen = [
        Task(task.mmdp, task.teammates, [np.eye(3)] * 2, task.start, name=task.name)
        for task in random_library(4, K=2, sizes=(3,), sparsity=0.0)
    ]
    library = type(LIBRARY)(seen)
    assert library.observed
    vectors = AlphaVectors(np.random.default_rng(0).normal(size=(4, 3)), [0, 1, 0, 1], 2)
    agent = replace(atpo(), inference=Inference(library), policies=(vectors, vectors))
    same(agent, library[0])


@pytest.mark.filterwarnings("ignore::walkon.agents.memory.UnexplainedWarning")
@pytest.mark.parametrize("name", ["atpo", "random"])
def test_an_episode_that_stops_is_the_same_up_to_where_the_task_is_solved(name):
    solved = np.zeros(3, dtype=bool)
    solved[1] = True
    first = LIBRARY[1]
    task = Task(first.mmdp, first.teammates, first.pomdp.O, first.pomdp.start, solved=solved, name="ends")
    agent = quick_agent(name, LIBRARY)
    long, short = (play_many(task, agent, range(12), horizon=15, stop=stop) for stop in (False, True))
    assert len({len(each.actions) for each in short}) > 1
    for whole, cut in zip(long, short, strict=True):
        alone = play(task, agent, seed=cut.seed, horizon=15, stop=True)
        assert (cut.steps, cut.solved) == (whole.steps, whole.solved)
        assert len(cut.actions) == max(cut.steps, 1)
        for column in ("states", "actions", "teammate_actions", "observations", "rewards"):
            n = len(getattr(cut, column))
            assert getattr(cut, column).tolist() == getattr(whole, column)[:n].tolist(), column
            assert getattr(cut, column).tolist() == getattr(alone, column).tolist(), column
        if agent.identifies:
            assert cut.task_beliefs.tobytes() == alone.task_beliefs.tobytes()
