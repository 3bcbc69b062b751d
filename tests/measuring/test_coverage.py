"""How often intervals cover the truth, and how often tests reject it, by simulation at the truths of truths.toml.

`PYTHONPATH=tests python tests/measuring/test_coverage.py 10000` prints the table of docs/claims.md.
"""

import math
import os
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

import walkon
from judging import claim
from walkon.domains.classics import tiger
from walkon.measuring.across import gap_closed_together, mean_of_worlds, spearman
from walkon.measuring.exact import Bounded, Median, Share
from walkon.measuring.statistics import COVERED, bounded_interval, estimate, mean_of, minus, student_interval
from walkon.measuring.table import Table
from walkon.measuring.trends import Orders, exponents, gap_closed, growth, rises
from walkon.measuring.verdicts import judge

LONG = bool(os.environ.get("WALKON_LONG"))
TIMES = 4_000 if LONG else 80
TRUTHS = tomllib.loads((Path(__file__).parent / "truths.toml").read_text())["truth"]
CASES = [pytest.param(truth, n, id=f"{truth['name']}, n = {n}") for truth in TRUTHS for n in truth["n"]]
NAN = float("nan")


def draw(law, chance, shape):
    if "values" in law:
        return chance.choice(np.array(law["values"], float), shape, p=law["weights"])
    if "steps" in law:
        return np.minimum(chance.geometric(1 / law["steps"], shape), law["cap"]).astype(float)
    return chance.normal(0, law["normal"], shape) if "normal" in law else chance.beta(*law["beta"], shape)


def mean(law):
    if "values" in law:
        return float(np.dot(law["values"], law["weights"]))
    if "steps" in law:
        return capped(law["steps"], law["cap"])
    return 0.0 if "normal" in law else law["beta"][0] / sum(law["beta"])


def capped(steps, cap=50):
    """The mean of min(G, cap), G being geometric: (1 - (1 - q)^cap) / q with q = 1 / steps."""
    return steps * (1 - (1 - 1 / steps) ** cap)


def drawn_steps(means, chance, n):
    return np.minimum(np.stack([chance.geometric(1 / mean, n) for mean in means], axis=-1), 50).astype(float)


def one(truth, chance, n):
    """The true value, and what is found in one experiment."""
    kind = truth["kind"]
    if kind == "mean":
        shape = (n, truth.get("over", 1))
        numbers, value = draw(truth["law"], chance, shape).mean(axis=1), mean(truth["law"])
        if "minus" in truth:
            numbers, value = numbers - draw(truth["minus"], chance, shape).mean(axis=1), value - mean(truth["minus"])
        return value, mean_of(numbers, truth.get("low", NAN), truth.get("high", NAN), counts=truth.get("counts", False))
    if kind == "share":
        return truth["p"], Share(int(chance.binomial(n, truth["p"])), n)
    if kind == "median":
        return truth["median"], Median(np.sort(draw(truth["law"], chance, n)))
    if kind == "rise":
        value = float(rises(truth["x"], np.array([[capped(each) for each in truth["steps"]]]))[0])
        return value, estimate(rises(truth["x"], drawn_steps(truth["steps"], chance, n)))
    if kind == "growth":
        value = growth(truth["x"], np.array([[capped(each) for each in truth["steps"]]])).value
        return value, growth(truth["x"], drawn_steps(truth["steps"], chance, n))
    if kind == "times":
        noise = chance.normal(0, truth["spread"], (n, len(truth["x"])))
        return 1.0, exponents(truth["x"], np.log10(truth["x"]) + noise)
    if kind == "orders":
        parts = [mean_of(apart(truth, each, chance, n), -100, 100) for each in truth["apart"] * truth["points"]]
        return float(np.mean(np.array(truth["apart"]) > 0)), Orders(tuple(parts), n)
    if kind == "elsewhere":
        means = [estimate(draw(law, chance, n)) for law in truth["laws"]]
        return mean(truth["laws"][0]) - mean(truth["laws"][1]), minus(*means)
    if kind == "worlds":
        own = [estimate(draw(law, chance, n)) for law in truth["laws"]]
        return float(np.mean([mean(law) for law in truth["laws"]])), mean_of_worlds(own)
    if kind == "ranks":
        pearson = 2 * math.sin(math.pi * truth["rho"] / 6)  # of normal numbers with this rank correlation
        first, other = chance.standard_normal((2, n))
        return truth["rho"], spearman(np.array([first, pearson * first + math.sqrt(1 - pearson**2) * other]))
    if kind == "gaps":
        worlds = [drawn_steps(steps, chance, n) for steps in truth["steps"]]
        ours, worse, best = np.sum([[capped(each) for each in steps] for steps in truth["steps"]], axis=0)
        return (worse - ours) / (worse - best), gap_closed_together(worlds)
    steps = np.stack([drawn_steps(truth["steps"], chance, n) for _ in range(truth["points"])], axis=-1)
    ours, worse, best = map(capped, truth["steps"])
    return 1 - (ours - best) / (worse - best), gap_closed(steps)


def apart(truth, steps, chance, n):
    """Differences of two agents, the second of which takes so many steps more."""
    if "law" in truth:
        return draw(truth["law"], chance, n) - mean(truth["law"]) - steps
    return draw({"steps": 12, "cap": 50}, chance, n) - draw({"steps": 12, "cap": 50}, chance, n) - steps


def simulate(truth, n, times, seed=0):
    """The shares of experiments in which intervals of 95 and 90 % cover, and one-sided tests at 5 and 2.5 % reject.

    The interval between bounds holds what is not refuted (test_exact.py), and is not computed.
    """
    chance = np.random.default_rng([seed, n])
    found = []
    for _ in range(times):
        value, each = one(truth, chance, n)
        p, q, covers = each.p_below(value), each.p_above(value), []
        for level in (0.95, 0.9):
            if isinstance(each, Bounded):
                covers.append(min(p, q) >= (1 - level) / 2)
            else:
                low, high = each.interval(level)
                covers.append(low - 1e-9 <= value <= high + 1e-9)
        found.append([*covers, p < 0.05, q < 0.05, p < 0.025, q < 0.025, isinstance(each, Bounded)])
    return np.mean(found, axis=0)


@pytest.mark.parametrize(("truth", "n"), CASES)
def test_intervals_cover_the_truth_and_tests_keep_their_level(truth, n):
    """At least 93 and 88 %; at most 7 and 4.5 % on the side to which the numbers lean. Chance may add four errors."""
    cover, cover_less, *sizes, _ = simulate(truth, n, TIMES)

    def slack(p):
        return 4 * math.sqrt(p * (1 - p) / TIMES)

    assert cover >= 0.93 - slack(0.93)
    assert cover_less >= 0.88 - slack(0.88)
    assert max(sizes[:2]) <= 0.07 + slack(0.07)
    assert max(sizes[2:]) <= 0.045 + slack(0.045)


BOUNDED = {  # what a trial of a comparison may count: a law, and its bounds
    "steps, quick": ({"steps": 3, "cap": 50}, 0, 50),
    "steps": ({"steps": 9, "cap": 50}, 0, 50),
    "steps, often cut at the horizon": ({"steps": 24, "cap": 50}, 0, 50),
    "steps, one trial in 300 never solved": ({"values": [3, 5, 7, 50], "weights": [0.3, 0.4, 0.2967, 0.0033]}, 0, 50),
    "steps, one in 100 never solved": ({"values": [3, 5, 7, 50], "weights": [0.3, 0.4, 0.29, 0.01]}, 0, 50),
    "steps, one in 30 never solved": ({"values": [3, 5, 7, 50], "weights": [0.3, 0.4, 0.27, 0.03]}, 0, 50),
    "steps, one in 10 never solved": ({"values": [3, 5, 7, 50], "weights": [0.3, 0.4, 0.2, 0.1]}, 0, 50),
    "steps, one half never solved": ({"values": [3, 5, 50], "weights": [0.3, 0.2, 0.5]}, 0, 50),
    "solved: nearly always": ({"values": [0, 1], "weights": [0.02, 0.98]}, 0, 1),
    "solved: one half": ({"values": [0, 1], "weights": [0.5, 0.5]}, 0, 1),
    "difference: none but in one trial of 30": ({"values": [0, 45], "weights": [0.97, 0.03]}, -50, 50),
    "difference: small, and rarely large": ({"values": [-1, 0, 1, -20], "weights": [0.2, 0.6, 0.18, 0.02]}, -50, 50),
    "difference: skewed": ({"values": [-1, 0, 1, 45], "weights": [0.2, 0.4, 0.2, 0.2]}, -50, 50),
    "soups of Random": ({"values": [0, 1, 2, 3], "weights": [0.88, 0.09, 0.02, 0.01]}, 0, 5),
    "soups: a rare dead end": ({"values": [0, -4], "weights": [0.985, 0.015]}, -5, 5),
    "return: skewed": ({"beta": [0.2, 1.5]}, 0, 1),
    "return: U-shaped": ({"beta": [0.3, 0.3]}, 0, 1),
}


@pytest.mark.parametrize("n", [2, 4, 8, 16, 32, 64, 128, 512] if LONG else [2, 8, 64])
@pytest.mark.parametrize("name", BOUNDED)
def test_the_intervals_of_a_comparison_cover_also_where_trials_are_few_or_few_trials_are_bad(name, n):
    """At least 93 % whatever the law, where Student's covers 58 %; four errors of chance are allowed."""
    law, low, high = BOUNDED[name]
    chance, truth, times = np.random.default_rng(n), mean(law), TIMES
    covered = 0
    for numbers in draw(law, chance, (times, n)):
        found = bounded_interval(numbers, low, high)
        covered += found.low - 1e-9 <= truth <= found.high + 1e-9
        assert low <= found.low <= found.mean <= found.high <= high
    assert covered / times >= 0.93 - 4 * math.sqrt(0.93 * 0.07 / times)


@pytest.mark.parametrize("n", [2, 8, 27, 64, 128])
@pytest.mark.parametrize("low", [0.0, 15.0])
def test_the_interval_of_a_comparison_covers_the_worst_of_all_laws_on_two_values(low, n):
    """Exactly, not by chance: coverage is least where the truth lies just beyond an end, and 15 is the worst of 20."""
    found = [bounded_interval([low] * (n - k) + [50.0] * k, 0, 50) for k in range(n + 1)]
    ends = np.array([[each.low, each.high] for each in found])
    worst = 1.0
    for truth in np.concatenate([ends[:, 0] - 1e-9, ends[:, 1] + 1e-9]):
        share = (truth - low) / (50 - low)
        if 0 < share < 1:
            inside = (ends[:, 0] <= truth) & (truth <= ends[:, 1])
            worst = min(worst, float(binom.pmf(np.arange(n + 1), n, share)[inside].sum()))
    assert worst >= 0.928


def test_the_interval_of_what_a_policy_earns_covers_from_the_number_of_episodes_on_from_which_it_is_printed():
    """The tiger's returns are skewed: of five episodes, the interval covers in 80 %."""
    rng, problem = np.random.default_rng(0), tiger()
    policy = walkon.solve(problem, walkon.Ascent(backups=2000)).policy
    earned = walkon.simulate(problem, policy, episodes=20_000, seed=1)

    def covers(n):
        found = [student_interval(rng.choice(earned, n)) for _ in range(1000)]
        return np.mean([each.low <= earned.mean() <= each.high for each in found])

    assert covers(5) < 0.9
    assert covers(COVERED) >= 0.93 - 3 * np.sqrt(0.93 * 0.07 / 1000)


def test_where_one_trial_in_a_hundred_is_never_solved_students_interval_does_not_cover():
    """So that nobody takes it back."""
    law, _, _ = BOUNDED["steps, one in 100 never solved"]
    samples = draw(law, np.random.default_rng(0), (400, 64))
    covered = [found.low <= mean(law) <= found.high for found in map(student_interval, samples)]
    assert np.mean(covered) < 0.75


AGENTS = ("value-iteration", "perseus", "atpo", "bopa", "random")


def runs(means, times, n=32):
    """Tables of steps with these true means."""
    chance = np.random.default_rng(5)
    for _ in range(times):
        steps = np.concatenate([mean + chance.normal(0, 3, n) for mean in means])
        columns = {"sweep": np.full(5 * n, "baseline"), "x": np.full(5 * n, NAN), "agent": np.repeat(AGENTS, n)}
        yield Table(columns | {"pair": np.tile(np.arange(float(n)), 5), "steps": steps}, {})


def outcomes(claims, means):
    times = max(TIMES // 4, 100)
    return times, [[verdict.outcome for verdict in judge(table, claims)] for table in runs(means, times)]


def test_a_false_claim_holds_and_any_true_claim_of_a_figure_fails_in_few_runs_whatever_their_number():
    """In at most 2.5 and 5 %: the first of two-sided tests at 5 %, the second after Holm."""
    alike = (("perseus", "atpo"), ("atpo", "bopa"), ("perseus", "bopa"), ("bopa", "perseus"))
    figure = [claim(pairs=alike), claim(id="within", must="stay within", margin=2.0, pairs=(("atpo", "random"),))]
    times, found = outcomes(figure, [0, 5, 5, 5, 7])
    assert np.mean(["fails" in each for each in found]) <= 0.05 + 4 * math.sqrt(0.05 / times)
    one_is_false = [claim(pairs=(("value-iteration", "random"), ("value-iteration", "bopa"), ("perseus", "atpo")))]
    times, found = outcomes(one_is_false, [0, 5, 5, 9, 9])
    assert np.mean([each == ["holds"] for each in found]) <= 0.025 + 4 * math.sqrt(0.025 / times)
    at_margin = [claim(must="stay within", margin=2.0, pairs=(("perseus", "atpo"), ("bopa", "random")))]
    times, found = outcomes(at_margin, [0, 5, 7, 9, 9])
    assert np.mean([each == ["holds"] for each in found]) <= 0.05 + 4 * math.sqrt(0.05 / times)


if __name__ == "__main__":
    print("| truth | n | 95 % covers | 90 % covers | at 5 % below, above | at 2.5 % | by bounds |")
    print("|---|---|---|---|---|---|---|")
    for truth in TRUTHS:
        for n in truth["n"]:
            cover, less, p, q, p2, q2, bounded = 100 * simulate(truth, n, int(sys.argv[1]))
            sizes = f"{p:.1f}, {q:.1f} | {p2:.1f}, {q2:.1f}"
            print(f"| {truth['name']} | {n} | {cover:.1f} | {less:.1f} | {sizes} | {bounded:.0f} |", flush=True)
