"""The kitchen against a twin that is written in words, and its teammates against a twin that solves it differently."""

from itertools import product

import numpy as np
import pytest

from walkon.domains import make

HANDS = ["nothing", "onion", "plate", "soup"]
ACTIONS = ["Up", "Down", "Noop", "Act"]


def kitchens():
    keys = ("helper", "cook", "helper holds", "cook holds", "top", "bottom", "pan")
    spans = (["top", "bottom"],) * 2 + (HANDS[:3], HANDS, HANDS[:3], HANDS[:3], [0, 1, 2, "cooked"])
    return [dict(zip(keys, values, strict=True)) for values in product(*spans)]


KITCHENS = kitchens()
INDEX = {tuple(x.values()): i for i, x in enumerate(KITCHENS)}


def play(x, helper, cook):
    """One step, in words; returns the next kitchen and whether a soup was delivered."""
    y = dict(x)
    delivered = False
    for who, action in (("helper", helper), ("cook", cook)):
        if action in ("Up", "Down"):
            y[who] = "top" if action == "Up" else "bottom"
    puts_down = helper == "Act" and x["helper holds"] != "nothing" and x[x["helper"]] == "nothing"
    if puts_down:
        y[x["helper"]], y["helper holds"] = x["helper holds"], "nothing"
    if helper == "Act" and x["helper holds"] == "nothing":
        y["helper holds"] = "onion" if x["helper"] == "top" else "plate"
    if cook == "Act":
        at, item = x["cook"], x["cook holds"]
        if item == "nothing":
            if x[at] != "nothing":
                y["cook holds"], y[at] = x[at], "nothing"
        elif item == "soup":
            if at == "bottom":
                y["cook holds"], delivered = "nothing", True
        elif item == "onion" and at == "top" and x["pan"] != "cooked":
            y["cook holds"] = "nothing"
            y["pan"] = {0: 1, 1: 2, 2: "cooked"}[x["pan"]]
        elif item == "plate" and at == "top" and x["pan"] == "cooked":
            y["cook holds"], y["pan"] = "soup", 0
        elif x[at] == "nothing" and not (puts_down and x["helper"] == at):
            y[at], y["cook holds"] = item, "nothing"
    return y, delivered


@pytest.mark.parametrize("role", ["helper", "cook"])
def test_every_joint_action_agrees_with_the_twin(role):
    task = make("overcooked", role=role)[0]
    for a, b in product(range(4), repeat=2):
        helper, cook = (a, b) if role == "helper" else (b, a)
        results = [play(x, ACTIONS[helper], ACTIONS[cook]) for x in KITCHENS]
        wanted = [INDEX[tuple(y.values())] for y, _ in results]
        matrix = task.mmdp.P[a][b]
        np.testing.assert_array_equal(matrix.indices, wanted)
        np.testing.assert_array_equal(matrix.data, 1)
        soups = np.array([delivered for _, delivered in results])
        np.testing.assert_array_equal(task.tally.counts[:, a, b], soups)
        np.testing.assert_array_equal(task.mmdp.R[:, a, b], np.where(soups, 15, -1))


def optimum(banned=None):
    """Optimal joint actions by plain iteration over tables; what is banned is worth minus infinity."""
    follow = np.zeros((1728, 4, 4), dtype=int)
    paid = np.full((1728, 4, 4), -1.0)
    for i, x in enumerate(KITCHENS):
        for h, c in product(range(4), repeat=2):
            y, delivered = play(x, ACTIONS[h], ACTIONS[c])
            follow[i, h, c] = INDEX[tuple(y.values())]
            if delivered:
                paid[i, h, c] = 15
            taking = ACTIONS[c] == "Act" and x["cook holds"] == "nothing" and x[x["cook"]] != "nothing"
            if taking and x["cook"] == banned:
                paid[i, h, c] = -np.inf
    v = np.zeros(1728)
    for _ in range(900):
        q = paid + 0.95 * v[follow]
        v = q.max(axis=(1, 2))
    top = q.max(axis=(1, 2), keepdims=True)
    ties = q >= top - 1e-9 * np.abs(top)
    return ties / ties.sum(axis=(1, 2), keepdims=True)


@pytest.mark.parametrize(("kind", "banned"), [("greedy", None), ("upper", "bottom"), ("downer", "top")])
def test_planning_cooks_agree_with_the_twin(kind, banned):
    library = make("overcooked", role="helper")
    task = library[library.names.index(f"{kind} cook")]
    np.testing.assert_allclose(task.teammates.toarray(), optimum(banned).sum(axis=1), rtol=0, atol=1e-12)


def test_the_greedy_helper_agrees_with_the_twin():
    task = make("overcooked", role="cook")[0]
    np.testing.assert_allclose(task.teammates.toarray(), optimum().sum(axis=2), rtol=0, atol=1e-12)


def dummy_cook(x):
    wanted = "plate" if x["pan"] == "cooked" else "onion"
    match x["cook holds"]:
        case "soup":
            return "Down" if x["cook"] == "top" else "Act"
        case "nothing":
            return "Act" if x[x["cook"]] == wanted else "Noop"
        case item if item == wanted:
            return "Up" if x["cook"] == "bottom" else "Act"
        case _:
            return "Noop"


def dummy_helper(x):
    wanted = "plate" if x["pan"] == "cooked" else "onion"
    if x["helper holds"] == "nothing":
        if wanted in (x["top"], x["bottom"], x["cook holds"]):
            return "Noop"
        if wanted == "onion":
            return "Act" if x["helper"] == "top" else "Up"
        return "Act" if x["helper"] == "bottom" else "Down"
    if x["helper holds"] != wanted:
        return "Noop"
    beside, far = ("top", "bottom") if x["helper"] == "top" else ("bottom", "top")
    if x[beside] == "nothing":
        return "Act"
    if x[far] == "nothing":
        return "Down" if far == "bottom" else "Up"
    return "Noop"


@pytest.mark.parametrize(("role", "rule"), [("helper", dummy_cook), ("cook", dummy_helper)])
@pytest.mark.parametrize("tremble", [0.0, 0.25])
def test_dummies_agree_with_the_twin(role, rule, tremble):
    task = make("overcooked", role=role, tremble=tremble)[1]
    wanted = [[tremble / 4 + (1 - tremble) * (rule(x) == action) for action in ACTIONS] for x in KITCHENS]
    np.testing.assert_allclose(task.teammates.toarray(), wanted, rtol=0, atol=1e-15)
