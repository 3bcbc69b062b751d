"""`walkon play`: plays one episode in the terminal, or replays one from a file."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import walkon
from walkon.checks import whole
from walkon.cli import terminal
from walkon.cli.options import Backups, Json, solving

if TYPE_CHECKING:
    from walkon.formats.episode_file import Recording

HOW = ("agent", "task", "seed", "horizon", "effort", "backups", "solver_seed", "hazard", "why")  # not of a replay
LONGEST_DELAY = 60.0
AGENT = (
    "The agent, also with options, as in search:seconds=0.1; atpo by default, or search where that needs tables. "
    "`walkon list` shows all."
)
WHAT = "A world, a file with your own library (a .py file is run), or an episode that --save wrote."


def play(
    context: typer.Context,
    what: Annotated[str, typer.Argument(metavar="WORLD|FILE", help=WHAT)],
    agent: Annotated[str | None, typer.Option(help=AGENT)] = None,
    task: Annotated[str | None, typer.Option(help="The number or name of the task; 0 by default.")] = None,
    seed: Annotated[int | None, typer.Option(help="The seed of the luck; 0 by default.")] = None,
    horizon: Annotated[
        int | None, typer.Option(help="The largest number of steps; the world's own by default.")
    ] = None,
    effort: Annotated[str | None, typer.Option(help="How much effort to put into solving; usual by default.")] = None,
    backups: Backups = None,
    solver_seed: Annotated[int | None, typer.Option(help="The seed of the solver; 0 by default.")] = None,
    hazard: Annotated[
        float | None, typer.Option(help="The agent's probability that the task changes at a step; 0 by default.")
    ] = None,
    delay: Annotated[float, typer.Option(help="Seconds between steps; 0 shows only the end.")] = 0.3,
    step: Annotated[bool, typer.Option("--step", help="Wait for Enter after each step; b goes back, q quits.")] = False,
    fast: Annotated[bool, typer.Option("--fast", help="Show only the end.")] = False,
    save: Annotated[Path | None, typer.Option(help="Write the episode to this file.")] = None,
    library: Annotated[
        Path | None, typer.Option(help="The file with the library of an episode that was played in your own.")
    ] = None,
    why: Annotated[
        bool | None, typer.Option("--why", help="Explain each action and each change of the task belief.")
    ] = None,
    json: Json = False,
) -> None:
    """Play one episode, and show the world, the observations, the belief over the tasks, and the actions."""
    from walkon.cli.problem import check_agent, meant, own_library
    from walkon.cli.show import show, summary
    from walkon.domains.registry import WORLDS
    from walkon.formats.episode_file import LONGEST, OWN, read_episode, write_episode

    options, arguments = context.obj, locals()
    how = {name: arguments[name] for name in HOW if arguments[name] is not None}
    if not 0 <= delay <= LONGEST_DELAY:
        raise walkon.InputError(f"--delay is {delay}, expected seconds from 0 to {LONGEST_DELAY:g}")
    if step and fast:
        raise walkon.InputError("--step waits at each step and --fast shows only the end: give one of them")
    if horizon is not None and not 1 <= horizon <= LONGEST:
        raise walkon.InputError(f"--horizon is {horizon}, expected a number of steps from 1 to {LONGEST:,}")
    if seed is not None:
        whole("--seed", seed, 0, None)
    if library is not None and (what in WORLDS or own_library(what) is not None):
        raise walkon.InputError(f"--library is for an episode that is shown again, and {what} is played: leave it out")
    memories: list[walkon.Memory] = []
    reasons: list[walkon.Explanation] = []
    if what in WORLDS:
        terminal.check_writable(save, "--save")
        recording = _play(what, options, walkon.make(what, **options), memories, reasons, **how)
    elif (own := own_library(what)) is not None:
        if options:
            raise walkon.InputError(
                f"--{min(options).replace('_', '-')} is an option of walkon's own worlds, and {what} is a file: "
                "leave it out"
            )
        terminal.check_writable(save, "--save")
        check_agent(agent or "atpo", what)
        recording = _play(OWN, {}, own, memories, reasons, **how)
    elif Path(what).exists():
        if surplus := [*how, *options, *(["save"] if save else [])]:
            raise walkon.InputError(f"{what} is replayed as it was: leave --{surplus[0].replace('_', '-')} out")
        recording = read_episode(what, None if library is None else walkon.read_library(library))
    else:
        raise walkon.InputError(
            f'there is no world and no file "{what}"{meant(what, WORLDS)}: expected {", ".join(WORLDS)}, '
            f"a library or an episode"
        )
    if save:
        write_episode(recording, save)
    if json:
        said = {"why": [str(each) for each in reasons]} if why else {}
        terminal.print_json(recording.document() | {"summary": summary(recording)} | said)
        return
    name = what if recording.trial.world.domain == OWN else recording.trial.world.domain
    show(recording, memories, [str(each) for each in reasons], name=name, delay=0.0 if fast else delay, step=step)
    if save:
        typer.echo(f"written to {save}")


def _play(
    name: str,
    options: dict[str, Any],
    library: "walkon.TaskLibrary",
    memories: "list[walkon.Memory]",
    reasons: "list[walkon.Explanation]",
    *,
    agent: str | None = None,
    task: str | None = None,
    seed: int = 0,
    horizon: int | None = None,
    effort: str = "usual",
    backups: int | None = None,
    solver_seed: int = 0,
    hazard: float = 0.0,
    why: bool = False,
) -> "Recording":
    """Solve what the agent needs, and play.

    The agent's memory before each step and at the end is added to `memories`, and to `reasons` why it took each step.
    """
    import warnings

    from walkon.agents.registry import told, usual
    from walkon.cli.problem import pick
    from walkon.measuring.contenders import Contender
    from walkon.simulation.stepping import sensed

    wanted = Contender.of(agent or usual(library))  # refuses an unknown name
    k = pick(task, library)
    chosen = {"hazard": hazard, "target": told(wanted.name, k)} | dict(wanted.options)
    if solver_seed < 0:
        raise walkon.InputError(f"--solver-seed is {solver_seed}, expected 0 or more")
    with terminal.counted(f"solving the tasks for {wanted.name}") as (watch, say):
        how = solving(effort, backups)
        player = walkon.agent(wanted.name, library, **how, seed=solver_seed, watch=watch, **chosen)
        say("playing")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", walkon.UnexplainedWarning)  # the episode's events are shown
            walkon.play(library[k], player, horizon=1, seed=seed)  # compiles what decides, so that it is not timed
            episode = walkon.play(library[k], player, horizon=horizon, seed=seed, stop=True, watch=memories.append)
            if why:
                columns = (episode.actions, episode.states[1:], episode.observations, episode.teammate_actions)
                steps = zip(*(column.tolist() for column in columns), strict=True)
                for memory, (action, *happened) in zip(memories, steps, strict=False):
                    percept = sensed(player, library[k], *happened)
                    reasons.append(walkon.explain(player, memory, action, percept))
    return walkon.record(episode, player, library, k, world=name, **options)
