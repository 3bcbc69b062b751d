"""The robot's side without a robot: text in, text out, and no message that stops it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walkon import InputError
from walkon.service.step_in import StepIn


class Noted:
    """A session that notes what it is told."""

    def __init__(self, names=None):
        self.told, self.names, self.action = [], names, 0

    @property
    def action_name(self):
        return None if self.names is None else self.names[self.action]

    def tell(self, observation=None, **more):
        if observation == "nonsense":
            raise InputError("observation is 'nonsense', expected a name")
        self.told.append({"observation": observation, **more})
        self.action = len(self.told) % 2
        return self.action


def test_observations_come_in_and_commands_go_out():
    robot = StepIn(Noted(names=["wait", "go"]))
    assert robot.command == "wait"
    assert robot.read("near") == "go"
    assert robot.read(" 3 ") == "wait"
    assert robot.read('{"likelihood": [0.5, 1]}') == "go"
    assert robot.missed() == "wait"
    assert robot.session.told == [
        {"observation": "near"},
        {"observation": 3},
        {"observation": None, "likelihood": [0.5, 1]},
        {"observation": None},
    ]


def test_without_names_the_command_is_a_number():
    assert StepIn(Noted()).read("near") == "1"


def test_an_overriding_action_counts_for_one_observation():
    robot = StepIn(Noted())
    robot.executed("1")
    robot.read("near")
    robot.executed("go")
    robot.read('{"observation": "near", "action": 0}')  # the message knows better
    robot.executed("")
    robot.read("far")
    assert [told.get("action") for told in robot.session.told] == [1, 0, None]


def test_a_bad_message_is_kept_as_a_problem_and_the_robot_goes_on():
    robot = StepIn(Noted(names=["wait", "go"]))
    for message, said in (
        ("{", "is not JSON"),
        ("{" * 100_000, "is not JSON"),
        ('{"observatoin": 1}', "the message has 'observatoin', expected some of action"),
        ("nonsense", "observation is 'nonsense'"),
    ):
        assert robot.read(message) == "wait"
        assert said in robot.problem
    assert robot.read("near") == "go"
    assert robot.problem is None


def test_the_executed_action_is_kept_when_the_observation_was_bad():
    robot = StepIn(Noted())
    robot.executed("1")
    robot.read("nonsense")
    robot.read("near")
    assert robot.session.told == [{"observation": "near", "action": 1}]


@pytest.mark.parametrize("message", ["[1]", "1e9", "-1", "9" * 40])
def test_anything_else_is_a_name(message):
    robot = StepIn(Noted())
    robot.read(message)
    assert robot.session.told == [{"observation": message}]


@given(st.text(max_size=30))
def test_no_text_stops_it(message):
    assert StepIn(Noted()).read(message) in ("0", "1")
