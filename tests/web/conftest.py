"""A server, a browser, and visits to the one with the other."""

import re

import pytest
from playwright.sync_api import expect, sync_playwright

from chromium import chromium
from page_visitor import page_server
from small_runs import KITCHEN, SMALL, small_entries
from walkon.runs.store import Store
from walkon.runs.sweep import Settings
from walkon.runs.work import play_trials

LEVERS = """
import numpy as np
import walkon

swap, keep = [[0, 1], [1, 0]], np.eye(2)
team = walkon.MMDP(
    P=[[keep, swap], [swap, keep]],
    R=np.zeros((2, 2, 2)),
    states=["lamp off", "lamp on"],
    actions=["wait", "pull"],
    teammate_actions=["wait", "pull <b>hard</b>"],
)
see = [[0.9, 0.1], [0.1, 0.9]]
library = walkon.TaskLibrary(
    [
        walkon.Task(team, [[0.9, 0.1]] * 2, [see, see], name="lazy", observations=["dark", "bright"], horizon=20),
        walkon.Task(team, [[0.1, 0.9]] * 2, [see, see], name="busy", observations=["dark", "bright"], horizon=20),
    ]
)
"""


expect.set_options(timeout=300_000)  # machines may be busy; a test that passes waits for nothing


@pytest.fixture(scope="session")
def address(tmp_path_factory):
    """A server with a user's own library, for all tests that need no other."""
    path = tmp_path_factory.mktemp("own") / "levers.py"
    path.write_text(LEVERS)
    with page_server(path) as where:
        yield where


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory):
    """A small run."""
    folder = tmp_path_factory.mktemp("run")
    settings = Settings(trials=1)
    with Store(folder, write=True) as store:
        store.begin({"command": "a test"}, settings.record())
        for sweep in (SMALL, KITCHEN):
            trials = [entry.trial for entry in small_entries(sweep)]
            for one in trials:
                store.add([(one, play_trials([one], None)[0])])
    return folder


@pytest.fixture(scope="module")
def results(run_folder):
    """A server with this run."""
    with page_server(run_folder) as where:
        yield where


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def visit(browser):
    """Opens a page of an address, in a browser that knows nothing of the others."""
    contexts, asked, broken = [], [], []

    def opened(where, **look):
        context = browser.new_context(**look)
        context.set_default_timeout(300_000)
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: broken.append(str(error)))
        page.goto(where)
        page.wait_for_selector(".board, .facts, h1.run-title", timeout=300_000)  # the first compiles kernels
        return page

    yield opened
    for context in contexts:
        context.close()
    outside = [url for url in asked if not re.match(r"(http|ws)://127\.0\.0\.1:|data:|blob:", url)]
    assert outside == []
    assert broken == []
