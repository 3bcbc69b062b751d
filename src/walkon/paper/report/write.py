"""The report of a run: one page that stands alone, with the figures and tables as files beside it.

It is a function of the table of results, the verdicts, and what is known about the run. The page holds no address but
those of the files beside it. Every file is replaced as a whole; the page comes last, so that it never promises more
than there is.
"""

from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from walkon.figures.files import FORMATS, palette
from walkon.formats.files import replacing
from walkon.measuring.summaries import Row, best_possible, claims, csv_text, differences, headline, timings
from walkon.measuring.table import Table
from walkon.measuring.verdicts import Verdict
from walkon.paper import TALLY
from walkon.paper.beyond import PLAYED_OUT
from walkon.paper.report.contents import Beyond, Contents, Drawn
from walkon.paper.report.page import page
from walkon.paper.run import BEYOND_FIGURES, FIGURES, Found
from walkon.trials.trial import TIMED


def write_report(
    folder: Path,
    table: Table,
    verdicts: Sequence[Verdict],
    provenance: Mapping[str, Any],
    settings: Mapping[str, Any],
    *,
    missing: int = 0,
    readings: Sequence[Row] = (),
    beyond: Found | None = None,
    plans: Sequence[Row] = (),
) -> Path:
    """Write report.html, figures/ and tables/ into a folder.

    Args:
        folder: Where to; it is made if it is not there.
        table: All results of the run.
        verdicts: What came of the paper's claims.
        provenance: All that is known about how the results came about, nested as it likes.
        settings: What was asked for; "quick", "trials" and "seed" are shown at the top.
        missing: How many trials were asked for and are not finished.
        readings: The claims under other readings of the paper, if they were run.
        beyond: What goes beyond the paper, if it was run.
        plans: What plans for whole libraries took.

    Returns:
        The path of the page.
    """
    plates = [Drawn.of(figure, table) for figure in FIGURES.values()]
    sheets = _sheets(table, verdicts, readings)
    further = None
    if beyond is not None:
        further = Beyond(
            plates=[Drawn.of(figure, beyond.table) for figure in BEYOND_FIGURES.values()],
            verdicts=beyond.verdicts,
            headline=headline(beyond.table, TALLY),
            best=best_possible(beyond.table, PLAYED_OUT),
            plans=plans,
        )
        sheets |= _further_sheets(beyond.table, further)
    for place in (folder, folder / "figures", folder / "tables"):
        place.mkdir(parents=True, exist_ok=True)
    for plate in [*plates, *(further.plates if further else [])]:
        for form in FORMATS:
            path = folder / "figures" / f"{plate.figure.name}.{form}"
            if plate.pictures:
                _write(path, plate.pictures[form])
            else:
                path.unlink(missing_ok=True)  # of an earlier run: it would not belong to this one
        if plate.rows:
            sheets[f"figure-{plate.figure.name}"] = plate.rows
    for name, rows in sheets.items():
        _write(folder / "tables" / f"{name}.csv", csv_text(rows).encode())
    contents = Contents(
        plates=plates,
        verdicts=verdicts,
        provenance=provenance,
        settings=settings,
        missing=missing,
        readings=readings,
        trials=len(table),
        sheets=list(sheets),
        beyond=further,
    )
    style = palette() + (files("walkon.paper.report") / "report.css").read_text(encoding="utf-8")
    _write(folder / "report.html", page(contents, style).encode())
    return folder / "report.html"


def _sheets(table: Table, verdicts: Sequence[Verdict], readings: Sequence[Row]) -> dict[str, list[Row]]:
    """The tables by the names of their files."""
    sheets = {
        "headline": headline(table, TALLY),
        "differences": differences(table, tally=TALLY),
        "claims": claims([each for each in verdicts if each.claim.sweep not in TIMED]),
        "claims-timed": claims([each for each in verdicts if each.claim.sweep in TIMED]),
        "readings": list(readings),
        "timings": timings(table),
        "trials": _trials(table, timed=False),
        "trials-timed": _trials(table, timed=True),
    }
    return {name: rows for name, rows in sheets.items() if rows}


def _further_sheets(table: Table, shown: Beyond) -> dict[str, list[Row]]:
    """The tables of what goes beyond the paper."""
    sheets = {
        "beyond-headline": list(shown.headline),
        "beyond-differences": differences(table, tally=TALLY),
        "beyond-claims": claims(shown.verdicts),
        "beyond-best-possible": list(shown.best),
        "beyond-plans": list(shown.plans),
        "beyond-trials": _trials(table, timed=False),
    }
    return {name: rows for name, rows in sheets.items() if rows}


def _trials(table: Table, *, timed: bool) -> list[Row]:
    """The trials of the sweeps whose numbers are times, or of the others, each as a row."""
    names = [name for name in table.columns if name != "horizon"]  # the files have the columns that they always had
    return [
        {TALLY if name == "tally" else name: table[name][i].item() for name in names}
        for i in range(len(table))
        if (table["sweep"][i] in TIMED) == timed
    ]


def _write(path: Path, content: bytes) -> None:
    with replacing(path) as draft:
        draft.write_bytes(content)
