"""Any function as the ad hoc agent."""

import numpy as np
import pytest

import walkon
from random_libraries import random_library
from walkon import Event, Percept
from walkon.envs import AdHocEnv
from walkon.errors import InputError

LIBRARY = random_library(4, K=2, sizes=(3,), sparsity=0.0)
NIGHT = walkon.make("night-pursuit", size=3, tasks=2)


def test_a_function_of_the_history_sees_what_was_done_and_read():
    seen = []
    agent = walkon.player(lambda history: seen.append(history) or len(history) % 2, LIBRARY)
    episode = walkon.play(LIBRARY[0], agent, horizon=4, seed=3)
    assert episode.actions.tolist() == [0, 1, 0, 1]
    events = tuple(Event(int(a), int(z)) for a, z in zip(episode.actions, episode.observations, strict=True))
    assert seen == [events[:t] for t in range(5)]
    assert episode.task_beliefs is None
    assert episode.agent == "player"


def test_a_function_of_the_last_observation_sees_nothing_else():
    seen = []
    agent = walkon.player(lambda z: seen.append(z) or [0.5, 0.5], LIBRARY, of="last")
    episode = walkon.play(LIBRARY[0], agent, horizon=4, seed=3)
    assert seen == [None, *episode.observations.tolist()]


def test_a_state_of_its_own_is_handed_over_and_never_kept():
    def policy(observation, own):
        return own % 2, own + 1

    agent = walkon.player(policy, LIBRARY, own=0)
    episodes = [walkon.play(LIBRARY[0], agent, horizon=5, seed=3) for _ in range(2)]
    assert episodes[0].actions.tolist() == episodes[1].actions.tolist() == [0, 1, 0, 1, 0]
    memory = agent.start()
    later = agent.update(agent.update(memory, 0, Percept(observation=1)), 1, Percept(observation=0))
    assert (later.kept, later.step) == (3, 2)
    assert agent.act(memory).tolist() == [1, 0]  # the old memory is as it was: one can go back


def test_it_is_fed_the_numbers_that_the_environment_shows():
    shown, fed = [], []
    env = AdHocEnv(NIGHT)
    numbers, _ = env.reset(seed=5, options={"task": 1})
    shown.append(numbers.tolist())
    for _ in range(6):
        shown.append(env.step(2)[0].tolist())
    agent = walkon.player(lambda z: fed.append(z.tolist()) or 2, NIGHT, of="last", numbers=True)
    walkon.play(NIGHT[1], agent, horizon=6, seed=5)
    assert fed == shown


def test_it_may_see_the_state_and_then_nothing_else():
    best = walkon.agent("value-iteration", NIGHT, target=0)
    copy = walkon.player(best.policies[0].probabilities, NIGHT, of="last", sees="state")
    one, two = walkon.play(NIGHT[0], copy, seed=2), walkon.play(NIGHT[0], best, seed=2)
    assert one.states.tolist() == two.states.tolist()
    assert copy.senses == {"state"}


def test_where_the_state_is_seen_the_history_begins_with_it():
    kitchen = walkon.make("overcooked", role="cook")
    seen = []
    episode = walkon.play(kitchen[0], walkon.player(lambda h: seen.append(h) or "Noop", kitchen), horizon=2)
    assert seen[0] == (Event(None, int(episode.states[0])),)
    assert seen[1][1] == Event(2, int(episode.states[1]))


def test_it_plays_the_same_in_a_batch_as_one_by_one():
    agent = walkon.player(lambda history: [0.25, 0.75], LIBRARY)
    batch = walkon.play_many(LIBRARY[1], agent, [3, 4], horizon=9)
    alone = [walkon.play(LIBRARY[1], agent, seed=s, horizon=9) for s in (3, 4)]
    assert [e.actions.tolist() for e in batch] == [e.actions.tolist() for e in alone]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (2, "player chose 2, expected an action from 0 to 1"),
        (-1, "player chose -1"),
        (0.5, "player chose 0.5"),
        (None, "player chose None, expected an action"),
        (float("nan"), "player chose nan"),
        ("jump", "player chose 'jump', expected one of 0, 1"),
        ([0.5, 0.4], r"probabilities that sum to 0.9, the least 0.4: expected 1"),
        ([1.5, -0.5], r"the least -0.5"),
        ([1.0], r"player gave \(1,\) probabilities, expected one for each of the 2 actions"),
        ([[1], [0, 2]], "expected an action or a distribution over 2"),
    ],
)
def test_an_answer_that_is_not_an_action_or_a_distribution_is_refused(said, told):
    agent = walkon.player(lambda history: said, LIBRARY)
    with pytest.raises(InputError, match=told):
        agent.start()


def test_wrong_calls_are_refused_with_the_right_ones():
    for options, told in [
        ({"of": "everything"}, "of is 'everything', expected one of 'history', 'last'"),
        ({"sees": "all"}, "sees is 'all', expected one of 'observation', 'state'"),
        ({"sees": "state", "numbers": True}, "numbers are those of an observation"),
    ]:
        with pytest.raises(InputError, match=told):
            walkon.player(lambda history: 0, LIBRARY, **options)
    with pytest.raises(InputError, match="policy is 3, expected a function"):
        walkon.player(3, LIBRARY)
    with pytest.raises(InputError, match="expected a pair: its choice, and its next own state"):
        walkon.player(lambda z, own: 0, LIBRARY, own=0).start()


def test_names_of_actions_are_understood():
    agent = walkon.player(lambda history: "Left", NIGHT)
    assert NIGHT.actions[int(np.argmax(agent.act(agent.start())))] == "Left"
