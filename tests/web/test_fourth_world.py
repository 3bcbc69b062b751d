"""A world that the page knows nothing about: it is offered by what its function says, and played like the others."""

import asyncio
import json
from urllib.parse import parse_qsl

import httpx
import pytest

import fourth_world
from controllers import SMALL, staged
from fourth_world import BROKEN, NAME, offering
from page_visitor import Visitor, page_server
from walkon import InputError
from walkon.formats.episode_file import encode
from walkon.trials.trial import Trial
from walkon.web.replay import open_game
from walkon.web.setup import address_of, check_affordable, choose_world, is_offered, offers, read_address


@pytest.fixture
def fourth():
    with offering():
        yield


@pytest.mark.usefixtures("fourth")
def test_its_choices_are_read_from_its_signature():
    """All words of a literal, yes and no; else the default alone. A seed is what the address calls the luck."""
    assert {name: option.page for name, option in offers(NAME).items()} == {
        "glow": ("dim", "bright"),
        "noise": ("low",),
        "back_door": (False, True),
        "lamps": (2,),
    }
    assert dict(choose_world(NAME, {}).options) == {"glow": "dim", "noise": "low", "back_door": False, "lamps": 2}
    with pytest.raises(InputError, match="lamps is '3', expected one of 2"):
        choose_world(NAME, {"lamps": "3"})
    with pytest.raises(
        InputError, match=r"there is no world 'three-lamps' .*did you mean 'two-lamps'.*: expected .*two-lamps"
    ):
        choose_world("three-lamps", {})


@pytest.mark.usefixtures("fourth")
def test_its_address_leads_back_to_it():
    world = choose_world(NAME, {"glow": "bright", "back_door": "True"})
    setup = Trial(world=world, agent="bopa", task=1, seed=5, played_by=0)
    assert is_offered(setup.world)
    assert read_address(
        dict(
            parse_qsl(
                address_of(
                    setup,
                )
            )
        ),
        SMALL,
    ) == (setup, ())


@pytest.mark.usefixtures("fourth")
def test_it_is_chosen_played_saved_and_opened():
    async def test(controller):
        controller.choose("world", NAME)
        await controller.settled()
        assert (controller.message, controller.moves) == ("", ("wait", "press"))
        controller.key("2")
        await controller.settled()
        controller.choose("glow", "bright")
        await controller.settled()
        assert (controller.message, dict(controller.setup.world.options)["glow"]) == ("", "bright")
        controller.key("1")
        await controller.settled()
        controller.key("2")
        await controller.settled()
        game = controller.timelines[0].game
        *_, again = open_game(encode(game.recording))
        assert encode(again.recording) == encode(game.recording)
        assert again.match.trial.played_by is None

    staged()(test)


@pytest.mark.usefixtures("fourth")
def test_a_file_may_ask_only_for_what_is_offered():
    check_affordable(NAME, {"glow": "bright", "tremble": 0.1, "seed": 7})
    for options in ({"lamps": 10**9}, {"seed": 8}):
        with pytest.raises(InputError, match="the page cannot tell how large two-lamps would be"):
            check_affordable(NAME, options)


@pytest.mark.usefixtures("fourth")
def test_a_broken_world_is_not_offered_and_does_not_break_the_page():
    async def test(controller):
        assert NAME in controller.host.worlds
        assert BROKEN not in controller.host.worlds
        controller.choose("world", BROKEN)
        assert "no-lamp of another package (fourth_world:nothing) cannot be used" in controller.message

    staged()(test)


def test_the_page_starts_and_shows_it():
    async def test(address):
        async with httpx.AsyncClient() as client:
            visitor = await Visitor(address, f"world={NAME}&back_door=True&seat=0").arrive(client)
        await visitor.until("Step 0 of 20")
        shown = json.dumps(list(visitor.elements.values()))
        await visitor.leave()
        return shown

    with page_server(script=fourth_world.__file__) as address:
        shown = asyncio.run(test(address))
    for words in (">Night-time Pursuit<", ">Two lamps<", '"Back door"', '"Glow"', ">yes<", ">low<", ">0 \\u00b7 lazy<"):
        assert words in shown, words
