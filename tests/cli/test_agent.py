"""`walkon agent` as a person meets it, and what it refuses."""

import os
import socket
import time

import httpx
import pytest
from typer.testing import CliRunner

import walkon
from command_line import run_here
from random_libraries import quick_agent, random_library
from services import Service
from waiting import PATIENCE
from walkon.cli.main import app
from walkon.cli.serve import agent
from walkon.service.server import Started


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    path = tmp_path_factory.mktemp("agent") / "agent.safetensors"
    walkon.save(quick_agent("atpo", random_library(3)), path)
    return path


def test_an_agent_is_served_on_this_machine_alone_until_ctrl_c(bundle, tmp_path):
    journal = tmp_path / "journal"
    journal.mkdir()
    for days, name in {8: "old.closed", 6: "new.closed"}.items():
        (journal / name).write_text('{"format":"walkon session"}\n')
        os.utime(journal / name, (time.time() - 86_400 * days,) * 2)
    service = Service("agent", bundle, "--journal", journal, "--keep-days", 7).start()
    address = service.ready["address"]
    assert address.startswith("http://127.0.0.1:")
    assert (service.ready["agent"], service.ready["token"], service.ready["sessions"]) == ("atpo", None, 0)
    assert httpx.get(f"{address}health", timeout=PATIENCE).json()["version"] == walkon.__version__
    assert "GET /health" in httpx.get(f"{address}docs", timeout=PATIENCE).text
    assert httpx.get(f"{address}health", headers={"Host": "evil.example"}, timeout=PATIENCE).status_code == 403
    assert httpx.post(f"{address}sessions", json={"id": "one"}, timeout=PATIENCE).status_code == 201
    code, said = service.end()
    assert code == 130
    assert "Traceback" not in said
    assert {path.name for path in journal.iterdir()} >= {"one.jsonl", "new.closed"}
    assert not (journal / "old.closed").exists()


def test_other_machines_need_the_token(bundle, tmp_path):
    options = ["--host", "0.0.0.0", "--journal", tmp_path]
    with Service("agent", bundle, *options) as service:
        address, token = f"http://127.0.0.1:{service.port}", service.ready["token"]
        assert len(token) >= 16
        for headers in ({}, {"authorization": "Bearer wrong"}, {"authorization": token}, {"authorization": "Basic x"}):
            refused = httpx.get(f"{address}/health", headers=headers, timeout=PATIENCE)
            assert refused.status_code == 403
            assert "Authorization: Bearer TOKEN" in refused.json()["error"]
        shown = httpx.get(f"{address}/health", headers={"authorization": f"Bearer {token}"}, timeout=PATIENCE)
        assert shown.status_code == 200
        with httpx.Client(follow_redirects=True, timeout=PATIENCE) as browser:
            page = browser.get(f"{address}/docs?token={token}")
            assert page.status_code == 200
            assert token not in str(page.url)
        with walkon.Client(address, token=token, patience=PATIENCE) as client:
            assert client.open(seed=1).step == 0
        with (
            walkon.Client(address, patience=PATIENCE) as client,
            pytest.raises(walkon.InputError, match="A token is needed"),
        ):
            client.open()


def test_the_token_may_come_from_a_file_or_a_variable(bundle, tmp_path, monkeypatch):
    (tmp_path / "token").write_text("sesame\n")
    (tmp_path / "journal").mkdir()
    (tmp_path / "journal" / "robot-3.jsonl").write_bytes(b"")
    options = ["--host", "0.0.0.0", "--journal", tmp_path / "journal", "--idle-hours", 24]
    monkeypatch.setenv("WALKON_TOKEN", "from the environment")
    with Service("agent", bundle, *options, "--token-file", tmp_path / "token") as service:
        assert service.ready["token"] == "sesame"
        assert "robot-3.jsonl is not a journal that this walkon can read" in service.ready["refused"][0]
        headers = {"authorization": "Bearer sesame"}
        health = httpx.get(f"http://127.0.0.1:{service.port}/health", headers=headers, timeout=PATIENCE).json()
        assert health["refused"] == ["robot-3"]
    (tmp_path / "token").write_text("two words")
    for path, said in ((tmp_path / "token", "expected one line with a token"), (tmp_path, "cannot be read")):
        with pytest.raises(walkon.InputError, match=said):
            agent(bundle, token_file=path)


def test_what_is_said_at_the_start_is_of_use_to_others(bundle, tmp_path, monkeypatch):
    """In this process: the address has this machine's name, the token is that of the variable."""

    def served(bundle, address, folder, version, ready, settings, library):
        assert (address.token, settings.idle_hours) == ("sesame", None)
        ready(Started("http://0.0.0.0:8090/", "atpo", 2, ("x.jsonl is not a journal: move it away",)))

    monkeypatch.setattr("walkon.service.server.serve", served)
    done = CliRunner().invoke(app, ["agent", str(bundle), "--host", "0.0.0.0"], env={"WALKON_TOKEN": "sesame"})
    assert done.exit_code == 0
    assert f"atpo is at http://{socket.gethostname()}:8090/, 2 sessions resumed" in done.stdout
    assert "token: sesame" in done.stdout


def test_what_cannot_be_served_is_refused(bundle, tmp_path):
    walkon.save(random_library(3), tmp_path / "library")
    for arguments, said in (
        ([tmp_path / "library"], "holds a TaskLibrary, expected an agent: `walkon prepare"),
        ([bundle, "--deadline", 0], "deadline is 0, expected seconds"),
    ):
        refused = run_here("agent", *arguments)
        assert refused.returncode == 2
        assert said in refused.stderr.replace("\n", " ")
        assert "Traceback" not in refused.stderr
