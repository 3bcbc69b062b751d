"""Read POMDPX files, as factors and as problems."""

import os
import warnings
from typing import NamedTuple

from walkon.errors import InputError
from walkon.formats.cassandra.rounding import Divided, sentence
from walkon.formats.files import FormatWarning, allowed_numbers, read_whole
from walkon.formats.pomdpx.cells import Budget
from walkon.formats.pomdpx.functions import FUNCTIONS, Functions
from walkon.formats.pomdpx.tree import Element, read_tree
from walkon.formats.pomdpx.variables import Declared, read_discount, read_variables
from walkon.models.factored import Factor, FactoredPOMDP, in_order
from walkon.models.pomdp import POMDP

LARGEST_FILE = 2**27  # bytes
MOST_NUMBERS = 50_000_000  # rows and entries of all tables


class NotedFactors(NamedTuple):
    """A factored problem, and a sentence on each thing that was not read as it stands."""

    model: FactoredPOMDP
    notes: tuple[str, ...]


def read_pomdpx(path: str | os.PathLike[str], *, skip_unknown: bool = False) -> POMDP:
    """Read a POMDPX file.

    States are the product of the state variables in the order of the file, the first slowest, and actions likewise;
    observations are the product of the variables that are `fullyObs`, and then of the ObsVars. Rewards are added up,
    and become expected rewards. The matrices are made when they are first used, and refused if they would take more
    than 1 GiB; `factored` has the tables of each variable. Rows that miss 1 by no more than the digits of their numbers
    explain are divided by their sums, with a `FormatWarning`. A malformed file raises a `FormatError` with its line and
    column.

    Args:
        path: The file.
        skip_unknown: Whether to skip elements and attributes that the format does not have; a `FormatWarning` names
            each.
    """
    model, notes = read_factors(path, skip_unknown=skip_unknown)
    for note in notes:
        warnings.warn(note, FormatWarning, stacklevel=2)
    return POMDP.from_factors(model)


def read_factors(path: str | os.PathLike[str], *, skip_unknown: bool = False) -> NotedFactors:
    """Read a file as `read_pomdpx` does, and return its factors, and the notes instead of warning."""
    data, name = read_whole(path, LARGEST_FILE, what="a .pomdpx file"), os.fspath(path)
    root, skipped = read_tree(name, data, skip_unknown=skip_unknown)
    discount, declared = read_discount(root), read_variables(root)
    functions = Functions(declared, Budget(min(MOST_NUMBERS, allowed_numbers(len(data)))))
    start, moves, sensors, rewards = (functions.read(root, function) for function in FUNCTIONS)
    model = FactoredPOMDP(
        declared.states,
        declared.actions,
        declared.observations,
        tuple(each[0] for each in start),
        _by_action(moves, declared),
        _by_action(sensors, declared),
        _by_action(rewards, declared),
        discount,
    )
    _check_order(root, model)
    notes = [f"skipped {', '.join(skipped)}" if skipped else "", _said(functions.divided)]
    return NotedFactors(model, tuple(f"{name}: {note}" for note in notes if note))


def _by_action(factors: list[tuple[Factor, ...]], declared: Declared) -> tuple[tuple[Factor, ...], ...]:
    """Turn [variable][A] into [A][variable]."""
    count = 1
    for variable in declared.actions:
        count *= variable.size
    return tuple(tuple(each[a] for each in factors) for a in range(count))


def _check_order(root: Element, model: FactoredPOMDP) -> None:
    """Refuse variables that depend on each other in a circle."""
    try:
        in_order(model.start, "before")
        for moves, sensors in zip(model.transitions, model.sensors, strict=True):
            in_order(moves, "after")
            in_order(sensors, "observed")
    except InputError as cause:
        raise root.error(f"{cause}: change the <Parent> of one") from None


def _said(divided: list[Divided]) -> str:
    """Say what was divided: one part for each variable, whatever the action."""
    together: dict[str, Divided] = {}
    for what, rows, largest in divided:
        old = together.get(what, Divided(what, 0, 0.0))
        together[what] = Divided(what, old.rows + rows, max(old.largest, largest))
    return sentence(list(together.values())) if together else ""
