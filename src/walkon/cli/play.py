"""`walkon play`: plays one episode in the terminal, or replays one from a file."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import walkon
from walkon.cli import terminal
from walkon.cli.options import Backups, Json, solving

if TYPE_CHECKING:
    from walkon.formats.episode_file import Recording

HOW = ("agent", "task", "seed", "horizon", "effort", "backups", "solver_seed", "hazard")  # not options of a replay
LONGEST_DELAY = 60.0
WHAT = "A world, a file with your own library (a .py file is run), or an episode that --save wrote."


def play(
    context: typer.Context,
    what: Annotated[str, typer.Argument(metavar="WORLD|FILE", help=WHAT)],
    agent: Annotated[str | None, typer.Option(help="The agent; atpo by default. `walkon list` shows all.")] = None,
    task: Annotated[int | None, typer.Option(help="The number of the task; 0 by default.")] = None,
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
    json: Json = False,
) -> None:
    """Play one episode, and show the world, the observations, the belief over the tasks, and the actions."""
    from walkon.cli.problem import own_library
    from walkon.cli.show import show, summary
    from walkon.domains.registry import WORLDS
    from walkon.formats.episode_file import LONGEST, read_episode, write_episode

    options, arguments = context.obj, locals()
    how = {name: arguments[name] for name in HOW if arguments[name] is not None}
    if not 0 <= delay <= LONGEST_DELAY:
        raise walkon.InputError(f"--delay is {delay}, expected seconds from 0 to {LONGEST_DELAY:g}")
    if step and fast:
        raise walkon.InputError("--step waits at each step and --fast shows only the end: give one of them")
    if horizon is not None and not 1 <= horizon <= LONGEST:
        raise walkon.InputError(f"--horizon is {horizon}, expected a number of steps from 1 to {LONGEST:,}")
    memories: list[walkon.Memory] = []
    if what in WORLDS:
        terminal.check_writable(save, "--save")
        recording = _play(what, options, walkon.make(what, **options), memories, **how)
    elif (own := own_library(what)) is not None:
        if save or options:
            misplaced = "save" if save else min(options).replace("_", "-")
            raise walkon.InputError(
                f"--{misplaced} is only for walkon's own worlds, which an episode file can name: leave it out"
            )
        recording = _play(what, {}, own, memories, **how)
    elif Path(what).exists():
        if surplus := [*how, *options, *(["save"] if save else [])]:
            raise walkon.InputError(f"{what} is replayed as it was: leave --{surplus[0].replace('_', '-')} out")
        recording = read_episode(what)
    else:
        raise walkon.InputError(
            f'there is no world and no file "{what}": expected {", ".join(WORLDS)}, a library or an episode'
        )
    if save:
        write_episode(recording, save)
    if json:
        terminal.print_json(recording.document() | {"summary": summary(recording)})
        return
    show(recording, memories, delay=0.0 if fast else delay, step=step)
    if save:
        typer.echo(f"written to {save}")


def _play(
    name: str,
    options: dict[str, Any],
    library: "walkon.TaskLibrary",
    memories: "list[walkon.Memory]",
    *,
    agent: str = "atpo",
    task: int = 0,
    seed: int = 0,
    horizon: int | None = None,
    effort: str = "usual",
    backups: int | None = None,
    solver_seed: int = 0,
    hazard: float = 0.0,
) -> "Recording":
    """Solve what the agent needs, and play. The agent's memory at each step is added to `memories`."""
    import warnings

    import numpy as np

    from walkon.agents.registry import AGENTS, told
    from walkon.cli.problem import pick
    from walkon.formats.episode_file import Recording
    from walkon.trials.trial import Trial, WorldSpec

    AGENTS[agent]  # refuses an unknown name
    if solver_seed < 0:
        raise walkon.InputError(f"--solver-seed is {solver_seed}, expected 0 or more")
    pick(task, len(library))
    with terminal.counted(f"solving the tasks for {agent}") as (watch, say):
        how, target = solving(effort, backups), told(agent, task)
        player = walkon.agent(agent, library, **how, seed=solver_seed, hazard=hazard, target=target, watch=watch)
        say("playing")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", walkon.UnexplainedWarning)  # the episode's events are shown
            walkon.play(library[task], player, horizon=1, seed=seed)  # compiles what decides, so that it is not timed
            episode = walkon.play(library[task], player, horizon=horizon, seed=seed, stop=True, watch=memories.append)
    choices = np.array([player.act(memory) for memory in memories])
    world = WorldSpec.of(name, **options)
    trial = Trial(world=world, task=task, agent=agent, seed=seed, played_by=task, horizon=episode.horizon)
    return Recording(trial, library, episode, choices)
