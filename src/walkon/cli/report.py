"""`walkon report`: figures, tables and claims of a run that exists."""

import math
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from walkon.measuring.table import Table
    from walkon.runs.store import Store
    from walkon.runs.sweep import Entry


def report(
    folder: Annotated[Path, typer.Argument(help="The folder of a run of `walkon reproduce`.")],
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Draw figures, test claims and write the report of a run that exists; nothing is run."""
    from walkon.runs.store import Store

    with Store(folder) as store:
        conclude(store, json)


def conclude(store: "Store", json: bool) -> None:
    """Write the report of what a store holds, and say what came out."""
    from walkon.cli import terminal
    from walkon.measuring.claims import BEYOND, read_claims
    from walkon.measuring.summaries import headline
    from walkon.measuring.verdicts import judge
    from walkon.paper.beyond import beyond, plans
    from walkon.paper.readings import verdicts_by_reading
    from walkon.paper.report import Further, write_report
    from walkon.paper.sweeps import TALLY, sweeps
    from walkon.runs.sweep import Settings, entries
    from walkon.runs.tabulate import tabulate

    with terminal.err.status("drawing figures, testing claims"):
        settings = Settings.from_record(store.settings())
        places = [entry for sweep in sweeps(settings.quick) for entry in entries(sweep, settings)]
        planned = plans(store)  # there are none unless something beyond the paper was run
        more = [entry for sweep in beyond(settings.quick) for entry in entries(sweep, settings)] if planned else []
        table, further = tabulate(places, store), tabulate(more, store)
        missing = _missing(table, places) + _missing(further, more)
        verdicts = judge(table)
        expected = judge(further, read_claims(BEYOND)) if len(further) else ()
        page = write_report(
            store.folder,
            table,
            verdicts,
            _provenance(store, [entry.trial.key for entry in [*places, *more]]),
            settings.record(),
            missing=missing,
            readings=verdicts_by_reading(store, settings),
            beyond=Further(further, expected, planned) if len(further) else None,
        )
    if json:
        terminal.print_json(
            {
                "report": str(page),
                "settings": settings.record(),
                "trials": len(table) + len(further),
                "missing": missing,
                "results": headline(table, TALLY) + headline(further, TALLY),
                "claims": {verdict.claim.id: verdict.outcome for verdict in [*verdicts, *expected]},
            }
        )
        return
    _print(headline(table, TALLY) + headline(further, TALLY), settings.quick, missing, page, {
        "the paper's claims": Counter(verdict.outcome for verdict in verdicts),
        "beyond the paper": Counter(verdict.outcome for verdict in expected),
    })  # fmt: skip


def _missing(table: "Table", places: "list[Entry]") -> int:
    """How many trials of the sweeps that were begun are not there."""
    begun = set(table["sweep"].tolist())
    return sum(entry.sweep in begun for entry in places) - len(table)


def _provenance(store: "Store", keys: list[str]) -> dict[str, Any]:
    """Who made the trials, with what, and of which models."""
    rows = list(store.rows(keys))
    made = Counter(row.session for row in rows)
    sessions = store.sessions()
    policies = [facts for facts in store.policies() if facts["problem"]["task"] is not None]
    wholes = [facts for facts in store.policies() if facts["problem"]["task"] is None]
    return {
        "calls": [facts | {"trials": made[number]} for number, facts in sessions.items() if made[number]],
        "libraries": len({row.library for row in rows}),
        "policies": {
            **_took(policies),
            "not converged": sum(facts["stopped"] != "converged" for facts in policies),
        },
        **({"plans for whole libraries": _took(wholes)} if wholes else {}),
        "digits": "the same on one kind of processor; across kinds the last digits may differ",
    }


def _took(policies: list[dict[str, Any]]) -> dict[str, int]:
    return {"solved": len(policies), "core seconds": round(sum(facts["seconds"] for facts in policies))}


def _print(
    rows: list[dict[str, Any]], quick: bool, missing: int, page: Path, verdicts: dict[str, Counter[str]]
) -> None:
    from rich.table import Table

    from walkon.cli.terminal import out
    from walkon.paper.sweeps import TALLY

    table = Table(box=None, padding=(0, 2, 0, 0))
    for name in ("experiment", "agent", "trials", "steps", "solved", TALLY):
        table.add_column(name, justify="left" if name in ("experiment", "agent") else "right")
    for row in rows:
        if row["x"] is None:
            cells = (_mean(row, "steps"), _percent(row["solved"]), _mean(row, TALLY))
            table.add_row(row["sweep"], row["agent"], str(row["n"]), *cells)
    out.print(table, highlight=False)
    for whose, counts in verdicts.items():
        if counts or not any(verdicts.values()):
            counted = ", ".join(f"{counts[each]} {each}" for each in ("holds", "fails", "not decided") if counts[each])
            out.print(f"{whose}: {counted or 'no data'}", highlight=False)
    if quick:
        out.print("this was a quick run: rough policies and few trials, not the paper's experiment", style="yellow")
    if missing:
        out.print(f"{missing:,} trials are missing: call walkon reproduce again", style="yellow", highlight=False)
    out.print(f"report: {page}", highlight=False, soft_wrap=True)


def _mean(row: dict[str, Any], name: str) -> str:
    """A mean and half the width of its interval; nothing where it does not apply."""
    return "" if math.isnan(row[name]) else f"{row[name]:.2f} ± {(row[f'{name}_high'] - row[name]):.2f}"


def _percent(share: float) -> str:
    return "" if math.isnan(share) else f"{100 * share:.0f} %"
