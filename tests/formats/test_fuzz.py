"""For any bytes, a reader returns a model or raises an InputError.

This is the short form; the long one, guided by coverage, is in tests/fuzz.
"""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from random_libraries import quick_agent, random_library
from walkon.agents.memory import Percept
from walkon.domains.classics import tiger
from walkon.errors import InputError
from walkon.formats.bundle import load, save
from walkon.formats.cassandra.reader import read_model
from walkon.formats.cassandra.writer import write_pomdp
from walkon.formats.check import check
from walkon.formats.policy_xml import read_policy, write_policy
from walkon.formats.pomdpx.reader import read_pomdpx
from walkon.formats.pomdpx.writer import write_pomdpx
from walkon.policies.alpha_vectors import AlphaVectors

MODEL = b"""discount: 0.9 # a comment
values: cost
states: a b
actions: go stay
observations: 2
start include: a
T: go identity
T: stay : a uniform
T: * : b reset
T: go : a : b 0.5 T: go : a : a 5e-1
O: *
0.5 0.5
- 0 1
R: go : a : b : 1 3
R: * : b : *
1 2
R: stay : a
1 2 3 4
"""
SCRAPS = [b":", b"*", b"T", b"O:", b"R: *", b" ", b"\n", b"#", b'#@ state a "x"', b"-", b"1e9", b"0", b"nan", b"\x00"]
SCRAPS += [b"uniform", b"identity", b"reset", b"start", b"states: 3", b"99999999999", b"a", b"go", b"\xff", b"\r", b"+"]
SCRAPS += [b"0.333", b"0.499", b"0.4999999", b"1e-3", b"5e-0001", b"goals: a\n", b"\natom 0:", b"discount: 1"]
TAGS = [
    b"<Vector action='0' obsValue='0'>",
    b"</Vector>",
    b"<Entry>",
    b"<!DOCTYPE a>",
    b"&lt;",
    b"<![CDATA[1 ]]>",
    b"<a/>",
]
TAGS += [b"<!-- -->", b"<?a?>", b"1 2", b"'", b'"', b"numVectors='9'", b"\xff", b"&#1;", b"<SparseVector", b"nan"]


def mutations(original, scraps):
    """The text with pieces cut out, doubled or replaced."""
    place = st.integers(0, len(original))
    piece = st.one_of(st.sampled_from(scraps), st.binary(max_size=3))
    edits = st.lists(st.tuples(place, st.integers(0, 12), piece, st.booleans()), min_size=1, max_size=6)

    def apply(changes):
        text = original
        for at, length, new, double in changes:
            kept = text[at : at + length] if double else b""
            text = text[:at] + kept + new + kept + text[at + length :]
        return text

    return st.one_of(edits.map(apply), place.map(lambda at: original[:at]), st.binary(max_size=80))


def attempt(reader, path, **options):
    """Return a reader's result, or its error."""
    try:
        return reader(path, **options), None
    except InputError as error:
        return None, str(error)


ONE_FOLDER = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def test_the_original_is_sound(tmp_path):
    (tmp_path / "model.pomdp").write_bytes(MODEL.replace(b"- 0 1", b"0 1"))
    assert read_model(tmp_path / "model.pomdp").R.shape == (2, 2)


@pytest.mark.filterwarnings("ignore::walkon.formats.files.FormatWarning")
@ONE_FOLDER
@given(mutations(MODEL.replace(b"- 0 1", b"0 1"), SCRAPS), st.booleans())
def test_a_reader_of_models_raises_nothing_but_input_errors(tmp_path, data, skip_unknown):
    path = tmp_path / "model.pomdp"
    path.write_bytes(data)
    model, error = attempt(read_model, path, skip_unknown=skip_unknown)
    if model is None:
        assert "model.pomdp" in error
        assert check(path, skip_unknown=skip_unknown).mistake is not None
        # Were the fast and the slow reading at odds, the slow one would find a statement where it expects one.
        assert not error.endswith(('complete, found "T"', 'complete, found "O"', 'complete, found "R"'))
    else:
        write_pomdp(model, tmp_path / "again.pomdp")
        assert read_model(tmp_path / "again.pomdp").hash == model.hash


FACTORS = b"""<?xml version="1.0"?><pomdpx version="1.0"><Discount>0.9</Discount><Variable>
<StateVar vnamePrev="x0" vnameCurr="x1" fullyObs="true"><ValueEnum>p q</ValueEnum></StateVar>
<StateVar vnamePrev="y0" vnameCurr="y1"><NumValues>2</NumValues></StateVar>
<ActionVar vname="a"><NumValues>2</NumValues></ActionVar><ObsVar vname="z"><NumValues>2</NumValues></ObsVar>
<RewardVar vname="w"/></Variable><InitialStateBelief>
<CondProb><Var>x0</Var><Parent>null</Parent><Parameter type="TBL">
<Entry><Instance>-</Instance><ProbTable>0.33 0.66</ProbTable></Entry></Parameter></CondProb>
<CondProb><Var>y0</Var><Parent>x0</Parent><Parameter type="TBL">
<Entry><Instance>- -</Instance><ProbTable>0.5 0.5 1 0</ProbTable></Entry></Parameter></CondProb>
</InitialStateBelief><StateTransitionFunction>
<CondProb><Var>x1</Var><Parent>a x0 y1</Parent><Parameter type="DD"><DAG><Node var="a">
<Edge val="a0"><SubDAG type="persistent" var="x1"/></Edge>
<Edge val="a1"><SubDAG type="template" idref="t"/></Edge></Node></DAG>
<SubDAGTemplate id="t"><Node var="y1"><Edge val="s0"><SubDAG type="uniform" var="x1"/></Edge>
<Edge val="1"><SubDAG type="deterministic" var="x1" val="p"/></Edge></Node></SubDAGTemplate></Parameter></CondProb>
<CondProb><Var>y1</Var><Parent>a y0</Parent><Parameter type="TBL">
<Entry><Instance>* * -</Instance><ProbTable>uniform</ProbTable></Entry>
<Entry><Instance>a0 - -</Instance><ProbTable>identity</ProbTable></Entry></Parameter></CondProb>
</StateTransitionFunction><ObsFunction><CondProb><Var>z</Var><Parent>y1</Parent><Parameter>
<Entry><Instance>* *</Instance><ProbTable>0.5</ProbTable></Entry></Parameter></CondProb></ObsFunction>
<RewardFunction><Func><Var>w</Var><Parent>a x0 x1</Parent><Parameter type="TBL">
<Entry><Instance>a0 * -</Instance><ValueTable>1 -2e0</ValueTable></Entry></Parameter></Func></RewardFunction></pomdpx>
"""
PIECES = [
    b"-",
    b"*",
    b"uniform",
    b"identity",
    b"0.333",
    b"1e9",
    b"nan",
    b"<Entry>",
    b"</Entry>",
    b"<Node var='a'>",
    b"p",
]
PIECES += [
    b"<Terminal>1</Terminal>",
    b"x0",
    b"y1",
    b"null",
    b"type='DD'",
    b"s1",
    b"a1",
    b"<!DOCTYPE a>",
    b"&lt;",
    b"<a/>",
]
PIECES += [b"<SubDAG type='template' idref='t'/>", b"<![CDATA[1 ]]>", b"\xff", b"&#1;", b"<NumValues>99999</NumValues>"]


@pytest.mark.filterwarnings("ignore::walkon.formats.files.FormatWarning")
@ONE_FOLDER
@given(mutations(FACTORS, PIECES), st.booleans())
def test_a_reader_of_factors_raises_nothing_but_input_errors(tmp_path, data, skip_unknown):
    path = tmp_path / "model.pomdpx"
    path.write_bytes(data)
    model, error = attempt(read_pomdpx, path, skip_unknown=skip_unknown)
    report = check(path, skip_unknown=skip_unknown)
    assert model is not None or "model.pomdpx" in error
    assert model is not None or report.mistake is not None
    if report.mistake is None:
        write_pomdpx(model, tmp_path / "again.pomdpx")
        assert read_pomdpx(tmp_path / "again.pomdpx").hash == model.hash


@pytest.fixture
def policy(tmp_path):
    write_policy(AlphaVectors([[1.0, 2.0], [3.0, 0.5]], [0, 1], 2), tmp_path / "x.policy", model="tiger")
    return (tmp_path / "x.policy").read_bytes()


@ONE_FOLDER
@given(data=st.data())
def test_a_reader_of_policies_raises_nothing_but_input_errors(tmp_path, policy, data):
    path = tmp_path / "x.policy"
    path.write_bytes(data.draw(mutations(policy, TAGS)))
    read, error = attempt(read_policy, path)
    assert read is not None or "x.policy" in error


PLANES = b"""# a policy
{
  policyType => "MaxPlanesLowerBound",
  numPlanes => 2,
  planes => [
    { action => 0, numEntries => 2, entries => [ 0, 24.5, 1, -3e0 ] },
    { action => 1, observed state val => 0, numEntries => 1, entries => [ 1, .5 ] }
  ]
}
"""
SIGNS = [
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b"=>",
    b"#",
    b'"',
    b"\n",
    b"9",
    b"99999999",
    b"nan",
    b"1e999",
    b"-",
    b"\xff",
    b"\x00",
]


@ONE_FOLDER
@given(mutations(PLANES, SIGNS))
def test_a_reader_of_planes_raises_nothing_but_input_errors(tmp_path, data):
    path = tmp_path / "x.policy"
    path.write_bytes(data)
    read, error = attempt(read_policy, path)
    assert read is not None or "x.policy" in error


def test_a_file_that_breaks_off_anywhere_is_refused_or_read(tmp_path):
    write_pomdp(tiger(), tmp_path / "tiger.pomdp")
    text = (tmp_path / "tiger.pomdp").read_bytes()
    read = 0
    for end in range(len(text)):
        (tmp_path / "tiger.pomdp").write_bytes(text[:end])
        read += attempt(read_model, tmp_path / "tiger.pomdp")[0] is not None
    # Without its last lines, which are rewards, the file is still one.
    assert 0 < read < 150


@pytest.fixture(scope="module")
def bundles(tmp_path_factory):
    """Saved agents of several kinds, as bytes."""
    folder, library = tmp_path_factory.mktemp("bundles"), random_library(1)
    contents = []
    for name in ("atpo", "assistant", "bopa", "bayes", "value-iteration"):
        options = {"target": 0} if name == "value-iteration" else {}
        tasks = random_library(1, sizes=(2,)) if name == "bopa" else library
        save(quick_agent(name, tasks, **options), folder / name)
        contents.append((folder / name).read_bytes())
    return contents


def flips(content):
    """The content with some bits flipped, in its header or anywhere; or cut off, or with something after it."""
    header = int.from_bytes(content[:8], "little") + 8
    place = st.one_of(st.integers(0, header - 1), st.integers(0, len(content) - 1))

    def flipped(bits):
        changed = bytearray(content)
        for at, bit in bits:
            changed[at] ^= 1 << bit
        return bytes(changed)

    some = st.lists(st.tuples(place, st.integers(0, 7)), min_size=1, max_size=4).map(flipped)
    return st.one_of(
        some, some, place.map(lambda at: content[:at]), st.binary(min_size=1, max_size=9).map(content.__add__)
    )


@pytest.mark.filterwarnings("ignore::walkon.agents.memory.UnexplainedWarning")
@ONE_FOLDER
@given(data=st.data())
def test_an_agent_from_a_damaged_bundle_is_refused_or_plays(tmp_path, bundles, data):
    path = tmp_path / "agent"
    path.write_bytes(data.draw(flips(data.draw(st.sampled_from(bundles)))))
    agent, error = attempt(load, path)
    if agent is None:
        assert "agent is not a walkon bundle that can be read" in error
    elif hasattr(agent, "senses"):
        memory = agent.start(Percept(state=0) if "state" in agent.senses else None)
        for t in range(3):
            probabilities = agent.act(memory)
            assert probabilities.sum() == pytest.approx(1)
            percept = Percept(state=0) if "state" in agent.senses else Percept(observation=t % 3)
            memory = agent.update(memory, t % 2, percept)
