"""None of these: rarely raised where a task of the library is going on, and raised where none is."""

import itertools

import numpy as np
import pytest
from scipy.stats import binomtest

from random_libraries import quick_agent, random_library
from twins import dense
from walkon import POMDP, InputError, Percept, Task, TaskLibrary, agent, make, play, player
from walkon.agents.alarm import Alarm, WithAlarm
from walkon.agents.inference import Inference
from walkon.simulation.stepping import first_state, step
from walkon.tasks.library import trembling
from walkon.trials.luck import Luck


def alarm_for(library, alpha=0.05, **options):
    return Alarm(Inference(library, options.pop("prior", None)), alpha, **options)


def foretold(pomdp, history):
    """The probability of the observations after the actions, by matrices written out."""
    weight = pomdp.start
    for a, z in history:
        weight = (weight @ dense(pomdp.P)[a]) * dense(pomdp.O)[a][:, z]
    return weight.sum()


@pytest.mark.parametrize("seed", range(4))
def test_the_evidence_is_the_ratio_of_the_probabilities_of_all_readings(seed):
    library, other = random_library(seed, K=2, sparsity=0.2), random_library(seed + 50, K=2)
    alarm = alarm_for(library, alternatives=[other], prior=[0.3, 0.7])
    shaky = trembling(library, 0.2)
    rng, suspicion, history = np.random.default_rng(seed), alarm.start(), []
    for _ in range(4):
        a, z = int(rng.integers(2)), int(rng.integers(3))
        history.append((a, z))
        suspicion = alarm.update(suspicion, a, Percept(observation=z))
        g = (
            sum(
                p / 3 * foretold(task.pomdp, history)
                for lib in (shaky, other)
                for p, task in zip([0.3, 0.7], lib, strict=True)
            )
            + 3.0 ** -len(history) / 3
        )
        if suspicion.alarm is None or suspicion.alarm == len(history):
            for k, task in enumerate(library):
                chance = foretold(task.pomdp, history)
                wanted = np.log(g / chance) if chance > 0 else np.inf
                assert suspicion.evidence[k] == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("alpha", [0.3, 0.5])
def test_no_behaviour_raises_false_alarms_more_often_than_alpha(seed, alpha):
    """Every history of a tiny library: the worst actions after each history, chosen to raise the alarm."""
    library = random_library(seed, K=2, sizes=(2,), A=2, Z=2, sparsity=0.2)
    alarm = alarm_for(library, alpha)

    def worst(task, suspicion, weight, left):
        if suspicion.alarm is not None:
            return weight.sum()
        if not left:
            return 0.0
        chances = []
        for a in range(2):
            after = [(weight @ dense(task.pomdp.P)[a]) * dense(task.pomdp.O)[a][:, z] for z in range(2)]
            chances.append(
                sum(
                    worst(task, alarm.update(suspicion, a, Percept(observation=z)), after[z], left - 1)
                    for z in range(2)
                    if after[z].sum() > 0
                )
            )
        return max(chances)

    for task in library:
        chance = worst(task, alarm.start(), task.pomdp.start, left=5)
        assert chance <= alpha + 1e-12


def alarmed_at(task, alarm, seed, horizon):
    """When an agent that acts at random raises the alarm; None if it does not."""
    luck = Luck.of(seed, horizon)
    x, suspicion, A = first_state(task, luck), alarm.start(), alarm.inference.A
    for t in range(horizon):
        a = int(A * luck[t].agent)
        happened = step(task, x, a, luck[t])
        x, suspicion = happened.state, alarm.update(suspicion, a, Percept(observation=happened.observation))
        if suspicion.alarm is not None:
            return suspicion.alarm
    return None


def false_alarms(trials, horizon):
    library = make("night-pursuit", size=3, tasks=3)
    alarm = alarm_for(library, 0.1)
    for k, task in enumerate(library):
        count = sum(alarmed_at(task, alarm, 1000 * k + s, horizon) is not None for s in range(trials))
        assert binomtest(count, trials, 0.1, alternative="greater").pvalue > 0.001, (k, count)


def test_false_alarms_are_rare_at_all_times():
    false_alarms(trials=30, horizon=60)


@pytest.mark.long
def test_false_alarms_are_rare_over_500_steps():
    false_alarms(trials=300, horizon=500)


def test_a_task_outside_other_noise_and_trembling_teammates_are_noticed():
    options = {"size": 3, "noise": 0.1}
    library = make("night-pursuit", tasks=2, **options)
    alarm = alarm_for(library)
    outside = make("night-pursuit", tasks=12, **options)[11]
    noisy = make("night-pursuit", tasks=2, size=3, noise=0.4)[0]
    shaky = trembling(library, 0.3)[1]
    for task in (outside, noisy, shaky):
        noticed = sum(alarmed_at(task, alarm, seed, 150) is not None for seed in range(12))
        assert binomtest(noticed, 12, 0.05, alternative="greater").pvalue < 1e-4, (task.name, noticed)


def test_a_world_is_compared_with_itself_under_other_noise_unless_told_otherwise():
    night, torus = make("night-pursuit", size=3, tasks=2, noise=0.3), make("pursuit", size=3)
    shaky, less, more = alarm_for(night).alternatives
    assert shaky.hash == trembling(night, 0.2).hash
    assert [less.hash, more.hash] == [make("night-pursuit", size=3, tasks=2, noise=n).hash for n in (0.3 / 3, 1.3 / 2)]
    assert [each.hash for each in alarm_for(torus).alternatives[1:]] == [
        make("pursuit", size=3, literal_noise=True).hash
    ]
    assert len(alarm_for(night, alternatives=[]).alternatives) == 1
    assert len(alarm_for(make("overcooked", role="cook")).alternatives) == 1


def lamp(chances):
    return Task.from_pomdp(POMDP(P=[[[1.0]]], O=[[chances]], R=[[0.0]]), name="lamp")


def test_what_is_impossible_under_all_tasks_raises_it_at_once():
    library = TaskLibrary([lamp([0.5, 0.5, 0.0]), lamp([0.9, 0.1, 0.0])])
    agent = quick_agent("atpo", library, alarm=0.01, fallback="uniform")
    with pytest.warns(UserWarning, match="no task"):
        memory = agent.update(agent.start(), 0, Percept(observation=2))
    assert memory.suspicion.alarm == 1
    assert memory.events


def test_a_task_without_prior_defends_nothing():
    """Task 0 explains the observations, but its prior is zero."""
    library = TaskLibrary([lamp([0.0, 1.0]), lamp([0.9, 0.1])])
    alarm = alarm_for(library, prior=[0.0, 1.0])
    suspicion = alarm.start()
    for _ in range(10):
        suspicion = alarm.update(suspicion, 0, Percept(observation=1))
    assert suspicion.alarm is not None
    assert suspicion.evidence[0] < 0


def test_the_evidence_grows_for_ever_without_loss_of_precision():
    """The closed form: after t observations, E = (uniform t times) / (likelihood t times)."""
    library = TaskLibrary([lamp([0.5, 0.5]), lamp([0.999, 0.001])])
    alarm = alarm_for(library)
    suspicion = alarm.start()
    for _ in range(400):
        suspicion = alarm.update(suspicion, 0, Percept(observation=1))
    assert suspicion.alarm is None
    assert suspicion.evidence == pytest.approx([0.0, 400 * np.log(0.5 / 0.001)])


def test_a_missing_observation_is_no_evidence():
    library = random_library(2, K=2)
    alarm = alarm_for(library)
    suspicion = alarm.update(alarm.start(), 1, Percept())
    assert suspicion.evidence.tolist() == [0.0, 0.0]
    start = [task.pomdp.start @ dense(task.pomdp.P)[1] for task in library]
    assert suspicion.tasks[0][6:].reshape(-1, 2)[:, 1].sum() == pytest.approx(sum(s.sum() for s in start))


@pytest.mark.parametrize("fallback", ["go on", "uniform", lambda memory: [0.0, 1.0]])
def test_what_the_agent_does_after_an_alarm_is_chosen(fallback):
    library = random_library(4, K=2, sparsity=0.0)
    agent = quick_agent("atpo-greedy", library, alarm=0.05, fallback=fallback)
    plain = quick_agent("atpo-greedy", library)
    memory = agent.start()
    assert agent.act(memory).tolist() == plain.act(memory).tolist()
    after = memory._replace(suspicion=memory.suspicion._replace(alarm=1))
    wanted = {"go on": plain.act(memory).tolist(), "uniform": [0.5, 0.5]}
    assert agent.act(after).tolist() == (wanted[fallback] if isinstance(fallback, str) else [0.0, 1.0])


@pytest.mark.parametrize("name", ["atpo", "bayes"])
@pytest.mark.parametrize("world", ["night-pursuit", "overcooked"])
def test_an_agent_with_an_alarm_plays_as_it_would_without(world, name):
    library = make(world, **({"size": 3, "tasks": 2} if world == "night-pursuit" else {"role": "cook"}))
    seen = []
    watchful = play(library[1], quick_agent(name, library, alarm=1e-6), seed=2, horizon=30, watch=seen.append)
    plain = play(library[1], quick_agent(name, library), seed=2, horizon=30)
    assert watchful.actions.tolist() == plain.actions.tolist()
    assert [memory.suspicion.observations for memory in seen] == list(range(31))
    assert seen[-1].suspicion.alarm is None


def test_what_makes_no_sense_is_refused():
    library = random_library(4, K=2)
    for options, words in [
        ({"alarm": 2.0}, "alpha is 2"),
        ({"alarm": 0.05, "fallback": "panic"}, "fallback is 'panic'"),
        ({"fallback": "uniform"}, "give alarm=0.05 too"),
        ({"alarm": 0.05, "alternatives": [random_library(1, Z=4)]}, "observations"),
    ]:
        for name in ("atpo", "bayes"):
            with pytest.raises(InputError, match=words):
                quick_agent(name, library, **options)
    with pytest.raises(InputError, match="folded in"):
        trembling(TaskLibrary([lamp([1.0])]), 0.1)
    with pytest.raises(InputError, match="random receives no observations"):
        quick_agent("random", library, alarm=0.05)


def test_an_agent_that_senses_more_than_observations_is_refused_before_anything_is_solved():
    library = make("night-pursuit", size=3, tasks=2)
    with pytest.raises(InputError, match="assistant also acts on what it senses of teammates"):
        agent("assistant", library, alarm=0.05)
    with pytest.raises(InputError, match="value-iteration receives no observations"):
        agent("value-iteration", library, target=0, alarm=0.05)
    with pytest.raises(InputError, match="seer receives no observations"):
        WithAlarm(player(lambda state: 0, library, of="last", sees="state", name="seer"), alarm_for(library))


def guess():
    """A hidden bit that stays. Action a shows 1 with probability 0.9 if a is the bit, and with 0.1 if it is not."""
    sensors = [[[0.1, 0.9], [0.9, 0.1]], [[0.9, 0.1], [0.1, 0.9]]]
    pomdp = POMDP(P=[np.eye(2)] * 2, O=sensors, R=np.zeros((2, 2)), start=[0.5, 0.5])
    return TaskLibrary([Task.from_pomdp(pomdp, name="guess")])


def over_all_histories(alarm, pomdp, actor, T):
    """The expected e-value after T steps, and the probability of an alarm by then; the hidden state stays."""

    def go_on(suspicion, chance, x, left):
        if not left or suspicion.alarm is not None:
            return chance * np.array([np.exp(suspicion.evidence[0]), suspicion.alarm is not None])
        a = actor(x)
        shown = dense(pomdp.O)[a][x]
        after = (alarm.update(suspicion, a, Percept(observation=z)) for z in range(2))
        return sum(go_on(each, chance * p, x, left - 1) for each, p in zip(after, shown, strict=True))

    return sum(go_on(alarm.start(), p, x, T) for x, p in enumerate(pomdp.start))


@pytest.mark.parametrize("T", [1, 2, 5, 8])
def test_the_promise_holds_unless_the_actor_knows_the_hidden_state(T):
    """The only task of the library is going on. Who knows the bit sees 1 nine times out of ten."""
    library = guess()
    always = TaskLibrary([Task.from_pomdp(POMDP([[[1.0]]] * 2, [[[0.1, 0.9]]] * 2, [[0.0, 0.0]]), name="always 1")])
    patient, eager = (alarm_for(library, alpha, alternatives=[always]) for alpha in (1e-9, 0.75))
    pomdp = library[0].pomdp
    for actor in (lambda x: 0, lambda x: 1):
        assert over_all_histories(patient, pomdp, actor, T)[0] == pytest.approx(1)
        assert over_all_histories(eager, pomdp, actor, T)[1] <= 0.75
    assert over_all_histories(patient, pomdp, lambda x: x, T)[0] > 1.05
    assert over_all_histories(eager, pomdp, lambda x: x, T)[1] > 0.75


def envelope(library, k, history, h):
    """The sum over every sequence of tasks that begins with k: 1 for a step that stays, h for one that changes."""
    total = 0.0
    for tasks in itertools.product(range(len(library)), repeat=len(history)):
        weight, before = library[k].pomdp.start, k
        for now, (a, z) in zip(tasks, history, strict=True):
            pomdp = library[now].pomdp
            if now != before:
                weight = h * (weight if library.shared else weight.sum() * pomdp.start)
            weight, before = (weight @ dense(pomdp.P)[a]) * dense(pomdp.O)[a][:, z], now
        total += weight.sum()
    return total


@pytest.mark.parametrize("sizes", [(2,), (2, 3, 2)])
@pytest.mark.parametrize("hazard", [0.05, 0.4, 1.0])
@pytest.mark.parametrize("seed", range(3))
def test_with_a_hazard_rate_tasks_are_weighed_by_all_sequences_of_changes(seed, hazard, sizes):
    library = random_library(seed, K=3, sizes=sizes, sparsity=0.3)
    alarm = Alarm(Inference(library, hazard=hazard), 1e-9)
    rng, suspicion, history = np.random.default_rng(seed), alarm.start(), []
    for _ in range(4):
        history.append((int(rng.integers(2)), int(rng.integers(3))))
        suspicion = alarm.update(suspicion, history[-1][0], Percept(observation=history[-1][1]))
        for k in range(3):
            wanted = envelope(library, k, history, hazard)
            assert suspicion.likelihood[k] == pytest.approx(np.log(wanted) if wanted else -np.inf, abs=1e-9)


@pytest.mark.parametrize("sizes", [(2,), (2, 3)])
@pytest.mark.parametrize("hazard", [0.1, 0.6])
@pytest.mark.parametrize("seed", range(3))
def test_no_chain_of_tasks_within_the_hazard_rate_raises_it_more_often_than_alpha(seed, hazard, sizes):
    """Every history of a tiny library: the worst actions, and changes by a rule that is drawn for each history.

    A task that changes gives no weight to the others that the envelope does not; so the expected e-value is 1 or less.
    """
    library, T, alpha = random_library(seed, K=2, sizes=sizes, A=2, Z=2, sparsity=0.2), 4, 0.4
    patient, eager = (Alarm(Inference(library, hazard=hazard), level) for level in (1e-9, alpha))
    rng = np.random.default_rng(seed)

    def moved(weights, a, z):
        """The weights of both tasks' states after a change, with the hazard rate or never, and a step."""
        rates, after = hazard * rng.integers(0, 2, 2), []
        for j in range(2):
            other = weights[1 - j] if library.shared else weights[1 - j].sum() * library[j].pomdp.start
            now = (1 - rates[j]) * weights[j] + rates[1 - j] * other
            after.append((now @ dense(library[j].pomdp.P)[a]) * dense(library[j].pomdp.O)[a][:, z])
        return after

    def worst(alarm, suspicion, weights, start, left):
        """The expected e-value and the probability of an alarm, each by the actions that make it largest."""
        chance = sum(each.sum() for each in weights)
        if chance == 0:
            return np.zeros(2)
        if not left or suspicion.alarm is not None:
            return chance * np.array([np.exp(suspicion.evidence[start]), suspicion.alarm is not None])
        options = []
        for a in range(2):
            after = [(alarm.update(suspicion, a, Percept(observation=z)), moved(weights, a, z)) for z in range(2)]
            options.append(sum(worst(alarm, *each, start, left - 1) for each in after))
        return np.max(options, axis=0)

    for start in range(2):
        weights = [task.pomdp.start * (k == start) for k, task in enumerate(library)]
        assert worst(patient, patient.start(), weights, start, T)[0] <= 1 + 1e-9
        assert worst(eager, eager.start(), weights, start, T)[1] <= alpha + 1e-12


def test_a_task_that_changes_raises_it_without_a_hazard_rate_and_not_with_one():
    library = TaskLibrary([lamp([0.95, 0.05]), lamp([0.05, 0.95])])
    raised = {}
    for hazard in (0.0, 0.02):
        alarm = Alarm(Inference(library, hazard=hazard), 0.05)
        suspicion = alarm.start()
        for z in [0] * 20 + [1] * 20:
            suspicion = alarm.update(suspicion, 0, Percept(observation=z))
        raised[hazard] = suspicion.alarm
    assert raised[0.0] is not None
    assert raised[0.02] is None


def test_with_a_hazard_rate_the_impossible_raises_it_and_a_missing_observation_does_not():
    library = TaskLibrary([lamp([0.5, 0.5, 0.0]), lamp([0.9, 0.1, 0.0])])
    alarm = Alarm(Inference(library, hazard=0.1), 0.05)
    suspicion = alarm.update(alarm.start(), 0, Percept())
    assert suspicion.evidence.tolist() == [0.0, 0.0]
    suspicion = alarm.update(suspicion, 0, Percept(observation=0))
    assert suspicion.likelihood == pytest.approx(np.log([0.5 * 1.01 + 0.9 * 0.2, 0.9 * 1.01 + 0.5 * 0.2]))
    assert alarm.update(suspicion, 0, Percept(observation=2)).alarm == 2
    alone = Alarm(Inference(TaskLibrary([lamp([0.5, 0.5])]), hazard=0.1), 0.05)
    assert alone.update(alone.start(), 0, Percept(observation=0)).evidence == pytest.approx([0.0])
