"""Read `.pomdp` and `.mdp` files."""

import os
import warnings
from typing import Any, NamedTuple

from walkon.errors import InputError
from walkon.formats.cassandra.assignments import matrices
from walkon.formats.cassandra.dialects import skip_unknown as skip
from walkon.formats.cassandra.grammar import grammar
from walkon.formats.cassandra.preamble import read_preamble
from walkon.formats.cassandra.rewards import expected_rewards
from walkon.formats.cassandra.rounding import divide_rows, is_off, least, sentence
from walkon.formats.cassandra.source import blank_comments
from walkon.formats.cassandra.statements import read_statements
from walkon.formats.files import FormatError, FormatWarning, read_whole
from walkon.models.mdp import MDP
from walkon.models.pomdp import POMDP


class NotedModel(NamedTuple):
    """A model, and a sentence on each thing that was not read as it stands."""

    model: MDP
    notes: tuple[str, ...]


def read_pomdp(path: str | os.PathLike[str], *, skip_unknown: bool = False) -> POMDP:
    """Read a file of Cassandra's format that has observations.

    Rewards that depend on the next state or the observation become expected rewards, costs become negative rewards. A
    row that misses 1 by no more than the digits of its numbers explain is divided by its sum, with a `FormatWarning`. A
    malformed file raises a `FormatError` with its line and column.

    Args:
        path: The file.
        skip_unknown: Whether to skip the preamble's lines with unknown keywords, and to do without its discount and
            values, so that dialects can be read; a `FormatWarning` names each line.
    """
    model = read_model(path, observed=True, skip_unknown=skip_unknown)
    assert isinstance(model, POMDP)
    return model


def read_mdp(path: str | os.PathLike[str], *, skip_unknown: bool = False) -> MDP:
    """Read a file of Cassandra's format that has no observations; see `read_pomdp`."""
    return read_model(path, observed=False, skip_unknown=skip_unknown)


def read_model(path: str | os.PathLike[str], *, observed: bool | None = None, skip_unknown: bool = False) -> MDP:
    """Read a POMDP if the file has observations, else an MDP; only one of them is accepted if `observed` is given."""
    model, notes = read_with_notes(path, observed=observed, skip_unknown=skip_unknown)
    for note in notes:
        warnings.warn(note, FormatWarning, stacklevel=3)
    return model


def read_with_notes(
    path: str | os.PathLike[str], *, observed: bool | None = None, skip_unknown: bool = False
) -> NotedModel:
    """Read a model as `read_model` does, and return the notes instead of warning."""
    data, skipped = read_whole(path, what="a .pomdp or .mdp file"), ""
    source = blank_comments(os.fspath(path), data)
    if skip_unknown:
        source, skipped = skip(source)
    preamble = read_preamble(source, dialect=skip_unknown)
    A, X, Z = preamble.actions.size, preamble.states.size, preamble.observations.size
    if observed and not Z:
        raise FormatError(f'{source.name} has no "observations:", so it is an MDP: read it with read_mdp')
    if observed is False and Z:
        raise FormatError(f'{source.name} has "observations:", so it is a POMDP: read it with read_pomdp')
    shapes = {"T": (A, X, X), "O": (A, X, Z)} if Z else {"T": (A, X, X)}
    forms = grammar(preamble)
    try:
        given = read_statements(source, preamble.end, forms)
        found = {letter: matrices(given[letter], shape, preamble.start) for letter, shape in shapes.items()}
        divided = [preamble.divided]
        if any(map(is_off, found.values())):
            lowest = read_statements(source, preamble.end, forms, least)
            for letter, shape in shapes.items():
                low = matrices(lowest[letter], shape, preamble.start)
                divided.append(divide_rows(letter, found[letter], low))
        P, O = found["T"], found.get("O")
        R = expected_rewards(given["R"], P, O)
        R = 0 - R if preamble.costs else R
        names: dict[str, Any] = {"states": preamble.states.names, "actions": preamble.actions.names}
        if O is None:
            model = MDP(P, R, preamble.start, preamble.discount, **names)
        else:
            names["observations"] = preamble.observations.names
            model = POMDP(P, O, R, preamble.start, preamble.discount, **names)
    except FormatError:
        raise
    except InputError as cause:
        raise FormatError(f"{source.name}: {cause}") from None
    rounded = [each for each in divided if each]
    notes = [skipped, preamble.absent, sentence(rounded) if rounded else ""]
    return NotedModel(model, tuple(f"{source.name}: {note}" for note in notes if note))
