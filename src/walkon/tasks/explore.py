"""The states of a task that somebody wrote: those that can be reached from the start.

Whatever the agent does, and whatever anybody in the teammates' seats does: so that other policies, and people, may sit
there. Where the states are listed, the list holds, and a move that leaves it is a mistake.
"""

from collections.abc import Iterable
from itertools import product
from typing import Any

from walkon.errors import InputError
from walkon.tasks.naming import said
from walkon.tasks.outline import Outline

MOST_STATES = 100_000


def states_of(outline: Outline) -> list[Any]:
    """All states, in rising order where they have one; else in the order in which they are found."""
    listed = outline.value("states", None)
    found: dict[Any, None] = dict.fromkeys(() if listed is None else listed)
    waiting, teammate_actions = list(found), outline.teammate_actions

    def arrive(y: Any, question: str, *arguments: Any) -> None:
        if y in found:
            return
        if listed is not None:
            asked = f"{question}({'; '.join(map(said, arguments))})" if arguments else question
            raise InputError(f"{outline.name}: {asked} gives {said(y)}, which is not among its `states`")
        if len(found) == MOST_STATES:
            raise InputError(
                f"{outline.name}: more than {MOST_STATES:,} states can be reached from the start, the last of them "
                f"{said(y)}: does something count without end? If not, list the `states`"
            )
        found[y] = None
        waiting.append(y)

    for x, _ in outline.start():
        arrive(x, "start")
    while waiting:
        x = waiting.pop()
        outline.teammates(x)  # a mistake in it is found here, and not when it is played
        if outline.solved(x):
            continue  # nothing moves any more
        for a, b in product(outline.actions, teammate_actions):
            for y, _ in outline.moves(x, a, b):
                arrive(y, "moves", x, a, b)
    return list(found) if listed is not None else ordered(found)


def ordered(things: Iterable[Any]) -> list[Any]:
    """In rising order where they have one."""
    listed = list(things)
    try:
        return sorted(listed)
    except TypeError:
        return listed
