"""How much solving is worth, as the commands that make agents are told it."""

from typing import Any

EFFORT = "How much solving is worth: quick, usual (if not given) or thorough."
BACKUPS = "How many backups solve each problem, in place of an effort; 0 until it converges."


def solving(effort: Any, backups: int | None) -> dict[str, Any]:
    """What `walkon.agent` is given to solve by."""
    from walkon.errors import InputError
    from walkon.solvers.ascent import Ascent
    from walkon.solvers.defaults import WIDE, default_solver

    if backups is None:
        default_solver("mdp", effort=effort)  # refuses an effort that there is not
        return {"effort": effort}
    if backups < 0:
        raise InputError(f"--backups is {backups}, expected 0 or more")
    return {"solver": Ascent(backups=backups or None, wide=WIDE["pomdp"])}
