"""How long an agent that searches may think on the page: a time that becomes a number of simulations."""

from dataclasses import replace

import pytest

import walkon
from controllers import SMALL, staged
from untabled_worlds import Lamp
from walkon.trials.trial import Trial, WorldSpec
from walkon.web.host import Brought
from walkon.web.setup import address_of, read_address
from walkon.web.thinking_time import MOST_PLAIN, SECONDS, counted

LAMPS = walkon.define([Lamp("on"), Lamp("off")], tables=False)


def test_a_time_becomes_a_number_of_simulations_that_the_address_keeps():
    @staged(query={"agent": "search", "seconds": SECONDS[0]})
    async def play(controller):
        ((name, count),) = controller.setup.options
        assert (name, controller.message) == ("simulations", "")
        assert count > 1
        assert controller.match.agent.options.simulations == count
        assert f"simulations={count}" in controller.query
        controller.act(0)
        await controller.settled()
        controller.choose("seconds", "")
        await controller.settled()
        assert controller.setup.options == ()
        assert "simulations" not in controller.query


def test_an_address_with_simulations_leads_back_to_the_same_decisions():
    query, shown = {"agent": "search", "simulations": "40", "moves": "0.t.1"}, []
    for _ in range(2):

        @staged(query=query)
        async def play(controller):
            moments = controller.timelines[0].game.moments
            shown.append([(moment.action, moment.choices.tolist()) for moment in moments])

    assert shown[0] == shown[1]
    assert len(shown[0]) == 4


def test_the_time_outlives_another_task_but_no_agent_without_search_has_it():
    @staged(query={"agent": "search", "simulations": "40"})
    async def play(controller):
        controller.choose("task", "1")
        await controller.settled()
        assert controller.setup.options == (("simulations", 40),)
        controller.choose("agent", "random")
        await controller.settled()
        assert "simulations" not in controller.query
        assert controller.message == ""


@pytest.mark.parametrize(
    ("query", "wrong"),
    [
        ({"simulations": "0"}, "simulations is 0"),
        ({"simulations": "10000000"}, "simulations is 10000000, expected a whole number from 0 to 1000000"),
        ({"simulations": "many"}, "simulations is 'many'"),
        ({"seconds": "3600"}, "seconds is '3600', expected one of 0.03, 0.1, 0.3, 1"),
    ],
)
def test_an_address_with_another_time_is_refused(query, wrong):
    with pytest.raises(walkon.InputError, match=wrong):
        read_address({"agent": "search", **query}, SMALL)


def test_plain_rules_are_not_simulated_for_minutes():
    @staged(brought=Brought("lamps", LAMPS), query={"agent": "search", "simulations": "900000"})
    async def play(controller):
        assert f"the page makes {MOST_PLAIN:,} at most" in controller.message


def test_the_count_is_what_the_agent_makes_in_that_time():
    setup = Trial(world=WorldSpec.of("own"), agent="search", options=(("seconds", 0.01),))
    ((name, count),) = counted(setup, "search", LAMPS).options
    assert name == "simulations"
    assert 1 <= count <= MOST_PLAIN


def test_a_prepared_agent_with_a_clock_keeps_its_belief_and_gets_a_count():
    agent = walkon.agent("search", LAMPS, seconds=0.01, prior=[0.9, 0.1])

    @staged(agents=("search",), brought=Brought("lamps", LAMPS, agent), query={"seat": "0"})
    async def play(controller):
        ours = controller.match.agent
        assert ours.options.seconds is None
        assert ours.options.simulations >= 1
        assert ours.start().tasks.tolist() == pytest.approx([0.9, 0.1])


def test_a_prepared_agent_with_plain_rules_is_not_simulated_for_minutes_either():
    agent = walkon.agent("search", LAMPS, simulations=3)

    @staged(agents=("search",), brought=Brought("lamps", LAMPS, agent), query={"seat": "0", "simulations": "900000"})
    async def play(controller):
        assert f"the page makes {MOST_PLAIN:,} at most" in controller.message


def test_the_address_of_a_setup_has_the_count_only_for_agents_that_search():
    setup = replace(SMALL, options=(("simulations", 50),))
    assert "simulations" not in address_of(setup)
    assert "simulations=50" in address_of(setup, other="search")
