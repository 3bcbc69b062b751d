"""The client: what it is told, and that nothing is lost or done twice when connections break."""

import random
import re
import socket
import subprocess
import sys
import threading

import numpy as np
import pytest

import walkon
from ports import kept_port
from random_libraries import quick_agent
from services import Service
from waiting import PATIENCE, pause_without_waiting
from walkon import InputError


@pytest.fixture(scope="module")
def library():
    return walkon.make("night-pursuit", size=3, tasks=2)


@pytest.fixture(scope="module")
def service(tmp_path_factory, library):
    bundle = tmp_path_factory.mktemp("service") / "agent.safetensors"
    walkon.save(quick_agent("atpo", library), bundle)
    with Service("agent", bundle) as running:
        yield running


@pytest.fixture
def client(service):
    with walkon.Client(service.ready["address"], patience=PATIENCE) as client:
        yield client


def test_a_session_plays_as_walkon_play_does(client, library):
    agent = quick_agent("atpo", library)
    episode = walkon.play(library[1], agent, horizon=20, seed=3)
    session = client.open(seed=3)
    for t, observation in enumerate(episode.observations):
        assert session.action == episode.actions[t]
        assert session.action_name == library.actions[session.action]
        assert session.tell(int(observation)) == session.action
        assert session.tasks == episode.task_beliefs[t + 1].tolist()
        assert session.surprise >= 0
        assert session.explained
        assert session.alarm is None
        assert sum(session.probabilities) == pytest.approx(1)
    assert session.step == 20
    assert session.replay()["exact"]
    assert session.look()["answer"] == session.answer
    session.close()
    with pytest.raises(InputError, match=r"there is no session .* \(404\)"):
        session.look()


def test_a_robot_that_restarts_finds_its_session(client):
    first = client.open(id="robot-7", seed=1, prior=[0.25, 0.75])
    first.tell(0)
    again = client.open(id="robot-7", seed=1, prior=[0.25, 0.75])
    assert again.answer == client.session("robot-7").answer == first.answer
    assert "robot-7" in client.sessions()


def test_what_is_refused_is_raised_in_the_words_of_the_service(client):
    session = client.open()
    with pytest.raises(InputError, match=r"observation is 'nothing up, .*, did you mean"):
        session.tell("nothing up, nothing down, nothing left, prey rigth")
    with pytest.raises(InputError, match="likelihood has shape"):
        session.tell(likelihood=[1, 2])
    assert session.tell(likelihood=[1] * 81, action="Up") in range(5)
    assert client.agent()["agent"] == "atpo"
    assert client.health()["status"] == "ok"


def test_an_address_that_is_none_and_a_service_that_is_not_there_are_said():
    with pytest.raises(InputError, match="address is 'nowhere', expected one such as"):
        walkon.Client("nowhere")
    with (
        kept_port() as port,
        walkon.Client(f"http://127.0.0.1:{port}", patience=0.2) as client,
        pytest.raises(ConnectionError, match="is walkon agent running"),
    ):
        client.health()


class Weather:
    """Stands between a client and a service, and cuts the line: before a request gets through, or after."""

    def __init__(self, port, seed):
        self.chance, self.port, self.cuts = random.Random(seed), port, 0
        self.server = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.server.getsockname()[1]}"
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                near, _ = self.server.accept()
            except OSError:
                return
            with near, socket.create_connection(("127.0.0.1", self.port)) as far:
                while request := whole(near):
                    lot = self.chance.random()
                    if lot < 0.2:  # it never arrives
                        self.cuts += 1
                        break
                    far.sendall(request)
                    answer = whole(far)
                    if lot < 0.4:  # it is done, but the answer is lost
                        self.cuts += 1
                        break
                    near.sendall(answer)


def whole(line):
    """A request or an answer with its body."""
    data = b""
    while b"\r\n\r\n" not in data:
        more = line.recv(2**16)
        if not more:
            return b""
        data += more
    head, _, body = data.partition(b"\r\n\r\n")
    length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
    while len(body) < (int(length[1]) if length else 0):
        body += line.recv(2**16)
    return head + b"\r\n\r\n" + body


def test_over_a_line_that_breaks_every_step_is_taken_once(service, client):
    weather = Weather(service.port, seed=1)
    observations = [random.Random(2).choice([0, 0, 0, 1, 3, 9]) for _ in range(25)]
    with walkon.Client(weather.address, patience=PATIENCE) as unlucky:
        through, calm = unlucky.open(seed=9), client.open(seed=9)
        for observation in observations:
            through.tell(observation)
            calm.tell(observation)
            assert through.answer | {"session": None} == calm.answer | {"session": None}
        assert through.look()["answer"]["step"] == 25
    weather.server.close()
    assert weather.cuts > 5


def test_the_client_needs_nothing_but_python():
    code = "import sys, walkon; walkon.Client('http://x'); print('numpy' in sys.modules, 'pydantic' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


class Told:
    """A server that gives each request the next of its answers; None closes the connection without one."""

    def __init__(self, *answers):
        self.answers, self.asked, self.lines = list(answers), [], 0
        self.server = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.server.getsockname()[1]}"
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                near, _ = self.server.accept()
            except OSError:
                return
            self.lines += 1
            with near:
                while request := whole(near):
                    self.asked.append(request.split(b" ", 2)[1].decode())
                    answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
                    if answer is None:
                        break
                    status, headers, body = answer
                    near.sendall(f"HTTP/1.1 {status} X\r\n{headers}content-length: {len(body)}\r\n\r\n{body}".encode())

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        self.server.close()


FULL = (429, "retry-after: 10\r\n", '{"error": "there are 5 sessions: close one, or wait", "status": 429}')
LATE = (504, "retry-after: 1\r\n", '{"error": "it took longer than 5 s", "status": 504}')
FINE = (200, "", '{"fine": true}')


def test_who_gives_up_says_what_the_service_said_last(monkeypatch):
    with Told(FULL) as told, walkon.Client(told.address, patience=9) as client:
        with pytest.raises(InputError, match=r"there are 5 sessions: close one, or wait \(429\)"):
            client.open()
        assert len(told.asked) == 1  # the service said when to come again, and that is too late
    pause_without_waiting(monkeypatch)
    with (
        Told((503, "retry-after: 0\r\n", FULL[2]), None) as told,
        walkon.Client(told.address, patience=60) as client,
        pytest.raises(InputError, match=r"there are 5 sessions"),  # and not that the line is dead since
    ):
        client.open()


def test_a_refusal_without_words_is_said_as_what_it_usually_is(monkeypatch):
    pause_without_waiting(monkeypatch)
    with (
        Told((503, "", "Service Unavailable")) as told,
        walkon.Client(told.address, patience=60) as client,
        pytest.raises(InputError, match=r"too many connections.* \(503\)"),
    ):
        client.health()


def test_a_connection_that_was_silent_for_long_is_not_used_again(monkeypatch):
    with Told(FINE) as told, walkon.Client(told.address) as client:
        for _ in range(2):
            client.health()
        assert told.lines == 1
        monkeypatch.setattr("walkon.service.client.FRESH", -1.0)
        client.health()
        assert told.lines == 2


@pytest.mark.parametrize(("answer", "error"), [(LATE, InputError), (None, ConnectionError)])
def test_a_replay_that_was_begun_is_never_sent_again(answer, error):
    busy = (429, "", '{"error": "another session is being replayed", "status": 429}')
    with Told(busy, busy, answer) as told, walkon.Client(told.address, patience=PATIENCE) as client:
        with pytest.raises(error):
            client.ask("GET", "/sessions/one/replay", once=True)
        assert len(told.asked) == 3


def test_nobody_is_waited_for_longer_than_patience_in_all():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with walkon.Client(address, patience=0.2, timeout=PATIENCE) as client:
            with pytest.raises(ConnectionError, match="timed out"):
                client.health()
            assert client._connection.timeout <= 0.2


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:99999", "http://127.0.0.1:abc", "http://[::1", "http://", "ftp://x", "", None, 8090]
)
def test_every_bad_address_is_refused_in_words(address):
    with pytest.raises(InputError, match=r"address is .*, expected one such as http://127\.0\.0\.1:8090"):
        walkon.Client(address)


def test_a_token_that_no_header_can_hold_is_refused():
    for token in ("two\r\nlines", "tökens"):
        with pytest.raises(InputError, match=r"token is .*, expected the one that walkon agent printed"):
            walkon.Client("http://127.0.0.1", token=token)


def test_an_answer_of_something_else_is_refused_in_words():
    with Told(FINE) as told, walkon.Client(told.address) as client:
        for ask in (client.open, lambda: client.session("one")):
            with pytest.raises(InputError, match="the answer has no 'action': is the address that of a walkon agent"):
                ask()


def test_numbers_of_numpy_are_numbers_and_what_is_no_message_is_refused_here(client):
    session = client.open(seed=3)
    session.tell(np.int64(0), action=np.int8(2))
    assert session.replay()["steps"][0]["told"] == {"step": 0, "observation": 0, "action": 2}
    for wrong in (object(), {1, 2}, b"near"):
        with pytest.raises(InputError, match="cannot be sent as JSON"):
            session.tell(wrong)
    for wrong in (5, ["a"], [None], [10**400]):
        with pytest.raises(InputError, match=r"likelihood is .*, expected a list of numbers"):
            session.tell(likelihood=wrong)
    assert session.step == 1
