"""The tally of a task, and its score."""

from dataclasses import replace

import numpy as np
import pytest

import walkon
from walkon.errors import InputError
from walkon.measuring.compare import compare
from walkon.measuring.contenders import contenders
from walkon.measuring.metrics import measure
from walkon.tasks.dead_ends import dead_ends

KEEP, SWAP = np.eye(2), np.eye(2)[::-1]
LEVER = walkon.MMDP(P=[[KEEP, SWAP], [SWAP, KEEP]], R=np.arange(8).reshape(2, 2, 2), discount=0.9)
COUNTS = np.arange(8).reshape(2, 2, 2) % 3


def lever(**more):
    return walkon.Task(LEVER, teammates=[[0.5, 0.5], [1, 0]], sensor=[KEEP, KEEP], start=[1, 0], horizon=12, **more)


class Boxes:
    """A box is put onto a heap of at most three, where both push."""

    start, actions, tally = 0, ["push", "wait"], "boxes"

    def teammates(self, x):
        return {"push": 0.5, "wait": 0.5}

    def moves(self, x, a, b):
        return min(x + self.counts(x, a, b), 3)

    def counts(self, x, a, b):
        return int(a == b == "push" and x < 3)

    def reward(self, x, a, b, y):
        return y - x


def test_a_task_is_scored_by_its_tally_else_by_steps_else_by_its_return():
    tally = walkon.Tally("boxes", COUNTS, "stacked")
    assert lever(tally=tally, solved=[0, 1]).score == "boxes"
    assert lever(solved=[0, 1]).score == "steps"
    assert lever().score == "return"


def test_an_episode_counts_what_its_steps_add_and_discounts_what_they_pay():
    task = lever(tally=walkon.Tally("boxes", COUNTS))
    agent = walkon.agent("random", walkon.TaskLibrary([task]))
    episode = walkon.play(task, agent, seed=4)
    moves = list(zip(episode.states[:-1], episode.actions, episode.teammate_actions, strict=True))
    assert episode.tally == {"boxes": sum(COUNTS[x, a, b] for x, a, b in moves)}
    assert episode.tally["boxes"] > 0
    assert episode.soups == 0
    assert episode.ret == pytest.approx(sum(0.9**t * LEVER.R[x, a, b] for t, (x, a, b) in enumerate(moves)))
    assert measure(episode, task).tally == episode.tally["boxes"]


def test_a_new_count_needs_nothing_but_its_world(tmp_path):
    library = walkon.define([Boxes()])
    assert library[0].score == "boxes"
    assert dead_ends(library[0]).tolist() == [False, False, False, True]
    found = compare(library, contenders(["value-iteration", "random"], library), trials=4)
    assert (found.measure, found.words) == ("boxes", "boxes counted")
    assert found.numbers["value-iteration"].tolist() == [[3, 3, 3, 3]]
    walkon.save(library, tmp_path / "boxes.safetensors")
    again = walkon.load(tmp_path / "boxes.safetensors")[0]
    assert (again.tally.name, again.tally.verb) == ("boxes", "counted")
    assert (again.tally.counts == library[0].tally.counts).all()


def test_without_an_end_and_a_tally_agents_are_compared_by_their_discounted_return():
    library = walkon.TaskLibrary([lever()])
    agents = contenders(["random"], library)
    found = compare(library, agents, trials=3)
    assert (found.measure, found.words) == ("return", "discounted return")
    seeds = walkon.measuring.seeds.trial_seeds("compare", 0, 0, 3)
    assert found.numbers["random"][0].tolist() == [walkon.play(lever(), agents["random"][0], seed=s).ret for s in seeds]


def test_a_task_that_can_no_longer_be_solved_is_a_dead_end():
    trap = walkon.MDP(P=[[[0, 0.5, 0.5], [0, 1, 0], [0, 0, 1]]], R=np.zeros((3, 1)))
    pomdp = walkon.POMDP(trap.P, [np.ones((3, 1))], trap.R)
    assert dead_ends(walkon.Task.from_pomdp(pomdp, solved=[0, 1, 0])).tolist() == [False, False, True]
    with pytest.raises(InputError, match="counts nothing and has no end"):
        dead_ends(walkon.Task.from_pomdp(pomdp))


@pytest.mark.parametrize(
    ("counts", "name", "message"),
    [
        (np.ones((2, 2)), "boxes", r"shape \(2, 2\)"),
        (np.full((2, 2, 2), 0.5), "boxes", "expected whole numbers"),
        (np.full((2, 2, 2), -1), "boxes", "0 or more"),
        (np.full((2, 2, 2), np.nan), "boxes", "expected whole numbers"),
        (np.full((2, 2, 2), "a"), "boxes", "expected whole numbers"),
        (COUNTS, "steps", "other than"),
    ],
)
def test_what_cannot_be_counted_is_refused(counts, name, message):
    with pytest.raises(InputError, match=message):
        walkon.Tally(name, counts)


def test_a_task_as_it_was_once_described_is_the_same_with_a_warning():
    with pytest.warns(DeprecationWarning, match="use a tally"):
        old = lever(score="soups", deliveries=COUNTS == 1)
    assert old.hash == lever(tally=walkon.Tally("soups", COUNTS == 1)).hash


@pytest.mark.parametrize(
    "more", [{"solved": [0, 1]}, {"tally": walkon.Tally("boxes", COUNTS)}, {}], ids=["end", "tally", "none"]
)
def test_a_task_can_be_judged_by_its_return(more, tmp_path):
    task = lever(score="return", **more)
    walkon.save(task, tmp_path / "task.safetensors")
    kept = [
        task,
        replace(task, horizon=3),
        task.with_teammates([[1, 0], [0, 1]]),
        walkon.load(tmp_path / "task.safetensors"),
    ]
    assert {each.score for each in kept} == {"return"}
    assert compare(walkon.TaskLibrary([task]), ["random"], trials=2).measure == "return"
    assert lever(**more, score=lever(**more).score).score == lever(**more).score


@pytest.mark.parametrize("score", ["points", "steps"])
def test_a_score_that_a_task_cannot_have_is_refused(score):
    with pytest.raises(InputError, match=f"score is '{score}', expected \"boxes\""):
        lever(score=score, tally=walkon.Tally("boxes", COUNTS))


def test_an_outline_says_so_too_with_tables_and_without():
    class Judged(Boxes):
        score = "return"

    class Wrong(Boxes):
        score = "points"

    for tables in (True, False):
        assert walkon.define([Judged()], tables=tables)[0].score == "return"
        with pytest.raises(InputError, match="Wrong 0: score is 'points'"):
            walkon.define([Wrong()], tables=tables)


@pytest.mark.parametrize("world", ["rock-sample", "tag"])
@pytest.mark.parametrize("tables", [True, False])
def test_worlds_in_which_an_end_may_be_bad_are_judged_by_their_return(world, tables):
    assert {task.score for task in walkon.make(world, tables=tables)} == {"return"}


def test_models_and_tasks_can_be_replaced_in_part():
    task = lever(tally=walkon.Tally("boxes", COUNTS), solved=[0, 1])
    longer = replace(task, horizon=99, name="longer")
    assert (longer.horizon, longer.name, longer.pomdp) == (99, "longer", task.pomdp)
    assert (longer.tally, longer.team, longer.teammates) == (task.tally, task.team, task.teammates)
    assert replace(longer, horizon=12).hash == task.hash
    assert replace(LEVER, discount=0.5).discount == 0.5
    assert replace(task.pomdp, start=[0, 1]).start.tolist() == [0, 1]
    assert replace(task.mdp, discount=0.5).hash != task.mdp.hash
    with pytest.raises(InputError, match="horizon is 0"):
        replace(task, horizon=0)
    with pytest.raises(InputError, match="with_teammates"):
        replace(task, teammates=[[1, 0], [1, 0]])


def test_other_teammates_are_folded_in_and_everything_else_stays():
    task = lever(tally=walkon.Tally("boxes", COUNTS), solved=[0, 1], name="lever")
    other = task.with_teammates([[1, 0], [0, 1]])
    wanted = walkon.Task(
        LEVER,
        teammates=[[1, 0], [0, 1]],
        sensor=[KEEP, KEEP],
        start=[1, 0],
        horizon=12,
        tally=task.tally,
        solved=[0, 1],
    )
    assert other.hash == wanted.hash != task.hash
    assert (other.name, task.with_teammates(task.teammates, "again").name) == ("lever", "again")
    assert task.with_teammates(task.teammates).hash == task.hash
    with pytest.raises(InputError, match="folded in"):
        walkon.Task.from_pomdp(task.pomdp).with_teammates([[1, 0], [0, 1]])
