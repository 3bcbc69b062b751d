"""Some teammates replaced by any functions."""

from types import SimpleNamespace

import numpy as np
import pytest

import walkon
from walkon.errors import InputError


def team():
    """Three carriers with habits of their own, which depend on the state."""
    return walkon.define(
        [
            SimpleNamespace(
                name="carry",
                start=(0,),
                actions=["up", "rest"],
                teammate_actions=["up", "rest", "sing"],
                teammates=[
                    lambda x: {"up": 0.25, "rest": 0.75},
                    lambda x: "sing" if x[0] else "up",
                    lambda x: {"rest": 0.5, "sing": 0.5},
                ],
                moves=lambda x, a, b: (int(b[1] == "up"),),
            )
        ]
    )[0]


def test_a_newcomer_takes_its_seat_and_the_others_play_on():
    task = team()
    joint = walkon.seated(task, {1: lambda state: [0.5, 0.0, 0.5] if state else 2})
    first, third = [0.25, 0.75, 0.0], [0.0, 0.5, 0.5]
    for state, second in ((0, [0, 0, 1]), (1, [0.5, 0, 0.5])):
        truth = np.einsum("i,j,k->ijk", first, second, third).ravel()
        np.testing.assert_allclose(joint(state), truth)
    everyone = walkon.seated(task, {seat: lambda state: 1 for seat in range(3)})
    assert everyone(0).argmax() == np.ravel_multi_index((1, 1, 1), (3, 3, 3))


def test_nobody_new_is_the_task_itself():
    task = team()
    library = walkon.TaskLibrary([task])
    agent = walkon.agent("random", library)
    own = walkon.play(task, agent, horizon=30, seed=5)
    same = walkon.play(task, agent, horizon=30, seed=5, teammates=walkon.seated(task, {}))
    assert own.teammate_actions.tolist() == same.teammate_actions.tolist()


def test_numbers_of_the_state_can_be_asked_for():
    joint = walkon.seated(team(), {0: lambda numbers: int(numbers[0])}, numbers=True)
    assert joint(1).reshape(3, 3, 3).sum(axis=(1, 2)).tolist() == [0, 1, 0]


def test_wrong_seats_and_wrong_answers_are_refused():
    task = team()
    with pytest.raises(InputError, match="seat 3 does not exist: they are numbered 0 to 2"):
        walkon.seated(task, {3: lambda state: 0})
    with pytest.raises(InputError, match="seat 0 has 7, expected a function of the state"):
        walkon.seated(task, {0: 7})
    with pytest.raises(InputError, match="seat 0 chose 3, expected an action from 0 to 2"):
        walkon.seated(task, {0: lambda state: 3})(0)
    with pytest.raises(InputError, match='in task "folded" the teammates are folded in'):
        walkon.seated(walkon.Task.from_pomdp(task.pomdp, name="folded"), {0: lambda state: 0})
