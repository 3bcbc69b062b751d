"""`walkon serve` as a person meets it, and what it refuses."""

import socket

import httpx
import pytest

from command_line import run, run_here
from services import Service
from waiting import PATIENCE


@pytest.fixture
def served():
    """Starts servers, and ends them as Ctrl-C does."""
    servers = []

    def started(*arguments):
        servers.append(Service("serve", *arguments).start())
        return servers[-1].ready["address"]

    yield started
    for server in servers:
        code, said = server.end()
        assert code == 130
        assert "Traceback" not in said


def test_the_page_is_there_on_this_machine_alone(served):
    address = served()
    assert address.startswith("http://127.0.0.1:")
    answer = httpx.get(address, timeout=PATIENCE)
    assert answer.status_code == 200
    assert "walkon" in answer.text
    assert httpx.get(address, headers={"Host": "evil.example"}, timeout=PATIENCE).status_code == 403
    for path in ("docs", "openapi.json", "redoc", "_nicegui/../pyproject.toml", "%2e%2e/etc/passwd"):
        assert httpx.get(f"{address}{path}", timeout=PATIENCE).status_code == 404


def test_other_machines_need_the_token(served):
    address = served("--host", "0.0.0.0").replace("0.0.0.0", "127.0.0.1")
    plain, _, token = address.partition("?token=")
    assert len(token) >= 16
    assert httpx.get(plain, timeout=PATIENCE).status_code == 403
    with httpx.Client(follow_redirects=True, timeout=PATIENCE) as client:
        answer = client.get(address)
        assert answer.status_code == 200
        assert "token" not in str(answer.url)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--port", "99999"], "port is 99999, expected a number from 0 to 65535"),
        (["nowhere.py"], 'there is no file and no folder "nowhere.py"'),
        (["--jobs", "0"], "--jobs is 0"),
        (["."], "has no results.sqlite"),
    ],
)
def test_what_cannot_be_served_is_refused(arguments, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    refused = run_here("serve", *arguments)
    assert refused.returncode == 2
    assert said in refused.stderr.replace("\n", " ")
    assert "Traceback" not in refused.stderr


def test_a_port_that_is_taken_is_named():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        refused = run("serve", "--port", port, "--no-browser")
    assert refused.returncode == 2
    assert f"cannot listen on 127.0.0.1, port {port}" in refused.stderr.replace("\n", " ")
