"""`walkon prepare`: from a world, a file or a log to an agent that is served, without any Python."""

import json
from pathlib import Path

import pytest

import walkon
from command_line import run, run_here
from services import Service

CORRIDOR = Path(__file__).parents[2] / "examples" / "corridor.py"


def test_an_agent_that_was_prepared_is_the_one_that_python_makes(tmp_path):
    done = run(
        "prepare", CORRIDOR, "--agent", "bayes", "--backups", 50, "--hazard", 0.1, "--out", tmp_path / "agent", "--json"
    )
    assert done.returncode == 0, done.stderr
    facts = json.loads(done.stdout)
    assert facts["tasks"] == list(walkon.read_library(CORRIDOR).names)
    assert facts["bytes"] == (tmp_path / "agent").stat().st_size
    loaded = walkon.load(tmp_path / "agent")
    made = walkon.agent("bayes", walkon.read_library(CORRIDOR), solver=walkon.Ascent(backups=50, wide=0.25), hazard=0.1)
    for task in range(2):
        first, second = (walkon.play(made.library[task], each, seed=3) for each in (made, loaded))
        assert first.actions.tolist() == second.actions.tolist()


def test_a_log_becomes_an_agent_that_is_served(tmp_path):
    tasks = walkon.read_library(CORRIDOR)
    for k, task in enumerate(tasks):
        episodes = walkon.play_many(task, walkon.agent("random", tasks), range(30), horizon=10)
        walkon.write_log(walkon.logged(episodes, task), tmp_path / f"log{k}.csv")
        learned = run_here(
            "learn", tmp_path / f"log{k}.csv", "--name", f"task {k}", "--out", tmp_path / f"{k}.safetensors"
        )
        assert learned.returncode == 0, learned.stderr
    both = [tmp_path / f"{k}.safetensors" for k in range(2)]
    done = run_here("prepare", *both, "--agent", "atpo", "--backups", 50, "--out", tmp_path / "agent.safetensors")
    assert done.returncode == 0, done.stderr
    assert "atpo for 2 tasks" in done.stdout
    with Service("agent", tmp_path / "agent.safetensors") as service, walkon.Client(service.ready["address"]) as client:
        session = client.open(seed=1)
        session.tell(tasks[0].observations[0])
        assert len(session.tasks) == 2


@pytest.mark.parametrize("words", [["nowhere"], ["pursuit", "nowhere"]])
def test_what_is_not_there_is_named(words, tmp_path):
    done = run_here("prepare", *words, "--out", tmp_path / "agent")
    assert done.returncode == 2
    assert '"nowhere"' in done.stderr
    assert not (tmp_path / "agent").exists()


def test_a_log_is_no_library_and_the_command_that_makes_a_task_of_it_is_named(tmp_path):
    (tmp_path / "log.csv").write_text("episode,step,action,observation\n")
    done = run_here("prepare", tmp_path / "log.csv", "--out", tmp_path / "agent")
    assert done.returncode == 2
    assert "holds no library: expected .py, .pomdp, .pomdpx or .safetensors; `walkon learn` makes a task" in done.stderr
