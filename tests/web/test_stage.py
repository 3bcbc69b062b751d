"""What a page does, without a browser: keys, choices, time, files, and what it says when something is wrong."""

import asyncio

import pytest

import walkon
from night_tables import night_game
from random_libraries import quick_agent
from stages import SMALL, staged
from walkon.agents.registry import AGENTS, SEEING, TOLD
from walkon.domains.classics import tiger
from walkon.web.brought import Own
from walkon.web.game import Game, Table
from walkon.web.setup import Setup
from walkon.web.sharing import saved
from walkon.web.stage import Stage


def test_arrow_keys_play_the_teammate_and_the_agent_moves_in_the_same_step():
    async def test(stage):
        assert stage.moves == ("Up", "Down", "Left", "Right", "Stay")
        for key, own in (("ArrowUp", 0), ("ArrowRight", 3), (" ", 4), ("2", 1)):
            if not stage.over:
                stage.key(key)
                point = stage.sessions[0].now
                assert point.own == own
                assert point.action is not None
        assert stage.at == stage.last > 0

    staged()(test)


def test_time_goes_back_and_forth_and_a_new_move_branches():
    async def test(stage):
        for key in ("ArrowUp", "ArrowUp", "ArrowUp"):
            stage.key(key)
        first = stage.sessions[0].game
        stage.key("b")
        stage.key("b")
        assert (stage.at, stage.last) == (1, 3)
        stage.key("f")
        assert (stage.at, stage.sessions[0].game) == (2, first)
        stage.rewind(1)
        stage.key("ArrowDown")
        assert len(stage.sessions[0].lines) == 2
        stage.follow(0)
        assert stage.sessions[0].game is first
        stage.rewind(-5)
        assert stage.at == 0
        stage.key("s")
        assert stage.last == 0
        stage.key("ArrowUp")
        assert stage.sessions[0].game.points[1].step == first.points[1].step  # the same luck

    staged(usual=Setup(SMALL.world, seed=8))(test)


def test_the_address_leads_back_to_the_same_point():
    async def test(stage):
        for key in ("ArrowLeft", "f", "ArrowDown"):
            stage.key(key)
        query = dict(part.split("=") for part in stage.query.split("&"))
        assert query["moves"] == "2.t.1"[: 2 * stage.at - 1]
        points = stage.sessions[0].game.points
        other = Stage(stage.host, SMALL, ("atpo",), lambda: None)
        other.arrive(query)
        await other.settled()
        again = other.sessions[0].game.points
        assert [p.state for p in again] == [p.state for p in points]
        assert (again[-1].memory.tasks == points[-1].memory.tasks).all()

    staged(usual=Setup(SMALL.world, seed=8))(test)


def test_two_agents_meet_the_same_luck_and_the_same_keys():
    async def test(stage):
        stage.key("ArrowUp")
        one, other = (session.game for session in stage.sessions)
        assert one.table.agent.name == "atpo"
        assert other.table.agent.name == "random"
        assert one.points[0].state == other.points[0].state
        assert one.moves == other.moves == (0,)
        while not stage.over:
            stage.act(None)
        assert all(session.over for session in stage.sessions)
        assert "other=random" in stage.query

    staged(agents=("atpo", "random"))(test)


def test_choices_begin_anew_and_a_wrong_one_is_said():
    async def test(stage):
        stage.choose("agent", "random")
        await stage.settled()
        assert stage.sessions[0].game.table.agent.name == "random"
        stage.choose("task", "1")
        await stage.settled()
        assert stage.sessions[0].game.table.task == 1
        stage.choose("seat", "0")
        await stage.settled()
        assert not stage.person
        assert stage.moves == ()
        assert "tremble" not in stage.sessions[0].game.table.options
        game = stage.sessions[0].game
        for name, value, said in (
            ("size", "99", "size is '99'"),
            ("agent", "skynet", "there is no agent 'skynet'"),
            ("task", "77", "task is 77, expected a number from 0 to 1"),
            ("colour", "red", "nothing called 'colour'"),
        ):
            stage.choose(name, value)
            await stage.settled()
            assert said in stage.message
            assert stage.sessions[0].game is game

    staged()(test)


def test_a_wrong_address_is_said_and_the_usual_game_begins():
    async def test(stage):
        assert "size is '12'" in stage.message
        assert stage.sessions[0].game.table.options["size"] == 3

    staged(query={"size": "12"})(test)

    async def moves_that_do_not_exist(stage):
        assert "action 9 does not exist" in stage.message
        assert stage.sessions

    staged(query={"seed": "4", "moves": "9"})(moves_that_do_not_exist)


def test_running_stops_at_the_end_and_by_a_key():
    async def test(stage):
        stage.key("r")
        assert stage.running
        stage.act(None)
        stage.key("ArrowUp")
        assert not stage.running
        stage.run(True)
        while not stage.over:
            stage.act(None)
        assert not stage.running
        stage.key("r")
        assert not stage.running

    staged()(test)


@pytest.mark.parametrize("evidence", ["observations", "transitions"])
def test_an_opened_episode_is_played_on_by_an_agent_that_follows_the_same_evidence(evidence):
    library = walkon.make("night-pursuit", size=3, tasks=2)
    agent = quick_agent("bopa", library, evidence=evidence)
    table = Table("night-pursuit", {"size": 3, "tasks": 2}, library, 1, agent, 5, 1, 20)

    async def test(stage):
        stage.open(saved(Game.begin(table).again([None, None])).decode())
        await stage.settled()
        assert stage.message == ""
        assert stage.sessions[0].game.table.ready
        assert stage.sessions[0].game.table.agent.evidence == evidence

    staged()(test)


def test_an_episode_is_opened_looked_at_and_played_on():
    async def test(stage):
        game = night_game([0, 3, None], seed=8)
        stage.open(saved(game).decode())
        await stage.settled()
        assert stage.message == ""
        assert (stage.at, stage.last) == (0, game.steps)
        assert stage.query == ""
        for t in range(game.steps + 1):
            stage.rewind(t)
            seen = stage.sessions[0].now
            assert seen.state == game.points[t].state
            assert seen.memory.tasks == pytest.approx(game.points[t].memory.tasks)
        if not stage.over:
            stage.key("ArrowUp")
            assert stage.last == game.steps + 1
        for content, said in (
            ("", "empty"),
            ("{", "not JSON"),
            ('{"format": "walkon episode", "version": 1}', "no field"),
        ):
            stage.open(content)
            await stage.settled()
            assert said in stage.message

    staged()(test)


def test_an_episode_of_a_world_that_is_not_on_offer_can_be_looked_at_and_left():
    async def test(stage):
        stage.open(saved(night_game([0, 1], tasks=(1, 0), noise=0.25, seed=8)).decode())
        await stage.settled()
        assert stage.message == ""
        stage.choose("agent", "random")
        await stage.settled()
        assert dict(stage.setup.world.options)["noise"] == 0.25
        stage.act(None)
        assert stage.query == ""  # no address says this world
        stage.choose("size", "4")
        await stage.settled()
        assert dict(stage.setup.world.options) == {"size": 4, "noise": 0.3, "tasks": 4}
        assert stage.query

    staged()(test)


def test_solving_is_told_and_is_stopped_when_nobody_waits():
    async def test(stage):
        begun = asyncio.Event()
        ended = []

        async def never(problems, watch=None, solver=None):
            begun.set()
            try:
                await asyncio.Event().wait()
            finally:
                ended.append(1)

        stage.host.solving.policies = never
        stage.choose("size", "4")
        await begun.wait()
        assert stage.progress == 0
        assert stage.sessions[0].game.table.options["size"] == 3  # the old game can be looked at meanwhile
        stage.key("ArrowUp")
        assert stage.last == 0
        stage.leave()
        await asyncio.sleep(0)
        assert ended

    staged()(test)


@pytest.mark.parametrize("name", sorted(AGENTS))
def test_every_agent_plays(name):
    async def test(stage):
        stage.key("ArrowUp")
        stage.act(None)
        assert stage.message == ""
        assert stage.last > 0
        game = stage.sessions[0].game
        assert game.moment(stage.at).choices.sum() == pytest.approx(1)
        assert len(game.table.agent.library) == (1 if name in TOLD else 2)
        assert (name in SEEING) in (True, False)

    staged(query={"agent": name})(test)


def test_a_library_of_ones_own_is_played():
    library = walkon.make("night-pursuit", size=3, tasks=2)
    own = Own("mine", walkon.TaskLibrary(list(library)), quick_agent("atpo", library))

    async def test(stage):
        assert stage.host.worlds[0] == "own"
        assert stage.person
        table = stage.sessions[0].game.table
        assert table.library[0].teammates.toarray().min() == pytest.approx(0.1 / 5)  # they tremble for a person
        stage.choose("seat", "0")
        await stage.settled()
        assert stage.sessions[0].game.table.agent is own.agent  # ready to play, so nothing is solved
        stage.choose("world", "overcooked")
        await stage.settled()
        assert stage.setup.world.domain == "overcooked"
        stage.choose("world", "own")
        await stage.settled()
        assert stage.setup.world.domain == "own"

    staged(own=own)(test)


def test_teammates_that_are_folded_in_play_by_themselves():
    problem = tiger()
    tasks = [walkon.Task.from_pomdp(problem, name="a"), walkon.Task.from_pomdp(problem, name="b")]

    async def test(stage):
        assert not stage.person
        stage.act(None)
        assert stage.last == 1
        stage.choose("seat", "you")
        await stage.settled()
        assert "folded into its model" in stage.message

    staged(own=Own("tigers", walkon.TaskLibrary(tasks)))(test)
