"""The robot's side without a robot: text in, text out, and no message that stops it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import walkon
from ports import kept_port
from walkon import InputError
from walkon.service.client import UnansweredError
from walkon.service.step_in import StepIn


class Noted:
    """A session that notes what it is told."""

    def __init__(self, names=None):
        self.told, self.names, self.action, self.actions = [], names, 0, names or 2

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
    robot.executed("0")
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


@pytest.mark.parametrize("message", [None, 3, b"\xff", ["near"]])
def test_what_is_no_text_is_a_problem_and_stops_nothing(message):
    robot = StepIn(Noted())
    assert robot.read(message) == "0"
    assert "the message is " in robot.problem
    robot.executed(message)
    assert "the message is " in robot.problem
    robot.read("near")
    assert robot.session.told == [{"observation": "near"}]


def test_a_text_may_arrive_as_bytes():
    robot = StepIn(Noted(["wait", "go"]))
    robot.executed(b"go")
    assert robot.read("näher".encode()) == "go"
    assert robot.session.told == [{"observation": "näher", "action": "go"}]


@given(
    st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3), st.lists, max_leaves=4)
)
def test_no_value_of_a_field_stops_it(value):
    """Through the real session up to the network: what can be sent is sent, what cannot is a problem."""

    class Unsent(walkon.Client):
        def _send(self, *_):
            raise ConnectionError("nobody is there")

    answer = dict.fromkeys(["action_name", "probabilities", "tasks", "surprise", "explained", "alarm"])
    session = walkon.service.client.Session(
        Unsent("http://x", patience=0), answer | {"session": "a", "step": 0, "action": 1}
    )
    for field in ("likelihood", "observation", "action", "state", "teammates"):
        robot = StepIn(session)
        assert robot.read(json.dumps({field: value})) == "1"
        assert robot.problem


@pytest.mark.parametrize("names", [None, ["wait", "go"]])
@pytest.mark.parametrize("text", ["Jump", "2", "-1", "{", "9" * 40])
def test_an_executed_action_that_does_not_exist_is_refused_when_it_comes_and_stops_nothing(text, names):
    robot = StepIn(Noted(names))
    robot.executed(text)
    assert "the executed action is" in robot.problem
    robot.read("near")
    assert robot.problem is None
    assert robot.session.told == [{"observation": "near"}]


def test_a_service_that_is_away_is_a_problem_and_no_error():
    class Away(Noted):
        @property
        def actions(self):
            raise ConnectionError("no answer")

        @actions.setter
        def actions(self, value):
            pass

        def tell(self, *_, **__):
            raise ConnectionError("no answer")

    robot = StepIn(Away())
    robot.executed("1")
    assert robot.problem == "no answer"
    assert robot.read("near") == "0"
    assert robot.problem == "no answer"


@pytest.mark.parametrize("lost", [ConnectionError, UnansweredError])
def test_a_step_whose_answer_was_lost_may_have_been_taken_and_the_next_one_follows_it(lost):
    """The service took step 0 but the answer was lost: another observation as step 0 would be refused for ever."""

    class Losing(Noted):
        taken, step = 1, 0

        def catch_up(self):
            self.step = self.taken

        def tell(self, observation=None, **more):
            if observation == "lost":
                raise lost("no answer")
            if self.step != self.taken:
                raise InputError("step 0 was sent before: a step cannot change")
            return super().tell(observation, **more)

    robot = StepIn(Losing())
    robot.read("lost")
    assert robot.problem == "no answer"
    robot.read("near")
    assert robot.problem is None
    assert robot.session.told == [{"observation": "near"}]


def test_a_service_that_is_not_there_is_waited_for_no_longer_than_the_client_waits():
    answer = dict.fromkeys(["action_name", "probabilities", "tasks", "surprise", "explained", "alarm"])
    with kept_port() as port, walkon.Client(f"http://127.0.0.1:{port}", patience=0.1) as client:
        robot = StepIn(walkon.service.client.Session(client, answer | {"session": "a", "step": 0, "action": 1}))
        assert robot.read("0") == "1"
        assert "is walkon agent running?" in robot.problem
        robot.executed("1")
        assert "is walkon agent running?" in robot.problem
