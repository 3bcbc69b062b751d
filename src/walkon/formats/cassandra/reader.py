"""Read `.pomdp` and `.mdp` files."""

import os
from collections.abc import Callable
from typing import TypeVar

from walkon.errors import InputError
from walkon.formats.cassandra.assignments import matrices
from walkon.formats.cassandra.grammar import grammar
from walkon.formats.cassandra.preamble import Preamble, read_preamble
from walkon.formats.cassandra.rewards import expected_rewards
from walkon.formats.cassandra.source import Source, load
from walkon.formats.cassandra.statements import read_statements
from walkon.formats.format_error import FormatError
from walkon.models.mdp import MDP
from walkon.models.pomdp import POMDP

Model = TypeVar("Model", bound=MDP)


def read_pomdp(path: str | os.PathLike[str]) -> POMDP:
    """Read a file of Cassandra's format that has observations.

    Rewards of the next state and of the observation become expected rewards, costs become negative rewards. A malformed
    file is a `FormatError` with its line and column.
    """
    source = load(path)
    preamble = read_preamble(source)
    if not preamble.observations.size:
        raise FormatError(f'{source.name} has no "observations:", so it is an MDP: read it with read_mdp')
    return _checked(source, lambda: _pomdp(source, preamble))


def read_mdp(path: str | os.PathLike[str]) -> MDP:
    """Read a file of Cassandra's format that has no observations."""
    source = load(path)
    preamble = read_preamble(source)
    if preamble.observations.size:
        raise FormatError(f'{source.name} has "observations:", so it is a POMDP: read it with read_pomdp')
    return _checked(source, lambda: _mdp(source, preamble))


def read_model(path: str | os.PathLike[str]) -> MDP:
    """Read a file that may be either: a POMDP if it has observations."""
    source = load(path)
    preamble = read_preamble(source)
    return _checked(source, lambda: (_pomdp if preamble.observations.size else _mdp)(source, preamble))


def _pomdp(source: Source, preamble: Preamble) -> POMDP:
    given = read_statements(source, preamble.end, grammar(preamble))
    A, X, Z = preamble.actions.size, preamble.states.size, preamble.observations.size
    P = matrices(given["T"], (A, X, X), preamble.start)
    O = matrices(given["O"], (A, X, Z), preamble.start)
    R = expected_rewards(given["R"], P, O)
    return POMDP(
        P,
        O,
        0 - R if preamble.costs else R,
        preamble.start,
        preamble.discount,
        states=preamble.states.names,
        actions=preamble.actions.names,
        observations=preamble.observations.names,
    )


def _mdp(source: Source, preamble: Preamble) -> MDP:
    given = read_statements(source, preamble.end, grammar(preamble))
    A, X = preamble.actions.size, preamble.states.size
    P = matrices(given["T"], (A, X, X), preamble.start)
    R = expected_rewards(given["R"], P, None)
    return MDP(
        P,
        0 - R if preamble.costs else R,
        preamble.start,
        preamble.discount,
        states=preamble.states.names,
        actions=preamble.actions.names,
    )


def _checked(source: Source, make: Callable[[], Model]) -> Model:
    """The model, or what its own gate says about it, with the name of the file."""
    try:
        return make()
    except FormatError:
        raise
    except InputError as cause:
        raise FormatError(f"{source.name}: {cause}") from None
