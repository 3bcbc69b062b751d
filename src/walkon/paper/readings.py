"""Figures 2a and 5a under other readings of the paper.

Where the paper can be read in another way, the world or the agent has an option for it. The same trials are run with
that option, and the same claims are tested.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from walkon.domains.night_pursuit.tasks import pool
from walkon.measuring.summaries import Row
from walkon.measuring.verdicts import Verdict, judge
from walkon.paper import PAPER
from walkon.paper.night import BASELINE
from walkon.paper.pursuit import PURSUIT
from walkon.runs.store import Store
from walkon.runs.sweep import NOTHING, Entry, Point, Sweep
from walkon.runs.tabulate import tabulate
from walkon.trials.trial import WorldSpec

POOLS = (1001, 1002)  # other seeds for the pool of placements
READ_ANEW = {"baseline": "2a", "pursuit": "5a"}  # the sweeps, and the figures whose claims are tested


def readings() -> dict[str, tuple[Sweep, ...]]:
    """The sweeps under each other reading, by its name."""
    night, torus = BASELINE.points[0].world, PURSUIT.points[0].world
    return {
        "capture from any two sides": (_in(PURSUIT, torus.having(capture="adjacent")),),
        "noise as printed": (_in(PURSUIT, torus.having(literal_noise=True)),),
        "a teammate whose moves fail too": (_in(BASELINE, night.having(teammate_noise=True)),),
        "BOPA by transitions": (replace(BASELINE, evidence="transitions"), replace(PURSUIT, evidence="transitions")),
        **{
            f"a pool drawn with seed {seed}": (_in(BASELINE, night.having(tasks=pool(5, seed=seed)[: night.size])),)
            for seed in POOLS
        },
    }


def _in(sweep: Sweep, world: WorldSpec) -> Sweep:
    return replace(sweep, points=(Point(NOTHING, world),))


def verdicts_by_reading(begun: Mapping[str, Sequence[Entry]], ours: Sequence[Verdict], store: Store) -> list[Row]:
    """The verdicts on the claims of figures 2a and 5a under each reading whose trials are all finished.

    Args:
        begun: The trials of each part of a run, by its name.
        ours: The verdicts under our reading.
        store: The results.
    """
    finished = store.finished()
    before = {verdict.claim.id: verdict for verdict in ours}
    found: dict[str, tuple[Verdict, ...]] = {}
    for name in readings():
        places = begun.get(name, ())
        played = {entry.sweep for entry in places}
        mine = [entry for entry in begun[PAPER] if entry.sweep in played]
        if mine and {entry.trial.key for entry in (*places, *mine)} <= finished:
            claims = [each.claim for each in ours if READ_ANEW.get(each.claim.sweep) == each.claim.figure]
            found[name] = judge(tabulate(places, store), [claim for claim in claims if claim.sweep in played])
    return [
        {
            "reading": name,
            "figure": verdict.claim.figure,
            "claim": verdict.claim.says,
            "verdict": verdict.outcome,
            "ours": before[verdict.claim.id].outcome,
            "changed": "yes" if verdict.outcome != before[verdict.claim.id].outcome else "no",
            "estimate": verdict.decisive.estimate,
            "low": verdict.decisive.low,
            "high": verdict.decisive.high,
            "words": verdict.words,
        }
        for name, verdicts in found.items()
        for verdict in verdicts
    ]
