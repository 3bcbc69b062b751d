"""Beliefs without tables: exact ones against those of the matrices, particles against exact ones."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import walkon
from random_libraries import joint_histories, libraries, random_library
from untabled_worlds import Lamp, Walk
from walkon import InputError, Percept
from walkon.agents.inference import Inference
from walkon.agents.sparse_belief import reduced
from walkon.agents.tracking import MOST_RENEWED, Tracking


def follow(tracking, history):
    memory = tracking.start()
    for a, z in history:
        memory = tracking.update(memory, a, Percept(observation=z))
    return memory


def spread(states, size):
    belief = np.zeros(size)
    for x, p in states.items():
        belief[x] = p
    return belief


@pytest.mark.filterwarnings("ignore::walkon.agents.memory.UnexplainedWarning")
@given(st.data())
def test_exact_beliefs_are_those_of_the_matrices(data):
    library = data.draw(libraries())
    history = [(a, z) for a, _, z in data.draw(joint_histories(library, longest=8))]
    prior = np.random.default_rng(0).dirichlet(np.ones(len(library)))
    exact, sparse = follow(Inference(library, prior), history), follow(Tracking(library, prior), history)
    assert sparse.tasks == pytest.approx(exact.tasks, abs=1e-12)
    assert sparse.events == exact.events
    assert (sparse.refuted == exact.refuted).all()
    assert sparse.likelihood == pytest.approx(exact.likelihood, abs=1e-12)
    assert set(sparse.kinds) == {"exact"}
    for k in np.flatnonzero(~exact.refuted):
        assert spread(sparse.states[k], len(exact.states[k])) == pytest.approx(exact.states[k], abs=1e-12)


def test_without_an_observation_beliefs_are_predicted_and_soft_evidence_weighs():
    library = random_library(3, K=2, sizes=(3,), sparsity=0.0)
    exact, sparse = Inference(library), Tracking(library)
    one, two = exact.start(), sparse.start()
    weights = [0.5, 2.0] + [0.0] * (exact.Z - 2)
    for ours, theirs in [(Percept(), Percept()), (Percept(likelihood=weights), Percept(likelihood={0: 0.5, 1: 2.0}))]:
        one, two = exact.update(one, 1, ours), sparse.update(two, 1, theirs)
        assert two.tasks == pytest.approx(one.tasks, abs=1e-12)
        assert spread(two.states[1], 3) == pytest.approx(one.states[1], abs=1e-12)
    with pytest.raises(InputError, match="expected a dict from observations to weights"):
        sparse.update(two, 1, Percept(likelihood=weights))


@given(st.lists(st.floats(1e-6, 1), min_size=4, max_size=12), st.integers(1, 3))
def test_reducing_keeps_every_weight_in_expectation(weights, most):
    w = np.array(weights) / sum(weights)
    numbers = (np.arange(2000) + 0.5) / 2000
    mean = np.zeros(len(w))
    for number in numbers:
        places, kept = reduced(w, most, number)
        assert len(places) <= most
        mean[places] += kept / len(numbers)
    assert mean == pytest.approx(w, abs=2e-3)


def log_evidence(memory):
    return np.logaddexp.reduce(memory.log_joint)


def test_evidence_of_particles_is_unbiased():
    """Over many seeds, the mean of the estimates is the probability of the history; dead particles count as 0."""
    library = random_library(8, K=1, sizes=(9,), A=2, Z=3, sparsity=0.4)
    rng = np.random.default_rng(1)
    episode = walkon.play(library[0], walkon.agent("random", library), horizon=8, seed=4)
    history = list(zip(episode.actions.tolist(), episode.observations.tolist(), strict=True))
    exact = np.exp(log_evidence(follow(Tracking(library), history)))
    found = []
    for seed in rng.integers(2**32, size=800).tolist():
        memory = follow(Tracking(library, particles=3, seed=seed), history)
        found.append(0.0 if memory.depleted else np.exp(log_evidence(memory)))
    error = np.std(found) / np.sqrt(len(found))
    assert error < exact / 4
    assert np.mean(found) == pytest.approx(exact, abs=4 * error)


def test_with_many_particles_the_task_posterior_is_near_the_exact_one():
    tasks = [Lamp("on", 0.2), Lamp("off", 0.3), Lamp("on", 0.35)]
    for k, task in enumerate(tasks):
        task.name = f"lamp {k}"
    library = walkon.define(tasks, tables=False)
    exact, few = Tracking(library), Tracking(library, particles=5)
    distances, kinds = [], set()
    for seed in range(20):
        episode = walkon.play(library[seed % 3], walkon.agent("random", library), seed=seed)
        history = list(zip(episode.actions.tolist(), episode.observations, strict=True))
        one, two = follow(exact, history), follow(few, history)
        assert set(one.kinds) == {"exact"}
        kinds |= set(two.kinds)
        distances.append(np.abs(one.tasks - two.tasks).sum() / 2)
    assert kinds == {"exact", "particles"}
    assert 0 < np.mean(distances) < 0.02


def far_away(particles):
    """A walk whose few particles soon miss where it is."""
    library = walkon.define([Walk(50), Walk(60)], tables=False)
    return library, Tracking(library, particles=particles, seed=3)


def test_a_task_whose_particles_ran_out_is_not_refuted():
    _, tracking = far_away(2)
    memory = tracking.start()
    for z in (-5, -6, -7, -8):
        memory = tracking.update(memory, 0, Percept(observation=z))
    assert memory.depleted
    assert not memory.events
    assert not memory.refuted.any()
    assert {event.task for event in memory.depleted} <= {0, 1}
    assert any(belief.approximate for belief in memory.beliefs)
    assert memory.tasks.sum() == pytest.approx(1)


def test_tracking_again_finds_other_particles_where_there_are_some():
    _, tracking = far_away(30)
    memory = tracking.start()
    for z in (-4, -5, -6, -6, -7, -8, -9, -9, -9):
        memory = tracking.update(memory, 0, Percept(observation=z))
    assert memory.kinds == ("particles", "particles")
    assert not memory.refuted.any()
    assert all(event.renewed for event in memory.depleted)


def test_of_many_tasks_that_ran_out_at_once_the_likeliest_are_tracked_again():
    library = walkon.define([Walk(goal) for goal in range(50, 90)], tables=False)
    weights = np.arange(40.0, 0.0, -1.0)
    tracking = Tracking(library, weights / weights.sum(), particles=5)
    memory = tracking.update(tracking.start(), 0, Percept(observation=-4))
    out = sorted(event.task for event in memory.depleted)
    renewed = [event.task for event in memory.depleted if event.renewed]
    assert len(out) > MOST_RENEWED
    assert renewed
    assert set(renewed) <= set(out[:MOST_RENEWED])


def test_a_task_whose_particles_ran_out_falls_behind_those_that_explain_what_was_seen():
    """Its weight does not depend on how many observations there are."""

    class Loud(Walk):
        def sensor(self, a, y):
            return tuple({0: 0.5, 1: 0.5} for _ in range(300)) if self.goal == 50 else "nothing"

    library = walkon.define([Loud(50), Loud(60)], tables=False)
    tracking = Tracking(library, particles=10)
    memory = tracking.update(tracking.start(), 0, Percept(observation=(0,) * 300))
    assert [event.task for event in memory.depleted] == [1]
    assert memory.tasks == pytest.approx([11 / 12, 1 / 12])


def test_an_exact_belief_refutes_and_no_task_at_all_starts_again():
    library = walkon.define([Lamp("on"), Lamp("off")], tables=False)
    tracking = Tracking(library)
    with pytest.warns(walkon.UnexplainedWarning, match="no task of the library explains observation 'sun'"):
        memory = tracking.update(tracking.start(), 0, Percept(observation="sun"))
    assert memory.events[0].observation == "sun"
    assert memory.tasks.tolist() == [0.5, 0.5]
    assert (memory.step, memory.history) == (1, ())


def test_equal_memories_give_equal_updates():
    _, tracking = far_away(5)
    memory = tracking.update(tracking.start(), 0, Percept(observation=-4))
    one, two = (tracking.update(memory, 0, Percept(observation=-5)) for _ in range(2))
    assert one.states == two.states
    assert one.log_joint.tolist() == two.log_joint.tolist()
    _, again = far_away(5)
    other = again.update(again.update(again.start(), 0, Percept(observation=-4)), 0, Percept(observation=-5))
    assert one.states == other.states


def test_a_world_that_is_seen_gives_certainty():
    class Seen(Walk):
        sensor = None

    library = walkon.define([Seen(5), Seen(6)], tables=False)
    tracking = Tracking(library)
    memory = tracking.start(Percept(state=2))
    assert memory.states == ({2: 1.0}, {2: 1.0})
    memory = tracking.update(memory, 1, Percept(observation=3))
    assert memory.states == ({3: 1.0}, {3: 1.0})
    assert memory.kinds == ("exact", "exact")


def test_a_memory_of_another_library_is_refused():
    library, other = (walkon.define([Lamp(word)], tables=False) for word in ("on", "off"))
    with pytest.raises(InputError, match=r"this is a memory of off \(without tables\)"):
        Tracking(library).update(Tracking(other).start(), 0, Percept())
