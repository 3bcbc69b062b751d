"""A service that is killed, again and again, while robots talk to it: every session goes on to the last bit."""

import random
import socket
import threading
import time
from contextlib import ExitStack

import pytest

import walkon
from conftest import LONG
from ports import kept_port
from random_libraries import quick_agent
from services import Service
from waiting import PATIENCE, until

pytestmark = pytest.mark.filterwarnings("ignore::walkon.agents.memory.UnexplainedWarning")
KILLS, ROBOTS = (20, 5) if LONG else (3, 2)


def wait_for_progress(answers, steps=3):
    """Until every robot has taken some more steps."""
    wanted = {robot: len(each) + steps for robot, each in answers.items()}
    until(lambda: all(len(answers[robot]) >= count for robot, count in wanted.items()), "no answers any more")


@pytest.fixture
def port():
    with kept_port() as port:
        yield port


def test_sessions_go_on_after_kills_at_random_instants(tmp_path, port):
    library = walkon.make("night-pursuit", size=3, tasks=2)
    agent = quick_agent("atpo", library)
    walkon.save(agent, tmp_path / "agent.safetensors")
    chance, ended = random.Random(7), threading.Event()
    answers = {robot: [] for robot in range(ROBOTS)}
    service = Service("agent", tmp_path / "agent.safetensors", port=port).start()

    def play(robot):
        luck = random.Random(robot)
        with walkon.Client(service.ready["address"], patience=PATIENCE) as client:
            session = client.open(id=f"robot-{robot}", seed=robot)
            answers[robot].append(session.answer)
            while not ended.is_set():
                session.tell(luck.choice([0, 0, 0, 1, 3]))
                answers[robot].append(session.answer)
                time.sleep(0.002)

    robots = [threading.Thread(target=play, args=(robot,)) for robot in range(ROBOTS)]
    try:
        for robot in robots:
            robot.start()
        for _ in range(KILLS):
            wait_for_progress(answers)
            time.sleep(chance.uniform(0.0, 0.3))
            service.kill()
            service.start()
            assert service.ready["sessions"] == ROBOTS
        wait_for_progress(answers)
        ended.set()
        for robot in robots:
            robot.join()
        with walkon.Client(service.ready["address"], patience=PATIENCE) as client:
            for robot in range(ROBOTS):
                replay = client.session(f"robot-{robot}").replay()
                assert replay["exact"]
                told = [replay["first"], *(step["answer"] for step in replay["steps"])]
                assert told == answers[robot]
    finally:
        ended.set()
        service.kill()
    for robot in range(ROBOTS):  # the same in one undisturbed process
        luck, memory = random.Random(robot), agent.start()
        for answer in answers[robot][:-1]:
            observation = luck.choice([0, 0, 0, 1, 3])
            memory = agent.update(memory, answer["action"], walkon.Percept(observation=observation))
        assert answers[robot][-1]["tasks"] == memory.tasks.tolist()


@pytest.mark.long
def test_a_thousand_silent_connections_keep_nobody_out(tmp_path):
    walkon.save(quick_agent("atpo", walkon.make("night-pursuit", size=3, tasks=2)), tmp_path / "agent.safetensors")
    with ExitStack() as held, Service("agent", tmp_path / "agent.safetensors") as service:
        for _ in range(900):  # below the usual limit of files of this process
            held.enter_context(socket.create_connection(("127.0.0.1", service.port), timeout=PATIENCE))
        with walkon.Client(service.ready["address"], patience=PATIENCE) as client:
            session = client.open(seed=1)
            for _ in range(20):
                session.tell(0)
            assert session.replay()["exact"]
