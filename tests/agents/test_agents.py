import numpy as np
import pytest

import walkon
from random_libraries import policies_for, quick_agent, random_library
from walkon import InputError, Percept, Task, TaskLibrary, agent, make, play
from walkon.agents.memory import remember


def test_atpo_mixes_the_policies_by_the_task_belief():
    library = random_library(1)
    policies = policies_for(library)
    atpo = agent("atpo", library, policies=policies)
    memory = atpo.update(atpo.start(), 0, Percept(observation=0))
    expected = sum(
        p * policy.probabilities(b) for p, policy, b in zip(memory.tasks, policies, memory.states, strict=True)
    )
    assert atpo.act(memory) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("name", "told", "solver"),
    [("atpo", {}, walkon.Ascent(backups=4_000, wide=0.25)), ("perseus", {"target": 0}, walkon.Perseus())],
)
def test_tasks_are_solved_by_ascent_unless_the_agent_is_named_after_another_solver(name, told, solver):
    library = make("night-pursuit", size=3, tasks=1)
    ready, expected = agent(name, library, **told), walkon.solve(library[0].pomdp, solver)
    assert ready.mixture.policies[0].vectors.tolist() == expected.policy.vectors.tolist()


def test_greedy_atpo_takes_the_most_probable_action():
    library = random_library(2)
    atpo, greedy = quick_agent("atpo", library), quick_agent("atpo-greedy", library)
    mixed = atpo.act(atpo.start())
    assert greedy.act(greedy.start())[mixed.argmax()] == 1


def test_the_random_picker_never_learns_the_task_but_follows_the_state():
    library = random_library(3)
    picker, atpo = quick_agent("random-picker", library), quick_agent("atpo", library)
    one = picker.update(picker.start(), 0, Percept(observation=0))
    two = atpo.update(atpo.start(), 0, Percept(observation=0))
    assert one.tasks.tolist() == picker.start().tasks.tolist()
    assert [b.tolist() for b in one.states] == [b.tolist() for b in two.states]


def test_bopa_acts_for_the_most_likely_state_and_averages_over_ties():
    library = random_library(4, K=2, sizes=(3,), sparsity=0.0)
    policies = policies_for(library, tabular=True)
    bopa = agent("bopa", library, policies=policies)
    states = [np.array([0.4, 0.4, 0.2]), np.array([0.1, 0.2, 0.7])]
    flat = remember(np.array([0.5, 0.5]), states, of=bopa.inference.origin)
    expected = 0.5 * (policies[0].choices[0] + policies[0].choices[1]) / 2 + 0.5 * policies[1].choices[2]
    assert bopa.act(flat) == pytest.approx(expected)


def test_bopa_by_transitions_weighs_the_step_between_most_likely_states():
    library = random_library(5, K=2, sizes=(3,), sparsity=0.0)
    bopa = agent("bopa", library, policies=policies_for(library, tabular=True), evidence="transitions")
    before = bopa.update(bopa.start(), 0, Percept(observation=0))
    after = bopa.update(before, 1, Percept(observation=2))
    weights = []
    for task, b, c in zip(library, before.states, after.states, strict=True):
        weights.append(task.pomdp.P[1].toarray()[b.argmax(), c.argmax()])
    expected = before.tasks * weights
    assert after.tasks == pytest.approx(expected / expected.sum())


def test_bopa_refuses_tasks_with_different_state_spaces():
    with pytest.raises(InputError, match="BOPA needs tasks that share one state space; these have 2, 3, 2 states"):
        quick_agent("bopa", random_library(0))


def test_assistant_refuses_tasks_whose_teammates_are_folded_in():
    folded = TaskLibrary([Task.from_pomdp(task.pomdp, name=task.name) for task in random_library(0)])
    with pytest.raises(InputError, match='in task "task 0" they are folded in'):
        quick_agent("assistant", folded)


def test_assistant_takes_the_action_of_highest_expected_worth():
    library = random_library(6)
    policies = policies_for(library)
    assistant = agent("assistant", library, policies=policies)
    memory = assistant.update(assistant.start(), 0, Percept(observation=1, teammates=0))
    worth = sum(
        p * policy.q(task.pomdp, b)
        for p, policy, task, b in zip(memory.tasks, policies, library, memory.states, strict=True)
    )
    assert assistant.act(memory)[worth.argmax()] == 1


def test_value_iteration_is_the_best_response_to_the_teammates():
    library = make("night-pursuit", size=3, tasks=2)
    told = agent("value-iteration", library, target=1)
    exact = walkon.solve(library[1].mdp).policy
    x = 17
    assert told.act(told.start(Percept(state=x))).tolist() == exact.probabilities(x).tolist()
    with pytest.raises(InputError, match=r"start it with agent.start\(Percept\(state=x0\)\)"):
        told.act(told.start())


def test_in_a_world_that_is_seen_the_first_state_counts():
    library = make("overcooked", role="cook")
    for name in ("atpo", "assistant"):
        ready = agent(name, library)
        x0 = int(np.flatnonzero(library[0].pomdp.start)[2])
        for percept in (Percept(state=x0), Percept(observation=x0)):
            memory = ready.start(percept)
            assert memory.tasks == pytest.approx([0.5, 0.5])
            assert all(b[x0] == 1 for b in memory.states)
        assert ready.start().states[0].tolist() == library[0].pomdp.start.tolist()


def test_a_first_state_that_a_task_cannot_start_in_refutes_it():
    one, two = make("overcooked", role="cook")
    other = Task(two.mmdp, two.teammates, two.sensor, start=np.eye(1728)[5], name="from five")
    ready = agent("atpo", TaskLibrary([one, other]))
    assert ready.start(Percept(state=5)).tasks.tolist() == [0, 1]


def test_where_the_state_is_seen_the_agent_starts_again_from_it():
    """A person plays the cook's helper and does what no helper of the library does: the agent goes on from there."""
    library = make("overcooked", role="cook")
    ready = agent("atpo", library)
    states = library[0].state_numbers.tolist()
    x0, strange = states.index([0, 0, 0, 0, 0, 0, 0]), states.index([1, 0, 2, 0, 0, 0, 3])
    memory = ready.start(Percept(state=x0))
    with pytest.warns(walkon.UnexplainedWarning):
        memory = ready.update(memory, 2, Percept(observation=strange))
    assert memory.tasks.tolist() == [0.5, 0.5]
    assert all(belief[strange] == 1 for belief in memory.states)


def test_lost_observations_and_overridden_actions_need_no_special_call():
    library = random_library(7)
    atpo = quick_agent("atpo", library)
    memory = atpo.start()
    for action, percept in [(0, Percept(observation=1)), (1, Percept()), (1, Percept(observation=0))]:
        memory = atpo.update(memory, action, percept)
    assert memory.step == 3
    assert memory.tasks.sum() == pytest.approx(1)


BAD = {
    "unknown": (lambda lib: agent("oracle", lib), "no agent 'oracle'"),
    "untold": (lambda lib: agent("perseus", lib), r"perseus is told the task: say which"),
    "told in vain": (lambda lib: quick_agent("atpo", lib, target=1), "atpo is not told the task"),
    "no such task": (lambda lib: agent("perseus", lib, target=9), "target 9 does not exist: they are numbered 0 to 2"),
    "bad prior": (lambda lib: quick_agent("atpo", lib, prior=[1, 1, 1]), "prior sums to 3"),
    "short prior": (lambda lib: quick_agent("atpo", lib, prior=[1]), "prior has shape"),
    "too few policies": (lambda lib: agent("atpo", lib, policies=[1]), "1 policies were given for 3 tasks"),
    "policies of others": (
        lambda lib: agent("atpo", lib, policies=policies_for(lib)[::-1][1:] + policies_for(lib)[1:2]),
        "policies.0. is for 3 states and 2 actions, but task 0",
    ),
    "tables for beliefs": (
        lambda lib: agent("atpo", lib, policies=policies_for(lib, tabular=True)),
        "policies.0. is a TabularPolicy, expected AlphaVectors",
    ),
    "an action that is none": (
        lambda lib: quick_agent("atpo", lib).update(quick_agent("atpo", lib).start(), 5, Percept(observation=0)),
        "action 5 does not exist",
    ),
    "an observation that is none": (
        lambda lib: quick_agent("atpo", lib).update(quick_agent("atpo", lib).start(), 0, Percept(observation=77)),
        "observation 77 does not exist",
    ),
    "two kinds of evidence": (
        lambda lib: quick_agent("atpo", lib).update(
            quick_agent("atpo", lib).start(), 0, Percept(observation=1, likelihood=np.ones(3))
        ),
        "both an observation .1. and a likelihood",
    ),
    "no evidence at all": (
        lambda lib: quick_agent("atpo", lib).update(
            quick_agent("atpo", lib).start(), 0, Percept(likelihood=np.zeros(3))
        ),
        "expected weights over the observations",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_bad_requests_are_refused(case):
    make_it, message = BAD[case]
    with pytest.raises(InputError, match=message):
        make_it(random_library(0))


def test_solving_in_processes_gives_the_same_policies_as_solving_here():
    library = make("night-pursuit", size=3, tasks=2)
    solver = walkon.Perseus(beliefs=60)
    seen = []
    one = agent("atpo", library, solver=solver, seed=4, jobs=1)
    two = agent("atpo", library, solver=solver, seed=4, jobs=2, watch=lambda done, total: seen.append((done, total)))
    for p, q in zip(one.mixture.policies, two.mixture.policies, strict=True):
        assert p.vectors.tobytes() == q.vectors.tobytes()
    assert seen == [(0, 2), (1, 2), (2, 2)]
    assert play(library[1], one, seed=3).actions.tolist() == play(library[1], two, seed=3).actions.tolist()


def test_the_opening_is_for_the_start_beliefs_and_no_others():
    library = random_library(7, K=2, sizes=(3,), sparsity=0.0)
    policies = [walkon.AlphaVectors(np.eye(3), [0, 1, 0], 2)] * 2
    atpo = agent("atpo", library, policies=policies)
    start = atpo.start()
    elsewhere = remember(start.tasks, np.eye(3)[[0, 1]], of=start.of)
    for memory in (start, start.believing(np.array([1.0, 0.0])), elsewhere):
        expected = sum(p * policies[0].probabilities(b) for p, b in zip(memory.tasks, memory.states, strict=True))
        assert atpo.act(memory) == pytest.approx(expected, abs=1e-12)
    atpo.act(start)[:] = 7.0
    assert atpo.act(start).sum() == pytest.approx(1)


@pytest.mark.parametrize(
    ("action", "observation", "said"), [(0, -1, "observation -1"), (0, 99, "observation 99"), (9, 0, "action 9")]
)
def test_assistant_refuses_what_does_not_exist(action, observation, said):
    assistant = quick_agent("assistant", random_library(0))
    with pytest.raises(InputError, match=f"{said} does not exist"):
        assistant.update(assistant.start(), action, Percept(observation=observation, teammates=0))
