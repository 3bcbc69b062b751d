"""The rules of Pursuit for all states at once: what `rules(board).mmdp()` makes state by state, to the last bit."""

from functools import lru_cache

import numpy as np
from scipy.sparse import csr_array

from walkon.arrays import Floats, Ints
from walkon.domains.capture import CAPTURE, STEP
from walkon.domains.compass import MOVES, MOVES_AND_STAY
from walkon.domains.pursuit.world import DISCOUNT, HERE, ORDERS, Board, said
from walkon.models.mmdp import MMDP


@lru_cache(maxsize=4)
def matrices(board: Board) -> MMDP:
    """The team's problem. All tasks share it."""
    over = np.array([x in board.captured for x in board.states])
    chances, y = _ways(board)
    chances[:, :, over], y[:, :, over] = 0.0, np.flatnonzero(over)[:, None]
    chances[:, :, over, 0] = 1.0
    paid = np.cumsum(chances * np.where(over, CAPTURE, STEP)[y], axis=-1)[..., -1]  # added up in turn
    paid[:, :, over] = 0.0
    return MMDP(
        [[_matrix(*pair) for pair in zip(*each, strict=True)] for each in zip(chances, y, strict=True)],
        paid.transpose(2, 0, 1),
        DISCOUNT,
        states=[said(x) for x in board.states],
        actions=MOVES,
        teammate_actions=MOVES,
    )


def _ways(board: Board) -> tuple[Floats, Ints]:
    """The chances of all that may happen until the prey is captured, and the next states, [A, B, X, ways].

    A way is a move of the prey and an order. Orders that lead to the same are counted at the first of them.
    """
    cells, X = board.torus.cells, len(board.states)
    number = {cell: i for i, cell in enumerate(cells)}
    beside = np.array([[number[board.torus.beside[cell][move]] for move in MOVES_AND_STAY] for cell in cells])
    between = np.array([[number[board.torus.between[start][end]] for end in cells] for start in cells])
    here, (mate, prey) = number[HERE], np.array([[number[cell] for cell in x] for x in board.states]).T
    index = np.zeros((len(cells), len(cells)), dtype=np.int64)
    index[mate, prey] = np.arange(X)
    targets = [  # [A, B, the prey's moves, X], each with the axes that it has
        beside[here, :-1].reshape(-1, 1, 1, 1),
        beside[mate, :-1].T.reshape(1, -1, 1, X),
        beside[prey].T.reshape(1, 1, -1, X),
    ]
    ends, next_states = [], []
    for order in ORDERS:
        now = [np.array(here), mate, prey]
        for mover in order:
            one, other = (now[i] for i in range(3) if i != mover)
            taken = (targets[mover] == one) | (targets[mover] == other)
            now[mover] = np.where(taken, now[mover], targets[mover])
        ends.append((now[0] * len(cells) + now[1]) * len(cells) + now[2])
        next_states.append(index[between[now[0], now[1]], between[now[0], now[2]]])
    same = np.equal(ends, np.expand_dims(ends, 1))  # [orders, orders, A, B, the prey's moves, X]
    first = [~same[i, :i].any(axis=0) for i in range(len(ORDERS))]
    chances = np.where(first, same.sum(axis=1) / (len(ORDERS) * beside.shape[1]), 0.0)
    by_way = (np.moveaxis(each, (4, 3, 0), (2, 3, 4)) for each in (chances, np.array(next_states)))
    chances, y = (each.reshape(*each.shape[:3], -1) for each in by_way)
    return chances, y


def _matrix(chances: Floats, y: Ints) -> csr_array:
    """The matrix of next states y [X, ways] with these chances."""
    kept = chances > 0.0
    ends = np.append(0, np.cumsum(np.count_nonzero(kept, axis=1)))
    matrix = csr_array((chances[kept], y[kept], ends), shape=(len(y), len(y)))
    matrix.sum_duplicates()
    return matrix
