"""Agents of other packages: found by an entry point, and treated like walkon's own."""

import json
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from typer.testing import CliRunner

import walkon
from declaring import declaring
from random_libraries import quick_agent, random_library
from walkon.agents.agent import BeliefAgent, Needs
from walkon.agents.atpo import ATPO
from walkon.agents.registry import AGENTS
from walkon.cli.main import app
from walkon.figures.style import style_of
from walkon.formats.bundle import save
from walkon.measuring.compare import compare
from walkon.measuring.contenders import contenders
from walkon.runs.sweep import Point, Settings, Sweep, entries
from walkon.runs.work import play_trials
from walkon.trials.trial import Trial, WorldSpec
from walkon.web.host import Host
from walkon.web.pages import controls
from walkon.web.setup import read_address

LIBRARY = random_library(3, K=2, sizes=(3,), sparsity=0.0)


@dataclass(frozen=True)
class Boldness:
    """How sure it has to be."""

    least: float = 0.5

    def __post_init__(self):
        if not 0 <= self.least <= 1:
            raise walkon.InputError(f"least is {self.least}, expected a probability")


@dataclass(frozen=True, eq=False)
class MostLikely(BeliefAgent):
    """Acts as if the most likely task were going on."""

    name: ClassVar[str] = "most-likely"
    title: ClassVar[str] = "Most Likely Task"
    summary: ClassVar[str] = "Acts by the MDP of the most likely task."
    needs: ClassVar[Needs] = Needs("mdp")
    Options: ClassVar[type] = Boldness

    def decide(self, memory):
        k = int(np.argmax(memory.tasks))
        table = self.policies[k].choices
        if memory.tasks[k] < self.options.least:
            return np.full(table.shape[1], 1 / table.shape[1])
        return memory.states[k] @ table


@dataclass(frozen=True, eq=False)
class Misnamed(MostLikely):
    """Is declared by another name than its own."""


HERE = __name__
POINTS = {
    "most-likely": f"{HERE}:MostLikely",
    "missing": "no_such_package:Agent",
    "no-class": f"{HERE}:LIBRARY",
    "misnamed": f"{HERE}:Misnamed",
    "atpo": f"{HERE}:MostLikely",
}


@pytest.fixture(autouse=True)
def others():
    """Other packages are installed that declare agents, most of them broken."""
    with declaring(AGENTS, POINTS):
        yield


def test_it_is_listed_and_a_broken_agent_with_its_error():
    listed = json.loads(CliRunner().invoke(app, ["list", "--json"]).stdout)["agents"]
    assert listed["most-likely"] == "Acts by the MDP of the most likely task"
    assert "no_such_package" in listed["missing"]
    assert "ModuleNotFoundError" in listed["missing"]
    assert listed["atpo"] == "Guesses the task, and mixes the tasks' policies by how likely each is"


@pytest.mark.parametrize(
    ("name", "message"),
    {
        "missing": "cannot be used: ModuleNotFoundError",
        "no-class": "expected a subclass of",
        "misnamed": "calls itself 'most-likely'",
    }.items(),
)
def test_a_broken_agent_fails_only_when_it_is_requested(name, message):
    assert walkon.agent("random", LIBRARY).name == "random"
    with pytest.raises(walkon.InputError, match=message):
        walkon.agent(name, LIBRARY)


def test_ours_keep_their_names():
    assert type(quick_agent("atpo", LIBRARY)) is ATPO
    assert list(AGENTS).count("atpo") == 1


def test_it_is_solved_played_and_compared():
    agent = walkon.agent("most-likely", LIBRARY, least=0.9)
    optimal = walkon.solve(LIBRARY[0].mdp).policy
    assert agent.policies[0].table.tolist() == optimal.table.tolist()
    alone, many = walkon.play(LIBRARY[0], agent, seed=4), walkon.play_many(LIBRARY[0], agent, [4])
    assert alone.actions.tolist() == many[0].actions.tolist()
    found = compare(LIBRARY, contenders(["most-likely", "value-iteration", "random"], LIBRARY), trials=4, horizon=5)
    assert found.numbers["most-likely"].shape == (2, 4)


def test_its_options_are_checked():
    with pytest.raises(walkon.InputError, match="least is 2, expected a probability"):
        walkon.agent("most-likely", LIBRARY, least=2)
    with pytest.raises(walkon.InputError, match="most-likely has no option 'most': it has least"):
        walkon.agent("most-likely", LIBRARY, most=1)


def test_it_is_saved_with_its_options_and_loaded_by_its_name(tmp_path):
    agent = walkon.agent("most-likely", LIBRARY, least=0.9, prior=[0.3, 0.7])
    walkon.save(agent, tmp_path / "agent.safetensors")
    again = walkon.load(tmp_path / "agent.safetensors")
    assert type(again) is MostLikely
    assert again.options == Boldness(0.9)
    assert again.start().tasks.tolist() == [0.3, 0.7]
    for seed in range(3):
        episodes = [walkon.play(LIBRARY[1], each, seed=seed) for each in (agent, again)]
        assert episodes[0].actions.tolist() == episodes[1].actions.tolist()


def test_a_bundle_of_an_agent_that_is_not_installed_is_refused_and_imports_nothing(tmp_path):
    walkon.save(walkon.agent("most-likely", LIBRARY), tmp_path / "agent.safetensors")
    with declaring(AGENTS, {}), pytest.raises(walkon.InputError, match="there is no agent 'most-likely'"):
        walkon.load(tmp_path / "agent.safetensors")


def test_a_class_without_a_registered_name_cannot_be_saved(tmp_path):
    made = walkon.agent("most-likely", LIBRARY)
    with pytest.raises(walkon.InputError, match="cannot save a Misnamed"):
        save(Misnamed(made.inference, made.policies), tmp_path / "agent.safetensors")


def test_the_page_offers_it_and_seats_it():
    import asyncio

    assert controls.AGENTS is AGENTS
    assert "most-likely" in AGENTS
    usual = Trial(world=WorldSpec.of("night-pursuit", size=3, noise=0.3, tasks=2), played_by=0)
    setup, _ = read_address({"agent": "most-likely"}, usual)
    host = Host(1)
    try:
        match = asyncio.run(host.match(setup))
    finally:
        host.solving.close()
    assert type(match.agent) is MostLikely


def test_runs_play_it():
    point = Point(1.0, WorldSpec.of("night-pursuit", size=3, noise=0.3, tasks=[0, 1]))
    sweep = Sweep(name="outside", agents=("most-likely",), points=(point,))
    trials = [entry.trial for entry in entries(sweep, Settings(trials=1))]
    assert all(trial.recipe is None for trial in trials)  # it has no POMDP to solve
    assert len(play_trials(trials, None)) == 2


def test_figures_call_it_by_its_title_and_give_it_a_style_of_its_own():
    style = style_of("most-likely")
    assert style.name == "Most Likely Task"
    assert style == style_of("most-likely")
    assert (style.marker, style.dash) not in {(each.marker, each.dash) for each in map(style_of, ("atpo", "random"))}
