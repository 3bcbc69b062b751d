"""The options of the worlds, as `walkon play` and `walkon solve` take them.

Only what was given is handed to the world, so an option that it does not have gets the world's own error.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, TypeAlias

import typer

Size: TypeAlias = Annotated[int | None, typer.Option(help="Cells along each side of the board.")]
Noise: TypeAlias = Annotated[float | None, typer.Option(help="How often a move fails and a thing is missed.")]
Tasks: TypeAlias = Annotated[int | None, typer.Option(help="How many tasks the library has.")]
Teammates: TypeAlias = Annotated[int | None, typer.Option(help="How many teammates there are.")]
TeammateNoise: TypeAlias = Annotated[bool | None, typer.Option("--teammate-noise", help="Teammates' moves fail too.")]
Tremble: TypeAlias = Annotated[float | None, typer.Option(help="How often a teammate makes a uniform move.")]
Capture: TypeAlias = Annotated[str | None, typer.Option(help="How the prey is caught: opposite, adjacent.")]
LiteralNoise: TypeAlias = Annotated[
    bool | None, typer.Option("--literal-noise", help="Misread as printed in the paper.")
]
Role: TypeAlias = Annotated[str | None, typer.Option(help="What the ad hoc agent does: helper, cook.")]


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
