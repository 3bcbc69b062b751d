"""The kitchen by hand, and what its teammates do, move by move."""

import numpy as np
import pytest

from walkon.domains import make
from walkon.solvers.value_iteration import ValueIteration
from walkon.tasks.dead_ends import dead_ends

UP, DOWN, NOOP, ACT = range(4)
TOP, BOTTOM = range(2)
NOTHING, ONION, PLATE, SOUP = range(4)
COOKED = 3


@pytest.fixture(scope="module")
def helping():
    return make("overcooked", role="helper")


def kitchen(task, helper=TOP, cook=TOP, helper_hand=NOTHING, cook_hand=NOTHING, top=NOTHING, bottom=NOTHING, pan=0):
    x = (helper, cook, helper_hand, cook_hand, top, bottom, pan)
    return int(np.flatnonzero((task.state_numbers == x).all(axis=1))[0])


def after(task, x, helper, cook):
    (y,), (p,) = task.outcomes(x, helper, cook)
    assert p == 1
    return int(y)


def test_of_two_who_drop_on_one_counter_the_helper_drops_and_the_cook_keeps(helping):
    task = helping[0]
    x = kitchen(task, helper=BOTTOM, cook=BOTTOM, helper_hand=PLATE, cook_hand=ONION)
    assert after(task, x, ACT, ACT) == kitchen(task, BOTTOM, BOTTOM, NOTHING, ONION, NOTHING, PLATE)
    assert after(task, x, NOOP, ACT) == kitchen(task, BOTTOM, BOTTOM, PLATE, NOTHING, NOTHING, ONION)


def test_what_is_dropped_in_a_step_cannot_be_taken_in_it(helping):
    task = helping[0]
    x = kitchen(task, helper_hand=ONION)
    assert after(task, x, ACT, ACT) == kitchen(task, top=ONION)


def test_a_counter_that_is_taken_from_in_a_step_is_not_free_in_it(helping):
    task = helping[0]
    x = kitchen(task, helper_hand=ONION, top=PLATE)
    assert after(task, x, ACT, ACT) == kitchen(task, helper_hand=ONION, cook_hand=PLATE)


def test_the_third_onion_cooks_at_once_and_a_fourth_goes_on_the_counter(helping):
    task = helping[0]
    assert after(task, kitchen(task, cook_hand=ONION, pan=2), NOOP, ACT) == kitchen(task, pan=COOKED)
    assert after(task, kitchen(task, cook_hand=ONION, pan=COOKED), NOOP, ACT) == kitchen(task, top=ONION, pan=COOKED)


def test_a_plate_takes_the_soup_and_the_window_delivers_it(helping):
    task = helping[0]
    x = kitchen(task, cook_hand=PLATE, pan=COOKED)
    y = after(task, x, NOOP, ACT)
    assert y == kitchen(task, cook_hand=SOUP)
    assert after(task, y, NOOP, ACT) == y  # a soup is never put down
    assert (task.paid(y, NOOP, ACT, y), task.counted(y, NOOP, ACT)) == (-1, 0)
    z = after(task, y, NOOP, DOWN)
    end = after(task, z, NOOP, ACT)
    assert end == kitchen(task, cook=BOTTOM)
    assert (task.paid(z, NOOP, ACT, end), task.counted(z, NOOP, ACT)) == (15, 1)


def test_the_helper_takes_onions_at_the_top_and_plates_at_the_bottom_and_never_from_a_counter(helping):
    task = helping[0]
    assert after(task, kitchen(task, top=PLATE), ACT, NOOP) == kitchen(task, helper_hand=ONION, top=PLATE)
    x = kitchen(task, helper=BOTTOM, bottom=ONION)
    assert after(task, x, ACT, NOOP) == kitchen(task, helper=BOTTOM, helper_hand=PLATE, bottom=ONION)


def test_the_jointly_optimal_team_delivers_five_soups_the_first_at_step_14_or_15(helping):
    task = helping[0]  # the best response to the cook's part of a joint optimum is a joint optimum
    policy = ValueIteration().solve(task.mdp).policy.choices
    mates = task.teammates.toarray()
    firsts, totals = set(), set()
    for start in np.flatnonzero(task.pomdp.start):
        rng = np.random.default_rng(int(start))
        for _ in range(5):
            x, soups = int(start), []
            for t in range(task.horizon):
                a, b = int(rng.choice(4, p=policy[x])), int(rng.choice(4, p=mates[x]))
                soups += [t + 1] * task.counted(x, a, b)
                x = after(task, x, a, b)
            firsts.add(soups[0])
            totals.add(len(soups))
    assert totals == {5}
    assert firsts == {14, 15}


def played(task, seed=0):
    """The cook's actions while the best helper helps: (counter beside it, what it held, what it did)."""
    policy, mates = ValueIteration().solve(task.mdp).policy.choices, task.teammates.toarray()
    rng = np.random.default_rng(seed)
    x, story = int(np.flatnonzero(task.pomdp.start)[0]), []
    for _ in range(task.horizon):
        a, b = int(rng.choice(4, p=policy[x])), int(rng.choice(4, p=mates[x]))
        numbers = task.state_numbers[x]
        story.append((int(numbers[1]), int(numbers[3]), int(numbers[4 + numbers[1]]), b))
        x = after(task, x, a, b)
    return story


@pytest.mark.parametrize(("name", "counter"), [("upper cook", TOP), ("downer cook", BOTTOM)])
def test_upper_and_downer_take_from_their_own_counter_only(helping, name, counter):
    story = played(helping[helping.names.index(name)])
    taken_at = [cell for cell, hand, lies, b in story if b == ACT and hand == NOTHING and lies != NOTHING]
    assert len(taken_at) >= 16  # four soups, each of three onions and a plate
    assert set(taken_at) == {counter}


def test_greedy_takes_from_either_counter(helping):
    stories = [played(helping[0], seed) for seed in range(3)]
    taken_at = {cell for story in stories for cell, hand, lies, b in story if b == ACT and not hand and lies}
    assert taken_at == {TOP, BOTTOM}


@pytest.mark.parametrize(("name", "other"), [("upper cook", BOTTOM), ("downer cook", TOP)])
def test_no_state_makes_upper_or_downer_take_from_the_other_counter(helping, name, other):
    task = helping[helping.names.index(name)]
    numbers = task.state_numbers
    tempted = (numbers[:, 1] == other) & (numbers[:, 3] == NOTHING) & (numbers[:, 4 + other] != NOTHING)
    assert tempted.sum() == 2 * 3 * 3 * 2 * 4
    assert not task.teammates.toarray()[tempted, ACT].any()


def test_the_dummy_cook_waits_for_the_call_works_it_and_delivers(helping):
    task = helping[helping.names.index("dummy cook")]
    helper = [ACT, ACT, NOOP, NOOP]  # an onion, on the top counter; then wait
    x, story = kitchen(task), []
    for step in range(22):
        (b,) = task.teammate_actions(x).indices
        story.append(task.actions[b])
        x = after(task, x, helper[step % 4] if step < 12 else [DOWN, ACT, UP, ACT][step - 12] if step < 16 else NOOP, b)
    round_of_an_onion = ["Noop", "Noop", "Act", "Act"]
    serve = ["Noop", "Noop", "Noop", "Noop", "Act", "Act", "Down", "Act", "Noop", "Noop"]
    assert story == round_of_an_onion * 3 + serve
    assert x == kitchen(task, cook=BOTTOM)


def test_the_dummy_helper_brings_one_call_at_a_time():
    task = make("overcooked", role="cook")[1]
    x, story = kitchen(task, helper=BOTTOM), []
    for _ in range(5):
        (b,) = task.teammate_actions(x).indices
        story.append(task.actions[b])
        (x,) = task.outcomes(int(x), NOOP, int(b)).indices
    assert story == ["Up", "Act", "Act", "Noop", "Noop"]


def test_no_policy_leaves_a_dead_end_and_the_start_is_none(helping):
    for task in helping:
        dead = dead_ends(task)
        assert not dead[task.pomdp.start > 0].any()
        for P in task.pomdp.P:
            assert not (P[dead][:, ~dead]).nnz
    greedy = dead_ends(helping[0])
    stuck = kitchen(helping[0], helper_hand=PLATE, cook_hand=PLATE, top=PLATE, bottom=PLATE)
    assert greedy[stuck]  # plates everywhere and no soup to put on them
    best = ValueIteration().solve(helping[0].mdp).policy
    np.testing.assert_array_equal(greedy, best.table.max(axis=1) < -20 + 1e-6)  # -1 for ever is -20


def test_names_are_what_a_person_would_say(helping):
    x = kitchen(helping[0], BOTTOM, TOP, PLATE, NOTHING, ONION, NOTHING, 2)
    assert helping[0].states[x] == (
        "helper bottom with plate, cook top with nothing, counters onion and nothing, pan 2 onions"
    )
    assert helping[0].observed
