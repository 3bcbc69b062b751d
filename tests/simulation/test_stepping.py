"""The loop of an episode, step by step."""

import walkon
from walkon.simulation.stepping import begun, first_state, stepping
from walkon.trials.luck import Luck


def test_the_steps_are_those_of_the_episode_and_can_be_taken_up_in_the_middle():
    library = walkon.make("night-pursuit", size=3, tasks=2)
    agent = walkon.agent("bopa", library, jobs=1)
    episode, luck = walkon.play(library[1], agent, seed=3), Luck.of(3, 50)
    first = first_state(library[1], luck)
    whole = list(stepping(library[1], agent, luck, first, begun(agent, library[1], first)))
    assert [each.action for each in whole] == episode.actions.tolist()
    assert [each.state for each in whole] == episode.states[:-1].tolist()
    assert [each.step.reward for each in whole] == episode.rewards.tolist()
    assert all(
        (each.memory.tasks == belief).all() for each, belief in zip(whole, episode.task_beliefs[1:], strict=True)
    )
    middle = whole[19]
    rest = stepping(library[1], agent, luck, middle.step.state, middle.memory, steps=range(20, 50))
    assert [each.step for each in rest] == [each.step for each in whole[20:]]
