"""`walkon agent` as a person meets it, and what it refuses."""

import os
import time

import httpx
import pytest

import walkon
from command_line import run_here
from random_libraries import quick_agent, random_library
from services import Service
from waiting import PATIENCE


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


def test_what_cannot_be_served_is_refused(bundle, tmp_path):
    walkon.save(random_library(3), tmp_path / "library")
    for arguments, said in (
        ([tmp_path / "library"], "holds a TaskLibrary, expected an agent"),
        ([bundle, "--deadline", 0], "deadline is 0, expected seconds"),
    ):
        refused = run_here("agent", *arguments)
        assert refused.returncode == 2
        assert said in refused.stderr.replace("\n", " ")
        assert "Traceback" not in refused.stderr
