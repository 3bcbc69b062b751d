"""Models in files of other programs, by the endings of their names."""

import os
from pathlib import Path

from walkon.formats.cassandra.reader import NotedModel, read_with_notes
from walkon.formats.pomdpx.reader import read_factors
from walkon.models.pomdp import POMDP

FACTORED = ".pomdpx"
POMDPS = (".pomdp", FACTORED)
MODELS = (*POMDPS, ".mdp")
LISTED = f"{', '.join(MODELS[:-1])} and {MODELS[-1]}"


def read_model_file(
    path: str | os.PathLike[str], *, observed: bool | None = None, skip_unknown: bool = False
) -> NotedModel:
    """Read a model, with a note on each thing that was not read as it stands.

    Args:
        path: A file with one of the endings `MODELS`.
        observed: Whether it has to be a POMDP (True) or an MDP (False); either by default.
        skip_unknown: Whether to skip what the format does not have.
    """
    if Path(path).suffix.lower() != FACTORED:
        return read_with_notes(path, observed=observed, skip_unknown=skip_unknown)
    model, notes = read_factors(path, skip_unknown=skip_unknown)
    return NotedModel(POMDP.from_factors(model), notes)
