"""The recipes of CONTRIBUTING.md, word by word: an installed package with a world, a tally, an agent and a solver.

Each test checks one place where they apply, in a process that finds the package like any other.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import python
from following import blocks

ROOT = Path(__file__).parent.parent
PIP = [sys.executable, "-m", "pip", "install", "--quiet", "--no-build-isolation", "--no-deps", "--no-index"]


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """Build the package and install it into a folder that Python searches."""
    source, target = tmp_path_factory.mktemp("package"), tmp_path_factory.mktemp("installed")
    for block in blocks((ROOT / "CONTRIBUTING.md").read_text()):
        if block.title:
            path = source / block.title
            path.parent.mkdir(exist_ok=True)
            path.write_text(block.text)
    built = subprocess.run([*PIP, "--target", str(target), str(source)], capture_output=True, text=True, timeout=600)
    assert built.returncode == 0, built.stderr
    paths = [str(target), str(ROOT / "src")]
    return os.environ | {"PYTHONPATH": os.pathsep.join(paths)}


@pytest.fixture
def process(environment, tmp_path):
    """Run Python in a process of its own, in which warnings are errors, and return what it prints."""

    def typed(*words, **options):
        done = python(*words, env=environment, cwd=tmp_path, warnings="error", **options)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return typed


@pytest.fixture
def walkon(process):
    """Run a command, and return the JSON document that it prints."""
    return lambda line: json.loads(process("-m", "walkon", *line.split(), "--json"))


@pytest.fixture
def program(process):
    """Run a program, and return the words that it prints."""
    return lambda text, **options: process("-c", text, **options).split()


def test_walkon_list_names_all_of_them(walkon):
    listed = walkon("list")
    assert listed["worlds"]["lamp"] == "Lamp. Keep a lamp on or off, as the teammate wants it"
    assert listed["worlds"]["counted-lamp"].startswith("Counted lamp. ")
    assert listed["agents"]["most-likely"] == "Acts by the policy of the most likely task"
    assert listed["solvers"]["blind"].startswith("Solves one linear system for each action")


def test_walkon_play_takes_the_world_with_its_option_and_the_agent(walkon):
    calm, wild = (walkon(f"play lamp --draught {draught} --agent most-likely") for draught in (0, 0.5))
    assert (calm["world"], calm["agent"], calm["options"]) == ("lamp", "most-likely", {"draught": 0.0})
    assert calm["summary"]["earned"] > wild["summary"]["earned"]


def test_walkon_play_counts(walkon):
    episode = walkon("play counted-lamp --agent most-likely --task 1")
    counted = episode["tally"]["corrections"]
    wrong = [paid == 0 for paid in episode["rewards"][:-1]]  # a step pays 1 if it leaves the lamp as it is wanted
    moves = zip(wrong, episode["actions"][1:], episode["teammate_actions"][1:], strict=True)
    assert counted[1:] == [int(due and a != b) for due, a, b in moves]
    assert episode["summary"]["corrections"] == sum(counted) > 0
    assert episode["summary"]["score"] == "corrections"


def test_walkon_compare_scores_by_the_count(walkon):
    found = walkon("compare counted-lamp --agent most-likely --agent value-iteration --agent random --trials 8")
    assert found["measure"] == "corrections"
    assert set(found["results"]) == {"most-likely", "value-iteration", "random"}
    assert walkon("compare lamp --agent most-likely --agent random --trials 2")["measure"] != "corrections"


def test_walkon_solve_takes_the_solver_and_its_bound_is_below_that_of_ours(walkon):
    blind, best = (walkon(f"solve lamp --solver {name}") for name in ("blind", "sarsop"))
    assert (blind["solver"], blind["stopped"], blind["vectors"]) == ("Blind()", "converged", 2)
    assert 0 < blind["lower"] <= best["upper"]


def test_the_page_offers_the_worlds_with_their_options_and_the_agent(program):
    text = """
from walkon.web.setup import choose_world, offers
from walkon.web.pages import controls
print(*offers("lamp"), *offers("counted-lamp"), *choose_world("lamp", {}).make().names[0].split()[:1])
print("most-likely" in controls.AGENTS, {"lamp", "counted-lamp"} <= set(controls.WORLDS))
"""
    assert program(text) == ["draught", "draught", "Lamp(wanted='on',", "True", "True"]


def test_the_page_prepares_the_agent_in_the_world(program):
    text = """
import asyncio
from walkon.web.host import Host
from walkon.trials.trial import Trial
from walkon.web.setup import choose_world, read_address

if __name__ == "__main__":
    usual = Trial(world=choose_world("counted-lamp", {}), task=0, agent="atpo", seed=0, played_by=0)
    setup, _ = read_address({"agent": "most-likely"}, usual)
    host = Host(1)
    match = asyncio.run(host.match(setup))
    host.solving.close()
    print(type(match.agent).__name__, len(match.library))
"""
    assert program(text) == ["MostLikely", "2"]


def test_gymnasium_makes_the_worlds(program):
    text = """
import gymnasium
import walkon.envs
for name in ("walkon/Lamp-v0", "walkon/CountedLamp-v0"):
    env = gymnasium.make(name, draught=0.3)
    env.reset(seed=1)
    print(env.step(1)[1] in (0, 1), env.unwrapped.library.names[1].endswith("draught=0.3)"))
"""
    assert program(text) == ["True"] * 4


def test_a_bundle_keeps_the_agent_with_its_options_and_the_counted_tasks(program):
    text = """
import walkon
library = walkon.make("counted-lamp", draught=0.3)
agent = walkon.agent("most-likely", library, least=0.9)
walkon.save(library, "library.safetensors")
walkon.save(agent, "agent.safetensors")
tasks, again = walkon.load("library.safetensors"), walkon.load("agent.safetensors")
print(type(again).__name__, again.options.least, tasks[1].tally.name, tasks.names == library.names)
one, two = walkon.play(library[1], agent, seed=4), walkon.play(tasks[1], again, seed=4)
print(one.actions.tolist() == two.actions.tolist(), one.counts.tolist() == two.counts.tolist())
"""
    assert program(text) == ["MostLikely", "0.9", "corrections", "True", "True", "True"]


def test_a_runs_store_keeps_the_trials_of_all_of_them(program):
    text = """
from pathlib import Path
from walkon.runs.run import Alone
from walkon.runs.run import run
from walkon.runs.store import Store
from walkon.runs.sweep import Point, Settings, Sweep, entries
from walkon.runs.tabulate import tabulate
from walkon.runs.work import play_trials
from walkon.trials.trial import Recipe, WorldSpec

point = Point(1.0, WorldSpec.of("counted-lamp", draught=0.3))
sweep = Sweep(name="outside", agents=("most-likely", "atpo"), points=(point,))
settings = Settings(trials=3, recipe=Recipe("blind"))
places = list(entries(sweep, settings))
trials = [entry.trial for entry in places]
with Store(Path("run"), write=True) as store:
    store.begin({}, settings.record())
    run(trials, store, Alone("policies"), lambda progress: None)
with Store(Path("run")) as store:
    table = tabulate(places, store)
    played = play_trials(trials[:1], "policies")
    print(len(table), *sorted(set(table["agent"].tolist())), table["tally"][0] == played[0].numbers["tally"])
"""
    assert program(text) == ["12", "atpo", "most-likely", "True"]


def test_the_checks_for_things_of_ones_own_pass(program):
    text = """
import walkon
from walkon.solvers.solve import SOLVERS
from walkon.testing import check_agent, check_solver, check_task, check_world

if __name__ == "__main__":
    check_agent("most-likely")
    check_agent("most-likely", walkon.make("lamp", draught=0.3))
    check_world("lamp", draught=0.3)
    check_world("counted-lamp")
    check_task(walkon.make("counted-lamp")[1])
    check_solver(SOLVERS["blind"](), problems=20)
    print("passed")
"""
    assert program(text) == ["passed"]
