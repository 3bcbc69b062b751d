"""`walkon report`: writes the report of an existing run."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from walkon import saying
from walkon.cli import terminal
from walkon.cli.options import Json

if TYPE_CHECKING:
    from walkon.runs.store import Store


def report(
    folder: Annotated[Path, typer.Argument(help="The folder of a run of `walkon reproduce`.")],
    json: Json = False,
) -> None:
    """Draw the figures, test the claims and write the report of an existing run; nothing is run."""
    from walkon.runs.store import Store

    with Store(folder) as store:
        conclude(store, json)


def conclude(store: "Store", json: bool) -> None:
    """Write the report of the results in a store, and print a summary."""
    from walkon.measuring import claims
    from walkon.measuring.summaries import headline
    from walkon.paper import BEYOND, PAPER, TALLY
    from walkon.paper.report.write import write_report
    from walkon.paper.run import Found, Run, verdicts_by_reading
    from walkon.runs.sweep import Settings
    from walkon.runs.tabulate import plans

    with terminal.err.status("drawing figures, testing claims"):
        settings = Settings.from_record(store.settings())
        begun = Run(settings).begun(store)
        paper, beyond = (
            Found.of(begun[part], store, claims.read_claims(source))
            for part, source in ((PAPER, claims.PAPER), (BEYOND, claims.BEYOND))
        )
        page = write_report(
            store.folder,
            paper.table,
            paper.verdicts,
            _provenance(store, [entry.trial.key for part in (PAPER, BEYOND) for entry in begun[part]]),
            settings.record(),
            missing=paper.missing + beyond.missing,
            readings=verdicts_by_reading(begun, paper.verdicts, store),
            beyond=beyond if len(beyond.table) else None,
            plans=plans(store),
        )
    missing, expected = paper.missing + beyond.missing, beyond.verdicts if len(beyond.table) else ()
    results = headline(paper.table, TALLY) + headline(beyond.table, TALLY)
    if json:
        facts = {"report": str(page), "settings": settings.record(), "trials": len(paper.table) + len(beyond.table)}
        claimed = {verdict.claim.id: verdict.outcome for verdict in [*paper.verdicts, *expected]}
        terminal.print_json(facts | {"missing": missing, "results": results, "claims": claimed})
        return
    _print(results, settings.quick, missing, page, {
        "the paper's claims": Counter(verdict.outcome for verdict in paper.verdicts),
        "beyond the paper": Counter(verdict.outcome for verdict in expected),
    })  # fmt: skip


def _provenance(store: "Store", keys: list[str]) -> dict[str, Any]:
    """Return the provenance of the trials: calls, libraries and policies."""
    rows = list(store.rows(keys))
    made = Counter(row.session for row in rows)
    sessions = store.sessions()
    policies = [facts for facts in store.policies() if facts["problem"]["task"] is not None]
    wholes = [facts for facts in store.policies() if facts["problem"]["task"] is None]
    return {
        "calls": [facts | {"trials": made[number]} for number, facts in sessions.items() if made[number]],
        "libraries": len({row.library for row in rows}),
        "policies": _cost(policies) | {"not converged": sum(each["stopped"] != "converged" for each in policies)},
        **({"plans for whole libraries": _cost(wholes)} if wholes else {}),
        "digits": "the same on one kind of processor; across kinds the last digits may differ",
    }


def _cost(policies: list[dict[str, Any]]) -> dict[str, int]:
    return {"solved": len(policies), "core seconds": round(sum(facts["seconds"] for facts in policies))}


def _print(
    rows: list[dict[str, Any]], quick: bool, missing: int, page: Path, verdicts: dict[str, Counter[str]]
) -> None:
    from walkon.paper import TALLY

    cells = (
        (
            row["sweep"],
            row["agent"],
            str(row["n"]),
            _mean(row, "steps"),
            saying.percent(row["solved"]),
            _mean(row, TALLY),
        )
        for row in rows
        if row["x"] is None
    )
    head = ("experiment", "agent", "trials", "steps", "solved", TALLY)
    terminal.print_table(cells, head, left=head[:2])
    for whose, counts in verdicts.items():
        if counts or not any(verdicts.values()):
            counted = ", ".join(f"{counts[each]} {each}" for each in ("holds", "fails", "not decided") if counts[each])
            typer.echo(f"{whose}: {counted or 'no data'}")
    if quick:
        typer.secho("this was a quick run: rough policies and few trials, not the paper's experiment", fg="yellow")
    if missing:
        typer.secho(f"{missing:,} trials are missing: call walkon reproduce again", fg="yellow")
    typer.echo(f"report: {page}")


def _mean(row: dict[str, Any], name: str) -> str:
    return saying.mean(row[name], row[f"{name}_high"] - row[name])
