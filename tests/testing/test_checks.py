"""Each check of `walkon.testing` fails on something that is broken in just that way, and says so."""

import itertools
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest

from random_libraries import quick_agent, random_library
from walkon import MDP, MMDP, AlphaVectors, Percept, Task, TaskLibrary, ValueIteration
from walkon.agents.atpo import ATPO
from walkon.agents.baselines import RandomAgent
from walkon.solvers.ascent import Ascent
from walkon.testing import check_agent, check_solver, check_task, check_world


def made(kind):
    """A function that makes an agent of a class for a library."""

    def make(library):
        ready = quick_agent(kind.name, library)
        return kind(ready.inference, ready.policies)

    return make


class Peeking(ATPO):
    """Takes the state for an observation, though it does not declare that it sees it."""

    def update(self, memory, action, percept):
        seen = percept.observation if percept.state is None else int(percept.state)
        return super().update(memory, action, Percept(observation=seen))


class Scribbling(ATPO):
    """Writes into the memory that it is given."""

    def update(self, memory, action, percept):
        after = super().update(memory, action, percept)
        memory.beliefs.flags.writeable = True
        memory.beliefs[:] = after.beliefs
        return after


class Unfair(ATPO):
    """Returns numbers that do not sum to one."""

    def act(self, memory):
        return 2 * super().act(memory)


class Credulous(RandomAgent):
    """Accepts any memory."""

    def act(self, memory):
        return np.full(self.inference.A, 1 / self.inference.A)

    def update(self, memory, action, percept):
        return memory


class Rushed(ATPO):
    """Plays otherwise in a batch: the compiled loop is greedy, the agent is not."""

    def compiled(self):
        return super().compiled()._replace(greedy=True, tolerance=1e9)


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (Peeking, "does not declare among its senses"),
        (Scribbling, "changes the memory"),
        (Unfair, "is not a distribution"),
        (Credulous, "not a memory of its own"),
        (Rushed, "differ between two episodes of the same seed"),
    ],
)
def test_a_broken_agent_fails_by_its_fault(kind, message):
    with pytest.raises(AssertionError, match=message):
        check_agent(made(kind))


@dataclass(frozen=True, kw_only=True)
class Changed(Ascent):
    """A sound solver, to be spoiled."""

    def solve(self, problem, *, seed=0, watch=None):
        return self.spoil(super().solve(problem, seed=seed, watch=watch), problem)

    def spoil(self, solution, problem):
        return solution


class Boasting(Changed):
    """Promises more than its policy earns, but not more than the best one does."""

    def spoil(self, solution, problem):
        worst = AlphaVectors(np.zeros((1, len(problem.start))), [0], problem.R.shape[1])
        return replace(solution, policy=worst)


class Overstating(Changed):
    """Promises more than any policy earns."""

    def spoil(self, solution, problem):
        return replace(solution, lower=solution.lower + 1)


class Understating(Changed):
    """Gives an upper bound that is too low."""

    def spoil(self, solution, problem):
        return replace(solution, upper=solution.lower - 1, lower=None)


class Deaf(Changed):
    """Calls the watch, and goes on."""

    def solve(self, problem, *, seed=0, watch=None):
        return Ascent(backups=self.backups).solve(problem, seed=seed, watch=watch and (lambda now: watch(now) and None))


class Silent(Changed):
    """Never calls the watch."""

    def solve(self, problem, *, seed=0, watch=None):
        return Ascent(backups=self.backups).solve(problem, seed=seed)


class Tireless(Changed):
    """Ignores how many backups it may make."""

    def solve(self, problem, *, seed=0, watch=None):
        return Ascent().solve(problem, seed=seed, watch=watch)


TURNS = itertools.count()


class Moody(Changed):
    """Takes another seed each time."""

    def solve(self, problem, *, seed=0, watch=None):
        found = super().solve(problem, seed=seed, watch=watch)
        return replace(found, iterations=found.iterations + next(TURNS))


@dataclass
class Thawed:
    """Can be changed after it was made."""

    solves: ClassVar[type] = MDP

    def solve(self, problem, *, seed=0, watch=None):
        return ValueIteration().solve(problem, watch=watch)


@pytest.mark.parametrize(
    ("solver", "message"),
    [
        (Boasting(), "but the policy earns"),
        (Overstating(), "bounds .* optimal value"),
        (Understating(), "bounds .* optimal value"),
        (Deaf(), "went on after the watch asked it to stop"),
        (Silent(), "the watch was never called"),
        (Tireless(), 'with backups=1, stopped is "converged"'),
        (Moody(), "two solutions with the same seed differ"),
        (Thawed(), "is not frozen"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_broken_solver_fails_by_its_fault(solver, message):
    with pytest.raises(AssertionError, match=message):
        check_solver(solver, problems=5)


def test_the_solver_that_was_spoiled_is_sound():
    check_solver(Changed(), problems=5)


def task(*, solved=(False, True), start=(1.0, 0.0), leave=0.0, pay=0.0, sensor=None):
    """Two states: action 0 goes to the second, which is solved."""
    P = np.array([[[[0, 1], [leave, 1 - leave]]]], dtype=float)  # [A, B, X, X]
    R = np.array([[[-1.0]], [[pay]]])
    return Task(MMDP(P, R), [[1.0], [1.0]], [np.eye(2)], list(start), solved=list(solved), name="two steps")


def test_a_sound_task_passes():
    check_task(task())


@pytest.mark.parametrize("after", [{"leave": 0.5}, {"pay": 1.0}])
def test_a_task_that_goes_on_after_it_is_solved_passes(after):
    check_task(task(**after))


def test_a_task_that_may_be_solved_at_the_start_fails():
    with pytest.raises(AssertionError, match="may start in a state in which it is solved"):
        check_task(task(start=(0.5, 0.5)))


class Lying(Task):
    """Pays otherwise step by step than by its matrices."""

    def paid(self, x, a, b, y):
        return super().paid(x, a, b, y) + 1


def test_a_task_whose_steps_disagree_with_its_matrices_fails():
    sound = random_library(1)[0]
    lying = Lying(sound.team, sound.teammates, sound.sensor, sound.start, name="lying")
    with pytest.raises(AssertionError, match="the steps pay"):
        check_task(lying)


def test_a_world_that_is_different_each_time_fails():
    numbers = itertools.count()
    with pytest.raises(AssertionError, match="a different library the second time"):
        check_world(lambda: random_library(next(numbers)))


def test_a_world_with_the_same_task_twice_fails():
    with pytest.raises(AssertionError, match="two of the world's tasks have the same numbers"):
        check_world(lambda: TaskLibrary([random_library(1)[0]] * 2))


def test_a_sound_world_of_a_function_passes():
    check_world(random_library, seed=3)


def test_a_task_that_cannot_be_sent_to_another_process_fails():
    class Local(Task):
        """Has a class that no module knows."""

    sound = random_library(1)[0]
    with pytest.raises(AssertionError, match=r"cannot be sent to another process: .*; write it in a module"):
        check_task(Local(sound.team, sound.teammates, sound.sensor, sound.start, name="local"))
