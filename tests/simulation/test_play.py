import weakref

import numpy as np
import pytest

from random_libraries import quick_agent, random_library
from walkon import POMDP, InputError, Task, TaskLibrary, agent, make, play, play_many


@pytest.fixture(scope="module")
def night():
    return make("night-pursuit", size=3, tasks=2)


def test_an_episode_is_a_run_of_the_task(night):
    episode = play(night[0], agent("random", night), seed=7)
    task = night[0]
    assert [len(c) for c in (episode.states, episode.actions, episode.observations, episode.rewards)] == [
        51,
        50,
        50,
        50,
    ]
    for t in range(50):
        x, a, b, y = episode.states[t], episode.actions[t], episode.teammate_actions[t], episode.states[t + 1]
        assert task.teammates[[x], [b]][0] > 0
        assert task.mmdp.P[a][b][[x], [y]][0] > 0
        assert task.pomdp.O[a][[y], [episode.observations[t]]][0] > 0
    solved = np.flatnonzero(task.solved[episode.states])
    assert episode.steps == (solved[0] if len(solved) else 50)
    assert episode.rewards.sum() == pytest.approx(100 * episode.solved - min(episode.steps, 50) + episode.solved)


def test_agents_that_diverge_meet_the_same_luck(night):
    """The same start; and a world whose dynamics are the same for all actions goes the same way."""
    one = play(night[0], agent("random", night), seed=3)
    two = play(night[0], agent("value-iteration", night, target=0), seed=3)
    assert one.states[0] == two.states[0]
    blind = TaskLibrary([Task.from_pomdp(POMDP([[[0.5, 0.5]] * 2] * 2, [np.eye(2)] * 2, np.zeros((2, 2))))])
    first, second = (play(blind[0], quick_agent(name, blind), horizon=30) for name in ("random", "atpo"))
    assert first.actions.tolist() != second.actions.tolist()
    assert first.states.tolist() == second.states.tolist()


def test_it_stops_when_asked_to(night):
    told = agent("value-iteration", night, target=0)
    full, cut = play(night[0], told, seed=1), play(night[0], told, seed=1, stop=True)
    assert full.solved
    assert len(cut.actions) == full.steps
    assert cut.steps == full.steps
    assert len(full.actions) == 50


def test_anybody_can_sit_in_the_teammates_seat(night):
    X = len(night[0].pomdp.start)
    still = np.zeros((X, 5))
    still[:, 4] = 1
    ready = agent("random", night)
    by_table = play(night[0], ready, seed=2, teammates=still)
    by_number = play(night[0], ready, seed=2, teammates=lambda state: 4)
    by_chance = play(night[0], ready, seed=2, teammates=lambda state: still[state])
    assert set(by_table.teammate_actions) == {4}
    assert by_table.states.tolist() == by_number.states.tolist() == by_chance.states.tolist()
    by_name = play(night[0], ready, seed=2, teammates=lambda state: night[0].mmdp.teammate_actions[4])
    assert by_name.states.tolist() == by_table.states.tolist()


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (5, "chose 5, expected an action from 0 to 4"),
        (1.5, "chose 1.5, expected an action from 0 to 4"),
        ("nowhere", "chose 'nowhere', expected one of"),
        (None, "chose None, expected an action from 0 to 4"),
        ([0.5, 0.4, 0, 0, 0], "gave probabilities that sum to 0.9"),
        ([1.5, -0.5, 0, 0, 0], "gave probabilities that sum to 1, the least -0.5"),
        ([np.nan, 0.5, 0.5, 0, 0], "gave probabilities that sum to nan"),
        ([0.5, 0.5], r"gave \(2,\) probabilities, expected one for each of the 5 actions"),
    ],
)
def test_whatever_other_teammates_answer_is_checked_at_every_step(night, answer, told):
    with pytest.raises(InputError, match=rf"the teammates' policy, in state \d+, {told}"):
        play(night[0], agent("random", night), teammates=lambda state: answer)


@pytest.mark.parametrize("horizon", [10.5, 0, -1, "10", True, np.nan])
def test_a_horizon_is_a_whole_number(night, horizon):
    ready = agent("random", night)
    for played in (
        lambda: play(night[0], ready, horizon=horizon),
        lambda: play_many(night[0], ready, [0], horizon=horizon),
    ):
        with pytest.raises(InputError, match=r"horizon is .*, expected a whole number from 1 on"):
            played()


def test_a_long_horizon_costs_nothing_until_it_is_played(night):
    """The luck of a billion steps would take 30 GiB."""
    ready = agent("value-iteration", night, target=0)
    short, long = (play(night[0], ready, horizon=horizon, stop=True) for horizon in (50, 10**9))
    assert long.solved
    assert (long.horizon, len(long.actions)) == (10**9, short.steps)
    assert long.states.tolist() == short.states.tolist()
    with pytest.raises(InputError, match=r"horizon is 1,000,000,000; at most 10,000,000 steps"):
        play_many(night[0], quick_agent("atpo", night), [0], horizon=10**9)  # a compiled loop, which needs all its luck


def test_a_task_outside_the_library_can_be_played_and_may_be_unexplained():
    inside = make("night-pursuit", size=3, tasks=[((0, 0), (2, 2))])
    outside = make("night-pursuit", size=3, tasks=[((1, 1), (2, 1))])
    ready = quick_agent("atpo", inside)
    with pytest.warns(UserWarning, match="no task of the library explains"):
        episode = play(outside[0], ready, seed=1)
    assert episode.events
    assert len(episode.actions) == 50
    with pytest.warns(UserWarning, match="1 of 1 episodes had observations that no task"):
        batch = play_many(outside[0], ready, [1])[0]
    assert batch.events == episode.events
    assert batch.task_beliefs.tobytes() == episode.task_beliefs.tobytes()


def test_a_task_with_other_actions_is_refused(night):
    with pytest.raises(InputError, match="random knows 5 actions and 81 observations, but task"):
        play(random_library(0)[0], agent("random", night))


def test_a_folded_task_plays_alone_and_in_a_batch():
    folded = TaskLibrary([Task.from_pomdp(task.pomdp, name=task.name) for task in random_library(3)])
    ready = quick_agent("atpo", folded)
    one, two = play(folded[1], ready, horizon=9, seed=4), play_many(folded[1], ready, [4], horizon=9)[0]
    assert one.states.tolist() == two.states.tolist()
    assert set(one.teammate_actions) == {0}


def test_soups_are_counted():
    library = make("overcooked", role="helper")
    episode = play(library[0], agent("value-iteration", library, target=0), seed=0)
    assert episode.soups == 5
    assert episode.steps == 75
    assert not episode.solved


def test_entropy_is_normalised():
    library = random_library(5, K=3)
    episode = play(library[0], quick_agent("atpo", library), horizon=10)
    assert episode.entropies[0] == pytest.approx(1)
    p = episode.task_beliefs[-1]
    assert episode.entropies[-1] == pytest.approx(-sum(q * np.log(q) for q in p if q > 0) / np.log(3))
    alone = TaskLibrary([library[0]])
    assert play(alone[0], quick_agent("atpo", alone), horizon=3).entropies.tolist() == [0, 0, 0, 0]


def test_a_watcher_is_given_every_memory_and_changes_nothing(night):
    ready, memories = quick_agent("atpo", night), []
    watched, alone = play(night[1], ready, seed=3, watch=memories.append), play(night[1], ready, seed=3)
    assert watched.states.tolist() == alone.states.tolist()
    assert [memory.step for memory in memories] == list(range(51))
    np.testing.assert_array_equal([memory.tasks for memory in memories], alone.task_beliefs)


def test_a_task_may_change_in_the_middle():
    """Before the change the episode is that of the first task; after it, every step is possible in the second."""
    library = make("night-pursuit", size=3, tasks=2)
    agent = quick_agent("atpo", library, hazard=0.05)
    plain = play(library[0], agent, seed=4, horizon=20)
    changed = play(library[0], agent, seed=4, horizon=20, switch=(8, library[1]))
    assert changed.states[:9].tolist() == plain.states[:9].tolist()
    steps = zip(changed.states[8:], changed.actions[8:], changed.states[9:], strict=False)
    assert all(library[1].pomdp.P[a][x, y] > 0 for x, a, y in steps)
    after = np.flatnonzero(library[1].solved[changed.states[9:]])
    assert changed.solved_at == (9 + after[0] if len(after) else None)
    assert changed.task == f"{library[0].name}, then {library[1].name}"


def test_a_change_that_makes_no_sense_is_refused():
    library, small = make("night-pursuit", size=3, tasks=2), random_library(1, K=2, A=5, Z=81)
    agent = quick_agent("random", library)
    with pytest.raises(InputError, match="do not share their states"):
        play(library[0], agent, switch=(3, small[0]))
    with pytest.raises(InputError, match="at step 50, expected 0 to 49"):
        play(library[0], agent, switch=(50, library[1]))
    with pytest.raises(InputError, match="not both"):
        play(library[0], agent, switch=(5, library[1]), teammates=lambda state: 0)


@pytest.mark.parametrize("name", ["atpo", "random"])
def test_the_first_steps_of_an_episode_are_those_of_a_shorter_one(night, name):
    agent = quick_agent(name, night)
    for seed in range(6):
        cut, short = (play(night[1], agent, seed=seed, horizon=T).until(12) for T in (40, 12))
        for column in ("states", "actions", "teammate_actions", "observations", "rewards", "counts"):
            assert getattr(cut, column).tolist() == getattr(short, column).tolist()
        assert (cut.horizon, cut.solved_at, cut.events) == (short.horizon, short.solved_at, short.events)
        assert (cut.task_beliefs is None) == (name == "random")
        assert cut.task_beliefs is None or cut.task_beliefs.tolist() == short.task_beliefs.tolist()


def test_an_episode_does_not_keep_what_was_believed_at_each_step():
    library, seen, alive = make("night-pursuit", size=12, tasks=2, tables=False), [], []

    def watch(memory):
        seen.append(weakref.ref(memory.beliefs[0].rows))
        alive.append(sum(each() is not None for each in seen))

    play(library[0], agent("atpo", library, particles=50), seed=1, horizon=12, watch=watch)
    assert len(alive) == 13
    assert max(alive) <= 4  # the first one is kept by the agent
