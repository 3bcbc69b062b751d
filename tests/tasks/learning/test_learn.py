"""Learning a task from a log."""

from dataclasses import replace

import numpy as np
import pytest

import walkon
from walkon.errors import InputError
from walkon.formats.log_file import read_log
from walkon.tasks.learning import fit, information

TEXT = """episode,step,action,observation,state,teammates,reward
1,0,go,dark,here,wait,-1
1,1,go,light,here,push,5
1,2,,,there,,
2,0,go,light,here,push,3
2,1,,,there,,
3,0,go,dark,here,wait,
3,1,,,here,,
"""


@pytest.fixture
def log(tmp_path):
    (tmp_path / "log.csv").write_text(TEXT)
    return read_log(tmp_path / "log.csv")


def pair(agree=0.8):
    """A small task with a teammate that tends to do what the state says."""
    swap, keep = np.array([[0.1, 0.9], [0.9, 0.1]]), np.eye(2)
    team = walkon.MMDP(
        [[keep, swap], [swap, keep]],
        np.zeros((2, 2, 2)),
        states=["l", "r"],
        actions=["a", "b"],
        teammate_actions=["s", "t"],
    )
    hear = [[0.9, 0.1], [0.3, 0.7]]
    teammates = [[agree, 1 - agree], [1 - agree, agree]]
    return walkon.Task(team, teammates, [hear, hear], [1, 0], name="pair", observations=["lo", "hi"])


def played(task, episodes=100, horizon=20):
    library = walkon.TaskLibrary([task])
    return walkon.logged(
        walkon.play_many(task, walkon.agent("random", library), range(episodes), horizon=horizon), task
    )


def test_a_log_alone_is_counted_by_hand(log):
    learned = walkon.learn(log, solved=["there"], name="door")
    task = learned.task
    assert (task.states, task.actions, task.observations) == (("here", "there"), ("go",), ("dark", "light"))
    assert task.mmdp.teammate_actions == ("push", "wait")
    # moves: push led from here to there 2 of 2 times, wait from here to here 2 of 2; pseudo-counts are 1/2 each
    np.testing.assert_allclose(task.mmdp.P[0][0].toarray(), [[0.5 / 3, 2.5 / 3], [0.5, 0.5]])
    np.testing.assert_allclose(task.mmdp.P[0][1].toarray(), [[2.5 / 3, 0.5 / 3], [0.5, 0.5]])
    np.testing.assert_allclose(task.sensor[0].toarray(), [[2.5 / 3, 0.5 / 3], [0.5 / 3, 2.5 / 3]])
    np.testing.assert_allclose(task.teammates.toarray(), [[2.5 / 5, 2.5 / 5], [0.5, 0.5]])
    np.testing.assert_allclose(task.start, [3.5 / 4, 0.5 / 4])
    assert task.solved.tolist() == [False, True]
    mean = (5 + 3 - 1) / 3
    np.testing.assert_allclose(task.mmdp.R[:, 0], [[4, -1], [mean, mean]])
    assert learned.tables["transitions"].effective.tolist() == [2, 0, 2, 0]
    assert learned.tables["sensor"].effective.tolist() == [2, 2]
    assert (learned.rows, learned.rounds, learned.unexplained) == (7, 0, 0)


def test_without_the_teammates_they_are_folded_in(log):
    task = walkon.learn(replace(log, teammates=("",) * 7)).task
    assert task.teammates is None
    np.testing.assert_allclose(task.pomdp.P[0].toarray()[0], [2.5 / 5, 2.5 / 5])


def test_words_that_the_log_may_not_have_seen_can_be_listed(log):
    task = walkon.learn(log, observations=["dark", "light", "music"], actions=["go", "stop"]).task
    assert task.observations[2] == "music"
    assert len(task.pomdp.P) == 2
    assert walkon.TaskLibrary(
        [task, walkon.learn(log, observations=["dark", "light", "music"], actions=["go", "stop"]).task]
    )


def test_much_data_comes_near_the_truth_and_inside_the_intervals():
    truth = pair()
    learned = walkon.learn(played(truth), base=pair(0.5), fit=["teammates", "sensor", "transitions", "start"])
    assert abs(learned.task.teammates - truth.teammates).max() < 0.03
    assert abs(learned.task.pomdp.P[0] - truth.pomdp.P[0]).max() < 0.06
    low, high = learned.tables["teammates"].interval(0.999)
    held = truth.teammates.toarray()
    assert ((low.toarray() < held) & (held < high.toarray())).all()
    assert learned.task.hash != truth.hash


def test_a_row_that_was_never_seen_stays_as_the_base_has_it():
    truth, base = pair(), pair(0.5)
    log = played(truth, episodes=1, horizon=1)
    learned = walkon.learn(log, base=base, fit="teammates")
    assert learned.task.teammates.toarray()[1].tolist() == base.teammates.toarray()[1].tolist()
    assert (learned.task.pomdp.O[0] != base.pomdp.O[0]).nnz == 0
    assert learned.tables.keys() == {"teammates"}


def test_strength_is_how_many_observations_the_base_weighs():
    log = played(pair(1.0), episodes=1, horizon=1)  # the teammate did s in l, once
    for strength in (1.0, 9.0):
        learned = walkon.learn(log, base=pair(0.5), fit="teammates", strength=strength)
        assert learned.task.teammates[0, 0] == pytest.approx((0.5 * strength + 1) / (strength + 1))


def test_unknown_states_are_guessed_with_the_base():
    truth = pair(0.9)
    log = played(truth, episodes=300)
    hidden = replace(log, states=("",) * len(log))
    learned = walkon.learn(hidden, base=pair(0.5), fit="teammates")
    assert learned.rounds > 1
    assert learned.unexplained == 0
    assert abs(learned.task.teammates - truth.teammates).max() < 0.05
    assert learned.tables["teammates"].effective.sum() == pytest.approx(300 * 20)


def test_episodes_that_the_base_rules_out_are_left_out_and_reported():
    sure = pair()
    deaf = walkon.Task(sure.mmdp, sure.teammates, [[[1, 0], [1, 0]]] * 2, [1, 0], observations=["lo", "hi"])
    log = played(pair(), episodes=5)
    with pytest.warns(walkon.LogWarning, match="5 of 5 stretches .* were left out: the base makes them impossible"):
        learned = walkon.learn(replace(log, states=("",) * len(log)), base=deaf, fit="teammates")
    assert learned.unexplained == 5
    assert len(learned.warnings) == 1


def test_unknown_states_without_a_base_are_left_out_and_reported(log):
    states = ("here", "", *log.states[2:])
    with pytest.warns(walkon.LogWarning, match="1 stretches .* were left out: give a base task"):
        learned = walkon.learn(replace(log, states=states))
    assert learned.tables["transitions"].effective.sum() == 2


def observed_only(log):
    return replace(log, states=("",) * len(log), teammates=("",) * len(log))


def bounds(table, level=0.95):
    return (each.toarray() for each in table.interval(level))


def test_what_a_deterministic_base_rules_out_is_learned_from_observations_alone():
    truth, base = pair(0.3), pair(1.0)
    learned = walkon.learn(observed_only(played(truth, episodes=200)), base=base, fit="teammates")
    low, high = bounds(learned.tables["teammates"])
    held = truth.teammates.toarray()
    assert ((low < held) & (held < high)).all()
    assert ((high - low > 0.05) & (high - low < 0.7)).all()
    assert abs(learned.task.teammates.toarray() - held).max() < 0.2


def test_without_smoothing_what_the_base_rules_out_stays_impossible():
    log = observed_only(played(pair(0.3), episodes=20))
    learned = walkon.learn(log, base=pair(1.0), fit="teammates", smoothing=0)
    assert learned.task.teammates.toarray().tolist() == [[1, 0], [0, 1]]


def test_a_search_that_stops_at_its_cap_is_reported(monkeypatch):
    monkeypatch.setattr(fit, "ROUNDS", 2)
    log = observed_only(played(pair(0.9), episodes=20))
    with pytest.warns(walkon.LogWarning, match="the probabilities were still changing"):
        assert walkon.learn(log, base=pair(0.5), fit="teammates").rounds == 2


def test_rows_that_the_log_does_not_determine_are_reported_as_that():
    task = pair(0.9)
    moves = [[each[0]] * 2 for each in task.mmdp.P]  # the same whatever the teammate does
    team = walkon.MMDP(moves, np.zeros((2, 2, 2)), states=task.states, actions=task.actions)
    blind = walkon.Task(team, task.teammates, task.sensor, [1, 0], observations=task.observations)
    log = observed_only(played(blind, episodes=30))
    log = replace(log, teammates=tuple("0" if x else "" for x in log.teammates))
    table = walkon.learn(log, base=blind, fit="teammates").tables["teammates"]
    assert not table.determined.any()
    np.testing.assert_allclose(table.observations, 0, atol=1e-3)
    low, high = bounds(table)
    assert low.tolist() == [[0, 0], [0, 0]]
    assert high.tolist() == [[1, 1], [1, 1]]
    assert table.effective.min() > 1  # although its expected counts are many
    assert (table.sureness.determined, table.sureness.mean_width) == (0, 1.0)


def test_if_nothing_says_which_state_is_which_no_row_is_determined():
    log = observed_only(played(pair(0.9), episodes=10))
    with pytest.warns(walkon.LogWarning, match="nothing says which state is which and no row is determined: give some"):
        learned = walkon.learn(log, base=pair(0.5), fit=["transitions", "sensor"])
    assert not any(table.determined.any() for table in learned.tables.values())
    one_known = replace(log, states=("l", *log.states[1:]))
    learned = walkon.learn(one_known, base=pair(0.5), fit=["transitions", "sensor"])
    assert learned.tables["sensor"].determined.any()


def test_too_many_inferred_probabilities_have_no_intervals_and_that_is_said(monkeypatch):
    monkeypatch.setattr(information, "MOST", 3)
    log = observed_only(played(pair(0.9), episodes=20))
    with pytest.warns(
        walkon.LogWarning, match="probabilities were inferred, too many for intervals: learn fewer tables"
    ):
        table = walkon.learn(log, base=pair(0.5), fit="teammates").tables["teammates"]
    assert not table.determined.any()


def test_the_worth_of_inferred_actions_is_the_curvature_of_the_likelihood():
    """The teammate's choice pi is seen through a move that errs with 0.1: q = 0.9 pi + 0.1 (1 - pi) moves to r."""
    moves = [[np.array([[0.1, 0.9], [0.1, 0.9]]), np.array([[0.9, 0.1], [0.9, 0.1]])]]
    names = {"states": ["l", "r"], "actions": ["a"], "teammate_actions": ["s", "t"]}
    team = walkon.MMDP(moves, np.zeros((2, 1, 2)), **names)
    task = walkon.Task(team, [[0.7, 0.3], [0.7, 0.3]], [[[1.0], [1.0]]], [1, 0], observations=["z"])
    log = replace(played(task, episodes=60, horizon=1))
    arrived = sum(state == "r" for state in log.states)
    log = replace(log, teammates=("",) * len(log))
    table = walkon.learn(log, base=task, fit="teammates", strength=2.0, smoothing=0.1).tables["teammates"]

    def height(eta):
        pi = 1 / (1 + np.exp(-eta))
        q = 0.9 * pi + 0.1 * (1 - pi)
        prior = 2 * (0.9 * 0.7 + 0.05)
        return arrived * np.log(q) + (60 - arrived) * np.log(1 - q) + prior * np.log(pi) + (2 - prior) * np.log(1 - pi)

    pi = table.mean[0, 0]
    at, step = np.log(pi / (1 - pi)), 1e-3
    assert abs(height(at + step) - height(at - step)) / (2 * step) < 0.02
    curvature = -(height(at + step) - 2 * height(at) + height(at - step)) / step**2
    assert table.observations[0] == pytest.approx(curvature / (pi * (1 - pi)) - 1 - 2, rel=1e-3)
    assert 10 < table.observations[0] < 50 < table.effective[0] + 10
    assert table.determined.tolist() == [True, False]  # nobody ever chose in r


def test_held_out_episodes_are_as_likely_as_by_hand(log):
    learned = walkon.learn(log)
    found = learned.held_out(folds=3)
    names = {"states": ["here", "there"], "teammate_actions": ["push", "wait"], "observations": ["dark", "light"]}
    total = uniform = 0.0
    for left in "123":
        rest = [row for row in TEXT.splitlines()[1:] if row[0] != left]
        kept = [i for i, episode in enumerate(log.episodes) if episode != left]
        assert len(kept) == len(rest)
        task = walkon.learn(_only(log, kept), **names).task
        own = [i for i, episode in enumerate(log.episodes) if episode == left]
        for i in own[:-1]:
            x, y = (names["states"].index(log.states[j]) for j in (i, i + 1))
            b, z = names["teammate_actions"].index(log.teammates[i]), names["observations"].index(log.observations[i])
            total += np.log(task.teammates[x, b] * task.mmdp.P[0][b][x, y] * task.sensor[0][y, z])
            uniform += 3 * np.log(0.5)
        total += np.log(task.start[0])
        uniform += np.log(0.5)
    assert found.learned == pytest.approx(total / 7)
    assert found.base == pytest.approx(uniform / 7)
    assert found[2:] == (3, 0, 0)
    assert learned.held_out(folds=3) == found


def _only(log, rows):
    columns = ("episodes", "actions", "observations", "states", "teammates")
    words = {name: tuple(getattr(log, name)[i] for i in rows) for name in columns}
    return replace(log, lines=log.lines[rows], steps=log.steps[rows], rewards=log.rewards[rows], **words)


def test_what_was_learned_explains_held_out_episodes_better_than_a_wrong_base():
    log = played(pair(0.9), episodes=40)
    hidden = walkon.learn(observed_only(log), base=pair(0.1), fit="teammates").held_out()
    assert hidden.learned > hidden.base + 0.01
    known = walkon.learn(log, base=pair(1.0), fit="teammates").held_out()
    assert known.impossible_base > 30  # so it is compared with the smoothed base
    assert known.learned > known.base + 0.1
    assert known.impossible_learned == 0
    assert walkon.learn(played(pair(), episodes=1), base=pair(), fit="teammates").held_out() is None
    with pytest.raises(InputError, match="folds is 1, expected 2 or more"):
        walkon.learn(log, base=pair(), fit="teammates").held_out(folds=1)


def test_what_was_learned_is_one_short_line(log):
    learned = walkon.learn(log)
    task = 'Task("learned": 2 states, 1 actions, 2 observations)'
    assert repr(learned) == f"Learned(task={task}, rows=7, unexplained=0, rounds=0, warnings=())"
    assert repr(learned.tables["sensor"]) == "DirichletTable(2 rows, 2 columns, 4 observations)"


def test_a_path_or_a_frame_has_to_be_read_first(tmp_path):
    for given, told in [("log.csv", "log is a path"), (tmp_path, "log is a path"), (object(), "log is a object")]:
        with pytest.raises(InputError, match=rf"{told}: make a log of it first, walkon.learn\(walkon.read_log"):
            walkon.learn(given)


def test_what_comes_out_is_an_ordinary_task(tmp_path):
    task = walkon.learn(played(pair()), base=pair(0.5), fit="teammates", name="learned pair").task
    library = walkon.TaskLibrary([pair(0.2), task])
    walkon.save(library, tmp_path / "library.safetensors")
    assert walkon.load(tmp_path / "library.safetensors").names == ("pair", "learned pair")
    assistant = walkon.agent("assistant", library, solver=walkon.Perseus(beliefs=20, backups=20), jobs=1)
    episode = walkon.play(pair(), assistant, horizon=60)
    assert episode.task_beliefs[-1, 1] > 0.99


def test_a_world_of_the_paper_learns_a_new_teammate():
    base = walkon.make("night-pursuit", size=3, tasks=2)
    agent = walkon.agent("random", base)
    log = walkon.logged(walkon.play_many(base[1], agent, range(20), horizon=10), base[1])
    learned = walkon.learn(log, base=base[0], fit="teammates", name="watched")
    seen = learned.tables["teammates"].effective > 3
    chosen = learned.task.teammates.toarray()[seen].argmax(axis=1)
    assert (chosen == base[1].teammates.toarray()[seen].argmax(axis=1)).all()
    assert learned.task.view is base[0].view


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"fit": ["teammates"]}, "fit says which tables of a base task to learn: give base"),
        (
            {"base": pair()},
            r"with a base task, say what to learn: fit=\[...\], or --fit, with some of transitions, sensor",
        ),
        ({"base": pair(), "fit": ["mates"]}, "fit has 'mates', expected some of transitions, sensor, teammates, start"),
        ({"base": pair(), "fit": "sensor"}, r"log.csv, line 2: state 'here' is not known: expected one of l, r"),
        ({"base": pair(), "fit": "sensor", "states": ["x"]}, "are those of the base: leave them out"),
        ({"strength": 0}, "strength is 0, expected a number above 0"),
        ({"strength": float("nan")}, "strength is nan"),
        ({"smoothing": 1}, "smoothing is 1, expected a number from 0 to below 1"),
        ({"smoothing": float("nan")}, "smoothing is nan"),
        (
            {"states": ["here"]},
            r"log.csv, line 4: state 'there' is not known \(did you mean 'here'\?\): expected one of here",
        ),
        ({"actions": "go"}, "actions is the string 'go', expected a list of names"),
        ({"solved": ["her"]}, "solved has 'her', which is not a state: expected one of here, there"),
        ({"reward": [[1, 2]]}, "R has shape"),
    ],
)
def test_errors_are_reported(log, options, told):
    with pytest.raises(InputError, match=told):
        walkon.learn(log, **options)


def test_a_log_without_states_needs_a_base(log):
    with pytest.raises(
        InputError, match=r"log.csv has no state: without a base task, a task can be learned only where"
    ):
        walkon.learn(replace(log, states=("",) * 7))


def test_teammates_that_are_folded_in_cannot_be_learned(log):
    folded = walkon.Task.from_pomdp(pair().pomdp, name="folded")
    with pytest.raises(InputError, match='in task "folded" the teammates are folded in'):
        walkon.learn(log, base=folded, fit="teammates")


def test_a_folded_base_learns_its_moves_and_its_sensor():
    truth = pair()
    folded = walkon.Task.from_pomdp(pair(0.5).pomdp, name="folded")
    log = played(truth)
    learned = walkon.learn(log, base=folded, fit=["transitions", "sensor"])
    assert abs(learned.task.pomdp.P[0] - truth.pomdp.P[0]).max() < 0.06
    assert learned.task.teammates is None


def test_tables_that_would_be_too_large_are_refused(log):
    with pytest.raises(InputError, match="entries, more than 20,000,000: give a base task"):
        walkon.learn(log, states=["here", "there", *range(9000)])
