"""The visitor's choice and its address: a round trip, and a refusal of anything that is not offered."""

from contextlib import suppress
from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walkon import InputError
from walkon.agents.registry import AGENTS
from walkon.domains.registry import WORLDS, make
from walkon.trials.trial import Trial, WorldSpec
from walkon.web.setup import (
    TREMBLE,
    address_of,
    change,
    check_affordable,
    choose_world,
    library_world,
    offers,
    read_address,
    read_moves,
)

USUAL = Trial(world=WorldSpec.of("night-pursuit", size=5, noise=0.3, tasks=4))
OVERCOOKED = Trial(world=WorldSpec.of("overcooked", role="helper"))


@st.composite
def setups(draw):
    domain = draw(st.sampled_from(sorted(WORLDS)))
    options = {name: draw(st.sampled_from(option.page)) for name, option in offers(domain).items()}
    agent = draw(st.sampled_from(sorted(AGENTS)))
    evidence = ("observations", "transitions") if AGENTS[agent].picked({"evidence": ""}) else ("observations",)
    return Trial(
        world=WorldSpec.of(domain, **options),
        agent=agent,
        task=draw(st.integers(0, 9)),
        seed=draw(st.integers(0, 2**63 - 1)),
        played_by=draw(st.one_of(st.none(), st.integers(0, 9))),
        evidence=draw(st.sampled_from(evidence)),
    )


@given(setups(), st.lists(st.one_of(st.none(), st.integers(0, 5)), max_size=80), st.sampled_from([USUAL, OVERCOOKED]))
def test_an_address_leads_back_to_the_choice_and_the_moves(setup, moves, usual):
    query = dict(parse_qsl(address_of(setup, moves)))
    assert read_address(query, usual) == (setup, tuple(moves))


def test_an_empty_address_is_the_usual_choice():
    assert read_address({}, USUAL) == (USUAL, ())


def test_teammates_played_by_the_page_play_the_chosen_task():
    watched = Trial(world=USUAL.world, played_by=0)
    assert read_address({"task": "2"}, watched)[0].played_by == 2
    assert read_address({"task": "2", "seat": "1"}, watched)[0].played_by == 1


def test_teammates_tremble_where_a_person_plays_and_only_there():
    assert dict(library_world(USUAL).options)["tremble"] == TREMBLE
    assert "tremble" not in dict(library_world(Trial(world=USUAL.world, played_by=0)).options)


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"world": "atlantis"}, "there is no world 'atlantis'"),
        ({"size": "500"}, "size is '500', expected one of 3, 4, 5, 6"),
        ({"size": "5; rm -rf"}, "size is '5; rm -rf'"),
        ({"agent": "skynet"}, "there is no agent 'skynet'"),
        ({"task": "-1"}, "task is '-1', expected a whole number"),
        ({"seed": "9" * 30}, "seed is"),
        ({"seed": "²"}, "seed is"),
        ({"seat": "me"}, "seat is 'me'"),
        ({"evidence": "hearsay"}, "evidence is 'hearsay', expected observations or transitions"),
    ],
)
def test_an_address_that_asks_for_something_else_is_refused(query, said):
    with pytest.raises(InputError, match=said):
        read_address(query, USUAL)


@given(
    st.dictionaries(st.sampled_from(["world", "size", "agent", "task", "seed", "seat", "moves"]), st.text(max_size=20))
)
def test_no_address_breaks_the_page(query):
    with suppress(InputError):
        read_address(query, USUAL)


def test_all_that_is_offered_can_be_made():
    for domain in WORLDS:
        for name, option in offers(domain).items():
            for value in option.page:
                assert dict(choose_world(domain, {name: str(value)}).options)[name] == value
    assert len(make("pursuit", size=3, capture="adjacent")) == 3


@pytest.mark.parametrize(
    ("domain", "options", "fits"),
    [
        ("night-pursuit", {"size": 5}, True),
        ("night-pursuit", {"size": 6, "tasks": 8}, True),
        ("night-pursuit", {"size": 10, "tasks": 32}, False),
        ("night-pursuit", {"size": 4, "teammates": 3}, False),
        ("night-pursuit", {"size": 5, "tasks": [[[0, 0], [1, 1]]] * 30}, False),
        ("pursuit", {"size": 10}, False),
        ("pursuit", {}, True),
        ("overcooked", {}, True),
    ],
)
def test_an_episode_may_not_ask_for_a_world_that_is_too_large(domain, options, fits):
    if fits:
        check_affordable(domain, options)
    else:
        with pytest.raises(InputError, match="more than the 12,000 that a page may ask for"):
            check_affordable(domain, options)


def test_an_episode_with_an_option_that_cannot_be_gets_the_worlds_own_error():
    with pytest.raises(InputError, match="size is 'huge', expected a whole number from 3 to 1000"):
        check_affordable("night-pursuit", {"size": "huge"})


def test_a_task_that_the_chosen_option_does_not_leave_is_not_played_on():
    setup, _ = change(Trial(world=OVERCOOKED.world, task=3, played_by=3), ("atpo",), "role", "cook", USUAL)
    assert (dict(setup.world.options), setup.task, setup.played_by) == ({"role": "cook"}, 0, 0)


def test_one_thing_is_changed_and_the_rest_stays():
    setup, agents = change(USUAL, ("atpo",), "size", "4", USUAL)
    assert dict(setup.world.options) == {"size": 4, "noise": 0.3, "tasks": 4}
    setup, agents = change(Trial(world=USUAL.world, task=3, played_by=3), ("atpo",), "tasks", "2", USUAL)
    assert (setup.task, setup.played_by) == (0, 0)
    setup, agents = change(Trial(world=USUAL.world, task=1, played_by=1), ("atpo",), "task", "2", USUAL)
    assert (setup.task, setup.played_by) == (2, 2)
    setup, agents = change(USUAL, ("atpo", "bopa"), "other", "random", USUAL)
    assert agents == ("atpo", "random")
    setup, _ = change(USUAL, ("atpo",), "seat", "1", USUAL)
    assert setup.played_by == 1
    setup, _ = change(setup, ("atpo",), "seat", "you", USUAL)
    assert setup.played_by is None
    setup, _ = change(setup, ("atpo",), "world", "overcooked", USUAL)
    assert setup.world.domain == "overcooked"
    with pytest.raises(InputError, match="nothing called 'colour'"):
        change(USUAL, ("atpo",), "colour", "red", USUAL)


def test_of_the_moves_of_an_address_those_that_are_right_are_read_and_the_rest_is_reported():
    assert read_moves({}) == ((), "")
    assert read_moves({"moves": "0.t.12"}) == ((0, None, 12), "")
    moves, wrong = read_moves({"moves": "0.4.x.1"})
    assert moves == (0, 4)
    assert "moves is 'x'" in wrong
    assert "the 2 moves before it were played" in wrong
    moves, wrong = read_moves({"moves": "1." * 2000})
    assert moves == (1,) * 1000
    assert "moves has 2,000 moves" in wrong
