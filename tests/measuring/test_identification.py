"""The speed at which tasks are told apart, against closed forms."""

import json

import numpy as np
import pytest

from command_line import run, run_here
from random_libraries import quick_agent, random_library
from twins import path_weights
from walkon import POMDP, InputError, Task, TaskLibrary, make, play, save
from walkon.agents.inference import Inference
from walkon.measuring.identification import foretold, gain, identify, ratio


def lamp(*chances):
    """A lamp that shines with another chance after each action."""
    sensor = [[[p, 1 - p]] for p in chances]
    return Task.from_pomdp(POMDP(P=[[[1.0]]] * len(chances), O=sensor, R=[[0.0] * len(chances)]), name="lamp")


def divergence(p, q):
    return p * np.log(p / q) + (1 - p) * np.log((1 - p) / (1 - q))


def test_the_speed_is_the_divergence_of_the_readings():
    library = TaskLibrary([lamp(0.5, 0.5), lamp(0.5, 0.4)])
    found = identify(library, {"random": quick_agent("random", library)}, trials=400, horizon=50)
    assert found.apart == ((None, 1), (1, None))
    for j, k, wanted in [(0, 1, divergence(0.5, 0.4) / 2), (1, 0, divergence(0.4, 0.5) / 2)]:  # half of the actions
        interval = found.speeds["random"][j][k]
        assert interval.low < wanted < interval.high
        assert interval.high - interval.low < wanted


def test_tasks_that_no_agent_can_tell_apart_gain_nothing():
    library = TaskLibrary([lamp(0.3), lamp(0.3)])
    found = identify(library, {"random": quick_agent("random", library)}, trials=30, horizon=10)
    assert found.apart[0][1] is None
    assert found.speeds["random"][0][1][:3] == pytest.approx((0, 0, 0), abs=1e-12)


def test_a_prediction_is_the_sum_over_all_paths():
    library = random_library(3, K=3, sizes=(2,), sparsity=0.3)
    episode = play(library[0], quick_agent("random", library), horizon=4, seed=1)
    logs = foretold(Inference(library), episode)
    seen = list(zip(episode.actions.tolist(), episode.observations.tolist(), strict=True))
    for t in range(4):
        chances = [path_weights(task.pomdp, seen[: t + 1]).sum() for task in library]
        assert np.exp(logs[t]) == pytest.approx(chances, abs=1e-12)


def test_a_task_that_is_refuted_counts_as_certain():
    gains, steps = gain(np.array([[-1.0, -2.0], [-2.0, -np.inf], [-3.0, -np.inf]]), true=0)
    assert gains.tolist() == [0.0, np.log(1e6)]
    assert steps.tolist() == [3.0, 2.0]


def test_the_interval_of_a_ratio_covers_it():
    """Episodes of random length that gain 2 for each step, with noise: the ratio is 2."""
    rng, covered = np.random.default_rng(0), 0
    for _ in range(200):
        steps = rng.integers(1, 20, size=60).astype(float)
        interval = ratio(2 * steps + rng.normal(size=60) * np.sqrt(steps), steps)
        covered += interval.low < 2 < interval.high
    assert 180 <= covered <= 199


def test_where_the_state_is_seen_the_first_one_counts():
    library = make("overcooked", role="cook")
    found = identify(library, {"random": quick_agent("random", library)}, trials=3, horizon=20)
    assert found.apart[0][1] == found.apart[1][0]
    assert all(interval.mean > 0 for interval in (found.speeds["random"][0][1], found.speeds["random"][1][0]))


def test_one_trial_has_no_interval():
    library = TaskLibrary([lamp(0.3)])
    with pytest.raises(InputError, match="trials is 1"):
        identify(library, {}, trials=1)


def test_agents_are_given_as_to_compare():
    library = TaskLibrary([lamp(0.5, 0.5), lamp(0.5, 0.4)])
    own = quick_agent("random", library)
    names, mine, each = (
        identify(library, agents, trials=30, horizon=10)
        for agents in (["random"], {"random": own}, {"random": lambda known: [own] * len(known)})
    )
    assert names == mine == each
    with pytest.raises(InputError, match=r"agents is 'random', expected names"):
        identify(library, "random", trials=2)
    with pytest.raises(InputError, match=r"no agent 'ATPO' \(did you mean 'atpo'\?\)"):
        identify(library, ["ATPO"], trials=2)


def test_the_command_prints_a_table_or_one_document(tmp_path):
    save(TaskLibrary([lamp(0.3, 0.5), lamp(0.3, 0.5), lamp(0.3, 0.9)]), tmp_path / "lamps.safetensors")
    shown = run("identify", tmp_path / "lamps.safetensors", "--trials", 5, "--backups", 20)
    assert shown.returncode == 0, shown.stderr
    assert "never" in shown.stdout
    assert "no agent can tell apart: 0 and 1" in shown.stdout
    document = json.loads(
        run_here("identify", tmp_path / "lamps.safetensors", "--trials", 5, "--backups", 20, "--json").stdout
    )
    assert document["steps_apart"][0] == [None, None, 1]
    assert document["speeds"]["random"][0][2]["n"] == 5
    wrong = run_here("identify", "nowhere")
    assert wrong.returncode == 2
    assert "no world and no file" in wrong.stderr


def test_of_many_tasks_the_one_that_is_hardest_to_tell_from_is_shown(tmp_path):
    lamps = [lamp(0.3, 0.05 + 0.1 * k) for k in range(9)]
    save(TaskLibrary([*lamps, lamp(0.3, 0.05)]), tmp_path / "lamps.safetensors")
    shown = run_here("identify", tmp_path / "lamps.safetensors", "--trials", 3, "--backups", 20)
    assert shown.returncode == 0, shown.stderr
    lines = [line.split() for line in shown.stdout.splitlines() if line.strip().startswith("0 ")]
    assert [line[-3:-1] for line in lines] == [["9", "never"]] * 2
    assert "…" not in shown.stdout


def test_few_episodes_have_a_speed_but_no_interval_because_it_would_not_cover():
    """Student's interval of four episodes that ATPO plays in the corridor covers in 84 % of the cases."""
    few, enough = (ratio(np.arange(1.0, n + 1), np.full(n, 4.0)) for n in (29, 30))
    assert few.mean == 15 / 4
    assert np.isnan([few.low, few.high]).all()
    assert enough.low < enough.mean < enough.high
