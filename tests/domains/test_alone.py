"""RockSample and Tag as worlds: several tasks, and pictures with tables and without."""

import pytest

import walkon
from walkon import InputError, Percept


def test_maps_differ_and_the_first_is_the_published_one():
    library = walkon.make("rock-sample", size=7, rocks=8, tasks=5, tables=False)
    assert library.names[0] == "rocks (2,0) (0,1) (3,1) (6,3) (2,4) (3,4) (5,5) (1,6)"
    assert len(set(library.names)) == 5
    assert walkon.make("rock-sample", size=7, rocks=8, tasks=2, tables=False).names == library.names[:2]
    with pytest.raises(InputError, match="tasks is 7, and 2 rocks lie in 6 ways"):
        walkon.make("rock-sample", size=2, rocks=2, tasks=7)
    assert len(walkon.make("rock-sample", size=2, rocks=2, tasks=6)) == 6


@pytest.mark.parametrize(("world", "look"), [("rock-sample", "check 2"), ("tag", "south")])
def test_a_picture_shows_the_same_belief_with_tables_and_without(world, look):
    tabled, untabled = (walkon.make(world, tables=tables, tasks=2) for tables in (True, False))
    one, two = (walkon.agent("search", library, simulations=1) for library in (tabled, untabled))
    z = {"rock-sample": 1, "tag": 7}[world]
    seen = tabled.observations.index(str(z))
    first, second = one.update(one.start(), look, Percept(seen)), two.update(two.start(), look, Percept(z))
    assert first.tasks == pytest.approx(second.tasks)
    x = next(iter(untabled[1].simulator.start()))[0]
    scenes = [
        tabled[1].drawing.scene(tabled[1].state_numbers.tolist().index(list(x)), belief=first.states[1]),
        untabled[1].drawing.scene(x, belief=second.states[1]),
    ]
    assert scenes[0].notes == scenes[1].notes
    assert scenes[0].pieces == scenes[1].pieces
    for ours, theirs in zip(*(scene.beliefs for scene in scenes), strict=True):
        assert ours.grid == pytest.approx(theirs.grid)
    if world == "rock-sample":
        assert "2: 0.9" in scenes[1].notes[0]


def test_kinds_of_opponents_are_told_apart_by_how_they_move():
    library = walkon.make("tag", tasks=3)
    agent = walkon.agent("random", library)
    beliefs = walkon.agent("search", library, simulations=1)
    memory, (runs, _, nearer) = beliefs.start(), library
    assert runs.teammates.shape == nearer.teammates.shape
    episode = walkon.play(nearer, agent, seed=4)
    for action, z in zip(episode.actions.tolist(), episode.observations.tolist(), strict=True):
        memory = beliefs.update(memory, action, Percept(z))
    assert memory.tasks[2] > 0.9
