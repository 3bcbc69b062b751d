"""Whatever one visitor asks for: no agent thinks on the event loop, and nothing is worked out that nobody looks at."""

import asyncio
import threading
from dataclasses import replace

import pytest

from controllers import SMALL, staged
from night_matches import night_game
from walkon.agents.agent import BeliefAgent
from walkon.formats.episode_file import encode
from walkon.web import requests
from walkon.web.controller import FAILED, THINKING, Controller
from walkon.web.game import Game


@pytest.fixture
def thoughts(monkeypatch):
    """The threads on which agents decided and learned."""
    found = {"act": [], "update": []}

    def note(name, as_usual):
        def noted(*given):
            found[name].append(threading.current_thread())
            return as_usual(*given)

        monkeypatch.setattr(BeliefAgent, name, noted)

    for name in found:
        note(name, getattr(BeliefAgent, name))
    return found


def test_no_agent_thinks_on_the_event_loop(thoughts):
    async def test(controller):
        for key in ("ArrowUp", "b", "ArrowDown", "f", "r", "s", "ArrowLeft"):
            controller.key(key)
            await controller.settled()
        for name, value in (("task", "1"), ("agent", "atpo-look"), ("seat", "0"), ("size", "4")):
            controller.choose(name, value)
            await controller.settled()
            assert controller.message == ""
        controller.restart(same_luck=False)
        await controller.settled()
        controller.open(encode(episode.recording).decode())
        await controller.settled()
        for t in (3, 1, 2):
            controller.rewind(t)
            await controller.settled()
        controller.key("ArrowUp")
        await controller.settled()

    episode = night_game([0, 1, 2])
    for threads in thoughts.values():
        threads.clear()
    staged(agents=("atpo", "atpo-greedy"), query={"moves": "0.1.t.2"})(test)
    for name, threads in thoughts.items():
        assert len(threads) > 10, name
        assert threading.main_thread() not in threads, name


def test_an_opened_episode_is_thought_about_where_somebody_looks(thoughts):
    game = night_game([0, 3, 1, 2, None, 4], seed=8)
    assert game.steps == 5

    async def test(controller):
        controller.open(encode(game.recording).decode())
        await controller.settled()
        before = len(thoughts["act"])
        for t, more in ((4, 1), (4, 0), (2, 1), (4, 0), (5, 1)):
            controller.rewind(t)
            await controller.settled()
            assert len(thoughts["act"]) - before == more, t
            assert controller.timelines[0].now.decided
            before = len(thoughts["act"])
        assert [moment.decided for moment in controller.timelines[0].game.moments].count(True) == 4  # and the first

    staged()(test)


def test_of_an_address_the_moves_that_are_right_are_played_and_the_rest_is_reported():
    for moves, played, said in (
        ("9.9.9", 0, "The first 0 of the address's 3 moves were played: action 9 does not exist"),
        ("0.t.9.1", 2, "The first 2 of the address's 4 moves were played: action 9 does not exist"),
        ("0.1.x", 2, "moves is 'x'"),
    ):

        async def test(controller, played=played, said=said):
            assert said in controller.message
            assert controller.last == played
            assert controller.query.count("moves=") == (played > 0)

        staged(usual=replace(SMALL, seed=8), query={"moves": moves})(test)


def test_a_choice_is_seen_at_once():
    async def test(controller):
        controller.choose("world", "overcooked")
        assert (controller.progress, controller.doing) == (0.0, "Planning for Overcooked …")
        await controller.settled()
        assert (controller.progress, controller.doing) == (None, "")

    staged()(test)


def test_no_board_is_shown_before_a_step_has_been_played(monkeypatch):
    order = []
    as_usual = Game.step
    monkeypatch.setattr(Game, "step", lambda game, move=None: (order.append("a step"), as_usual(game, move))[1])
    set_usual = Controller.__setattr__

    def noted(self, name, value):
        if name == "timelines" and value:
            order.append("a board")
        set_usual(self, name, value)

    monkeypatch.setattr(Controller, "__setattr__", noted)

    async def test(controller):
        assert order == ["a step", "a board"]
        controller.restart(same_luck=False)
        await controller.settled()
        assert order == ["a step", "a board", "a board"]  # once for an agent

    staged()(test)


def test_what_is_asked_during_a_step_is_done_after_it_and_only_a_few_requests_wait(monkeypatch):
    async def test(controller):
        go_on, as_usual = threading.Event(), Game.step

        def step(game, move=None):
            assert go_on.wait(60)
            return as_usual(game, move)

        monkeypatch.setattr(Game, "step", step)
        controller.host.thinking._seconds.clear()  # nothing is known to be quick
        for _ in range(100):
            controller.key("ArrowUp")
        assert controller.doing == THINKING
        go_on.set()
        await controller.settled()
        assert controller.last == 1 + requests.MOST_LATER
        controller.key("ArrowUp")
        controller.key("b")
        await controller.settled()
        assert (controller.at, controller.last) == (1 + requests.MOST_LATER, 2 + requests.MOST_LATER)

    staged(usual=replace(SMALL, seed=8))(test)


def test_who_leaves_is_thought_for_no_more(monkeypatch):
    async def test(controller):
        begun, go_on, steps = threading.Event(), threading.Event(), []

        def step(game, move=None):
            steps.append(move)
            begun.set()
            assert go_on.wait(60)
            return game

        monkeypatch.setattr(Game, "step", step)
        other = Controller(controller.host, SMALL, ("atpo",), lambda: None)
        other.arrive({"moves": ".".join("01" * 20)})
        await asyncio.to_thread(begun.wait, 60)
        other.leave()
        await other.settled()
        go_on.set()
        await controller.host.thinking.call(other.visitor, lambda: None)  # comes after what was left
        assert len(steps) == 1

    staged()(test)


def test_what_goes_wrong_while_thinking_is_said_and_the_game_goes_on(monkeypatch):
    async def test(controller):
        with monkeypatch.context() as patch:
            patch.setattr(Game, "step", lambda game, move=None: 1 / 0)
            controller.key("ArrowUp")
            await controller.settled()
        assert controller.message == FAILED
        controller.key("ArrowUp")
        await controller.settled()
        assert (controller.message, controller.last) == ("", 1)

    staged()(test)
