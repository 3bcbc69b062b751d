"""Names that were given up still work, with a warning that gives the new one."""

import pytest

import walkon

LIBRARY = walkon.make("night-pursuit", size=3, tasks=1)
AGENT = walkon.agent("random", LIBRARY)


@pytest.mark.parametrize(
    ("thing", "old", "new"),
    [
        (walkon.play(LIBRARY[0], AGENT, seed=1), "replies", "teammate_actions"),
        (walkon.play(LIBRARY[0], AGENT, seed=1), "deliveries", "counts"),
        (LIBRARY[0], "replies", "teammate_actions"),
        (LIBRARY[0], "readings", "observation_outcomes"),
        (LIBRARY[0].team, "replies", "teammate_actions"),
        (AGENT.start(), "chance", "likelihood"),
    ],
)
def test_an_old_name_gives_the_same_and_warns_where_it_is_used(thing, old, new):
    with pytest.warns(DeprecationWarning, match=f"{old} is deprecated .*: use {new}") as warned:
        found = getattr(thing, old)
    assert found is getattr(thing, new) or found == getattr(thing, new)
    assert warned[0].filename == __file__
