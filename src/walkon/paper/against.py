"""The second paper's numbers beside ours: scores, differences, times, single targets, and what can be told apart."""

from collections.abc import Collection, Iterable, Mapping
from itertools import combinations
from typing import Any

import numpy as np

from walkon.measuring.statistics import Estimate, estimate, holm, mean_interval, minus
from walkon.measuring.summaries import Row
from walkon.measuring.table import Table
from walkon.paper.dark import DESCRIBED, PLACES, RUN, TIMED, published
from walkon.tasks.distinguish import steps_apart
from walkon.trials.trial import WorldSpec, frozen

NAN = float("nan")
BEST, WORST = "value-iteration", "random"  # a relative score is 100 and 0 for these


def scores(table: Table) -> list[Row]:
    """Summarize scores and returns of each agent in each world, relative to best and worst, and as published."""
    rows: list[Row] = []
    theirs = {tuple(row[1:3]): row[4] for row in published()["samples"] if row[0] == "table"}
    for place in PLACES:
        for variant in (RUN, DESCRIBED):
            trials = table.where(sweep=place.sweep(variant))
            own = {agent: mean_interval(each["score"]) for agent, each in trials.by_agent()}
            printed = {agent: theirs[place.name, agent] for agent in own if (place.name, agent) in theirs}
            for agent, played in trials.by_agent():
                score, earned = own[agent], mean_interval(played["return"])
                row: Row = {"world": place.name, "variant": variant, "agent": agent, "n": score.n}
                row |= {"score": score.mean, "score_low": score.low, "score_high": score.high}
                row |= {"return": earned.mean, "return_low": earned.low, "return_high": earned.high}
                row |= {"solved": float(played["solved"].mean())}
                row |= {"relative": _relative(agent, {name: each.mean for name, each in own.items()})}
                beside = variant == RUN and agent in printed
                row |= {"published": printed[agent] if beside else NAN}
                rows.append(row | {"published_relative": _relative(agent, printed) if beside else NAN})
    return rows


def _relative(agent: str, means: Mapping[str, float]) -> float:
    """Return how far an agent is on the way from Random to Value Iteration, in per cent."""
    if BEST not in means or WORST not in means or means[BEST] == means[WORST]:
        return NAN
    return 100 * (means[agent] - means[WORST]) / (means[BEST] - means[WORST])


def differences(table: Table) -> list[Row]:
    """Compare our scores, as run, with each published sample: tasks weighted as there, p-values after Holm over all."""
    rows: list[Row] = []
    for sample, world, agent, n, mean, deviation, counts in published()["samples"]:
        trials = table.where(sweep=world, agent=agent)
        if not len(trials):
            continue
        ours = weighted(trials, counts)
        found = minus(ours, Estimate(mean, deviation / np.sqrt(n), n, n - 1))
        p = min(1.0, 2 * min(found.p_below(0.0), found.p_above(0.0)))
        rows.append(
            {"world": world, "agent": agent, "sample": sample, "ours": ours.value, "error": ours.error}
            | {"published": mean, "published_error": float(deviation / np.sqrt(n))}
            | {"difference": found.value, "difference_error": found.error, "p": p}
        )
    adjusted = holm([float(str(row["p"])) for row in rows])
    return [row | {"p_holm": each} for row, each in zip(rows, adjusted, strict=True)]


def weighted(trials: Table, counts: Iterable[int]) -> Estimate:
    """Estimate the mean score if each task were played as often as in these counts, the tasks being in their order."""
    tasks = list(dict.fromkeys(trials["task"][np.argsort(trials["pair"], kind="stable")].tolist()))
    weights = np.array(list(counts), dtype=np.float64)
    each = [estimate(trials.where(task=task)["score"]) for task in tasks]
    weights /= weights.sum()
    value = weights @ [one.value for one in each]
    error = np.hypot.reduce(weights * [one.error for one in each])
    n = sum(one.n for one in each)
    return Estimate(float(value), float(error), n, n - len(each))


def times(policies: Iterable[Mapping[str, Any]], table: Table) -> list[Row]:
    """List the seconds that solving one task takes, and one decision, beside those of the paper."""
    solved: dict[WorldSpec, list[float]] = {}
    for facts in policies:
        problem = facts["problem"]
        if problem["task"] is not None and problem["recipe"]["solver"] == "ascent":
            world = WorldSpec(problem["world"]["domain"], frozen(problem["world"]["options"]))
            solved.setdefault(world, []).append(float(facts["seconds"]))
    rows: list[Row] = []
    for place in PLACES:
        world = place.world(RUN)
        named = dict(world.options).get("tasks", ())
        own = [each for task in named for each in solved.get(world.having(tasks=(task,)), ())] + solved.get(world, [])
        if own:
            setup, solving = published()["times"][place.name]
            solve: Row = {"what": f"solving a task of {place.name}", "n": len(own), "seconds": float(np.mean(own))}
            rows.append(solve | {"most": max(own), "published": float(setup + solving)})
    decided = table.where(sweep="gridworld-decision", agent="atpo")
    for K in TIMED:
        taken = decided.where(x=float(K)).curves.get("decision_seconds", np.empty((0, 0)))
        there = taken[~np.isnan(taken)]
        if len(there):
            row: Row = {"what": f"a decision with {K} tasks", "n": len(there), "seconds": float(there.mean())}
            rows.append(row | {"most": float(there.max()), "published": 0.0134 + 0.0057 * K})
    return rows


def targets(table: Table) -> list[Row]:
    """Summarize ATPO's score for each target of the sweep over libraries; the paper's broken one is marked."""
    trials = table.where(sweep="gridworld-tasks", agent="atpo")
    broken = PLACES[0].world(RUN).having(tasks=(published()["sweep"]["broken"],)).make().names[0]
    rows: list[Row] = []
    for task in sorted(set(trials["task"].tolist())):
        own = trials.where(task=task)
        found = mean_interval(own["score"])
        rows.append(
            {"target": task, "n": found.n, "score": found.mean, "low": found.low, "high": found.high}
            | {"unsolved": int((own["solved"] == 0).sum()), "broken": "as published" if task == broken else ""}
        )
    return rows


def findings(sweeps: Collection[str]) -> list[Row]:
    """Say for each pair of tasks in these worlds after how many steps observations can first differ; None if never."""
    rows: list[Row] = []
    for place in PLACES:
        for variant in (RUN, DESCRIBED):
            if place.sweep(variant) not in sweeps:
                continue
            library = place.world(variant).make()
            for i, j in combinations(range(len(library)), 2):
                apart = steps_apart(library[i], library[j])
                rows.append({"world": place.name, "variant": variant, "one": i, "other": j, "steps": apart})
    return rows
