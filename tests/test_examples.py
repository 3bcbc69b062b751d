"""The examples are run as a person runs them, and stay as short as promised."""

import ast
import json
import runpy
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import walkon
from command_line import run_here
from walkon.envs import AdHocEnv, TeamEnv
from walkon.formats.library_file import read_library

FOLDER = Path(__file__).parent.parent / "examples"
TASKS = ["corridor", "warehouse", "table"]


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_an_example_is_short(path):
    assert len(path.read_text().splitlines()) < 70


def test_the_first_needs_less_than_20_lines_of_task_code():
    """All lines but blank ones, imports and the docstring."""
    text = (FOLDER / "corridor.py").read_text()
    besides = set()
    for node in ast.parse(text).body:
        if isinstance(node, ast.Import | ast.ImportFrom) or (isinstance(node, ast.Expr) and node.lineno == 1):
            besides |= set(range(node.lineno, node.end_lineno + 1))
    code = [line for n, line in enumerate(text.splitlines(), start=1) if line.strip() and n not in besides]
    assert len(code) < 20


@pytest.mark.parametrize("name", TASKS)
def test_an_example_is_well_formed(name):
    done = run_here("check", FOLDER / f"{name}.py")
    assert done.returncode == 0, done.stderr
    assert "doubtful: tasks" not in done.stdout


def test_an_example_is_played_and_solved_in_the_terminal():
    done = run_here("play", FOLDER / "corridor.py", "--task", 1, "--seed", 2, "--backups", 200)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[1] == "task 1* of 2: Meeting(cell=0); *Meeting(cell=4)"
    assert "solved after" in done.stdout
    done = run_here("solve", FOLDER / "corridor.py", "--task", 1, "--backups", 50, "--json")
    assert done.returncode == 0, done.stderr
    assert "25 states, 3 actions, 2 observations" in json.loads(done.stdout)["model"]


@pytest.mark.parametrize("name", TASKS)
def test_an_example_is_an_environment_with_a_picture(name):
    library = read_library(FOLDER / f"{name}.py")
    env = AdHocEnv(library, render_mode="ansi")
    env.reset(seed=0)
    assert "state: " in env.render()
    assert env.action_space.n == 3
    if name != "warehouse":  # where the numbers of the states differ between the tasks
        team = TeamEnv(library)
        team.reset(seed=0)
        team.step({seat: team.action_space(seat).sample() for seat in team.agents})


@pytest.mark.parametrize("name", TASKS)
def test_atpo_helps_in_an_example_more_than_chance(name):
    library = read_library(FOLDER / f"{name}.py")
    atpo = walkon.agent("atpo", library, solver=walkon.Perseus(beliefs=100, backups=400), jobs=1)
    chance = walkon.agent("random", library)
    for task in library:
        steps = [sum(e.steps for e in walkon.play_many(task, agent, range(40))) for agent in (atpo, chance)]
        assert steps[0] < steps[1], task.name


def test_warehouse_has_a_state_space_for_each_task():
    assert [len(task.start) for task in read_library(FOLDER / "warehouse.py")] == [29, 12]


def test_three_carriers_sit_at_the_table():
    library = read_library(FOLDER / "table.py")
    assert {task.seats for task in library} == {(3, 3, 3)}


def test_the_ros_node_is_a_thin_shell_that_says_it_is_not_run():
    text = (FOLDER / "ros2_node.py").read_text()
    assert len(text.splitlines()) < 40
    assert "Not run in CI" in ast.get_docstring(ast.parse(text))


def test_the_ros_node_publishes_an_action_for_every_observation(monkeypatch):
    """With stand-ins for the ROS imports: this tests the node's own code, not ROS."""
    published, topics, problems = [], {}, []

    class Node:
        def __init__(self, name):
            self.name = name

        def declare_parameter(self, name, value):
            return SimpleNamespace(value=value)

        def create_publisher(self, kind, topic, depth):
            return SimpleNamespace(publish=lambda message: published.append(message.data))

        def create_subscription(self, kind, topic, read, depth):
            topics[topic] = read

        def get_logger(self):
            return SimpleNamespace(warning=problems.append)

    class Session:
        name, action, action_name, actions = "robot", 0, "wait", ("wait", "stay")

        def tell(self, observation=None, action=None):
            if observation == "nonsense":
                raise walkon.InputError("no such observation")
            self.action_name = f"{observation} after {action}"

    class Client:
        def __init__(self, address, patience=None):
            assert address == "http://127.0.0.1:8090"
            self.patience = patience

        def open(self, id):
            assert id == "robot"
            return Session()

        def session(self, name):
            assert (name, self.patience) == ("robot", 1.0)
            return Session()

    def spin(node):
        topics["observation"](SimpleNamespace(data="near"))
        topics["executed"](SimpleNamespace(data="stay"))
        topics["observation"](SimpleNamespace(data="far"))
        topics["observation"](SimpleNamespace(data="nonsense"))

    monkeypatch.setitem(sys.modules, "rclpy", SimpleNamespace(init=lambda: None, spin=spin))
    monkeypatch.setitem(sys.modules, "rclpy.node", SimpleNamespace(Node=Node))
    monkeypatch.setitem(sys.modules, "std_msgs", SimpleNamespace())
    monkeypatch.setitem(sys.modules, "std_msgs.msg", SimpleNamespace(String=SimpleNamespace))
    monkeypatch.setattr(walkon, "Client", Client)
    runpy.run_path(str(FOLDER / "ros2_node.py"))
    assert published == ["wait", "near after None", "far after stay", "far after stay"]
    assert problems == ["no such observation"]
