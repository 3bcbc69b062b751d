"""A problem as a person names it on the command line: a name that walkon knows, or a file."""

from pathlib import Path

from walkon.domains.classics import CLASSICS
from walkon.errors import InputError
from walkon.formats.bundle import load
from walkon.models.mdp import MDP


def find_problem(name: str) -> MDP:
    """The MDP or POMDP of that name, or in that file."""
    if name in CLASSICS:
        return CLASSICS[name]()
    path = Path(name)
    if not path.exists():
        known = ", ".join(CLASSICS)
        raise InputError(f'there is no problem and no file "{name}": `walkon list` knows {known}')
    problem = load(path)
    if not isinstance(problem, MDP):
        raise InputError(f"{name} holds a {type(problem).__name__}, expected an MDP or a POMDP")
    return problem
