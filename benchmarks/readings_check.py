"""Check the worlds under other readings of the paper against numbers that were found independently.

`python benchmarks/readings_check.py [TRIALS] [ROW ...]` solves the tasks of each reading with `Ascent` and as many
backups as the reference used, plays TRIALS episodes (1,000 if not given) with each agent, and compares the means with
the reference, which was made with another program from the same description of the worlds. A difference of more than
three standard errors, those of both sides together, is marked. With about 150 comparisons none is expected by chance
more than once in two and a half runs. Rows of a table are written as they are found.

The reference was solved by the `Ascent` of version 0.1, whose sets of vectors were not closed. Only one number shows
it: the belief after 50 steps of "hunt GO adjacent", which is 0.94 with policies of that solver and 0.865 with today's.
"""

import sys
from itertools import chain
from math import hypot, sqrt
from typing import NamedTuple

import numpy as np

import walkon

MOMENTS = (5, 10, 20, 50)  # steps after which the belief is compared
NORMAL = 1.96
LIMIT = 3  # standard errors


class Row(NamedTuple):
    """A reading: the world, its options, and what the reference has for it."""

    world: str
    options: dict
    backups: int
    trials: int  # of the reference
    scores: dict  # by agent: mean and half of the 95 % interval, of steps or soups
    beliefs: tuple  # ATPO's p(true) after MOMENTS; None where it is not printed


WORLDS = {  # the world; the backups and the trials of the reference; its agents
    "night": ("night-pursuit", 12_000, 800, ("perseus", "atpo", "bopa", "bayes")),
    "hunt": ("pursuit", 8_000, 600, ("perseus", "atpo", "bopa")),
    "kitchen": ("overcooked", 0, 1_200, ("value-iteration", "atpo", "assistant", "random")),
}
OPTIONS = {
    "GO": {"after_capture": "continues"},
    "GH": {"after_capture": "continues-paying"},
    "NW": {"sees_walls": True},
    "NC": {"start": "corners"},
    "NO": {"start": "corner"},
    "fixed": {"ties": "first"},
    "adjacent": {"capture": "adjacent"},
    "printed": {"literal_noise": True},
    "OS": {"cooks": "stubborn"},
}
# The reading; mean and half-width for each agent of its world, - for none; p(true) after 5, 10, 20 and 50 steps.
REFERENCES = """
night          ; 7.37 .27, 18.25 1.00, 20.97 1.10, 12.20 .57 ; .42 .54 .67 .79
night GO       ; 7.39 .28, 18.10 .97, 21.17 1.10, 12.17 .56  ; .45 .62 .80 .97
night GH       ; 7.72 .32, 18.49 1.01, 21.79 1.14, 13.43 .73 ; .46 .62 .80 .95
night NW       ; 6.39 .21, 10.71 .46, 14.15 .70, 8.92 .34    ; .65 .87 .98 1.0
night NW GO    ; 6.40 .21, 10.71 .46, 14.39 .72, 8.94 .34    ; .66 .88 .98 1.0
night NW GH    ; 7.12 .40, 11.80 .57, 16.18 .93, 9.43 .41    ; .65 .86 .97 1.0
night NC       ; 4.8 .4, 13.3 1.1, 13.0 1.2, -               ; - .76 - .88
night NO       ; 6.5 .4, 14.2 1.1, 13.7 1.2, -               ; - .77 - .91
hunt           ; 8.76 .57, 8.87 .58, 9.52 .63                ; .46 .56 .59 .59
hunt GO        ; 9.01 .59, 8.73 .56, 10.46 .81               ; .49 .67 .87 .99
hunt GH        ; 9.32 .65, 9.04 .61, 9.42 .62                ; .48 .64 .85 .99
hunt fixed     ; 7.81 .50, 8.86 .56, 9.36 .55                ; .59 .70 .73 .73
hunt GO fixed  ; 7.87 .50, 9.05 .56, 10.43 .76               ; .62 .81 .96 1.0
hunt GO adjacent ; 4.74 .24, 4.88 .26, 5.36 .41              ; .45 .60 .76 .94
hunt GO printed ; 10.22 .66, 10.97 .67, 13.02 1.03           ; .46 .62 .80 .97
kitchen        ; 4.50 .06, 4.49 .06, 4.50 .06, 0.18 .06      ; .72 .85 .86 -
kitchen OS     ; 4.50 .06, 4.43 .06, 4.50 .06, 0.18 .06      ; .75 .92 .95 -
kitchen fixed  ; 4.50 .06, 4.50 .06, 4.50 .06, 0.17 .06      ; .76 1.0 1.0 -
kitchen OS fixed ; 4.50 .06, 4.48 .06, 4.50 .06, 0.17 .06    ; .67 .99 1.0 -
"""


def rows():
    """The readings, by their names."""
    for text in REFERENCES.strip().splitlines():
        name, scores, beliefs = (part.strip() for part in text.split(";"))
        place, *readings = name.split()
        world, backups, trials, agents = WORLDS[place]
        means = dict(zip(agents, (pair.split() for pair in scores.split(",")), strict=True))
        yield (
            name,
            Row(
                world,
                {word: value for reading in readings for word, value in OPTIONS[reading].items()},
                backups,
                trials,
                {agent: tuple(map(float, pair)) for agent, pair in means.items() if pair != ["-"]},
                tuple(None if p == "-" else float(p) for p in beliefs.split()),
            ),
        )


def libraries(row):
    """The libraries of a row: one, or those of both roles in the kitchen."""
    if not row.backups:
        return [walkon.make(row.world, role=role, **row.options) for role in ("helper", "cook")]
    return [walkon.make(row.world, **row.options)]


def played(row, library, name, policies, each):
    """Scores of an agent, and what ATPO believes of the true task after MOMENTS, in `each` episodes of every task."""
    scores, beliefs = [], []
    for k, task in enumerate(library):
        told = {"target": k} if name in ("perseus", "value-iteration") else {}
        solved = {"policies": policies} if name in ("atpo", "perseus") and policies else {}
        solver = {"solver": walkon.Ascent(backups=row.backups)} if name == "bayes" else {}
        agent = walkon.agent(name, library, **told, **solved, **solver)
        for episode in walkon.play_many(task, agent, range(k * each, (k + 1) * each)):
            scores.append(episode.steps if row.backups else episode.soups)
            if name == "atpo":
                beliefs.append([episode.task_beliefs[min(t, len(episode.actions)), k] for t in MOMENTS])
    return scores, beliefs


def line(name, what, ours, wanted, half):
    """One comparison, as a row of the table; whether it is within the limit."""
    error = hypot(np.std(ours, ddof=1) / sqrt(len(ours)), half / NORMAL)
    away = (np.mean(ours) - wanted) / error if error else 0.0
    ok = abs(np.mean(ours) - wanted) < 0.005 or abs(away) <= LIMIT
    print(f"| {name} | {what} | {np.mean(ours):.3f} | {wanted} | {away:+.1f} | {'' if ok else '**'} |", flush=True)
    return ok


def main(trials=1_000, *names):
    """Compare each row."""
    print("| reading | what | here | reference | standard errors | |\n|---|---|---|---|---|---|")
    good = []
    for name, row in rows():
        if names and name not in names:
            continue
        made = libraries(row)
        each = -(-int(trials) // sum(map(len, made)))
        solver = walkon.Ascent(backups=row.backups) if row.backups else None
        solved = [[walkon.solve(task.pomdp, solver) for task in library] if solver else None for library in made]
        for agent, (mean, half) in row.scores.items():
            found = [played(row, *each_of, each) for each_of in zip(made, [agent] * len(made), solved, strict=True)]
            scores, beliefs = ([*chain.from_iterable(one[i] for one in found)] for i in (0, 1))
            good.append(line(name, agent, scores, mean, half))
            for t, p, column in zip(MOMENTS, row.beliefs, zip(*beliefs, strict=True), strict=False):
                if p is not None:  # the reference prints two digits, and half-widths of at most 0.03
                    same = NORMAL * np.std(column, ddof=1) / sqrt(row.trials)
                    good.append(line(name, f"p(true) after {t}", column, p, hypot(same, NORMAL * 0.005)))
    print(f"\n{sum(good)} of {len(good)} within {LIMIT} standard errors")


if __name__ == "__main__":
    main(*sys.argv[1:])
