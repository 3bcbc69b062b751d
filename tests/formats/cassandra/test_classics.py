"""Models of the literature, worked out by hand."""

import numpy as np
import pytest

from walkon.formats.cassandra.reader import read_mdp, read_pomdp

TIGER = """
# Cassandra, Kaelbling and Littman 1994
discount: 0.95
values: reward
states: tiger-left tiger-right
actions: listen open-left open-right
observations: hear-left hear-right

T: listen
identity
T: open-left
uniform
T: open-right
uniform

O: listen
0.85 0.15
0.15 0.85
O: open-left
uniform
O: open-right
uniform

R: listen : * : * : * -1
R: open-left : tiger-left : * : * -100
R: open-left : tiger-right : * : * 10
R: open-right : tiger-left : * : * 10
R: open-right : tiger-right : * : * -100
"""

# Four cells in a row, the third is the goal: a step into it pays 1 and leads to one of the other cells at random.
LINE = """
discount: 0.75
values: reward
states: 4
actions: west east
observations: nothing goal
start: 0.333333 0.333333 0.0 0.333334
T: west
1.0 0.0 0.0 0.0
1.0 0.0 0.0 0.0
0.333333 0.333333 0.0 0.333334
0.0 0.0 1.0 0.0
T: east
0.0 1.0 0.0 0.0
0.0 0.0 1.0 0.0
0.333333 0.333333 0.0 0.333334
0.0 0.0 0.0 1.0
O: *
1.0 0.0
1.0 0.0
0.0 1.0
1.0 0.0
R: * : * : 2 : * 1.0
"""

# The 4x3 maze of Parr and Russell 1995. Cells row by row from the top, without the wall in the middle:
#   0  1  2  +        a move goes where it should with 0.8 and to either side with 0.1 each;
#   4  #  5  -        against a wall one stays. The walls to the left and right are seen.
#   7  8  9  10       From + and - the walk starts again, in any of the other cells.
MAZE = {
    "north": [(-1, 0), (0, -1), (0, 1)],
    "south": [(1, 0), (0, -1), (0, 1)],
    "east": [(0, 1), (-1, 0), (1, 0)],
    "west": [(0, -1), (-1, 0), (1, 0)],
}
CELLS = [(r, c) for r in range(3) for c in range(4) if (r, c) != (1, 1)]


def maze_text():
    """The maze in Cassandra's format, with moves as single entries that are added up beforehand."""
    lines = [
        "discount: 0.95",
        "values: reward",
        "states: s0 s1 s2 plus s4 s5 minus s7 s8 s9 s10",
        "actions: north south east west",
        "observations: left right neither both good bad",
        "start exclude: plus minus",
        "O: * : * : neither 1.0",
    ]
    for action, (ahead, *sides) in MAZE.items():
        for (r, c), x in zip(CELLS, range(11), strict=True):
            to = {}
            for (dr, dc), p in [(ahead, 8), *((side, 1) for side in sides)]:
                cell = (r + dr, c + dc) if (r + dr, c + dc) in CELLS else (r, c)
                to[CELLS.index(cell)] = to.get(CELLS.index(cell), 0) + p
            lines += [f"T: {action} : {x} : {y} 0.{p}" if p < 10 else f"T: {action}:{x}:{y} 1" for y, p in to.items()]
        lines.append(f"T: {action} : plus reset\nT: {action} : minus\nreset")
    # Cell 5 has the wall to its left and the pit to its right, which is open: only the left wall is seen.
    sight = {0: "left", 4: "both", 5: "left", 7: "left", 10: "right", 3: "good", 6: "bad"}
    for y, z in sight.items():
        lines.append(f"O: * : {y}\n" + " ".join("1" if z == name else "0" for name in lines[4].split()[1:]))
    lines += ["R: * : * : * : * -0.04", "R: * : plus : * : * 1.0", "R: * : minus : * : * -1.0"]
    return "\n".join(lines)


@pytest.fixture
def read(tmp_path):
    def read(text, reader=read_pomdp):
        path = tmp_path / "model.pomdp"
        path.write_text(text)
        return reader(path)

    return read


def test_tiger(read):
    tiger = read(TIGER)
    half, ear = [[0.5, 0.5], [0.5, 0.5]], [[0.85, 0.15], [0.15, 0.85]]
    assert [p.toarray().tolist() for p in tiger.P] == [[[1, 0], [0, 1]], half, half]
    assert [o.toarray().tolist() for o in tiger.O] == [ear, half, half]
    assert tiger.R.tolist() == [[-1, -100, 10], [-1, 10, -100]]
    assert tiger.start.tolist() == [0.5, 0.5]
    assert tiger.discount == 0.95
    assert tiger.states == ("tiger-left", "tiger-right")
    assert tiger.actions == ("listen", "open-left", "open-right")
    assert tiger.observations == ("hear-left", "hear-right")


def test_the_line_of_four_cells_pays_the_step_into_the_goal(read):
    line = read(LINE)
    # Only cell 3 moves into the goal by west, only cell 1 by east; from the goal one never stays there.
    assert line.R.tolist() == [[0, 0], [0, 1], [0, 0], [1, 0]]
    assert line.P[0].toarray()[3].tolist() == [0, 0, 1, 0]
    np.testing.assert_allclose(line.P[1].toarray()[2], [1 / 3, 1 / 3, 0, 1 / 3], atol=1e-6)
    assert line.O[1].toarray()[:, 1].tolist() == [0, 0, 1, 0]
    assert line.states is None


def test_the_maze_of_parr_and_russell(read):
    maze = read(maze_text())
    north, south, east, west = (p.toarray() for p in maze.P)
    others = [0, 1, 2, 4, 5, 7, 8, 9, 10]
    restart = [1 / 9 if x in others else 0 for x in range(11)]
    np.testing.assert_allclose(maze.start, restart, atol=1e-15)
    np.testing.assert_allclose(north[[3, 6]], [restart, restart], atol=1e-15)
    # In the lower left corner, going north: 0.8 up, 0.1 right, 0.1 against the left wall.
    np.testing.assert_allclose(north[7], [0, 0, 0, 0, 0.8, 0, 0, 0.1, 0.1, 0, 0], atol=1e-12)
    # Under the wall, going north: 0.8 against the wall, 0.1 to either side.
    np.testing.assert_allclose(north[8], [0, 0, 0, 0, 0, 0, 0, 0.1, 0.8, 0.1, 0], atol=1e-12)
    # Left of the goal, going east: 0.8 into it, 0.1 against the top wall, 0.1 down.
    np.testing.assert_allclose(east[2], [0, 0, 0.1, 0.8, 0, 0.1, 0, 0, 0, 0, 0], atol=1e-12)
    # Left of the pit, going west against the wall: 0.8 stays, 0.1 up, 0.1 down.
    np.testing.assert_allclose(west[5], [0, 0, 0.1, 0, 0, 0.8, 0, 0, 0, 0.1, 0], atol=1e-12)
    # Top left, going south: 0.8 down, 0.1 right, 0.1 against the left wall.
    np.testing.assert_allclose(south[0], [0.1, 0.1, 0, 0, 0.8, 0, 0, 0, 0, 0, 0], atol=1e-12)
    seen = [maze.observations[z] for z in maze.O[2].toarray().argmax(axis=1)]
    assert seen == ["left", "neither", "neither", "good", "both", "left", "bad", "left", "neither", "neither", "right"]
    assert maze.R[:, 1].tolist() == [-0.04, -0.04, -0.04, 1, -0.04, -0.04, -1, -0.04, -0.04, -0.04, -0.04]


def test_rewards_of_the_observation_are_averaged_over_moves_and_observations(read):
    text = """
    discount: 0.9
    values: reward
    states: 2
    actions: 2
    observations: 3
    R: 0 : 0
    1 2 3
    4 5 6
    R: 0 : 1 : 1
    10 0 20
    R: 1 : * : * : 2 7
    R: 1 : 0 : 1 : * 1
    T: 0
    0.25 0.75
    0.5 0.5
    T: 1
    identity
    T: 1 : 0
    0.5 0.5
    O: *
    0.5 0.25 0.25
    0.1 0.2 0.7
    """
    # Action 0, state 0: 0.25 (0.5*1 + 0.25*2 + 0.25*3) + 0.75 (0.1*4 + 0.2*5 + 0.7*6) = 0.4375 + 4.2.
    # Action 0, state 1: 0.5 * 0 + 0.5 (0.1*10 + 0.7*20) = 7.5.
    # Action 1, state 0: 0.5 (0.25*7) + 0.5 * 1 = 1.375, the last line overrides the one above it.
    # Action 1, state 1: 0.7*7 = 4.9.
    np.testing.assert_allclose(read(text).R, [[4.6375, 1.375], [7.5, 4.9]], atol=1e-12)


def test_an_mdp_has_rewards_of_the_next_state_and_no_observations(read):
    text = """
    discount: 0.5
    values: cost
    states: a b
    actions: go stay jump
    start: b
    T: go
    0.5 0.5
    0 1
    T: stay identity
    T: jump uniform
    R: go : a : b 4
    R: stay : b
    8 3
    R: jump
    1 2
    3 4
    R: go : b : * : * 5
    """
    mdp = read(text, read_mdp)
    assert mdp.R.tolist() == [[-2, 0, -1.5], [-5, -3, -3.5]]
    assert mdp.start.tolist() == [0, 1]
    assert mdp.states == ("a", "b")
