"""The options of the worlds, as `walkon play` and `walkon solve` take them.

Only what was given is handed to the world, so an option that it does not have gets the world's own error.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, TypeAlias

import typer


def _option(help: str, *names: str) -> Any:
    return typer.Option(*names, help=help, rich_help_panel="Options of the worlds")


Size: TypeAlias = Annotated[int | None, _option("Cells along each side of the board.")]
Noise: TypeAlias = Annotated[float | None, _option("How often a move fails and a thing is missed.")]
Tasks: TypeAlias = Annotated[int | None, _option("How many tasks the library has.")]
Teammates: TypeAlias = Annotated[int | None, _option("How many teammates there are.")]
TeammateNoise: TypeAlias = Annotated[bool | None, _option("Teammates' moves fail too.", "--teammate-noise")]
Tremble: TypeAlias = Annotated[float | None, _option("How often a teammate makes a uniform move.")]
Capture: TypeAlias = Annotated[str | None, _option("How the prey is caught: opposite, adjacent.")]
LiteralNoise: TypeAlias = Annotated[bool | None, _option("Misread as printed in the paper.", "--literal-noise")]
Role: TypeAlias = Annotated[str | None, _option("What the ad hoc agent does: helper, cook.")]

OPTIONS = (
    "size",
    "noise",
    "tasks",
    "teammates",
    "teammate_noise",
    "tremble",
    "capture",
    "literal_noise",
    "role",
)


def given(arguments: Mapping[str, Any], names: Iterable[str] = OPTIONS) -> dict[str, Any]:
    """Those of a command's arguments that were given, of the world's options or of other names."""
    return {name: arguments[name] for name in names if arguments[name] is not None}
