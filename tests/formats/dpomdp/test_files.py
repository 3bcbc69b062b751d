"""`.dpomdp` files: any statements against a slow twin, mistakes by line."""

import warnings
from itertools import product

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import walkon
from walkon.formats.files import FormatError, FormatWarning
from walkon.tasks import dec_pomdp

ONE_FOLDER = settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
STATES, ACTIONS, OBSERVATIONS = ["p", "q"], [["u", "v", "w"], ["0", "1"]], [["k"], ["m", "n"]]
JOINT, SENSED = list(product(*ACTIONS)), list(product(*OBSERVATIONS))
HEAD = """agents: left right
discount: 0.9
values: {values}
states: p q
start: 0.25 0.75
actions:
u v w
2
observations:
k
m n
"""


@st.composite
def joints(draw, names):
    """A joint action or observation as it is written, and the set that it stands for."""
    everything = list(product(*names))
    kind = draw(st.sampled_from(["all", "number", "each"]))
    if kind == "all":
        return "*", set(everything)
    if kind == "number":
        number = draw(st.integers(0, len(everything) - 1))
        return str(number), {everything[number]}
    fields, allowed = [], []
    for own in names:
        i = draw(st.integers(-1, len(own) - 1))
        fields.append("*" if i < 0 else draw(st.sampled_from([own[i], str(i)])))
        allowed.append(own if i < 0 else [own[i]])
    return " ".join(fields), set(product(*allowed))


@st.composite
def statements(draw):
    """A statement, and a list of (cells, value): cells are tuples of a joint action, states, a joint observation."""
    letter = draw(st.sampled_from("TOR"))
    action, acts = draw(joints(ACTIONS))
    state = st.sampled_from([("p", {"p"}), ("1", {"q"}), ("*", {"p", "q"})])
    if letter == "R":
        (x, xs), (y, ys), (z, zs) = draw(state), draw(state), draw(joints(OBSERVATIONS))
        value = st.integers(-9, 9).map(float)
        form = draw(st.integers(2, 4))
        if form == 4:
            number = draw(value)
            return f"R: {action} : {x} : {y} : {z} : {number}", "R", [(product(acts, xs, ys, zs), number)]
        if form == 3:
            numbers = [draw(value) for _ in SENSED]
            cells = [(product(acts, xs, ys, [w]), n) for w, n in zip(SENSED, numbers, strict=True)]
            return f"R: {action} : {x} : {y} :\n{' '.join(map(str, numbers))}", "R", cells
        numbers = [draw(value) for _ in product(STATES, SENSED)]
        cells = [(product(acts, xs, [v], [w]), n) for (v, w), n in zip(product(STATES, SENSED), numbers, strict=True)]
        return f"R: {action} : {x} :\n{' '.join(map(str, numbers))}", "R", cells
    ends = STATES if letter == "T" else SENSED
    x, xs = draw(state)
    kind = draw(st.sampled_from(["uniform", "row uniform", "row", "matrix"] + ["identity"] * (letter == "T")))
    eighths = st.integers(0, 8).map(lambda n: [n / 8, 1 - n / 8])  # both have two values
    if "uniform" in kind:
        field, rows = ("", STATES) if kind == "uniform" else (f" : {x}", xs)
        text = f"{letter}: {action}{field}{draw(st.sampled_from([' :', '']))}\nuniform"
        return text, letter, [(product(acts, rows, ends), 1 / len(ends))]
    if kind == "identity":
        same = [(product(acts, [v], [w]), float(v == w)) for v, w in product(STATES, STATES)]
        return f"T: {action} :\nidentity", "T", same
    rows = [(x, xs)] if kind == "row" else [(v, {v}) for v in STATES]
    numbers = [draw(eighths) for _ in rows]
    cells = [
        (product(acts, vs, [w]), n)
        for (_, vs), row in zip(rows, numbers, strict=True)
        for w, n in zip(ends, row, strict=True)
    ]
    text = "\n".join(" ".join(map(str, row)) for row in numbers)
    return f"{letter}: {action}{f' : {x}' if kind == 'row' else ''} :\n{text}", letter, cells


@ONE_FOLDER
@given(st.lists(statements(), max_size=8), st.sampled_from(["reward", "cost"]))
def test_later_statements_override_earlier_ones(tmp_path, listed, values):
    path = tmp_path / "model.dpomdp"
    text = HEAD.format(values=values) + "T: * :\nidentity\nO: * :\nuniform\n" + "\n".join(each for each, _, _ in listed)
    path.write_text(text + "\n")
    meant = {"T": {}, "O": {}, "R": {}}
    for j, x in product(JOINT, STATES):
        meant["T"] |= {(j, x, y): float(x == y) for y in STATES}
        meant["O"] |= {(j, x, w): 1 / len(SENSED) for w in SENSED}
    for _, letter, cells in listed:
        for each, value in cells:
            meant[letter] |= dict.fromkeys(each, value)
    model = walkon.read_dpomdp(path)
    sign = -1 if values == "cost" else 1
    for j, joint in enumerate(JOINT):
        P, O = model.P[j].toarray(), model.O[j].toarray()
        for (i, x), (k, y) in product(enumerate(STATES), enumerate(STATES)):
            assert P[i, k] == meant["T"][joint, x, y]
        for (i, x), (k, w) in product(enumerate(STATES), enumerate(SENSED)):
            assert O[i, k] == meant["O"][joint, x, w]
        for i, x in enumerate(STATES):
            paid = sum(
                P[i, k] * O[k, n] * meant["R"].get((joint, x, y, w), 0.0)
                for (k, y), (n, w) in product(enumerate(STATES), enumerate(SENSED))
            )
            assert model.R[i, j] == pytest.approx(sign * paid, abs=1e-12)


REST = "T: * :\nidentity\nO: * :\nuniform\nR: u 0 : p : * : * : 5\n"
MISTAKES = {
    "no agents": ("agents: left right\n", "", 11, '"agents:" in the preamble'),
    "no agent": ("agents: left right", "agents: 0", 1, "from 1 to 100 agents"),
    "two agents of one name": ("left right", "left left", 1, "two agents have the same name"),
    "an unknown item": ("discount", "horizon", 2, 'expected one of "agents:"'),
    "a discount": ("0.9", "1.9", 2, r"expected a number in \[0, 1\)"),
    "too few lines": ("u v w\n2\n", "u v w\n", 6, "expected 2 lines of actions, one for each agent, found 1"),
    "too many lines": ("u v w\n2\n", "u v w\n2\n2\n", 9, "expected 2 lines of actions, one for each agent, found 3"),
    "an action of no agent": ("R: u 0", "R: x 0", 16, 'expected a joint action: .*, found "x 0"'),
    "an action of one agent": ("R: u 0", "R: u", 16, 'expected a joint action: .*, found "u"'),
    "a number of no joint action": ("R: u 0", "R: 6", 16, 'a number below 6, .*, found "6"'),
    "a state": (": p : *", ": r : *", 16, 'the number of one of the 2 states, or \\*, found "r"'),
    "two states": (": p : *", ": p q : *", 16, 'found "p q"'),
    "no colon before the number": (" : 5", " 5", 16, 'expected a finite number after the last colon, found "\\*"'),
    "too many fields": (": 5", ": 5 : 5", 16, "expected from 2 to 4 fields"),
    "too few fields": ("R: u 0 : p : * : * :", "R: u 0 :", 16, "expected from 2 to 4 fields .*, found 1"),
    "too few numbers": (": * : 5", ": 5", 16, "expected 2 numbers after 3 fields, found"),
    "no number": (": 5", ": five", 16, 'expected a finite number after the last colon, found "five"'),
    "no probability": ("uniform", "0.5 1.5\n0.5 0.5", 15, "expected a probability from 0 to 1 "),
    "identity of observations": ("uniform", "identity", 15, 'cannot follow 1 fields of "O:"'),
    "not at the beginning of a line": ("T: * :\nidentity", "x T: * :\nidentity", 12, None),
    "nothing after the preamble": (REST, "", None, "nothing is given for it"),
    "a row that lost a case": ("uniform", "0.5 0.4\n0.5 0.5", None, r"O\[0\] row 0 \(\"p\"\) sums to 0.9"),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new", "line", "message"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_named_with_its_line(tmp_path, old, new, line, message):
    text = HEAD.format(values="reward") + REST
    path = tmp_path / "model.dpomdp"
    path.write_text(text)
    walkon.read_dpomdp(path)
    assert old in text
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(FormatError, match=message) as caught:
        walkon.read_dpomdp(path)
    assert caught.value.line == line
    assert "model.dpomdp" in str(caught.value)


def test_rows_that_were_rounded_are_divided_with_a_warning(tmp_path):
    path = tmp_path / "model.dpomdp"
    path.write_text(HEAD.format(values="reward") + REST.replace("uniform", "0.333 0.666\n0.5 0.5"))
    with pytest.warns(FormatWarning, match=r"1 row of O misses 1 by 0\.001, as its digits explain"):
        model = walkon.read_dpomdp(path)
    for o in model.O:
        assert o.toarray()[0].sum() == pytest.approx(1, abs=1e-15)


def test_a_task_that_is_too_large_is_refused_before_it_is_made(tmp_path, monkeypatch):
    path = tmp_path / "model.dpomdp"
    path.write_text(HEAD.format(values="reward") + REST)
    model = walkon.read_dpomdp(path)
    monkeypatch.setattr(dec_pomdp, "LARGEST", 100)
    with pytest.raises(walkon.InputError, match="GiB, more than"):
        model.task([np.full((2, 2), 0.5)])


SCRAPS = [b":", b"*", b"T", b"O:", b"R: *", b" ", b"\n", b"#", b"-", b"1e9", b"0", b"nan", b"uniform", b"identity"]
SCRAPS += [b"agents: 9\n", b"start exclude: p", b"99999999999", b"u", b"u *", b"\xff", b"\r", b"actions:\n", b"0.333"]


@ONE_FOLDER
@given(data=st.data())
def test_the_reader_raises_nothing_but_input_errors(tmp_path, data):
    text = (HEAD.format(values="cost") + REST).encode()
    path = tmp_path / "model.dpomdp"
    for _ in range(data.draw(st.integers(1, 5))):
        at, length = data.draw(st.integers(0, len(text))), data.draw(st.integers(0, 9))
        text = text[:at] + data.draw(st.one_of(st.sampled_from(SCRAPS), st.binary(max_size=3))) + text[at + length :]
    path.write_bytes(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FormatWarning)
        _, error = attempt(walkon.read_dpomdp, path)
    assert error is None or "model.dpomdp" in error


def attempt(reader, path):
    """Return a reader's result, or its error."""
    try:
        return reader(path), None
    except walkon.InputError as error:
        return None, str(error)
