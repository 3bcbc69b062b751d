"""Read `.pomdp` and `.mdp` files."""

import os
from typing import Any

from walkon.errors import InputError
from walkon.formats.cassandra.assignments import matrices
from walkon.formats.cassandra.grammar import grammar
from walkon.formats.cassandra.preamble import read_preamble
from walkon.formats.cassandra.rewards import expected_rewards
from walkon.formats.cassandra.source import blank_comments
from walkon.formats.cassandra.statements import read_statements
from walkon.formats.files import FormatError, read_whole
from walkon.models.mdp import MDP
from walkon.models.pomdp import POMDP


def read_pomdp(path: str | os.PathLike[str]) -> POMDP:
    """Read a file of Cassandra's format that has observations.

    Rewards that depend on the next state or the observation become expected rewards, costs become negative rewards. A
    malformed file raises a `FormatError` with its line and column.
    """
    model = read_model(path, observed=True)
    assert isinstance(model, POMDP)
    return model


def read_mdp(path: str | os.PathLike[str]) -> MDP:
    """Read a file of Cassandra's format that has no observations."""
    return read_model(path, observed=False)


def read_model(path: str | os.PathLike[str], *, observed: bool | None = None) -> MDP:
    """Read a POMDP if the file has observations, else an MDP; only one of them is accepted if `observed` is given."""
    data = read_whole(path, what="a .pomdp or .mdp file")
    source = blank_comments(os.fspath(path), data)
    preamble = read_preamble(source)
    A, X, Z = preamble.actions.size, preamble.states.size, preamble.observations.size
    if observed and not Z:
        raise FormatError(f'{source.name} has no "observations:", so it is an MDP: read it with read_mdp')
    if observed is False and Z:
        raise FormatError(f'{source.name} has "observations:", so it is a POMDP: read it with read_pomdp')
    try:
        given = read_statements(source, preamble.end, grammar(preamble))
        P = matrices(given["T"], (A, X, X), preamble.start)
        O = matrices(given["O"], (A, X, Z), preamble.start) if Z else None
        R = expected_rewards(given["R"], P, O)
        R = 0 - R if preamble.costs else R
        names: dict[str, Any] = {"states": preamble.states.names, "actions": preamble.actions.names}
        if O is None:
            return MDP(P, R, preamble.start, preamble.discount, **names)
        names["observations"] = preamble.observations.names
        return POMDP(P, O, R, preamble.start, preamble.discount, **names)
    except FormatError:
        raise
    except InputError as cause:
        raise FormatError(f"{source.name}: {cause}") from None
