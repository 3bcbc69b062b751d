"""What people type first: it works where a name or a natural value is meant, else one sentence says what to type."""

import numpy as np
import pytest

import walkon
from random_libraries import policies_for, quick_agent
from walkon import InputError, Percept


class Meeting:
    """Two on a line of three cells, who meet in one of them."""

    actions = ("left", "right", "stay")
    start = (0, 2)

    def __init__(self, cell):
        self.cell, self.name = cell, f"cell {cell}"

    def teammates(self, x):
        return "left" if x[1] > self.cell else "right" if x[1] < self.cell else "stay"

    def moves(self, x, a, b):
        way = {"left": -1, "right": 1, "stay": 0}
        return tuple(min(2, max(0, place + way[step])) for place, step in zip(x, (a, b), strict=True))

    def sensor(self, a, y):
        return {"near": 0.8, "far": 0.2} if abs(y[0] - y[1]) <= 1 else {"near": 0.1, "far": 0.9}

    def reward(self, x, a, b, y):
        return -1

    def solved(self, x):
        return x == (self.cell, self.cell)


LIBRARY = walkon.define(Meeting(0), Meeting(2))
TASK = LIBRARY[0]
AGENT = quick_agent("atpo", LIBRARY)
MEMORY = AGENT.start()
OBSERVED = Percept(observation=0)

REFUSED = {
    "a library to play": (lambda: walkon.play(LIBRARY, AGENT), r'such as library\[0\] or library\["cell 0"'),
    "a name to play": (lambda: walkon.play(TASK, "atpo"), r"agent is 'atpo', .*: walkon\.agent\('atpo', library\)"),
    "swapped": (lambda: walkon.play(AGENT, TASK), r"task is an ATPO, .*: the task comes before the agent"),
    "a policy to play": (lambda: walkon.play(TASK, AGENT.policies[0]), r"policies=\[\.\.\.\]"),
    "a function to play": (lambda: walkon.play(TASK, lambda history: 0), r"walkon\.player\(function, library\)"),
    "a world to play": (lambda: walkon.play("pursuit", AGENT), r"walkon\.make\('pursuit'\)\[0\]"),
    "a model to play": (lambda: walkon.play(TASK.pomdp, AGENT), r"walkon\.Task\.from_pomdp\(pomdp\)"),
    "a number of episodes": (lambda: walkon.play_many(TASK, AGENT, 10), r"such as range\(10\)"),
    "no seed": (lambda: walkon.play(TASK, AGENT, seed="seven"), "seed is 'seven', expected a whole number"),
    "half a step": (lambda: walkon.play(TASK, AGENT, horizon=2.5), r"horizon is 2\.5, expected a whole number"),
    "a solver's name": (lambda: walkon.agent("atpo", LIBRARY, solver="sarsop"), r"for example, walkon\.Sarsop\(\)"),
    "a solver's class": (lambda: walkon.compare(LIBRARY, ["atpo"], trials=2, solver=walkon.Ascent), "walkon.Ascent"),
    "seconds as text": (lambda: walkon.Sarsop(seconds="3"), "seconds is '3', expected a positive number"),
    "a tolerance as text": (lambda: walkon.Ascent(tolerance="x"), "tolerance is 'x', expected a positive number"),
    "half a belief": (lambda: walkon.Perseus(beliefs=10.5), r"beliefs is 10\.5, expected a whole number from 1"),
    "half a backup": (lambda: walkon.Ascent(backups=1e3), r"backups is 1000\.0, expected a whole number from 1"),
    "a gap as text": (lambda: walkon.Sarsop(gap="0.1"), "gap is '0.1', expected a number"),
    "an epsilon as text": (lambda: walkon.ValueIteration(epsilon="0"), "epsilon is '0', expected a positive number"),
    "a task of a model": (lambda: walkon.Task(TASK.pomdp), r"not a POMDP: .*Task\.from_pomdp\(pomdp\)"),
    "a recording, swapped": (lambda: walkon.record(walkon.play(TASK, AGENT), LIBRARY, AGENT), "agent is a TaskLibrary"),
    "no memory": (lambda: walkon.explain(AGENT, 0, 0, OBSERVED), "this is 0, expected a memory"),
    "endless": (lambda: walkon.play(TASK, AGENT, horizon=10**9), "10,000,000 steps are the most"),
    "a switch without a task": (lambda: walkon.play(TASK, AGENT, switch=3), r"such as \(10, library\[1\]\)"),
    "one task": (lambda: walkon.agent("atpo", TASK), r"library is a Task, .*: for this one task, walkon\.TaskLibrary"),
    "a list of tasks": (lambda: walkon.agent("atpo", [TASK]), r"walkon\.TaskLibrary\(tasks\)"),
    "a world's name": (lambda: walkon.agent("atpo", "pursuit"), r"walkon\.make\('pursuit'\)"),
    "a model": (lambda: walkon.agent("atpo", TASK.pomdp), "from_pomdp"),
    "an agent's library": (lambda: walkon.agent("atpo", AGENT), r"agent\.library"),
    "name and library swapped": (lambda: walkon.agent(LIBRARY, "atpo"), "the name comes before the library"),
    "no such task": (lambda: walkon.agent("perseus", LIBRARY, task="cell 1"), "did you mean 'cell [02]'"),
    "told twice": (lambda: walkon.agent("perseus", LIBRARY, task=1, target=1), "they mean the same"),
    "told in vain": (lambda: walkon.agent("atpo", LIBRARY, task=1), "leave task=1 out"),
    "a bare observation": (lambda: AGENT.update(MEMORY, 0, 0), r"walkon\.Percept\(observation=0\)"),
    "a bare name": (lambda: AGENT.update(MEMORY, 0, "near"), r"walkon\.Percept\(observation='near'\)"),
    "a misspelt action": (lambda: AGENT.update(MEMORY, "lft", OBSERVED), "action is 'lft', did you mean 'left'"),
    "an unknown action": (lambda: AGENT.update(MEMORY, "jump", OBSERVED), 'such as "left", or a number from 0 to 2'),
    "an unknown observation": (lambda: AGENT.update(MEMORY, 0, Percept("nowhere")), "observation is 'nowhere'"),
    "half an action": (lambda: AGENT.update(MEMORY, 0.5, OBSERVED), r"action is 0\.5, expected a number from 0"),
    "a truth value": (lambda: AGENT.update(MEMORY, True, OBSERVED), "action is True"),
    "no action": (lambda: AGENT.update(MEMORY, None, OBSERVED), "action is None"),
    "probabilities": (lambda: AGENT.update(MEMORY, AGENT.act(MEMORY), OBSERVED), r"rng\.choice\(len\(p\), p=p\)"),
    "a belief to start": (lambda: AGENT.start([0.5, 0.5]), r"the prior of walkon\.agent"),
    "a state to start": (lambda: AGENT.start(0), r"walkon\.Percept\(state=x0\)"),
    "unknown teammates": (lambda: walkon.play(TASK, AGENT, teammates=lambda x: "lefft"), "expected one of left, right"),
    "uncertain teammates": (lambda: walkon.play(TASK, AGENT, teammates=lambda x: [0.5, 0.4, 0]), "sum to 0.9"),
    "an unknown task": (lambda: LIBRARY["cell one"], "task is 'cell one', did you mean"),
    "half a task": (lambda: LIBRARY[0.5], r"task is 0\.5, expected a number from 0 to 1 or a name"),
    "no tasks": (lambda: LIBRARY[7:], "the library is empty"),
    "a library of a task": (lambda: walkon.TaskLibrary(TASK), r"walkon\.TaskLibrary\(\[task\]\)"),
    "an environment of a task": (lambda: walkon.AdHocEnv(TASK), r"walkon\.TaskLibrary\(\[task\]\)"),
    "an environment of a world": (lambda: walkon.AdHocEnv("pursuit"), r"walkon\.make\('pursuit'\)"),
    "a team in a task": (lambda: walkon.TeamEnv(TASK), r"walkon\.TaskLibrary\(\[task\]\)"),
    "a misspelt option": (lambda: walkon.AdHocEnv(LIBRARY).reset(options={"tsk": 1}), "reset has no option 'tsk'"),
    "a team's option": (lambda: walkon.TeamEnv(LIBRARY).reset(options={"tsk": 1}), "reset has no option 'tsk'"),
    "no options": (lambda: walkon.AdHocEnv(LIBRARY).reset(options=1), "expected a dictionary"),
    "an unknown task of it": (lambda: walkon.AdHocEnv(LIBRARY).reset(options={"task": 9}), "task 9 does not exist"),
    "a player of a task": (lambda: walkon.player(lambda history: 0, TASK), r"walkon\.TaskLibrary\(\[task\]\)"),
    "seats of a library": (lambda: walkon.seated(LIBRARY, {}), r"such as library\[0\]"),
    "a task to simulate": (lambda: walkon.simulate(TASK, AGENT), "takes a POMDP and its alpha vectors"),
    "an agent as a policy": (lambda: walkon.write_policy(AGENT, "x.policy"), "policy is an ATPO, expected alpha"),
    "episodes as a log": (lambda: walkon.write_log([], "x.csv"), r"walkon\.logged\(episodes, task\)"),
    "nothing to keep": (lambda: walkon.write_episode(None, "x.json"), "expected a Recording"),
    "a library to solve": (lambda: walkon.solve(LIBRARY), r"such as library\[0\]\.pomdp"),
    "a task to solve": (lambda: walkon.solve(TASK), r"such as task\.pomdp"),
    "a task to write": (lambda: walkon.write_pomdp(TASK, "x.pomdp"), r"such as task\.pomdp"),
    "a library to measure": (lambda: walkon.measure(walkon.play(TASK, AGENT), LIBRARY), r"such as library\[0\]"),
    "a number to measure": (lambda: walkon.measure(walkon.play(TASK, AGENT), 0), "task is 0, expected a task"),
    "dead ends of a library": (lambda: walkon.dead_ends(LIBRARY), r"such as library\[0\]"),
    "numbers to tell apart": (lambda: walkon.steps_apart(0, 1), "task is 0, expected a task"),
    "a task that is alike": (lambda: walkon.alike(TASK), r"walkon\.TaskLibrary\(\[task\]\)"),
    "a task that trembles": (lambda: walkon.trembling(TASK, 0.1), r"walkon\.TaskLibrary\(\[task\]\)"),
    "half a trial": (lambda: walkon.compare(LIBRARY, ["random"], trials=2.5), r"trials is 2\.5, expected a whole"),
    "trials in words": (lambda: walkon.identify(LIBRARY, ["random"], trials="two"), "trials is .two."),
    "one contender": (lambda: walkon.contenders("atpo", LIBRARY), r"expected a list of names: \['atpo'\]"),
    "a belief over other states": (lambda: walkon.predict(TASK.pomdp, [0.5, 0.5], 0), r"expected \(X,\) = \(9,\)"),
    "no belief to predict": (lambda: walkon.predict(TASK.pomdp, [0.2] * 9, 0), "belief sums to 1.8"),
    "an agent to draw": (lambda: walkon.draw_policy(AGENT, TASK.pomdp), r"draw_policy\(solution, pomdp\)"),
}  # fmt: skip


@pytest.mark.parametrize("call", REFUSED)
def test_what_cannot_work_is_answered_in_one_sentence_that_says_what_to_type(call):
    typed, told = REFUSED[call]
    with pytest.raises(InputError, match=told) as refused:
        typed()
    assert "\n" not in str(refused.value)


AGENTS = ("atpo", "bayes", "bopa", "assistant", "value-iteration", "random", "random-picker")


def test_a_belief_is_updated_by_names():
    pomdp = TASK.pomdp
    for action, observation in (("left", 0), (0, pomdp.observations[0]), ("left", pomdp.observations[0])):
        assert (
            walkon.update(pomdp, pomdp.start, action, observation).likelihood
            == walkon.update(pomdp, pomdp.start, 0, 0).likelihood
        )
    assert (walkon.predict(pomdp, pomdp.start, "left") == walkon.predict(pomdp, pomdp.start, 0)).all()


@pytest.mark.parametrize("name", AGENTS)
def test_every_agent_takes_names_and_numbers_of_any_kind_alike(name):
    options = {"target": 1} if name == "value-iteration" else {}
    agent = quick_agent(name, LIBRARY, **options)
    start = Percept(state="(0, 2)") if "state" in agent.senses else None
    near, x = LIBRARY.observations.index("near"), LIBRARY[1].states.index("(0, 1)")
    named = Percept(observation="near", state="(0, 1)", teammates="left")
    plain = Percept(observation=near, state=x, teammates=0)
    strange = Percept(observation=np.int32(near), state=np.int64(x), teammates=np.array(0))
    ways = [("stay", named), (2, plain), (np.int64(2), strange), (2.0, plain._replace(observation=float(near)))]
    after = [agent.update(agent.start(start), action, percept) for action, percept in ways]
    assert all(np.array_equal(agent.act(memory), agent.act(after[0])) for memory in after)
    assert all(np.array_equal(memory.beliefs, after[0].beliefs) for memory in after)


def test_the_evidence_of_transitions_an_alarm_and_a_player_take_names_too():
    for options in ({"evidence": "transitions"}, {"alarm": 0.1}):
        agent = quick_agent("bopa", LIBRARY, **options)
        one, two = (agent.update(agent.start(), *step) for step in [("left", Percept("near")), (0, Percept(1))])
        assert np.array_equal(one.beliefs, two.beliefs)
    watcher = walkon.player(lambda history: history[-1].action if history else "stay", LIBRARY)
    memory = watcher.update(watcher.start(), "right", Percept(observation="far"))
    assert LIBRARY.by_action(watcher.act(memory)) == {"left": 0.0, "right": 1.0, "stay": 0.0}


def test_a_task_is_told_by_number_or_name_as_target_or_as_task():
    ways = [{"target": 1}, {"task": 1}, {"task": "cell 2"}, {"target": "cell 2"}]
    policies = policies_for(LIBRARY)
    made = [walkon.agent("perseus", LIBRARY, policies=policies, **way) for way in ways]
    assert all(agent.policies == (policies[1],) for agent in made)
    assert {agent.library.names for agent in made} == {("cell 2",)}


def test_teammates_answer_by_name():
    named = walkon.play(TASK, AGENT, seed=1, teammates=lambda x: "right")
    numbered = walkon.play(TASK, AGENT, seed=1, teammates=lambda x: 1)
    assert named.states.tolist() == numbered.states.tolist()
    assert set(named.teammate_actions) == {1}


def test_several_teammates_answer_by_a_tuple_of_names():
    class Two(Meeting):
        teammates = (lambda x: "stay", lambda x: "stay")

        def moves(self, x, a, b):
            return x

    library = walkon.define(Two(0))
    agent = quick_agent("random", library)
    episode = walkon.play(library[0], agent, horizon=3, teammates=lambda x: ("left", "right"))
    assert {step["teammates"] for step in episode.steps_as_names()} == {"(left, right)"}


def test_a_library_is_asked_by_name_and_by_slice():
    assert LIBRARY["cell 2"] is LIBRARY[1] is LIBRARY[-1] is LIBRARY[np.int64(1)]
    assert LIBRARY[1:].names == ("cell 2",)
    assert LIBRARY[::-1].names == ("cell 2", "cell 0")
    with pytest.raises(IndexError, match="task 7 does not exist"):
        _ = LIBRARY[7]


def test_a_slice_keeps_the_alternatives_of_its_tasks():
    library = walkon.make("night-pursuit", size=3, tasks=2)
    assert [each.names for each in library[1:].variants()] == [each[1:].names for each in library.variants()]


def test_an_environment_takes_names():
    env, again = walkon.AdHocEnv(LIBRARY, privileged=True), walkon.AdHocEnv(LIBRARY, privileged=True)
    assert env.reset(seed=3, options={"task": "cell 2"})[1]["task"] == 1
    again.reset(seed=3, options={"task": 1})
    assert [env.step(a)[4] for a in ("right", "stay")] == [again.step(a)[4] for a in (np.int64(1), 2)]
    team = walkon.TeamEnv(LIBRARY)
    team.reset(seed=0)
    assert team.step({"ad_hoc": "stay", "teammate_1": "left"})[1]["ad_hoc"] == -1


def test_no_seed_is_new_luck_and_the_episode_knows_it():
    first, second = (walkon.play(TASK, AGENT, seed=None) for _ in range(2))
    assert first.seed != second.seed
    again = walkon.play(TASK, AGENT, seed=first.seed)
    assert again.states.tolist() == first.states.tolist()
    many = walkon.play_many(TASK, AGENT, [None, None, 5])
    assert len({episode.seed for episode in many}) == 3
    assert walkon.play(TASK, AGENT, seed=many[0].seed).states.tolist() == many[0].states.tolist()
    made = [walkon.agent("random", LIBRARY, seed=None).seed for _ in range(2)]
    assert made[0] != made[1]


def test_define_takes_tasks_one_after_the_other():
    assert LIBRARY.names == walkon.define([Meeting(0), Meeting(2)]).names
    assert walkon.define(Meeting(2)).names == ("cell 2",)
    for other in ({"a": Meeting(0)}, "cell"):
        with pytest.raises(InputError, match=r"expected a list of tasks, as in define\(\[task\]\)"):
            walkon.define(other)


def test_the_package_shows_its_public_names_and_each_once():
    _ = walkon.play, walkon.make
    shown = [name for name in dir(walkon) if not name.startswith("_")]
    assert shown == sorted(walkon.__all__)
