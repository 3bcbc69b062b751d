"""The options that several commands share, among them those of all worlds."""

from inspect import Parameter, Signature
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

import walkon

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Library = Annotated[str, typer.Argument(metavar="WORLD|FILE", help="A world, or a file with a library of tasks.")]
SkipUnknown = Annotated[
    bool, typer.Option("--skip-unknown", help="Skip what the format of a .pomdp, .pomdpx or .mdp file does not have.")
]
Discount = Annotated[float | None, typer.Option(help="A discount in place of the problem's own.")]
Steps = Annotated[int | None, typer.Option("--horizon", help="Solve it for so many steps; by default it has no end.")]
Seed = Annotated[int, typer.Option(help="The seed of all random choices.")]
Horizon = Annotated[int | None, typer.Option(help="The number of steps; the tasks' own by default.")]
Effort = Annotated[str, typer.Option(help="How much effort to put into solving: quick, usual or thorough.")]
Backups = Annotated[
    int | None, typer.Option(help="The number of backups for each problem, instead of an effort; 0 until it converges.")
]
Jobs = Annotated[int | None, typer.Option(help="The number of processes; one for each core by default.")]
Cluster = Annotated[str | None, typer.Option(help="Run on a Dask cluster: the address of its scheduler.")]
Plot = Annotated[Path | None, typer.Option(help="Draw the result to this file: .png, .svg or .pdf.")]
Host = Annotated[str, typer.Option(help="The address to listen on; other machines then need a token.")]
Token = Annotated[
    str | None, typer.Option(envvar="WALKON_TOKEN", help="The token for other machines; a new one by default.")
]


def solving(effort: Any, backups: int | None) -> dict[str, Any]:
    """Return the arguments of `walkon.agent` that say how to solve."""
    from walkon.solvers.ascent import Ascent
    from walkon.solvers.defaults import WIDE, default_solver

    if backups is None:
        default_solver("mdp", effort=effort)  # refuses an unknown effort
        return {"effort": effort}
    if backups < 0:
        raise walkon.InputError(f"--backups is {backups}, expected 0 or more")
    return {"solver": Ascent(backups=backups or None, wide=WIDE["pomdp"])}


class WorldCommand(TyperCommand):
    """A command that also takes the options of all worlds; those that were given are in `context.obj`.

    They are looked up when such a command is called, so that other commands start without loading a world. Only the
    options that were given are passed to the world, so one that it does not have gets the world's own error.
    """

    def get_params(self, ctx: Any) -> list[Any]:
        """Return its own parameters, and the options of the worlds that have other names."""
        own = super().get_params(ctx)
        taken = {parameter.name for parameter in own}
        return [*own, *(each for each in _parameters() if each.name not in taken)]

    def invoke(self, ctx: Any) -> Any:
        """Run the command. Its argument `library`, or else its first, is the world, which converts its options."""
        from walkon.domains.registry import WORLDS

        own = [str(parameter.name) for parameter in self.params]
        given = {name: ctx.params.pop(name) for name in [*ctx.params] if name not in own}
        arguments = [str(parameter.name) for parameter in self.params if parameter.param_type_name == "argument"]
        world = ctx.params["library" if "library" in arguments else arguments[0]]
        known = WORLDS[world].every_option if world in WORLDS else {}
        chosen = {name: value for name, value in given.items() if value is not None}
        ctx.obj = {name: known[name].read(value) if name in known else value for name, value in chosen.items()}
        return super().invoke(ctx)


def _parameters() -> list[Any]:
    """Make the options of all worlds, as typer does from a function's signature."""
    from walkon.domains.registry import WORLDS

    found: dict[str, dict[str, walkon.Option]] = {}
    for world in WORLDS.working().values():
        for option in world.every_option.values():
            if option.kind is not None:
                found.setdefault(option.name, {})[world.name] = option

    def command() -> None: ...

    parameters = [_parameter(name, options) for name, options in found.items()]
    command.__dict__["__signature__"] = Signature(parameters)
    command.__annotations__ = {each.name: each.annotation for each in parameters}
    app = typer.Typer(add_completion=False)
    app.command()(command)
    return list(typer.main.get_command(app).params)


def _parameter(name: str, options: "dict[str, walkon.Option]") -> Parameter:
    """Make one option; it is text where worlds give it different types."""
    kinds = {option.kind for option in options.values()}
    kind: Any = kinds.pop() if len(kinds) == 1 else str
    helps: dict[str, list[str]] = {}
    for world, option in options.items():
        helps.setdefault(option.help or option.label, []).append(world)
    flag = name.replace("_", "-")
    off = kind is bool and any(option.default is True for option in options.values())  # else it could not be turned off
    declared = typer.Option(
        f"--{flag}/--no-{flag}" if off else f"--{flag}",
        help=" ".join(f"{', '.join(worlds)}: {text}" for text, worlds in helps.items()),
        rich_help_panel="Options of the worlds",
    )
    return Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind | None, declared])
