"""Works out what the page shows of one part of a run, from the run's folder. It runs in a process beside the page."""

from collections.abc import Collection
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from walkon.errors import InputError
from walkon.figures.files import as_bytes
from walkon.html import Markup, joined
from walkon.measuring.claims import read_claims
from walkon.measuring.summaries import headline
from walkon.paper import PAPER, READINGS, TALLY
from walkon.paper.parts import Part
from walkon.paper.readings import readings, verdicts_by_reading
from walkon.paper.report.claims import readings as by_reading
from walkon.paper.report.page import QUICK_RUN
from walkon.paper.run import Found, Run
from walkon.runs.store import Score, Store
from walkon.runs.sweep import Entry, Settings
from walkon.saying import count
from walkon.web.results import Mark, drawn_figures
from walkon.web.results_parts import Plate, claims_part, results_tables
from walkon.web.trial_list import Played

ALL_READINGS = "All readings"
NAN = float("nan")


class Seen(NamedTuple):
    """A part of a run, as the page shows it; the figures come later."""

    name: str
    title: str
    about: str
    parts: dict[str, str]  # the titles of all parts that have trials
    settings: str  # of the run, in words
    warnings: tuple[str, ...]  # to be read first
    results: Markup
    claims: Markup
    plates: tuple[Plate, ...]
    played: tuple[Played, ...]


def look_at(folder: Path, wanted: str, mark: Mark) -> Seen:
    """Work out what the page shows of a part of a run; of its first part if none is named."""
    with Store(folder) as store:
        settings, scores = Settings.from_record(store.settings()), store.scores()
        begun = Run(settings).begun(store)
    parts = {name: Part.of(name).title for name, places in begun.items() if _there(name, places, scores)}
    other = [each.name for each in readings() if each.name in parts]
    if len(other) > 1:
        parts[READINGS] = ALL_READINGS
    name = wanted or next(iter(parts), PAPER)
    if name not in parts and name != PAPER:
        raise InputError(f"this run has no trials of {name!r:.40}: it has {', '.join(parts) or 'none'}")
    if name == READINGS:
        part = Part(
            name,
            ALL_READINGS,
            "Every claim under every reading of the paper that was run. The pages of the readings have the rest.",
        )
        named = {
            f"{sweep}, {each}": f"{title}, {each}"
            for each in other
            for sweep, title in Part.of(each).experiments.items()
        }
    else:
        part = Part.of(name)
        named = part.experiments
    found, places = _found(folder, name, mark)
    shown = [figure for figure in part.figures if figure.rows(found.table)]
    plates = tuple(
        Plate(
            each.name,
            each.part if part.reading else each.name,
            each.label,
            each.caption(found.table),
            each.in_words(each.rows(found.table)),
        )
        for each in shown
    )
    words = f"{count(settings.trials, 'trial')} for each task or point, seed {settings.seed}"
    missing = (f"{count(found.missing, 'trial')} of these experiments are missing: the same command runs the rest.",)
    return Seen(
        name,
        part.title,
        part.about,
        parts,
        words,
        ((QUICK_RUN,) if settings.quick else ()) + (missing if found.missing and not mark[1] else ()),
        Markup() if name == READINGS else results_tables(headline(found.table, TALLY), named, TALLY),
        _readings(folder, begun) if name == READINGS else claims_part(part, found.verdicts, plates),
        plates,
        tuple(_played(places, scores, named)),
    )


def _there(name: str, places: list[Entry], finished: Collection[str]) -> bool:
    """Check whether a part has trials; a reading, which shares some with others, needs all of one sweep."""
    if name not in {reading.name for reading in readings()}:
        return any(entry.trial.key in finished for entry in places)
    return bool(
        {entry.sweep for entry in places} - {entry.sweep for entry in places if entry.trial.key not in finished}
    )


@lru_cache(maxsize=1)
def _found(folder: Path, name: str, mark: Mark) -> tuple[Found, list[Entry]]:
    """Collect the trials of a part and judge its claims."""
    with Store(folder) as store:
        begun = Run(Settings.from_record(store.settings())).begun(store)
        if name == READINGS:
            places = [
                entry._replace(sweep=f"{entry.sweep}, {each.name}") for each in readings() for entry in begun[each.name]
            ]
            return Found.of(places, store, ()), places
        part, places = Part.of(name), begun[name]
        sweeps = {entry.sweep for entry in places}
        touched = [each for each in part.claims if {each.sweep, each.other_sweep or each.sweep} <= sweeps]
        return Found.of(places, store, touched if part.reading else part.claims), places


def _readings(folder: Path, begun: dict[str, list[Entry]]) -> Markup:
    with Store(folder) as store:
        literal = Found.of(begun[PAPER], store, read_claims()).verdicts
        return joined(*by_reading(literal, verdicts_by_reading(begun, literal, store)))


def draw(folder: Path, name: str, mark: Mark) -> dict[str, bytes]:
    """Return the pictures of a part: those that the run drew at its end, and else new ones of its trials so far."""
    if name == READINGS:
        return {}
    drawn = {} if mark[1] else drawn_figures(folder)
    table = _found(folder, name, mark)[0].table
    return {
        each.name: drawn[f"{each.name}.svg"].read_bytes()
        if f"{each.name}.svg" in drawn
        else as_bytes(each.draw(table), "svg", each.name)
        for each in Part.of(name).figures
        if each.rows(table)
    }


def _played(places: list[Entry], scores: dict[str, Score], titles: dict[str, str]) -> list[Played]:
    """List the finished trials with an episode, in the order of the experiments."""
    numbers = {sweep: i for i, sweep in enumerate(dict.fromkeys(entry.sweep for entry in places))}
    found: dict[str, Played] = {}
    for sweep, x, _, trial in places:
        score = scores.get(trial.key)
        if score is not None and trial.measure != "setup":
            counted = score.tally is not None
            outcome = (
                count(int(score.tally or 0), TALLY.removesuffix("s"))
                if counted
                else "solved"
                if score.solved
                else "not solved"
            )
            value = score.tally if counted else score.solved
            numeric = (NAN if each is None else each for each in (score.steps, value, score.final_p_true))
            steps, won, belief = numeric
            title = titles.get(sweep, sweep)
            found.setdefault(
                trial.key,
                Played(trial.key, numbers[sweep], title, x, trial.agent, score.task, steps, won, outcome, belief),
            )
    return list(found.values())
