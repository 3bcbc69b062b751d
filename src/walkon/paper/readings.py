"""How much hangs on our reading of the paper: figures 2a and 5a again, under each other option.

Where the paper is open to another reading, the world or the agent has an option for it. The same trials are run with
that option, and the same claims are tested.
"""

from dataclasses import replace

from walkon.domains.night_pursuit.tasks import pool
from walkon.measuring.claims import read_claims
from walkon.measuring.summaries import Row
from walkon.measuring.verdicts import Verdict, judge
from walkon.paper.sweeps import BASELINE, PURSUIT
from walkon.runs.store import Store
from walkon.runs.sweep import Point, Settings, Sweep, entries
from walkon.runs.tabulate import tabulate
from walkon.trials.trial import WorldSpec

OURS = "our reading"
POOLS = (1001, 1002)  # other seeds for the pool of placements


def readings() -> dict[str, tuple[Sweep, ...]]:
    """The sweeps under each reading, by its name; ours first."""
    night, torus = BASELINE.points[0].world, PURSUIT.points[0].world
    others = {
        f"a pool drawn with seed {seed}": (_in(BASELINE, night.having(tasks=pool(5, seed=seed)[: night.size])),)
        for seed in POOLS
    }
    return {
        OURS: (BASELINE, PURSUIT),
        "capture from any two sides": (_in(PURSUIT, torus.having(capture="adjacent")),),
        "noise as printed": (_in(PURSUIT, torus.having(literal_noise=True)),),
        "a teammate whose moves fail too": (_in(BASELINE, night.having(teammate_noise=True)),),
        "BOPA by transitions": (replace(BASELINE, evidence="transitions"), replace(PURSUIT, evidence="transitions")),
        **others,
    }


def _in(sweep: Sweep, *worlds: WorldSpec) -> Sweep:
    return replace(sweep, points=tuple(Point(float("nan"), world) for world in worlds))


def verdicts_by_reading(store: Store, settings: Settings) -> list[Row]:
    """The verdict on each claim of figures 2a and 5a under each reading that was run; nothing if only ours was."""
    found: dict[str, dict[str, Verdict]] = {}
    finished = store.finished()
    for name, under in readings().items():
        places = [entry for sweep in under for entry in entries(sweep, settings)]
        if not {entry.trial.key for entry in places} <= finished:
            continue
        table = tabulate(places, store)
        played = {sweep.name for sweep in under}
        claims = [claim for claim in read_claims() if claim.figure in ("2a", "5a") and claim.sweep in played]
        found[name] = {verdict.claim.id: verdict for verdict in judge(table, claims)}
    ours = found.pop(OURS, {})
    return [
        {
            "reading": name,
            "figure": verdict.claim.figure,
            "claim": verdict.claim.says,
            "verdict": verdict.outcome,
            "ours": ours[key].outcome,
            "changed": "yes" if verdict.outcome != ours[key].outcome else "no",
            "estimate": verdict.decisive.estimate,
            "low": verdict.decisive.low,
            "high": verdict.decisive.high,
            "words": verdict.words,
        }
        for name, verdicts in found.items()
        for key, verdict in verdicts.items()
        if key in ours
    ]
