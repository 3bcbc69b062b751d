"""`walkon replay`: plays a recorded log through an agent, and checks the agent's model by it."""

import csv
import io
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import walkon
from walkon.cli import terminal
from walkon.cli.options import Backups, Effort, Json, Plot, Seed, solving
from walkon.saying import count

if TYPE_CHECKING:
    from walkon.measuring.replay_check import Check
    from walkon.simulation.replay import Replay

WIDE = 4  # tasks; of more, only the most likely one is shown


def replay(
    context: typer.Context,
    log: Annotated[Path, typer.Argument(help="A CSV file: episode, step, action, observation; if known: state, task.")],
    library: Annotated[str, typer.Argument(metavar="WORLD|FILE", help="A world, or a file with a library of tasks.")],
    agent: Annotated[str, typer.Option(help="The agent. `walkon list` shows all.")] = "atpo",
    target: Annotated[int | None, typer.Option(help="The number of the task, for an agent that is told it.")] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Compare how often each observation was made with the model.")
    ] = False,
    alarm: Annotated[
        float | None,
        typer.Option(help="The highest chance of a false alarm in an episode; none is watched without it."),
    ] = None,
    hazard: Annotated[float, typer.Option(help="The agent's probability that the task changes at a step.")] = 0.0,
    out: Annotated[Path | None, typer.Option(help="Write every step to this CSV file.")] = None,
    plot: Plot = None,
    effort: Effort = "usual",
    backups: Backups = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Play a recorded log through an agent: what it would have believed and done, step by step."""
    from walkon.cli.problem import find_library
    from walkon.formats.files import check_ending, replacing

    terminal.check_writable(out, "--out")
    if out is not None:
        check_ending(out, ".csv")
        if out.exists() and log.exists() and out.samefile(log):
            raise walkon.InputError(f"--out is {out}, the log itself: name another file")
    terminal.check_plot(plot)
    recorded = walkon.read_log(log)
    tasks, how = find_library(library, context.obj), solving(effort, backups)
    with terminal.counted(f"solving the tasks for {agent}") as (watch, _):
        player = walkon.agent(agent, tasks, **how, seed=seed, target=target, alarm=alarm, hazard=hazard, watch=watch)
    found = walkon.replay(recorded, player)
    checked = walkon.check_replay(recorded, player) if check else None
    if out is not None:
        with replacing(out) as draft:
            draft.write_text(_as_csv(found.rows()), encoding="utf-8", newline="")
    if plot is not None:
        from walkon.figures.beliefs import draw_beliefs

        terminal.write_plot(draw_beliefs(found), plot, "beliefs")
    if json:
        report = None if checked is None else _report(checked)
        terminal.print_json(
            {"agent": agent, "tasks": found.task_names, "steps": found.rows(), "check": report, "seed": seed}
        )
        return
    if checked is None:
        _print_steps(found)
    else:
        _print_check(checked)
    for path in filter(None, (out, plot)):
        terminal.out.print(f"written to {path}")


def _as_csv(rows: list[dict[str, Any]]) -> str:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _report(checked: "Check") -> dict[str, Any]:
    findings = [str(each) for each in checked.findings]
    return {"steps": checked.steps, "findings": findings, "counts": [each._asdict() for each in checked.counts]}


def _print_steps(found: "Replay") -> None:
    """Print a table for each episode, and how often the agent would have done the same."""
    K = len(found.task_names)
    head = ["step", "taken", "the agent's choice", "observed"]
    believed = found.beliefs is not None
    head += [f"p{k}" for k in range(K)] if believed and K <= WIDE else ["most likely"] if believed else []
    head += ["bits", *(["alarm"] if found.alarms is not None else [])]
    if believed:
        terminal.out.print(", ".join(f"p{k}: {name}" for k, name in enumerate(found.task_names)), highlight=False)
    episodes: dict[str, list[int]] = {}
    for i, episode in enumerate(found.episodes):
        episodes.setdefault(episode, []).append(i)
    for episode, places in episodes.items():
        truth = int(found.truths[places[0]])
        title = f"episode {episode}" + (f", task {truth}: {found.task_names[truth]}" if truth >= 0 else "")
        lines = [_line(found, i) for i in places]
        terminal.print_table(lines, head, title=title, left=("taken", "the agent's choice", "observed", "most likely"))
    same = int((found.best == found.actions).sum())
    terminal.out.print(
        f"the action taken is the one that {found.agent} prefers in {same} of {count(len(found), 'step')}"
    )
    import numpy as np

    told = np.isfinite(found.surprises)
    if told.any():
        bits, expected = found.surprises[told].mean(), found.expected_surprises[told].mean()
        terminal.out.print(f"mean surprise {bits:.2f} bits a step, {expected:.2f} expected", highlight=False)
    if found.unexplained.any():
        terminal.out.print(f"{count(int(found.unexplained.sum()), 'observation')} that no task allows")


def _line(found: "Replay", i: int) -> list[str]:
    """One step as the cells of a table."""
    best, z = int(found.best[i]), int(found.observations[i])
    choice = f"{found.action_names[best]} {found.choices[i, best]:.2f}"
    cells = [str(found.steps[i]), found.action_names[found.actions[i]], choice]
    cells.append(found.observation_names[z] if z >= 0 else "")
    if found.beliefs is not None:
        p = found.beliefs[i]
        cells += [f"{each:.3f}" for each in p] if len(p) <= WIDE else [f"{p.argmax()} {p.max():.3f}"]
    cells.append("" if isnan(found.surprises[i]) else f"{found.surprises[i]:.2f}")
    return [*cells, *([] if found.alarms is None else ["alarm" if found.alarms[i] else ""])]


def _print_check(checked: "Check") -> None:
    """Print what the model does not explain."""
    compared = f"{count(len(checked.counts), 'count')} over {count(checked.steps, 'step')} with an observation"
    if not checked.findings:
        terminal.out.print(f"{compared}: none contradicts the model (5 % for all together)", highlight=False)
        return
    terminal.out.print(f"{compared}: these contradict the model (5 % for all together)", highlight=False)
    for each in checked.findings:
        terminal.out.print(f"- {each}", highlight=False, soft_wrap=True)
