"""The person of HOTSPOT, who goes from ball to ball and ignores the robot.

The person stays where its place's ball is not gone, and for ever once nothing is left. From the middle, it goes towards
the lowest number among the places that are left, to bench 4 by way of bench 3; from anywhere else, to the middle (from
bench 4 to bench 3; from bench 3 to bench 4, if balls belong there and only that one is left). In one of twenty steps in
which it would move, it stays.
"""

from walkon.domains.hotspot.world import EXITS, STAY, WAYS, Moment, Room

MOVES = 0.95  # how often the person moves when it wants to
MIDDLE, BENCH_3, BENCH_4 = 1, 3, 4


def choices(room: Room, x: Moment) -> tuple[tuple[str, float], ...]:
    """The person's possible actions in a state, with their probabilities."""
    left = room.left(x)
    if not left or x.person in left:
        return ((STAY, 1.0),)
    wanted = _next_place(x.person, left)
    return ((WAYS[EXITS[x.person].index(wanted)], MOVES), (STAY, 1 - MOVES))


def _next_place(place: int, left: list[int]) -> int:
    """The place that the person wants to go to next."""
    if place == MIDDLE:
        return min(*left, BENCH_3)
    if place == BENCH_4:
        return BENCH_3
    return BENCH_4 if place == BENCH_3 and left == [BENCH_4] else MIDDLE
