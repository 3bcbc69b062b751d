"""Every command of the documentation is run, page by page and in order, with the files that the page takes for granted.

What the reader sees is what is run. Only the work is made small: solvers stop early, experiments play few trials. A
command that stands on several pages is run on one. The few kinds that are not run are listed here, and the same ones
in CONTRIBUTING.md.
"""

import json
import re
import shlex
import shutil
import sqlite3
import tomllib
from argparse import ArgumentParser
from contextlib import ExitStack, nullcontext
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
import typer
from distributed import LocalCluster
from typer.testing import CliRunner

import walkon
from following import blocks
from random_libraries import quick_agent
from services import Service
from small_runs import KITCHEN, SETTINGS, few_sweeps, small_trials
from waiting import PATIENCE
from walkon.cli.bench import ONE_THREAD
from walkon.cli.main import app
from walkon.domains.classics import tiger
from walkon.runs.run import Alone, run
from walkon.runs.store import Store
from walkon.speed import solving

ROOT = Path(__file__).parent.parent
PAGES = [*sorted((ROOT / "docs").glob("*.md")), *sorted(ROOT.glob("*.md"))]
CORRIDOR = ROOT / "examples" / "corridor.py"
COMMANDS = typer.main.get_command(app).commands
USUAL = f"http://127.0.0.1:{next(each.default for each in COMMANDS['agent'].params if each.name == 'port')}"
SCHEDULER = "tcp://SCHEDULER:8786"  # for the reader to fill in
BACKUPS, BELIEFS = 30, 50

SMALL = {
    "solvers.parallel.cores": lambda: 1,
    "runs.run.cores": lambda: 1,
    "paper.run.Run.parts": property(few_sweeps),
    "paper.report.write.FORMATS": ("svg",),
    "paper.report.page.FORMATS": ("svg",),
    "speed.solving.METHODS": {name: replace(each, backups=BACKUPS) for name, each in solving.METHODS.items()},
    "speed.solving.EPISODES": 20,
    "speed.solving.FULL_EPISODES": 20,
    "speed.solving.PROBLEMS": {"tag": solving.PROBLEMS["tag"]},
    "speed.solving.LIBRARIES": {"night 3x3": ("night-pursuit", {"size": 3, "tasks": 2})},
    "speed.solving.TRIALS": 2,
    "speed.solving.LARGER": {"night 3x3": {"size": 3, "tasks": 1}},
    "speed.solving.BACKUPS": (BACKUPS,),
    "speed.solving.LARGER_EPISODES": 2,
    "speed.deciding.USUAL": {"size": 3, "tasks": 1},
    "speed.deciding.SIZES": (3, 4),
    "speed.deciding.LARGE": (),
    "speed.deciding.SPLITS": (1,),
    "speed.deciding.TASKS": (1,),
    "speed.deciding.BACKUPS": (BACKUPS,),
    "speed.deciding.EPISODES": 1,
    "speed.deciding.SOLVING": walkon.Ascent(backups=BACKUPS, tolerance=1e-9),
    "speed.deciding.CASES": ((3, 2),),
    "speed.deciding.BATCHES": ((3, 2),),
    "speed.deciding.STEPS": 5,
    "speed.building.LIBRARIES": (("night-pursuit", {"size": 3}),),
    "speed.building.TIMES": 1,
    "speed.searching.SIZES": {True: (3,), False: (3,)},
}


@pytest.fixture
def small(monkeypatch, tmp_path):
    """All work is small, stays in this process, and leaves no trace."""
    for place, value in SMALL.items():
        monkeypatch.setattr(f"walkon.{place}", value)
    for solver in (walkon.Perseus, walkon.Ascent, walkon.Sarsop):

        def soon(self, check=solver.__post_init__):
            check(self)
            for name, most in {"backups": BACKUPS, "beliefs": BELIEFS}.items():
                if hasattr(self, name):
                    object.__setattr__(self, name, min(getattr(self, name) or most, most))

        monkeypatch.setattr(solver, "__post_init__", soon)
    monkeypatch.setattr("walkon.formats.policy_cache.cache_folder", lambda kind: tmp_path / kind)
    for name in ONE_THREAD:
        monkeypatch.setenv(name, "1")


def write_library(path):
    walkon.save(walkon.make("night-pursuit", size=3, tasks=2), path)


def write_agent(path):
    walkon.save(quick_agent("atpo", walkon.make("night-pursuit", size=3, tasks=2)), path)


def write_log(path):
    tasks = walkon.read_library(CORRIDOR)
    episodes = walkon.play_many(tasks[0], walkon.agent("random", tasks), range(30), horizon=10)
    walkon.write_log(walkon.logged(episodes, tasks[0]), path)


def write_results(path):
    with Store(path, write=True) as store:
        store.begin({}, SETTINGS.record())
        run(small_trials(KITCHEN), store, Alone(str(path / "policies")))


def write_rules(path):
    path.write_text('import walkon\n\nlibrary = walkon.make("tag", tables=False)\n')


TAKEN_FOR_GRANTED = {
    "rules.py": write_rules,
    **dict.fromkeys(["model.pomdp", "left.pomdp", "right.pomdp"], lambda path: walkon.write_pomdp(tiger(), path)),
    **dict.fromkeys(["corridor.py", "mine.py", "examples/corridor.py"], lambda path: shutil.copy(CORRIDOR, path)),
    "examples/hotspot_runs.csv": lambda path: shutil.copy(ROOT / "examples" / path.name, path),
    "library.safetensors": write_library,
    "agent.safetensors": write_agent,
    "log.csv": write_log,
    "results/": write_results,
}


def has_target(words):
    return set(words) <= set(re.findall(r"^(\w[\w-]*):", (ROOT / "Makefile").read_text(), re.MULTILINE))


def has_extra(words):
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    wanted = [re.fullmatch(r"walkon\[(.*)\]", word) for word in words]
    return all(found and set(found[1].split(",")) <= set(extras) for found in wanted)


def has_script(words):
    return (ROOT / "benchmarks" / words[0]).is_file()


NOT_RUN = {"make ": has_target, "pip install ": has_extra, "python benchmarks/": has_script}  # only looked up


def lines_of(text):
    return [line for line in text.replace("\\\n", " ").splitlines() if line.strip()]


def words_of(line):
    """The words of a command, without what is remarked."""
    return shlex.split(line, comments=True)


class Reader:
    """Somebody who follows a page in a folder. What is served there runs until the end."""

    def __init__(self, folder):
        self.folder, self.running = folder, ExitStack()
        self.agent, self.answers = None, []

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        self.running.close()

    def follow(self, page):
        """Do what the blocks of a page say."""
        for block in blocks(page.read_text()):
            if block.language == "sh":
                for line in lines_of(block.text):
                    if PLACES[shlex.join(words_of(line))] == page:
                        self.type(line)
            elif block.language == "python" and block.title:
                (self.folder / block.title).parent.mkdir(exist_ok=True)
                (self.folder / block.title).write_text(block.text)
            elif block.language == "csv":
                (self.folder / "block.csv").write_text(block.text)
                assert walkon.read_log(self.folder / "block.csv").episodes
            elif block.language == "json":
                assert json.loads(block.text).keys() in [answer.keys() for answer in self.answers]

    def bring(self, words):
        """Create the files that a command names and that do not exist yet."""
        for name in TAKEN_FOR_GRANTED.keys() & set(words):
            path = self.folder / name
            path.parent.mkdir(exist_ok=True)
            if not path.exists():
                TAKEN_FOR_GRANTED[name](path)

    def type(self, line):
        first, *rest = words = words_of(line)
        self.bring(words)
        does = {"walkon": self.walkon, "curl": self.curl, "sqlite3": self.sqlite3}
        if first in does:
            does[first](rest)
            for name in re.findall(r"[\w-]+\.(?:json|html|png|svg)\b", line.partition(" #")[2]):
                assert list(self.folder.rglob(name)), f"nothing makes the {name} that is promised: {line}"
        else:
            (kind,) = (kind for kind in NOT_RUN if line.startswith(kind))
            assert NOT_RUN[kind](" ".join(words).removeprefix(kind).split()), f"what is not there is named: {line}"

    def walkon(self, words):
        if words[0] == "serve":
            with Service(*words, cwd=self.folder) as service:
                answer = httpx.get(service.ready["address"], timeout=PATIENCE)
            assert answer.is_success
            assert "walkon" in answer.text
        elif words[0] == "agent":
            self.agent = self.running.enter_context(Service(*words, cwd=self.folder))
            assert self.agent.ready["agent"] == ("search" if "--library" in words else "atpo")
        else:
            self.invoke(words)

    def invoke(self, words):
        """A command that ends: in this process, where the work is small."""
        with LocalCluster(**ONE_WORKER) if SCHEDULER in words else nullcontext() as cluster:
            typed = [cluster.scheduler_address if word == SCHEDULER else word for word in words]
            done = CliRunner().invoke(app, typed, input="\n" * 1000)
        assert done.exit_code == 0, f"{words}: {done.exception!r} {done.output}"
        given = COMMANDS[words[0]].make_context(words[0], words[1:]).params
        for option in ("out", "plot", "save"):
            assert given.get(option) is None or given[option].exists(), f"{words} writes no {given[option]}"
        if words[0] in ("reproduce", "report"):
            assert "</html>" in (given.get("folder", given.get("out")) / "report.html").read_text()
        if given["json"]:
            json.loads(done.stdout)
        assert done.stdout

    def curl(self, words):
        given = CURL.parse_args(words)
        assert given.url.startswith(USUAL)
        url = given.url.replace(USUAL, f"http://127.0.0.1:{self.agent.port}")
        headers = dict(header.split(": ") for header in given.header)
        answer = httpx.request(given.method, url, headers=headers, content=given.data, timeout=PATIENCE)
        assert answer.is_success, f"{words}: {answer.text}"
        if "json" in answer.headers["content-type"]:
            self.answers.append(answer.json())

    def sqlite3(self, words):
        path, query = words
        base = sqlite3.connect(self.folder / path)
        try:
            assert base.execute(query).fetchall()
        finally:
            base.close()


CURL = ArgumentParser("curl", exit_on_error=False)
CURL.add_argument("url")
CURL.add_argument("-X", dest="method", default="GET")
CURL.add_argument("-H", dest="header", action="append", default=[])
CURL.add_argument("-d", dest="data")
ONE_WORKER = {"n_workers": 1, "threads_per_worker": 1, "processes": False, "protocol": "tcp", "dashboard_address": ":0"}
PLACES = {}  # the page that a command is run on
for each in PAGES:
    for block in blocks(each.read_text()):
        if block.language == "sh":
            PLACES = {shlex.join(words_of(line)): each for line in lines_of(block.text)} | PLACES


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
@pytest.mark.usefixtures("small")
def test_a_page_can_be_followed(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with Reader(tmp_path) as reader:
        reader.follow(page)


def test_the_commands_that_are_not_run_are_listed():
    (sentence,) = re.findall(r"[^.:]*are not run:[^.]*\.", (ROOT / "CONTRIBUTING.md").read_text())
    assert set(re.findall(r"`([^`]+)`", sentence)) == {kind.strip() for kind in NOT_RUN}


@pytest.mark.parametrize(
    "wrong",
    [
        "walkon plai pursuit",
        "walkon play pursuit --sizes 4",
        "walkon play pursuits",
        "walkon solve tiger --solver sarsap",
        "walkon list # writes list.json",
        "make everything",
        "pip install walkon[wbe]",
        "python benchmarks/nothing.py",
        "launch rocket",
    ],
)
def test_a_command_that_does_not_work_fails(wrong, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises((AssertionError, ValueError)):
        Reader(tmp_path).type(wrong)
