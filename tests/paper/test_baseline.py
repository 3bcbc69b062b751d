"""The paper's baseline, Night-time Pursuit 5x5 with noise 0.3 and four tasks: who is better than whom."""

import numpy as np

import walkon


def test_value_iteration_beats_perseus_beats_atpo_beats_random():
    library = walkon.make("night-pursuit", size=5, noise=0.3, tasks=4)
    solved = walkon.agent("atpo", library, solver=walkon.Perseus(beliefs=300, tolerance=2e-3))
    policies = solved.mixture.policies
    steps = {}
    for name in ("value-iteration", "perseus", "atpo", "random"):
        played = []
        for k, task in enumerate(library):
            options = {"target": k} if name in ("value-iteration", "perseus") else {}
            if name in ("perseus", "atpo"):
                options["policies"] = policies
            agent = walkon.agent(name, library, **options)
            played += walkon.play_many(task, agent, range(32 * k, 32 * k + 32))
        steps[name] = np.mean([episode.steps for episode in played])
    assert steps["value-iteration"] < steps["perseus"] < steps["atpo"] < steps["random"]
    assert steps["atpo"] < steps["random"] - 10
