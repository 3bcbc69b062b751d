"""`walkon compare`: compare agents on the same tasks with the same luck."""

import csv
import io
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import typer

import walkon
from walkon import saying
from walkon.cli import terminal
from walkon.cli.options import Backups, Cluster, Effort, Horizon, Json, Library, Plot, Seed, solving
from walkon.cli.running import check_workers, run_stored

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from walkon.measuring.compare import Comparison
    from walkon.runs.comparing import Plan
    from walkon.runs.store import Store
    from walkon.trials.trial import WorldSpec

AGENTS, TO = ["value-iteration", "perseus", "atpo", "random"], "atpo"  # if not given
SMALL = 1_000  # states; smaller libraries are solved and played sooner than other processes have started
Found = Mapping[Any, "Comparison"]  # by the value that is varied; by None where nothing is


def compare(
    context: typer.Context,
    what: Library,
    agent: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME[:OPTION=VALUE]",
            help=f"An agent; repeat for more. {', '.join(AGENTS)} by default (those that can play, without tables), "
            "and those that the file defines.",
        ),
    ] = None,
    to: Annotated[str | None, typer.Option(help="The agent that others are compared with; atpo, or the first.")] = None,
    trials: Annotated[int, typer.Option(help="The number of episodes of each task.")] = 32,
    horizon: Horizon = None,
    score: Annotated[
        str | None, typer.Option(help="steps, return, solved, identified, or a tally; the tasks' own by default.")
    ] = None,
    vary: Annotated[
        str | None,
        typer.Option(metavar="OPTION=VALUE,...", help="Compare at each value of an option of the world or the file."),
    ] = None,
    by_task: Annotated[bool, typer.Option("--by-task", help="Show each task, with its regret, in a column.")] = False,
    hazard: Annotated[float, typer.Option(help="How likely the task changes at each step, as agents assume.")] = 0.0,
    teammates_of: Annotated[
        int | None, typer.Option(help="Play this task only, with teammates that agents do not know.")
    ] = None,
    solver: Annotated[str | None, typer.Option(help="The solver of the tasks' POMDPs.")] = None,
    effort: Effort = "usual",
    backups: Backups = None,
    jobs: Annotated[
        int | None, typer.Option(help="The number of processes; one for each core by default, one for small tasks.")
    ] = None,
    cluster: Cluster = None,
    out: Annotated[
        Path | None, typer.Option(help="A folder for trials, tables and figures. A second call resumes.")
    ] = None,
    seed: Seed = 0,
    plot: Plot = None,
    json: Json = False,
) -> None:
    """Compare agents on the same tasks with the same luck: means and paired differences, with intervals."""
    from walkon.runs.comparing import TOGETHER, Plan
    from walkon.runs.provenance import provenance

    check_workers(jobs, cluster)
    terminal.check_plot(plot)
    worlds = _worlds(what, context.obj, vary)
    first = next(iter(worlds.values()))
    names = agent or [*_agents(first.make()), *getattr(first, "agents", {})]
    to = to or (TO if TO in names else names[0])
    if to not in names:
        raise walkon.InputError(f"--to is {to!r}, which is not compared: expected one of {', '.join(names)}")
    how = _solving(solver, effort, backups) | {"hazard": hazard, "teammates_of": teammates_of}
    with terminal.compilation_notice(), _store(out) as store, warnings.catch_warnings():
        warnings.simplefilter("ignore", walkon.UnexplainedWarning)
        plans = {
            value: Plan(world=world, agents=names, trials=trials, seed=seed, horizon=horizon, score=score, **how)
            for value, world in worlds.items()
        }
        everything = [trial for plan in plans.values() for trial in plan.trials_of_all()]
        store.begin(provenance(" ".join(["walkon", *sys.argv[1:]])), {})
        kept = "in the cache of policies (give --out DIR to keep trials too)" if out is None else f"in {out}"
        run_stored(everything, store, _jobs(plans, jobs, cluster), cluster, kept=kept, together=TOGETHER)
        found = {value: plan.collect(store) for value, plan in plans.items()}
    name = "" if vary is None else vary.partition("=")[0]
    if plot is not None:
        terminal.write_plot(_draw(found, name), plot, plot.stem)
    if out is not None:
        _write(found, name, to, out)
    if json:
        terminal.print_json(_document(found, name, to, seed))
        return
    _print(found, name, to, by_task)
    if out is not None:
        typer.echo(f"trials, table and figure: {out}")


def _agents(library: "walkon.TaskLibrary") -> list[str]:
    """Return the agents that are compared if none are named."""
    from walkon.agents.registry import usual

    return AGENTS if library.tables else list(dict.fromkeys(["search", usual(library), "random"]))


def _worlds(what: str, options: Mapping[str, Any], vary: str | None) -> "dict[Any, WorldSpec]":
    """Return the library that is named, at each value of the option that is varied."""
    from walkon.cli.problem import find_library
    from walkon.domains.registry import WORLDS
    from walkon.runs.files import FileSpec
    from walkon.trials.trial import WorldSpec

    if what in WORLDS:
        find_library(what, options)  # refuses bad options
        first: WorldSpec = WorldSpec.of(what, **options)
    elif Path(what).is_file():
        first = FileSpec.read(what, options)
    else:
        find_library(what, options)  # refuses it
        raise AssertionError(what)
    if vary is None:
        return {None: first}
    name, equals, values = vary.partition("=")
    if not equals or not values:
        raise walkon.InputError(f"--vary is {vary!r}, expected an option and its values, as in size=3,4,5")
    known = first.source.every_option
    read = [known[name].read(text) if name in known else text for text in values.split(",")]
    if len(set(read)) < len(read):
        raise walkon.InputError(f"--vary {vary} has a value twice: give each once")
    first.source.checked({name: read[0]})  # refuses what is no option
    if isinstance(first, FileSpec):
        return {value: FileSpec.read(what, {**options, name: value}) for value in read}
    return {value: first.having(**{name: value}) for value in read}


def _solving(solver: str | None, effort: str, backups: int | None) -> dict[str, Any]:
    """Return the fields of a plan that say how to solve."""
    from walkon.solvers.solve import SOLVERS

    if solver is None:
        return solving(effort, backups)
    kind = SOLVERS[solver]
    if backups is not None and "backups" not in kind.__dataclass_fields__:
        raise walkon.InputError(f"--backups is no option of {solver}: leave it out")
    make: Any = kind
    return {"solver": make() if backups is None else make(backups=backups or None)}


def _jobs(plans: "Mapping[Any, Plan]", jobs: int | None, cluster: str | None) -> int | None:
    """Return the number of processes: that which was asked for, else one for each core (None) if that pays."""
    small = all(plan.library.tables and plan.world.scale[0] <= SMALL for plan in plans.values())
    return 1 if small and jobs is None and cluster is None else jobs


@contextmanager
def _store(out: Path | None) -> "Iterator[Store]":
    """Open the store of a folder; of a temporary one where none is given."""
    from walkon.runs.store import Store

    if out is not None:
        with Store(out, write=True) as store:
            yield store
        return
    with TemporaryDirectory() as folder, Store(Path(folder), write=True) as store:
        yield store


def _document(found: Found, name: str, to: str, seed: int) -> dict[str, Any]:
    """Return all numbers; where something is varied, in a list with one document for each value."""
    documents = [{name: value} | _numbers(each, to, seed) for value, each in found.items()]
    return {"vary": name, "points": documents} if name else _numbers(found[None], to, seed)


def _numbers(found: "Comparison", to: str, seed: int) -> dict[str, Any]:
    """Return the numbers over all tasks and for each of them."""
    places: dict[str, int | None] = {"all": None} | {str(k): k for k in range(len(found.tasks))}
    results = {
        name: {
            place: {
                "mean": found.mean(name, k)._asdict(),
                "interquartile_mean": found.interquartile_mean(name, k),
                "difference": None if name == to else found.difference(name, to, k)._asdict(),
                "regret": None if name == to else found.regret(name, to, k),
                "solved": float((found.solved[name] if k is None else found.solved[name][k]).mean()),
            }
            for place, k in places.items()
        }
        for name in found.rows
    }
    facts = {"measure": found.measure, "tasks": found.tasks, "trials": found.trials, "seed": seed, "to": to}
    ends = {"horizon": found.horizon, "unsolved_counts_as": found.horizon if found.measure == "steps" else None}
    return facts | ends | {"bounds": found.bounds, "results": results}


def _print(found: Found, name: str, to: str, by_task: bool) -> None:
    first = next(iter(found.values()))
    tasks = saying.count(len(first.tasks), "task")
    typer.echo(f"{first.words}, in {tasks} with {first.trials} trials each; in brackets 95 % intervals")
    if first.measure == "steps":
        typer.echo(f"a trial that is not solved counts as {first.horizon} steps, the horizon")
    if any(each.bounds[0] != each.bounds[0] for each in found.values()):
        typer.echo("the intervals are Student's, because the task is too large to find the bounds of a trial's number")
    head, rows = _table(found, name, to)
    terminal.print_table(rows, head, left=head[: 2 if name else 1])
    if by_task:
        for value, each in found.items():
            _print_tasks(each, to, f"{name} = {value}" if name else "")


def _table(found: Found, name: str, to: str) -> tuple[list[str], list[list[str]]]:
    """Return the head and the rows of the table."""
    measure = next(iter(found.values())).measure
    rows = []
    for value, each in found.items():
        for agent in each.rows:
            mean, solved, gap = each.mean(agent), float(each.solved[agent].mean()), each.difference(agent, to)
            against = "" if agent == to else saying.interval(gap.mean, gap.low, gap.high, sign="+")
            cells = [agent, saying.interval(mean.mean, mean.low, mean.high), saying.percent(solved), against]
            rows.append([str(value), *cells] if name else cells)
    head = ["agent", measure, "solved", f"against {to}, paired"]
    return [name, *head] if name else head, rows


def _print_tasks(found: "Comparison", to: str, title: str) -> None:
    """Print the mean of each agent with the teammates of each task and of all, and the mean of its middle half."""
    typer.echo(f"{title}\nthe mean in each task, with its teammates; in brackets the regret against {to}".lstrip())
    rows = []
    for agent in found.rows:
        places = [*range(len(found.tasks)), None]
        cells = [f"{found.mean(agent, k).mean:.2f} ({found.regret(agent, to, k):+.2f})" for k in places]
        rows.append([agent, *cells, f"{found.interquartile_mean(agent):.2f}"])
    head = ["agent", *map(str, range(len(found.tasks))), "all", "interquartile mean"]
    terminal.print_table(rows, head, left=("agent",))
    for k, task in enumerate(found.tasks):
        typer.echo(f"{k}  {task}")


def _draw(found: Found, name: str) -> "Figure":
    from walkon.figures.by_agent import draw_comparison
    from walkon.figures.by_setting import draw_sweep

    return draw_sweep(found, name) if name else draw_comparison(found[None])


def _write(found: Found, name: str, to: str, folder: Path) -> None:
    """Write one row for each trial, the table in LaTeX, and the figure."""
    (folder / "trials.csv").write_text(_csv(found, name), encoding="utf-8")
    (folder / "table.tex").write_text(_latex(*_table(found, name, to)), encoding="utf-8")
    for form in ("pdf", "svg"):
        terminal.write_plot(_draw(found, name), folder / f"figure.{form}", "figure")


def _csv(found: Found, name: str) -> str:
    """Return one row for each trial; an empty cell where a number does not apply."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for i, (value, each) in enumerate(found.items()):
        frame = ({name: [value] * len(each.frame()["agent"])} if name else {}) | each.frame()
        if i == 0:
            writer.writerow(frame)
        writer.writerows(["" if cell != cell else cell for cell in row] for row in zip(*frame.values(), strict=True))
    return text.getvalue()


def _latex(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table for LaTeX with the package booktabs."""
    lines = [" & ".join(map(_escaped, row)) + r" \\" for row in (head, *rows)]
    columns = "".join("l" if name in ("agent", head[0]) else "r" for name in head)
    begin, end = rf"\begin{{tabular}}{{{columns}}}", r"\end{tabular}"
    return "\n".join([begin, r"\toprule", lines[0], r"\midrule", *lines[1:], r"\bottomrule", end]) + "\n"


def _escaped(text: str) -> str:
    return "".join(f"\\{letter}" if letter in "&%$#_{}" else letter for letter in text)
