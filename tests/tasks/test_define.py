"""From a few plain functions to a library of tasks."""

import os
from collections import namedtuple
from dataclasses import dataclass
from itertools import product
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest

import walkon
from command_line import python
from walkon.errors import InputError
from walkon.pictures.scene import Piece, Scene
from walkon.tasks.naming import name_of

State = namedtuple("State", "agent mate")
STEPS = {"left": -1, "right": 1, "stay": 0}


@dataclass
class Meeting:
    """Two walkers in a corridor of three cells, who meet in one of them."""

    cell: int = 0
    actions = tuple(STEPS)
    start = State(1, 1)

    def teammates(self, x):
        return "left" if x.mate > self.cell else "right" if x.mate < self.cell else "stay"

    def moves(self, x, a, b):
        agent, mate = (min(max(cell + STEPS[move], 0), 2) for cell, move in zip(x, (a, b), strict=True))
        return [(State(agent, mate), 0.75), (State(x.agent, mate), 0.25)]

    def sensor(self, a, y):
        return {"near": 0.5, "far": 0.5} if y.agent == y.mate else "far"

    def solved(self, x):
        return x.agent == x.mate == self.cell

    def reward(self, x, a, b, y):
        return 10 if self.solved(y) else -1


def changed(**functions):
    """A meeting with some functions of another kind."""
    return type("Changed", (Meeting,), {"name": "changed", **functions})()


def test_every_number_is_what_the_functions_say():
    """The whole task, state by state, from the rules played by hand."""
    meeting = Meeting(2)
    task = walkon.define([meeting])[0]
    states = [State(*pair) for pair in product(range(3), repeat=2)]
    assert task.states == tuple(f"agent {x.agent}, mate {x.mate}" for x in states)
    assert task.actions == ("left", "right", "stay")
    assert task.observations == ("far", "near")
    assert task.start.tolist() == [float(x == State(1, 1)) for x in states]
    assert task.solved.tolist() == [x == State(2, 2) for x in states]
    for a, action in enumerate(STEPS):
        for i, x in enumerate(states):
            row = np.zeros(9)
            if x == State(2, 2):
                row[i], paid = 1, 0.0
            else:
                paid = 0.0
                for y, p in meeting.moves(x, action, meeting.teammates(x)):
                    row[states.index(y)] += p
                    paid += p * meeting.reward(x, action, meeting.teammates(x), y)
            np.testing.assert_allclose(task.pomdp.P[a][[i]].toarray().ravel(), row)
            assert task.pomdp.R[i, a] == pytest.approx(paid)
            near = 0.5 if x.agent == x.mate else 0.0
            np.testing.assert_allclose(task.sensor[a][[i]].toarray().ravel(), [1 - near, near])


def test_tasks_are_called_by_their_name_their_words_or_their_number():
    class Plain(Meeting):
        pass

    named = changed(name="by the window")
    tuples = type(
        "Tuple", (NamedTuple("Tuple", [("cell", int)]),), {k: v for k, v in vars(Meeting).items() if k[0] != "_"}
    )
    library = walkon.define([Meeting(1), named, tuples(2)])
    assert library.names == ("Meeting(cell=1)", "by the window", "Tuple(cell=2)")
    words = {word: getattr(Plain(), word) for word in ("actions", "start", "teammates", "moves", "sensor")}
    assert walkon.define([SimpleNamespace(**words, name="of functions")]).names == ("of functions",)


def test_what_may_be_left_out_has_a_meaning():
    bare = SimpleNamespace(
        name="bare",
        start={0: 0.5, 1: 0.5},
        actions=["flip", "wait"],
        teammates=lambda x: "wait",
        moves=lambda x, a, b: 1 - x if a == "flip" else x,
    )
    task = walkon.define([bare])[0]
    assert task.observed  # no sensor: the state is seen
    assert task.solved is None
    assert (task.pomdp.R == 0).all()
    assert (task.horizon, task.pomdp.discount) == (50, 0.95)
    bare.horizon, bare.discount = 7, 0.5
    task = walkon.define([bare])[0]
    assert (task.horizon, task.pomdp.discount) == (7, 0.5)


def test_states_are_all_that_anybody_could_lead_to_so_that_anybody_may_sit_in_the_seats():
    task = walkon.define([Meeting(0)])[0]  # this teammate never goes right
    episode = walkon.play(task, walkon.agent("random", walkon.TaskLibrary([task])), teammates=lambda x: 1, horizon=4)
    assert "mate 2" in task.states[episode.states[-1]]
    assert task.mmdp.P[0][1].shape == (9, 9)


def test_observations_are_pooled_and_states_are_not():
    quiet = changed(sensor=lambda self, a, y: "silence", start=State(0, 0), solved=lambda self, x: True, name="quiet")
    library = walkon.define([Meeting(0), quiet])
    assert library.observations == ("far", "near", "silence")
    assert [len(task.start) for task in library] == [9, 1]


def test_several_teammates_choose_each_for_itself():
    lift = SimpleNamespace(
        name="lift",
        start=(0, 0),
        actions=["up", "rest"],
        teammates=[lambda x: {"up": 0.25, "rest": 0.75}, lambda x: "up" if x[0] else {"up": 0.5, "rest": 0.5}],
        moves=lambda x, a, b: (int(b[0] == "up"), int(b == ("rest", "up"))),
    )
    task = walkon.define([lift])[0]
    assert task.seats == (2, 2)
    assert task.teammates.toarray()[0].tolist() == [0.125, 0.125, 0.375, 0.375]  # up up, up rest, rest up, rest rest
    assert task.states == ("(0, 0)", "(0, 1)", "(1, 0)")
    assert task.state_numbers.tolist() == [[0, 0], [0, 1], [1, 0]]
    np.testing.assert_allclose(task.pomdp.P[0].toarray()[0], [0.375, 0.375, 0.25])


def test_a_picture_of_ones_own_is_a_scene_or_a_text():
    words = changed(picture=lambda self, x, z: f"{'_' * x.agent}A\n{'_' * x.mate}T\nread {z}")
    task = walkon.define([words])[0]
    assert task.view.scene(5, observation=1).notes == ("_A", "__T", "read near")
    board = changed(picture=lambda self, x, z: Scene("board", 3, 1, (Piece("agent", (x.agent, 0)),)))
    assert walkon.define([board])[0].view.scene(6).pieces[0].cell == (2, 0)
    with pytest.raises(InputError, match="changed: picture gives 7, expected a Scene or a text"):
        walkon.define([changed(picture=lambda self, x, z: 7)])[0].view.scene(0)


@pytest.mark.parametrize(
    ("functions", "told"),
    [
        ({"moves": None}, r"changed has no `moves`"),
        (
            {"moves": lambda self, x, a: x},
            r"changed: moves\(x, a\) cannot be called as moves\(state, action, teammate_action\)",
        ),
        (
            {"moves": lambda self, x, a, b: {x: 0.9}},
            r"changed: moves\(agent 1, mate 1; left; left\) sums to 0.9, not 1",
        ),
        ({"moves": lambda self, x, a, b: None}, r"moves\(agent 1, mate 1; left; left\) gives None"),
        ({"moves": lambda self, x, a, b: x[7]}, r"failed with IndexError: .* \(test_define.py, line \d+\)"),
        ({"moves": 3}, r"changed: moves is 3, expected a function moves\(state, action, teammate_action\)"),
        (
            {"teammates": lambda self, x: "jump"},
            r"'jump', which is not one of their actions \(left, right, stay\): list",
        ),
        ({"teammates": []}, r"changed: teammates is \[\], expected a function of the state, or a list of them"),
        ({"sensor": lambda self, a, y: {"near": 1.5}}, r"sensor\(left; agent 0, mate 0\) sums to 1.5"),
        (
            {"observations": ["near"]},
            r"changed: sensor\(left; agent 0, mate 0\) gives far, which is not among its `obs",
        ),
        ({"reward": lambda self, x, a, b, y: "much"}, r"reward\(.*\) is 'much', expected a finite number"),
        ({"reward": lambda self, x, a, b, y: 1e999}, r"reward\(.*\) is inf, expected a finite number"),
        ({"solved": lambda self, x: 1 / 0}, r"solved\(agent 1, mate 1\) failed with ZeroDivisionError"),
        ({"start": {State(1, 1): 0.5}}, r"changed: start\(\) sums to 0.5"),
        ({"start": [1, 2]}, r"changed: start\(\) lists 1, expected a pair"),
        ({"states": [State(1, 1)]}, r"moves\(agent 1, mate 1; left; left\) gives agent 0, mate 0, which is not among"),
        ({"states": [State(0, 0)]}, r"changed: start gives agent 1, mate 1, which is not among its `states`"),
        ({"actions": "left"}, r"changed: actions is 'left', expected a list"),
        ({"actions": []}, r"changed: actions is empty"),
        ({"actions": ["left", "left"]}, r"changed: actions has left twice"),
        ({"discount": 1.5}, r"changed: discount is 1.5, expected a number in \[0, 1\)"),
        ({"horizon": 0}, r"changed: horizon is 0"),
        ({"horizon": 2.5}, r"changed: horizon is 2.5, expected a whole number from 1 on"),
        ({"discount": "0.9"}, r"changed: discount is '0.9', expected a number in \[0, 1\)"),
        ({"reward": lambda self, x, a, b, y: "10"}, r"reward\(.*\) is '10', expected a finite number"),
        ({"solved": lambda self, x: "no"}, r"solved\(agent 1, mate 1\) is 'no', expected True or False"),
        ({"solved": lambda self, x: 0.3}, r"solved\(agent 1, mate 1\) is 0.3, expected True or False"),
        ({"solved": lambda self, x: None}, r"solved\(.*\) is None, expected True or False: did a branch forget"),
        ({"sensor": lambda self, a, y: ("near", 0.8)}, r"sensor\(.*\) gives \('near', 0.8\): an outcome with its prob"),
        ({"moves": lambda self, x, a, b: (x, 0.9)}, r"if the tuple itself is the outcome, give \{it: 1\}"),
    ],
)
def test_an_error_names_the_call_that_caused_it(functions, told):
    with pytest.raises(InputError, match=told):
        walkon.define([changed(**functions)])


def test_what_is_missing_is_named_with_what_it_may_have_been_meant_by():
    meant = SimpleNamespace(start=0, actions=["a"], move=print, teammates=print)
    with pytest.raises(InputError, match=r"has no `moves` \(is `move` meant to be it\?\): a task has start, actions"):
        walkon.define([meant])


@pytest.mark.parametrize("word", ["sensor", "solved", "reward", "counts", "picture", "horizon", "discount", "states"])
def test_no_optional_name_can_be_misspelt_without_a_word(word):
    """One letter too many, one too few, two in the wrong order: each is refused and the right name is given."""
    meeting = {name: value for name, value in vars(Meeting).items() if name[0] != "_" and name not in ("cell", word)}
    for wrong in (f"{word}s", f"the_{word}", word[:-1], word[:2] + word[3] + word[2] + word[4:]):
        task = SimpleNamespace(name="misspelt", **meeting, **{wrong: 1})
        told = (
            rf"misspelt has `{wrong}`, which is not part of a task: is `{word}` meant\? If not, list its name in `own`"
        )
        with pytest.raises(InputError, match=told):
            walkon.define([task])


def test_other_names_for_what_a_task_has_are_understood():
    with pytest.raises(InputError, match=r"has `gamma`, which is not part of a task: is `discount` meant\?"):
        walkon.define([changed(gamma=0.5)])


def test_any_other_name_has_to_be_declared_as_the_tasks_own():
    told = r"changed has `far`, which is not part of a task: if it is the task's own, list its name in `own`, or begin"
    with pytest.raises(InputError, match=told):
        walkon.define([changed(far=3)])
    for fine in ({"far": 3, "own": ["far"]}, {"_far": 3}):
        assert len(walkon.define([changed(**fine)])) == 1
    for wrong in ("far", 3, [3]):
        with pytest.raises(InputError, match=r"changed: own is .*, expected a list of names"):
            walkon.define([changed(far=3, own=wrong)])


def test_parameters_of_the_constructor_are_the_tasks_own_unless_they_look_like_a_misspelt_name():
    class Far(Meeting):
        def __init__(self, cell, far):
            super().__init__(cell)
            self.far = far

    assert len(walkon.define([Far(0, far=2)])) == 1

    @dataclass
    class Patient(Meeting):
        horizons: int = 7

    with pytest.raises(InputError, match=r"has `horizons`, which is not part of a task: is `horizon` meant\?"):
        walkon.define([Patient()])
    Patient.own = ("horizons",)
    assert walkon.define([Patient()])[0].horizon == 50


@pytest.mark.parametrize("word", ["actions", "teammate_actions", "states", "observations"])
def test_a_set_has_no_order_that_lasts_and_is_refused(word):
    told = rf"changed: {word} is the set \{{a, b\}}, whose order may change from run to run: give a list"
    for things in ({"a", "b"}, frozenset("ab")):
        with pytest.raises(InputError, match=told):
            walkon.define([changed(**{word: things})])


ITEMS = """
from dataclasses import dataclass
from typing import NamedTuple
import walkon

@dataclass(frozen=True)
class Held:
    items: frozenset
    by: str = "agent"

class Shelf(NamedTuple):
    goal: frozenset
    kind: str
    start = frozenset()
    actions = ("take", "wait")

    def teammates(self, x):
        return "wait"

    def moves(self, x, a, b):
        return [(x | {item}, 1 / 3) for item in self.goal] if a == "take" else x

    def sensor(self, a, y):
        return {"tuple": ("seen", y), "dataclass": Held(y)}[self.kind]

for kind in ("tuple", "dataclass"):
    task = walkon.define([Shelf(frozenset({"cup", "pan", "lid"}), kind)])[0]
    print(task.name, task.states, task.observations)
"""


def test_states_that_are_sets_have_the_same_names_and_numbers_in_every_process():
    """Python hashes words differently in each process, and so keeps the members of a set in another order."""
    said = {python("-c", ITEMS, env={**os.environ, "PYTHONHASHSEED": seed}).stdout for seed in "134"}
    assert len(said) == 1
    first, second = said.pop().splitlines()
    assert first.startswith("Shelf(goal={'cup', 'lid', 'pan'}, kind='tuple') ('{cup, lid, pan}', '{cup, lid}', ")
    assert "(seen, {cup, lid})" in first
    assert "Held(items={'cup', 'lid'}, by='agent')" in second


def test_numbers_in_a_set_are_named_in_their_order():
    assert name_of(frozenset({10, 2, 1})) == "{1, 2, 10}"
    assert name_of((frozenset({(2, "b"), (1, "a")}), frozenset())) == "({(1, a), (2, b)}, {})"


def test_a_task_is_called_by_its_own_repr_but_not_by_its_address():
    class Window(Meeting):
        def __repr__(self):
            return f"the window {self.cell}"

    class Nameless(Meeting):
        __repr__ = object.__repr__

    assert walkon.define([Window(0), Window(2), Nameless()]).names == ("the window 0", "the window 2", "Nameless 2")


def test_two_tasks_cannot_have_one_name():
    told = r'tasks\[0\] and tasks\[2\] are both called "changed": give each a `name` of its own'
    with pytest.raises(InputError, match=told):
        walkon.define([changed(), Meeting(), changed()])


def test_a_tuple_with_a_fraction_is_an_outcome_if_it_says_so():
    task = walkon.define([changed(sensor=lambda self, a, y: {("near", 0.8): 1})])[0]
    assert task.observations == ("(near, 0.8)",)
    here, stay = {"start": (0.5, 1.0), "moves": lambda self, x, a, b: x}, {"teammates": lambda self, x: "stay"}
    place = changed(**here, **stay, sensor=None, solved=None, reward=None)
    assert walkon.define([place])[0].states == ("(0.5, 1.0)",)


@pytest.mark.parametrize("yes", [True, 1, np.True_, np.int64(1)])
def test_solved_may_answer_with_any_kind_of_truth_value(yes):
    assert walkon.define([changed(solved=lambda self, x: yes)])[0].solved.tolist() == [True]


def test_a_class_is_refused_with_the_right_call_and_a_lonely_task_is_taken():
    with pytest.raises(
        InputError, match=r"tasks\[0\] is the class Meeting, expected an object of it, as in Meeting\(\)"
    ):
        walkon.define([Meeting])
    assert len(walkon.define(Meeting())) == 1
    with pytest.raises(InputError, match="is the class Meeting, expected an object of it"):
        walkon.define(Meeting)
    with pytest.raises(InputError, match=r"tasks is 3, expected a list of tasks, as in define\(\[task\]\)"):
        walkon.define(3)
    with pytest.raises(InputError, match="the library is empty"):
        walkon.define([])


def test_counting_without_end_is_noticed(monkeypatch):
    monkeypatch.setattr("walkon.tasks.define.MOST_STATES", 100)
    endless = changed(moves=lambda self, x, a, b: State(x.agent + 1, 0), solved=lambda self, x: False)
    with pytest.raises(
        InputError, match=r"more than 100 states .* agent 101, mate 0: does something count without end"
    ):
        walkon.define([endless])


def test_listed_states_keep_their_order():
    order = [State(2 - i, j) for i in range(3) for j in range(3)]
    task = walkon.define([changed(states=order)])[0]
    assert task.states[0] == "agent 2, mate 0"
