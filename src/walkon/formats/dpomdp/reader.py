"""Read the problems of teams in `.dpomdp` files."""

import os
import warnings

from walkon.errors import InputError
from walkon.formats.cassandra.assignments import matrices
from walkon.formats.cassandra.rewards import expected_rewards
from walkon.formats.cassandra.rounding import divide_rows, is_off, least, sentence
from walkon.formats.cassandra.source import blank_comments
from walkon.formats.dpomdp.preamble import Joint, read_preamble
from walkon.formats.dpomdp.statements import read_statements
from walkon.formats.files import FormatError, FormatWarning, read_whole
from walkon.tasks.dec_pomdp import DecPOMDP

LARGEST_FILE = 2**27  # bytes


def read_dpomdp(path: str | os.PathLike[str]) -> DecPOMDP:
    """Read a file of MADP's format: the problem of a team, of which `task` takes one agent as the ad hoc agent.

    Rewards that depend on the next state or the observations become expected rewards, costs become negative rewards. A
    row that misses 1 by no more than the digits of its numbers explain is divided by its sum, with a `FormatWarning`. A
    malformed file raises a `FormatError` with its line and column.
    """
    data = read_whole(path, LARGEST_FILE, what="a .dpomdp file")
    source = blank_comments(os.fspath(path), data)
    preamble = read_preamble(source)
    J, X, W = preamble.actions.size, preamble.states.size, preamble.observations.size
    shapes = {"T": (J, X, X), "O": (J, X, W)}
    try:
        given = read_statements(source, preamble)
        found = {letter: matrices(given[letter], shape, preamble.start) for letter, shape in shapes.items()}
        divided = [preamble.divided]
        if any(map(is_off, found.values())):
            lowest = read_statements(source, preamble, least)
            for letter, shape in shapes.items():
                low = matrices(lowest[letter], shape, preamble.start)
                divided.append(divide_rows(letter, found[letter], low))
        R = expected_rewards(given["R"], found["T"], found["O"])
        made = DecPOMDP(
            found["T"],
            found["O"],
            0 - R if preamble.costs else R,
            actions=_names(preamble.actions),
            observations=_names(preamble.observations),
            start=preamble.start,
            discount=preamble.discount,
            states=preamble.states.names,
            agents=preamble.agents,
        )
    except FormatError:
        raise
    except InputError as cause:
        raise FormatError(f"{source.name}: {cause}") from None
    if rounded := [each for each in divided if each]:
        warnings.warn(f"{source.name}: {sentence(rounded)}", FormatWarning, stacklevel=2)
    return made


def _names(joint: Joint) -> list[list[str]]:
    """Return the names of what each agent can do or observe, which are numbers where the file has none."""
    return [list(axis.names or map(str, range(axis.size))) for axis in joint.each]
