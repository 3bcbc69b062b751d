"""The report of a run: one page that stands alone, with the figures and tables as files beside it.

It is a function of the table of results, the verdicts and the provenance, and links to nothing but the files beside it.
Every file is replaced as a whole, and the page is written last, so that it never names a file that is not there yet.
"""

from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any

from walkon.figures.files import FORMATS, palette
from walkon.formats.files import replacing
from walkon.measuring.summaries import Row, best_possible, claims, csv_text, differences, headline, timings
from walkon.measuring.table import Table
from walkon.measuring.verdicts import Verdict
from walkon.paper import FITTED, TALLY
from walkon.paper.beyond import PLAYED_OUT
from walkon.paper.experiments import EXPERIMENTS
from walkon.paper.readings import rows_by_reading
from walkon.paper.report.dark import Dark
from walkon.paper.report.page import Beyond, Contents, Drawn, page
from walkon.paper.run import BEYOND_FIGURES, DARK_FIGURES, FIGURES, Found
from walkon.trials.trial import TIMED

TIMED_SWEEPS = {sweep.name for each in EXPERIMENTS for sweep in each.sweeps if sweep.measure in TIMED}


def write_report(
    folder: Path,
    table: Table,
    verdicts: Sequence[Verdict],
    provenance: Mapping[str, Any],
    settings: Mapping[str, Any],
    *,
    missing: int = 0,
    fitted: Table | None = None,
    readings: Mapping[str, Sequence[Verdict]] = MappingProxyType({}),
    beyond: Found | None = None,
    plans: Sequence[Row] = (),
    dark: Found | None = None,
    policies: Sequence[Mapping[str, Any]] = (),
) -> Path:
    """Write report.html, figures/ and tables/ into a folder.

    Args:
        folder: The folder; it is made if necessary.
        table: All results of the run.
        verdicts: The verdicts on the paper's claims.
        provenance: How the results were made, as nested mappings and lists.
        settings: The settings of the run; "quick", "trials" and "seed" are shown at the top.
        missing: How many trials of the run are not finished.
        fitted: The results under the fitted reading of the paper, if it was run.
        readings: The verdicts under other readings of the paper, by their names.
        beyond: The results beyond the paper, if they were run.
        plans: What the plans for whole libraries cost.
        dark: The results of the second paper, if it was run.
        policies: The facts about all solved policies.

    Returns:
        The path of the page.
    """
    plates = [Drawn.of(figure, table) for figure in FIGURES.values()]
    others = []
    if fitted is not None and len(fitted):
        others = [Drawn.of(figure.under(FITTED), fitted) for figure in FIGURES.values()]
        others = [plate for plate in others if plate.pictures]
    timed = [verdict for verdict in verdicts if verdict.claim.sweep in TIMED_SWEEPS]
    sheets = {
        "headline": headline(table, TALLY),
        "differences": differences(table, tally=TALLY),
        "claims": claims([verdict for verdict in verdicts if verdict not in timed]),
        "claims-timed": claims(timed),
        "readings": rows_by_reading(verdicts, readings),
        "timings": timings(table),
        "trials": _trials(table, timed=False),
        "trials-timed": _trials(table, timed=True),
    }
    if others and fitted is not None:
        sheets |= {
            "fitted-headline": headline(fitted, TALLY),
            "fitted-differences": differences(fitted, tally=TALLY),
            "fitted-claims": claims(readings.get(FITTED, ())),
            "fitted-trials": _trials(fitted, timed=False),
        }
    further = None
    if beyond is not None:
        further = Beyond(
            plates=[Drawn.of(figure, beyond.table) for figure in BEYOND_FIGURES.values()],
            verdicts=beyond.verdicts,
            headline=headline(beyond.table, TALLY),
            best=best_possible(beyond.table, PLAYED_OUT),
            plans=plans,
        )
        sheets |= {
            "beyond-headline": list(further.headline),
            "beyond-differences": differences(beyond.table, tally=TALLY),
            "beyond-claims": claims(further.verdicts),
            "beyond-best-possible": list(further.best),
            "beyond-plans": list(plans),
            "beyond-trials": _trials(beyond.table, timed=False),
        }
    second = None
    if dark is not None:
        second = Dark.of(dark, policies), [Drawn.of(figure, dark.table) for figure in DARK_FIGURES.values()]
        sheets |= {**second[0].sheets, "dark-trials": _trials(dark.table, timed=False, scored=True)}
    sheets = {name: rows for name, rows in sheets.items() if rows}
    for place in (folder, folder / "figures", folder / "tables"):
        place.mkdir(parents=True, exist_ok=True)
    for plate in [*plates, *others, *(further.plates if further else []), *(second[1] if second else [])]:
        for form in FORMATS:
            path = folder / "figures" / f"{plate.figure.name}.{form}"
            if plate.pictures:
                _write(path, plate.pictures[form])
            else:
                path.unlink(missing_ok=True)  # one of an earlier run does not belong here
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
        fitted=others,
        readings=readings,
        trials=len(table) + len(fitted or ()),
        sheets=list(sheets),
        beyond=further,
        dark=second,
    )
    style = palette() + (files("walkon.paper.report") / "report.css").read_text(encoding="utf-8")
    _write(folder / "report.html", page(contents, style).encode())
    return folder / "report.html"


def _trials(table: Table, *, timed: bool, scored: bool = False) -> list[Row]:
    """A row for each trial of the sweeps that measure time, or of the others; with scores if wanted."""
    later = {"horizon", "states"} | (set() if scored else {"score"})  # the columns of the files stay as they were
    names = [name for name in table.columns if name not in later]
    return [
        {TALLY if name == "tally" else name: table[name][i].item() for name in names}
        for i in range(len(table))
        if (table["sweep"][i] in TIMED_SWEEPS) == timed
    ]


def _write(path: Path, content: bytes) -> None:
    with replacing(path) as draft:
        draft.write_bytes(content)
