"""Games: stepping, rewinding, branching; the same luck, the same game."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import walkon
from night_matches import night_game, night_match
from walkon import InputError
from walkon.formats.episode_file import encode, parse, recording_of
from walkon.web import words
from walkon.web.game import Game, move_keys, move_names
from walkon.web.timeline import MOST_LINES, Timeline

moves = st.lists(st.one_of(st.none(), st.integers(0, 4)), max_size=8)


def same(one, other):
    """Whether two games are the same to the last bit."""
    assert one.steps == other.steps
    for p, q in zip(one.moments, other.moments, strict=True):
        assert p.state == q.state
        assert p.step == q.step
        assert (p.memory.tasks == q.memory.tasks).all()
        for b, c in zip(p.memory.states, q.memory.states, strict=True):
            assert (b == c).all()
        assert (p.choices == q.choices).all()


def test_a_game_that_the_teammates_play_is_the_episode_that_the_library_plays():
    match = night_match(played_by=1)
    memories = []
    episode = walkon.play(match.played, match.agent, seed=match.trial.seed, stop=True, watch=memories.append)
    timeline = Timeline.of(Game.begin(match))
    while not timeline.over:
        timeline = timeline.play()
    recorded = timeline.game.recording.episode
    for column in ("states", "actions", "teammate_actions", "observations", "rewards", "counts", "task_beliefs"):
        assert (getattr(recorded, column) == getattr(episode, column)).all(), column
    assert recorded.solved_at == episode.solved_at
    assert recorded.events == episode.events


def test_the_page_makes_no_move_by_mistake_in_a_persons_seat():
    for seed in range(12):
        game = Game.begin(night_match(seed=seed, steady=True))
        own = walkon.make("night-pursuit", size=3, tasks=2)[1].teammates.toarray()
        while not game.over:
            x, game = game.moments[-1].state, game.step()
            assert own[x, game.moments[-1].step.teammate_action] > 0
            assert game.moments[-1].move is None
        same(
            Game.begin(night_match(seed=seed)).play([0, 1]),
            Game.begin(night_match(seed=seed, steady=True)).play([0, 1]),
        )


@given(moves)
def test_the_same_moves_on_the_same_luck_lead_to_the_same_game(some):
    game = night_game(some)
    same(game, night_game(game.moves))


@given(moves, st.data())
def test_a_rewound_game_is_the_game_as_it_was_and_plays_on_the_same(some, data):
    game = night_game(some)
    t = data.draw(st.integers(0, game.steps))
    same(game.until(t), night_game(game.moves[:t]))
    same(game.until(t).play(game.moves[t:]), game)


@given(moves, st.data())
def test_a_branch_leaves_the_old_line_as_it_was(some, data):
    timeline = Timeline.of(Game.begin(night_match()))
    for move in some:
        if not timeline.over:
            timeline = timeline.play(move)
    before = timeline.game
    t = data.draw(st.integers(0, before.steps))
    other = data.draw(st.integers(0, 4))
    rewound = timeline.rewind(t)
    if rewound.over:
        return
    after = rewound.play(other)
    same(after.lines[0] if len(after.lines) > 1 else before, before)
    same(after.past, before.until(t).step(other))
    same(after.follow(0).game, after.lines[0])


def test_a_move_that_was_made_already_is_no_branch():
    timeline = Timeline.of(Game.begin(night_match())).play(0).play(3).play(1)
    again = timeline.rewind(1).play(3)
    assert (len(again.lines), again.at, again.game.steps) == (1, 2, 3)
    elsewhere = timeline.rewind(1).play(2)
    assert (len(elsewhere.lines), elsewhere.line, elsewhere.at) == (2, 1, 2)
    assert elsewhere.follow(0).at == 3


def test_a_session_keeps_a_few_lines_and_forgets_the_oldest():
    timeline = Timeline.of(Game.begin(night_match())).play(0)
    for move in [1, 2, 3, 4] * 5:
        timeline = timeline.rewind(0).play(move)
        timeline = timeline.play(None) if not timeline.over else timeline
    assert len(timeline.lines) <= MOST_LINES
    assert timeline.game is timeline.lines[timeline.line]


def test_a_person_replaces_the_first_seat_alone():
    match = night_match(teammates=2, tasks=1, task=0)
    game = Game.begin(match)
    drawn = np.unravel_index(game.draw_teammates(), match.played.seats)
    for move in range(5):
        teammate_action = np.unravel_index(game.step(move).moments[-1].step.teammate_action, match.played.seats)
        assert teammate_action == (move, drawn[1])


def test_a_person_among_several_teammates_sees_the_names_and_the_hint_of_their_own_seat():
    game = Game.begin(night_match(teammates=2, tasks=1, task=0))
    task = game.match.played
    assert move_names(task) == ("Up", "Down", "Left", "Right", "Stay")
    own = dict.fromkeys(range(5), 0.0)
    actions = task.teammate_actions(game.moments[0].state)
    for b, p in zip(actions.indices, actions.probabilities, strict=True):
        own[int(b) // 5] += p  # row-major: the first seat is the slowest
    best = max(own, key=own.get)
    assert f"would do {move_names(task)[best]} here ({100 * own[best]:.0f}" in words.hint(game)


def test_arrows_move_where_the_names_are_in_small_letters():
    class Line:
        actions, start, name = ("left", "right", "stay"), (0, 1), "a line"

        def teammates(self, x):
            return "stay"

        def moves(self, x, a, b):
            return x

        def sensor(self, a, y):
            return "dark"

    keys = move_keys(walkon.define(Line())[0])
    assert (keys["ArrowLeft"], keys["ArrowRight"], keys[" "], keys["2"]) == (0, 1, 2, 1)


def test_the_teammates_of_another_task_can_play():
    match = night_match(task=0, played_by=1, tremble=0.0)
    game = Game.begin(match)
    x = game.moments[0].state
    expected = match.library[1].teammates.toarray()[x]
    assert expected[game.step().moments[-1].step.teammate_action] > 0


def test_the_past_is_recorded_and_read_back(tmp_path):
    game = night_game([0, None, 3, 3])
    read = recording_of(parse(encode(game.recording)))
    assert read.trial == replace(game.match.trial, horizon=game.match.horizon)
    assert (read.episode.task_beliefs == game.recording.episode.task_beliefs).all()
    assert (read.choices == game.recording.choices).all()


def test_what_does_not_exist_is_refused():
    game = night_game([0])
    with pytest.raises(InputError, match="step 2 does not exist: there were 1"):
        game.until(2)
    with pytest.raises(InputError, match="action 7 does not exist: the teammate has 5"):
        game.step(7)
    with pytest.raises(InputError, match="this line has 1"):
        Timeline.of(game).rewind(5)
    with pytest.raises(InputError, match="line 3 does not exist"):
        Timeline.of(game).follow(3)


def test_a_game_that_is_over_goes_no_further():
    timeline = Timeline.of(Game.begin(night_match(played_by=1)))
    while not timeline.over:
        timeline = timeline.play()
    with pytest.raises(InputError, match="the game is over"):
        timeline.game.step()
