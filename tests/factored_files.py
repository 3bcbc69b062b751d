"""Random POMDPX files, and a slow twin of their reader.

A file is drawn as plain data (`File`), from which both its XML and the numbers that it means are made. The twin goes
through all assignments of all variables, and looks each number up in the list of entries, the last of which wins, or
walks down the diagram.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np
from hypothesis import strategies as st

LETTER = {"before": "s", "after": "s", "observed": "o", "action": "a"}
EIGHTHS = [[8, 0, 0], [4, 4, 0], [2, 6, 0], [1, 3, 4], [0, 8, 0], [3, 3, 2], [0, 1, 7]]


@dataclass
class Table:
    """A function: `axes` are pairs (layer, number), the last of a probability being the variable itself."""

    axes: list
    probability: bool
    entries: list | None = None  # of (fields, numbers or keyword); a field is a number, "*" or "-"
    diagram: object = None  # ("node", axis, {value: diagram}), ("terminal", text), or a kind with its axis
    templates: dict | None = None


@dataclass
class File:
    """A model; sizes by layer: "before" and "after" are the same."""

    sizes: dict
    seen: list
    start: list
    moves: list
    sensors: list
    rewards: list

    def size(self, axis):
        layer, number = axis
        return self.sizes["before" if layer == "after" else layer][number]


def name(axis):
    layer, number = axis
    return {"before": f"x{number}_0", "after": f"x{number}_1", "observed": f"z{number}", "action": f"a{number}"}[layer]


def word(axis, value):
    return f"{LETTER[axis[0]]}{value}"


# What the file means, number by number


def evaluate(file, table, at):
    """The number of a table at a dictionary from axes to values."""
    if table.entries is None:
        return walk(file, table, table.diagram, at)
    found = 0.0
    for fields, numbers in table.entries:
        if all(field in ("*", "-") or field == at[axis] for axis, field in zip(table.axes, fields, strict=True)):
            each = [axis for axis, field in zip(table.axes, fields, strict=True) if field == "-"]
            if numbers == "uniform":
                found = 1 / file.size(table.axes[-1])
            elif numbers == "identity":
                found = float(at[each[0]] == at[each[1]])
            else:
                place = 0
                for axis in each:
                    place = place * file.size(axis) + at[axis]
                found = float(numbers[place])
    return found


def walk(file, table, diagram, at):
    kind, *rest = diagram
    if kind == "node":
        axis, edges = rest
        return walk(file, table, edges[at[axis]], at) if at[axis] in edges else 0.0
    if kind == "terminal":
        return float(rest[0])
    if kind == "template":
        return walk(file, table, table.templates[rest[0]], at)
    axis = rest[0]
    if kind == "uniform":
        return 1 / file.size(axis)
    return float(at[axis] == (at["before", axis[1]] if kind == "persistent" else rest[1]))


def assignments(file, layer):
    return [
        {(layer, i): value for i, value in enumerate(values)}
        for values in product(*map(range, file.sizes["before" if layer == "after" else layer]))
    ]


def product_of(file, tables, at):
    result = 1.0
    for table in tables:
        result *= evaluate(file, table, at)
    return result


def twin(file):
    """P [A, X, X], O [A, X, Z], R [X, A] and the start [X], from all assignments."""
    before, after = assignments(file, "before"), assignments(file, "after")
    sensed, acts = assignments(file, "observed"), assignments(file, "action")
    seen = [i for i, each in enumerate(file.seen) if each]
    X, A = len(before), len(acts)
    Z = len(sensed) * int(np.prod([file.sizes["before"][i] for i in seen], dtype=int))
    P, O, R = np.zeros((A, X, X)), np.zeros((A, X, Z)), np.zeros((X, A))
    for a, act in enumerate(acts):
        for y, arrived in enumerate(after):
            for k, sense in enumerate(sensed):
                place = 0
                for i in seen:
                    place = place * file.sizes["before"][i] + arrived["after", i]
                O[a, y, place * len(sensed) + k] = product_of(file, file.sensors, act | arrived | sense)
        for x, left in enumerate(before):
            for y, arrived in enumerate(after):
                P[a, x, y] = product_of(file, file.moves, act | left | arrived)
                for sense in sensed if P[a, x, y] else ():
                    at = act | left | arrived | sense
                    weight = P[a, x, y] * product_of(file, file.sensors, at)
                    R[x, a] += weight * sum(evaluate(file, table, at) for table in file.rewards)
    return P, O, R, np.array([product_of(file, file.start, at) for at in before])


# The file as XML


def to_xml(file):
    def variables(tag, layer, more=""):
        return "".join(
            f'<{tag} vname="{name((layer, i))}"{more}><NumValues>{size}</NumValues></{tag}>\n'
            for i, size in enumerate(file.sizes[layer])
        )

    states = "".join(
        f'<StateVar vnamePrev="x{i}_0" vnameCurr="x{i}_1" fullyObs="{str(file.seen[i]).lower()}">'
        f"<ValueEnum>{' '.join(f's{v}' for v in range(size))}</ValueEnum></StateVar>\n"
        for i, size in enumerate(file.sizes["before"])
    )
    rewards = "".join(f'<RewardVar vname="r{k}"/>' for k in range(len(file.rewards)))
    parts = [
        '<?xml version="1.0"?>\n<pomdpx version="1.0"><Discount>0.9</Discount>\n<Variable>',
        states + variables("ActionVar", "action") + variables("ObsVar", "observed") + rewards + "</Variable>\n",
    ]
    functions = {"InitialStateBelief": file.start, "StateTransitionFunction": file.moves}
    functions |= {"ObsFunction": file.sensors, "RewardFunction": file.rewards}
    for function, tables in functions.items():
        if tables:
            inner = "".join(table_xml(table, f"r{k}") for k, table in enumerate(tables))
            parts.append(f"<{function}>{inner}</{function}>\n")
    return "".join(parts) + "</pomdpx>"


def table_xml(table, reward):
    *parents, own = table.axes if table.probability else (*table.axes, None)
    outer, numbers = ("CondProb", "ProbTable") if table.probability else ("Func", "ValueTable")
    head = f"<Var>{name(own) if own else reward}</Var><Parent>{' '.join(map(name, parents)) or 'null'}</Parent>"
    if table.entries is None:
        templates = "".join(
            f'<SubDAGTemplate id="{key}">{diagram_xml(each)}</SubDAGTemplate>' for key, each in table.templates.items()
        )
        inner = f'<Parameter type="DD"><DAG>{diagram_xml(table.diagram)}</DAG>{templates}</Parameter>'
    else:
        inner = '<Parameter type="TBL">'
        for fields, given in table.entries:
            words = [f if f in ("*", "-") else word(axis, f) for axis, f in zip(table.axes, fields, strict=True)]
            text = given if isinstance(given, str) else " ".join(given)
            inner += f"<Entry><Instance>{' '.join(words)}</Instance><{numbers}>{text}</{numbers}></Entry>\n"
        inner += "</Parameter>"
    return f"<{outer}>{head}{inner}</{outer}>\n"


def diagram_xml(diagram):
    kind, *rest = diagram
    if kind == "node":
        axis, edges = rest
        inner = "".join(f'<Edge val="{word(axis, v)}">{diagram_xml(each)}</Edge>' for v, each in edges.items())
        return f'<Node var="{name(axis)}">{inner}</Node>'
    if kind == "terminal":
        return f"<Terminal>{rest[0]}</Terminal>"
    if kind == "template":
        return f'<SubDAG type="template" idref="{rest[0]}"/>'
    value = f' val="{word(rest[0], rest[1])}"' if kind == "deterministic" else ""
    return f'<SubDAG type="{kind}" var="{name(rest[0])}"{value}/>'


# Random files


@st.composite
def files(draw):
    """Models of at most a few dozen states, whose tables are valid whatever entries override others."""
    sizes = {
        "before": draw(st.lists(st.integers(1, 3), min_size=1, max_size=3)),
        "action": draw(st.lists(st.integers(1, 3), min_size=1, max_size=2)),
        "observed": draw(st.lists(st.integers(1, 3), max_size=2)),
    }
    count = len(sizes["before"])
    file = File(sizes, [draw(st.booleans()) for _ in range(count)], [], [], [], [])
    acts = [("action", i) for i in range(len(sizes["action"]))]
    left, arrived = [[(layer, i) for i in range(count)] for layer in ("before", "after")]
    rank = draw(st.permutations(range(count)))  # a variable may depend on those before it in this order

    def parents(candidates):
        return draw(st.lists(st.sampled_from(candidates), max_size=3, unique=True)) if candidates else []

    def earlier(axes, i):
        return [axis for axis in axes if rank.index(axis[1]) < rank.index(i)]

    for i in range(count):
        file.start.append(draw(tables(file, [*parents(earlier(left, i)), left[i]])))
        file.moves.append(draw(tables(file, [*parents(acts + left + earlier(arrived, i)), arrived[i]])))
    sensed = [("observed", j) for j in range(len(sizes["observed"]))]
    for j, axis in enumerate(sensed):
        file.sensors.append(draw(tables(file, [*parents(acts + arrived + sensed[:j]), axis])))
    for _ in range(draw(st.integers(0, 2))):
        file.rewards.append(draw(reward_tables(file, parents(acts + left + arrived + sensed))))
    return file


def row(draw, size):
    """A distribution, in numbers that are exact in binary."""
    parts = draw(st.permutations(draw(st.sampled_from(EIGHTHS)))) if size == 3 else [draw(st.integers(0, 8))]
    parts = parts if size == 3 else [*parts, 8 - parts[0]] if size == 2 else [8]
    return [repr(part / 8) for part in parts]


@st.composite
def tables(draw, file, axes):
    """A conditional probability."""
    if draw(st.integers(0, 3)) == 0:
        templates = {"t": draw(diagrams(file, axes, len(axes) - 1, {}))}
        return Table(axes, True, diagram=draw(diagrams(file, axes, 0, templates)), templates=templates)
    *parents, own = axes
    size = file.size(own)
    entries = []
    for i in range(draw(st.integers(1, 4))):
        fields = [draw(st.sampled_from(["*", "-"] + ([] if i == 0 else list(range(file.size(p)))))) for p in parents]
        each = [p for p, field in zip(parents, fields, strict=True) if field == "-"]
        kind = draw(st.sampled_from(["rows", "uniform", "identity", "one"]))
        if kind == "uniform":
            entries.append(([*fields, draw(st.sampled_from(["*", "-"]))], "uniform"))
        elif kind == "identity" and len(each) == 1 and file.size(each[0]) == size:
            entries.append(([*fields, "-"], "identity"))
        elif kind == "one":  # a row of zeros, then a single cell
            plain = ["*" if field == "-" else field for field in fields]
            entries += [([*plain, "*"], ["0"]), ([*plain, draw(st.integers(0, size - 1))], ["1.0"])]
        else:
            rows = int(np.prod([file.size(p) for p in each], dtype=int))
            entries.append(([*fields, "-"], [number for _ in range(rows) for number in row(draw, size)]))
    return Table(axes, True, entries)


@st.composite
def diagrams(draw, file, axes, depth, templates):
    """A diagram of a conditional probability, which may ask for each parent in turn."""
    *parents, own = axes
    if depth < len(parents) and draw(st.booleans()):
        axis = parents[depth]
        edges = {v: draw(diagrams(file, axes, depth + 1, templates)) for v in range(file.size(axis))}
        return ("node", axis, edges)
    kinds = ["uniform", "deterministic", "node"] + (["template"] if templates else [])
    if own[0] == "after" and ("before", own[1]) in parents:
        kinds.append("persistent")
    kind = draw(st.sampled_from(kinds))
    if kind == "node":
        numbers = row(draw, file.size(own))
        return ("node", own, {v: ("terminal", number) for v, number in enumerate(numbers) if float(number)})
    if kind == "template":
        return ("template", "t")
    return (kind, own, draw(st.integers(0, file.size(own) - 1))) if kind == "deterministic" else (kind, own)


@st.composite
def reward_tables(draw, file, axes):
    """A reward: any cells with any numbers."""
    number = st.integers(-20, 20).map(lambda n: repr(n / 4))
    if axes and draw(st.booleans()):
        diagram = ("terminal", draw(number))
        for axis in axes:
            values = draw(st.lists(st.integers(0, file.size(axis) - 1), unique=True, min_size=1))
            diagram = ("node", axis, {v: draw(st.sampled_from([diagram, ("terminal", draw(number))])) for v in values})
        return Table(axes, False, diagram=diagram, templates={})
    entries = []
    for _ in range(draw(st.integers(0, 4))):
        fields = [draw(st.sampled_from(["*", "-", *range(file.size(axis))])) for axis in axes]
        count = np.prod([file.size(a) for a, field in zip(axes, fields, strict=True) if field == "-"], dtype=int)
        entries.append((fields, [draw(number) for _ in range(count)]))
    return Table(axes, False, entries)
