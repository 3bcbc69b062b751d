"""The rules of Night-time Pursuit for all states at once: what `rules(room, prey).mdp(teammates)` makes one by one.

All move at once, and nobody looks at the ad hoc agent. So the probability of a next state is that of the agent's cell
times that of the teammates' cells: P_a is the Kronecker product of two small matrices, but for the states that absorb.
"""

from collections.abc import Iterator

import numpy as np
from scipy.sparse import csr_array, diags_array, kron

from walkon.arrays import Bools, Floats
from walkon.domains.capture import CAPTURE, STEP
from walkon.domains.compass import MOVES_AND_STAY, Move
from walkon.domains.night_pursuit.teammates import Hunters
from walkon.domains.night_pursuit.world import DISCOUNT, Room, State
from walkon.models.mdp import MDP
from walkon.models.tabulate import tabulate


def folded(room: Room, hunters: Hunters, start: Floats, solved: Bools) -> MDP:
    """The problem that the ad hoc agent faces, with the teammates folded in."""

    def mates_move(x: State) -> Iterator[tuple[State, float]]:
        for teammate_action, q in hunters.teammate_actions(x):
            for y, p in room.roam(x, "Stay", teammate_action):
                yield y, q * p

    def own_move(move: Move) -> csr_array:
        return tabulate(room.cells, room.cells, lambda cell: room.attempt(cell, move, room.noise))

    still = [x for x in room.states if x[0] == room.cells[0]]
    mates = tabulate(still, still, mates_move)
    goes_on, stays = (diags_array(each.astype(np.float64)) for each in (~solved, solved))
    P = [goes_on @ kron(own_move(move), mates, format="csr") + stays for move in MOVES_AND_STAY]
    arriving = np.where(solved, CAPTURE, STEP)
    R = [np.where(solved, 0.0, p @ arriving) for p in P]
    return MDP(P, np.stack(R, axis=1), start, DISCOUNT, states=list(room.names.values()), actions=MOVES_AND_STAY)
