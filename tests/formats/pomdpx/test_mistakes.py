"""Mistakes in POMDPX files are reported by line, with a remedy; rounding and unknown elements with a note."""

import warnings

import numpy as np
import pytest

import walkon
from walkon.errors import InputError
from walkon.formats.files import FormatError, FormatWarning
from walkon.formats.pomdpx import cells, diagrams, variables

MODEL = """<pomdpx version="1.0">
<Discount>0.9</Discount>
<Variable>
<StateVar vnamePrev="x0" vnameCurr="x1" fullyObs="false"><ValueEnum>p q r</ValueEnum></StateVar>
<ActionVar vname="a"><NumValues>2</NumValues></ActionVar>
<ObsVar vname="z"><NumValues>3</NumValues></ObsVar>
<RewardVar vname="w"/>
</Variable>
<InitialStateBelief><CondProb><Var>x0</Var><Parent>null</Parent>
<Parameter type="TBL"><Entry><Instance>-</Instance><ProbTable>0.333 0.333 0.333</ProbTable></Entry></Parameter>
</CondProb></InitialStateBelief>
<StateTransitionFunction><CondProb><Var>x1</Var>
<Parent>a x0</Parent>
<Parameter type="TBL">
<Entry><Instance>a0 - -</Instance><ProbTable>identity</ProbTable></Entry>
<Entry><Instance>a1 * -</Instance><ProbTable>uniform</ProbTable></Entry>
</Parameter></CondProb></StateTransitionFunction>
<ObsFunction><CondProb><Var>z</Var><Parent>x1</Parent>
<Parameter type="DD">
<DAG><Node var="x1">
<Edge val="p"><SubDAG type="uniform" var="z"/></Edge>
<Edge val="q"><SubDAG type="deterministic" var="z" val="o1"/></Edge>
<Edge val="r"><SubDAG type="template" idref="t"/></Edge>
</Node></DAG>
<SubDAGTemplate id="t"><Node var="z"><Edge val="o0"><Terminal>1.0</Terminal></Edge></Node></SubDAGTemplate>
</Parameter></CondProb></ObsFunction>
<RewardFunction><Func><Var>w</Var><Parent>a x0</Parent><Parameter>
<Entry><Instance>a0 *</Instance><ValueTable>1.5</ValueTable></Entry>
</Parameter></Func></RewardFunction>
</pomdpx>
"""


def read(tmp_path, text, **options):
    path = tmp_path / "model.pomdpx"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FormatWarning)
        return walkon.read_pomdpx(path, **options)


def test_the_original_is_sound(tmp_path):
    model = read(tmp_path, MODEL)
    np.testing.assert_allclose(model.O[1].toarray(), [[1 / 3] * 3, [0, 1, 0], [1, 0, 0]])
    np.testing.assert_array_equal(model.R, [[1.5, 0]] * 3)


STATES = '<StateVar vnamePrev="x0" vnameCurr="x1" fullyObs="false"><ValueEnum>p q r</ValueEnum></StateVar>'
MISTAKES = {  # what is replaced, by what, and the line and words of the message
    "not XML": ("</Variable>", "</Var>", 8, "not well-formed"),
    "another root": ("<pomdpx ", "<Policy ", 1, "expected <pomdpx>"),
    "a document type": ("<pomdpx ", '<!DOCTYPE x [<!ENTITY e "e">]><pomdpx ', 1, "document type.*remove it"),
    "an unknown element": ("</Discount>", "</Discount><Horizon>3</Horizon>", 2, "found <Horizon>: --skip-unknown"),
    "an unknown attribute": ("fullyObs", "fullObs", 4, "attribute fullObs, expected vnamePrev.*--skip-unknown"),
    "text between tags": ("<Variable>", "<Variable>hello", 4, "expected a tag in <Variable>, found 'hello'"),
    "no discount": ("<Discount>0.9</Discount>", "", 1, "no <Discount>: add it"),
    "two discounts": ("<Discount>", "<Discount>0.5</Discount><Discount>", 2, "second time"),
    "a discount above 1": ("0.9", "1.9", 2, r"expected a number in \[0, 1\)"),
    "a discount that is none": ("0.9", "often", 2, r"expected a number in \[0, 1\)"),
    "no states": (STATES, "", 3, "no <StateVar>"),
    "an element elsewhere": ("</Variable>", "", 9, "in <Variable>, found <InitialStateBelief>$"),
    "no name": ('vnameCurr="x1" ', "", 4, "no vnameCurr"),
    "one name for both": ('vnameCurr="x1"', 'vnameCurr="x0"', 4, "both 'x0': give them two names"),
    "a name taken": ('vname="z"', 'vname="x1"', 6, "another variable has this name"),
    "a variable called null": ('vname="z"', 'vname="null"', 6, "stands for no parents"),
    "seen, or not": ('"false"', '"maybe"', 4, "expected true or false"),
    "no values": ("<ValueEnum>p q r", "<ValueEnum> ", 4, "list the names"),
    "a value twice": ("p q r", "p q p", 4, "two values are called 'p'"),
    "a value that is a wildcard": ("p q r", "p q *", 4, "cannot be called"),
    "a number of values": ("<NumValues>2", "<NumValues>two", 5, "expected a number from 1 to 1,000,000"),
    "too many values": ("<NumValues>2", "<NumValues>2000000", 5, "expected a number from 1 to 1,000,000"),
    "too many actions": ("<NumValues>2", "<NumValues>20000", 3, "more than 10,000 actions"),
    "another variable": ("<Var>x1</Var>", "<Var>x0</Var>", 12, "a variable after the step, found 'x0'"),
    "no such reward": ("<Var>w</Var>", "<Var>v</Var>", 27, "expected the name of a <RewardVar>, found 'v'"),
    "an unknown parent": ("<Parent>a x0", "<Parent>a y0", 13, "'y0' is no variable: expected an action or a var"),
    "a parent of the wrong layer": ("<Parent>x1", "<Parent>x0", 18, "cannot be a parent in <ObsFunction>"),
    "an action before the start": ("<Parent>null", "<Parent>a", 9, "cannot be a parent in <InitialStateBelief>"),
    "a parent twice": ("<Parent>a x0</Parent>\n<Par", "<Parent>a x0 a</Parent>\n<Par", 13, "given twice"),
    "its own parent": ("<Parent>a x0</Parent>\n<Par", "<Parent>a x1</Parent>\n<Par", 13, "given twice"),
    "an unknown type": ('type="DD"', 'type="CONT"', 19, "expected TBL or DD"),
    "a diagram as a table": ('type="DD"', 'type="TBL"', 20, '<DAG> is for tables of type="DD"'),
    "too few fields": ("<Instance>a0 - -", "<Instance>a0 -", 15, "expected 3 fields, for a x0 x1, found 2"),
    "an unknown value": ("<Instance>a0 - -", "<Instance>b0 - -", 15, "a has no value 'b0': expected a0, a1"),
    "identity of one axis": ("a0 - -", "a0 * -", 15, "needs two - in the instance, of equally many values, found 3"),
    "uniform of one value": ("a1 * -", "a1 * p", 16, "the last field has to be - or"),
    "too few numbers": ("0.333 0.333 0.333", "0.333 0.333", 10, "expected 3 numbers, uniform or identity, .*found 2"),
    "a number that is none": ("0.333 0.333 0.333", "1/3 0.333 0.333", 10, "expected a number, found '1/3'"),
    "a number out of range": ("0.333 0.333 0.333", "1.5 0 0", 10, "not a probability"),
    "a reward too large": ("1.5", "1e999", 28, "too large a number"),
    "a probability as a reward": ("ValueTable>1.5</ValueTable", "ProbTable>1.5</ProbTable", 28, "expected <ValueT"),
    "no numbers": ("<ValueTable>1.5</ValueTable>", "", 28, "has no <ProbTable> or"),
    "a row that lost a case": ("a1 * -", "a1 p -", 12, "sum to 0, not 1 where the action is a1, x0 is q: is an"),
    "a start that lost a case": ("0.333 0.333 0.333", "0.3 0.3 0.3", 9, "x0 sum to 0.9, not 1: is an entry missing"),
    "a variable without a table": ("<Var>x1", "<Var>x2", 12, "expected the name of a variable after the step"),
    "no function": ("ObsFunction>", "RewardFunction>", None, "expected <Func>"),
    "an unknown node": ('<Node var="x1">', '<Node var="x0">', 20, "neither the variable nor one of its parents"),
    "an edge twice": ('<Edge val="q">', '<Edge val="p">', 22, "a second edge has the value 'p'"),
    "an unknown edge": ('<Edge val="q">', '<Edge val="s">', 22, "x0 has no value 's': expected p, q, r"),
    "an unknown template": ('idref="t"', 'idref="u"', 23, "'u' cannot be used: there is none"),
    "a template to itself": ("<Terminal>1.0</Terminal>", '<SubDAG type="template" idref="t"/>', 25, "leads to itself"),
    "an unknown diagram": ('type="uniform"', 'type="random"', 21, "expected deterministic, persistent, "),
    "what cannot persist": ('type="uniform"', 'type="persistent"', 21, "cannot be persistent"),
    "a terminal of two numbers": ("<Terminal>1.0", "<Terminal>1.0 0", 25, "expected a number"),
    "an empty edge": ('<SubDAG type="uniform" var="z"/>', "", 21, "has no <Node> or <SubDAG> or <Terminal>"),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new", "line", "message"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_named_with_its_line(tmp_path, old, new, line, message):
    assert old in MODEL
    with pytest.raises(FormatError, match=rf"model\.pomdpx, line \d+, column \d+: .*{message}") as caught:
        read(tmp_path, MODEL.replace(old, new, 1))
    assert line is None or caught.value.line == line


def test_a_variable_must_have_a_table_and_only_one(tmp_path):
    observed = MODEL[MODEL.index("<ObsFunction>") : MODEL.index("</ObsFunction>")]
    with pytest.raises(FormatError, match=r"line 1, .*<ObsFunction> has no <CondProb> for z: add one"):
        read(tmp_path, MODEL.replace(observed + "</ObsFunction>", ""))
    with pytest.raises(FormatError, match="z has a second <CondProb>: remove one"):
        read(tmp_path, MODEL.replace(observed, observed + observed.removeprefix("<ObsFunction>")))


def test_variables_cannot_depend_on_each_other_in_a_circle(tmp_path):
    two = """<pomdpx><Discount>0.9</Discount><Variable>
    <StateVar vnamePrev="x0" vnameCurr="x1"><NumValues>2</NumValues></StateVar>
    <StateVar vnamePrev="y0" vnameCurr="y1"><NumValues>2</NumValues></StateVar>
    <ActionVar vname="a"><NumValues>1</NumValues></ActionVar></Variable>
    <InitialStateBelief>{0}{1}</InitialStateBelief><StateTransitionFunction>{2}{3}</StateTransitionFunction></pomdpx>"""
    given = (
        "<CondProb><Var>{}</Var><Parent>{}</Parent><Parameter><Entry><Instance>{}</Instance>"
        "<ProbTable>identity</ProbTable></Entry></Parameter></CondProb>"
    )
    alone = given.replace("identity", "uniform")
    starts = [alone.format("x0", "null", "-"), alone.format("y0", "null", "-")]
    with pytest.raises(FormatError, match=r"circle: change the <Parent> of one"):
        read(tmp_path, two.format(*starts, given.format("x1", "y1", "- -"), given.format("y1", "x1", "- -")))
    model = read(tmp_path, two.format(*starts, given.format("x1", "y1", "- -"), given.format("y1", "y0", "- -")))
    np.testing.assert_array_equal(model.P[0].toarray(), np.eye(4)[[0, 3, 0, 3]])


def test_rows_that_were_rounded_are_divided_with_a_warning(tmp_path):
    path = tmp_path / "model.pomdpx"
    path.write_text(MODEL)
    with pytest.warns(FormatWarning, match=r"model\.pomdpx: 1 row of x0 misses 1 by 0\.001, as its digits explain"):
        model = walkon.read_pomdpx(path)
    np.testing.assert_allclose(model.start, 1 / 3)


def test_unknown_elements_and_attributes_are_skipped_on_request(tmp_path):
    path = tmp_path / "model.pomdpx"
    text = MODEL.replace("</Discount>", "</Discount><Horizon><Steps>3</Steps> 4</Horizon>")
    path.write_text(text.replace('<RewardVar vname="w"/>', '<RewardVar vname="w" unit="euro"/>'))
    with pytest.warns(FormatWarning) as caught:
        walkon.read_pomdpx(path, skip_unknown=True)
    assert str(caught[0].message) == f"{path}: skipped line 2 (<Horizon>), line 7 (unit of <RewardVar>)"


def test_sizes_are_limited(tmp_path, monkeypatch):
    monkeypatch.setattr(variables, "MOST_VARIABLES", 3)
    with pytest.raises(FormatError, match=r"4 variables are too many: at most 3"):
        read(tmp_path, MODEL)
    monkeypatch.undo()
    monkeypatch.setattr(diagrams, "MOST_STEPS", 3)
    with pytest.raises(FormatError, match=r"more than 3 paths.*use a table"):
        read(tmp_path, MODEL)
    monkeypatch.undo()
    monkeypatch.setattr(cells, "MOST_LOOKUPS", 3)
    with pytest.raises(FormatError, match=r"combine values and .* in .* ways: give them in fewer"):
        read(tmp_path, MODEL)


def test_a_small_file_cannot_ask_for_a_large_table(tmp_path):
    text = MODEL.replace("<NumValues>3", "<NumValues>600000").replace("p q r", " ".join(f"v{i}" for i in range(9)))
    text = text.replace("0.333 0.333 0.333", "uniform").replace('val="p"', 'val="v0"')
    text = text.replace('val="q"', 'val="v1"').replace('val="r"', 'val="v2"')
    with pytest.raises(FormatError, match="sum to 0"):  # v3 has no edge, and 600,000 entries are allowed
        read(tmp_path, text)
    with pytest.raises(FormatError, match=r"more than 1,000,000 rows and entries.*fewer parents"):
        read(tmp_path, text.replace('type="deterministic" var="z" val="o1"', 'type="uniform" var="z"'))


def test_templates_that_double_each_other_end(tmp_path):
    """Thirty templates, each of which leads to the next one twice."""
    chain = "".join(
        f'<SubDAGTemplate id="t{i or ""}"><Node var="x1">'
        f'<Edge val="p"><SubDAG type="template" idref="t{i + 1}"/></Edge>'
        f'<Edge val="q"><SubDAG type="template" idref="t{i + 1}"/></Edge></Node></SubDAGTemplate>'
        for i in range(30)
    )
    start, end = MODEL.index("<SubDAGTemplate"), MODEL.index("</Parameter></CondProb></ObsFunction>")
    last = '<SubDAGTemplate id="t30"><SubDAG type="uniform" var="z"/></SubDAGTemplate>'
    with pytest.raises(FormatError, match="sum to 0"):  # where x1 is r no edge fits; paths that contradict are cut
        read(tmp_path, MODEL[:start] + chain + last + MODEL[end:])


KLINGON = b'<?xml version="1.0" encoding="klingon"?><pomdpx/>'


@pytest.mark.parametrize("data", [b"", b"\xff\xfe", b"<pomdpx", KLINGON, b"\x00"])
def test_what_is_no_xml_is_refused(tmp_path, data):
    with pytest.raises(InputError, match=r"model\.pomdpx"):
        read(tmp_path, data)
