"""The logic of the page, without a browser: keys, choices, time, files, and error messages."""

import asyncio
from dataclasses import replace

import pytest

import walkon
from controllers import SMALL, staged
from night_matches import match_of, night_game
from random_libraries import quick_agent
from walkon.agents.registry import AGENTS
from walkon.domains.classics import tiger
from walkon.formats.episode_file import encode
from walkon.web.controller import Controller
from walkon.web.game import Game
from walkon.web.host import Brought


def save(game):
    return encode(game.recording)


def options_of(controller):
    return dict(controller.match.trial.world.options)


def test_arrow_keys_play_the_teammate_and_the_agent_moves_in_the_same_step():
    async def test(controller):
        assert controller.moves == ("Up", "Down", "Left", "Right", "Stay")
        for key, move in (("ArrowUp", 0), ("ArrowRight", 3), (" ", 4), ("2", 1)):
            if not controller.over:
                controller.key(key)
                await controller.settled()
                moment = controller.timelines[0].now
                assert moment.move == move
                assert moment.action is not None
        assert controller.at == controller.last > 0

    staged()(test)


def test_time_goes_back_and_forth_and_a_new_move_branches():
    async def test(controller):
        for key in ("ArrowUp", "ArrowUp", "ArrowUp"):
            controller.key(key)
            await controller.settled()
        first = controller.timelines[0].game
        controller.key("b")
        await controller.settled()
        controller.key("b")
        await controller.settled()
        assert (controller.at, controller.last) == (1, 3)
        controller.key("f")
        await controller.settled()
        assert (controller.at, controller.timelines[0].game) == (2, first)
        controller.rewind(1)
        controller.key("ArrowDown")
        await controller.settled()
        assert len(controller.timelines[0].lines) == 2
        controller.follow(0)
        assert controller.timelines[0].game is first
        controller.rewind(-5)
        assert controller.at == 0
        controller.key("s")
        await controller.settled()
        assert controller.last == 0
        controller.key("ArrowUp")
        await controller.settled()
        assert controller.timelines[0].game.moments[1].step == first.moments[1].step  # the same luck

    staged(usual=replace(SMALL, seed=8))(test)


def test_the_address_leads_back_to_the_same_point():
    async def test(controller):
        for key in ("ArrowLeft", "f", "ArrowDown"):
            controller.key(key)
            await controller.settled()
        query = dict(part.split("=") for part in controller.query.split("&"))
        assert query["moves"] == "2.t.1"[: 2 * controller.at - 1]
        moments = controller.timelines[0].game.moments
        other = Controller(controller.host, SMALL, ("atpo",), lambda: None)
        other.arrive(query)
        await other.settled()
        again = other.timelines[0].game.moments
        assert [p.state for p in again] == [p.state for p in moments]
        assert (again[-1].memory.tasks == moments[-1].memory.tasks).all()

    staged(usual=replace(SMALL, seed=8))(test)


def test_two_agents_meet_the_same_luck_and_the_same_keys():
    async def test(controller):
        controller.key("ArrowUp")
        await controller.settled()
        one, other = (timeline.game for timeline in controller.timelines)
        assert one.match.agent.name == "atpo"
        assert other.match.agent.name == "random"
        assert one.moments[0].state == other.moments[0].state
        assert one.moves == other.moves == (0,)
        while not controller.over:
            controller.act(None)
            await controller.settled()
        assert all(timeline.over for timeline in controller.timelines)
        assert "other=random" in controller.query

    staged(agents=("atpo", "random"))(test)


def test_a_choice_starts_a_new_game_and_a_wrong_one_is_reported():
    async def test(controller):
        controller.choose("agent", "random")
        await controller.settled()
        assert controller.timelines[0].game.match.agent.name == "random"
        controller.choose("task", "1")
        await controller.settled()
        assert controller.timelines[0].game.match.trial.task == 1
        controller.choose("seat", "0")
        await controller.settled()
        assert not controller.person
        assert controller.moves == ()
        assert "tremble" not in options_of(controller)
        game = controller.timelines[0].game
        for name, value, said in (
            ("size", "99", "size is '99'"),
            ("agent", "skynet", "there is no agent 'skynet'"),
            ("task", "77", "task is 77, expected a number from 0 to 1"),
            ("colour", "red", "nothing called 'colour'"),
        ):
            controller.choose(name, value)
            await controller.settled()
            assert said in controller.message
            assert controller.timelines[0].game is game

    staged()(test)


def test_a_wrong_address_is_reported_and_the_default_game_starts():
    async def test(controller):
        assert "size is '12'" in controller.message
        assert options_of(controller)["size"] == 3

    staged(query={"size": "12"})(test)

    async def moves_that_do_not_exist(controller):
        assert "action 9 does not exist" in controller.message
        assert controller.timelines

    staged(query={"seed": "4", "moves": "9"})(moves_that_do_not_exist)


def test_running_stops_at_the_end_and_by_a_key():
    async def test(controller):
        controller.key("r")
        await controller.settled()
        assert controller.running
        controller.act(None)
        await controller.settled()
        controller.key("ArrowUp")
        await controller.settled()
        assert not controller.running
        controller.run(True)
        while not controller.over:
            controller.act(None)
            await controller.settled()
        assert not controller.running
        controller.key("r")
        await controller.settled()
        assert not controller.running

    staged()(test)


@pytest.mark.parametrize("evidence", ["observations", "transitions"])
def test_an_opened_episode_is_played_on_by_an_agent_that_follows_the_same_evidence(evidence):
    library = walkon.make("night-pursuit", size=3, tasks=2)
    agent = quick_agent("bopa", library, evidence=evidence)
    match = match_of(library, agent, options={"size": 3, "tasks": 2}, task=1, seed=5, played_by=1, horizon=20)

    async def test(controller):
        controller.open(save(Game.begin(match).play([None, None])).decode())
        await controller.settled()
        assert controller.message == ""
        assert controller.timelines[0].game.match.ready
        assert controller.timelines[0].game.match.agent.options.evidence == evidence

    staged()(test)


def test_an_episode_is_opened_looked_at_and_played_on():
    async def test(controller):
        game = night_game([0, 3, None], seed=8)
        controller.open(save(game).decode())
        await controller.settled()
        assert controller.message == ""
        assert (controller.at, controller.last) == (0, game.steps)
        assert controller.query == ""
        for t in range(game.steps + 1):
            controller.rewind(t)
            seen = controller.timelines[0].now
            assert seen.state == game.moments[t].state
            assert seen.memory.tasks == pytest.approx(game.moments[t].memory.tasks)
        if not controller.over:
            controller.key("ArrowUp")
            await controller.settled()
            assert controller.last == game.steps + 1
        for content, said in (
            ("", "empty"),
            ("{", "not JSON"),
            ('{"format": "walkon episode", "version": 1}', "no field"),
        ):
            controller.open(content)
            await controller.settled()
            assert said in controller.message

    staged()(test)


def test_an_episode_of_a_world_that_is_not_on_offer_can_be_looked_at_and_left():
    async def test(controller):
        controller.open(save(night_game([0, 1], tasks=(1, 0), noise=0.25, seed=8)).decode())
        await controller.settled()
        assert controller.message == ""
        controller.choose("agent", "random")
        await controller.settled()
        assert dict(controller.setup.world.options)["noise"] == 0.25
        controller.act(None)
        await controller.settled()
        assert controller.query == ""  # no address says this world
        controller.choose("size", "4")
        await controller.settled()
        assert dict(controller.setup.world.options) == {"size": 4, "noise": 0.3, "tasks": 4}
        assert controller.query

    staged()(test)


def test_solving_is_reported_and_is_stopped_when_no_visitor_waits():
    async def test(controller):
        begun = asyncio.Event()
        ended = []

        async def never(problems, watch=None, solver=None):
            begun.set()
            try:
                await asyncio.Event().wait()
            finally:
                ended.append(1)

        controller.host.solving.policies = never
        controller.choose("size", "4")
        await begun.wait()
        assert controller.progress == 0
        assert options_of(controller)["size"] == 3  # the old game can be looked at meanwhile
        controller.key("ArrowUp")
        assert controller.last == 0
        controller.leave()
        await asyncio.sleep(0)
        assert ended

    staged()(test)


@pytest.mark.parametrize("name", sorted(AGENTS))
def test_every_agent_plays(name):
    async def test(controller):
        controller.key("ArrowUp")
        await controller.settled()
        controller.act(None)
        await controller.settled()
        assert controller.message == ""
        assert controller.last > 0
        game = controller.timelines[0].game
        assert game.picture(controller.at).choices.sum() == pytest.approx(1)
        assert len(game.match.agent.library) == (1 if AGENTS[name].needs.informed else 2)

    staged(query={"agent": name})(test)


def test_a_library_of_ones_own_is_played():
    library = walkon.make("night-pursuit", size=3, tasks=2)
    own = Brought("mine", walkon.TaskLibrary(list(library)), quick_agent("atpo", library))

    async def test(controller):
        assert controller.host.worlds[0] == "own"
        assert controller.person
        match = controller.timelines[0].game.match
        assert match.library[0].teammates.toarray().min() == pytest.approx(0.1 / 5)  # they tremble for a person
        controller.choose("seat", "0")
        await controller.settled()
        assert controller.timelines[0].game.match.agent is own.agent  # ready to play, so nothing is solved
        controller.choose("world", "overcooked")
        await controller.settled()
        assert controller.setup.world.domain == "overcooked"
        controller.choose("world", "own")
        await controller.settled()
        assert controller.setup.world.domain == "own"

    staged(brought=own)(test)


def test_teammates_that_are_folded_in_play_by_themselves():
    problem = tiger()
    tasks = [walkon.Task.from_pomdp(problem, name="a"), walkon.Task.from_pomdp(problem, name="b")]

    async def test(controller):
        assert not controller.person
        controller.act(None)
        await controller.settled()
        assert controller.last == 1
        controller.choose("seat", "you")
        await controller.settled()
        assert "folded into its model" in controller.message

    staged(brought=Brought("tigers", walkon.TaskLibrary(tasks)))(test)
