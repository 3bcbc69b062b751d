import re

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from walkon.errors import InputError
from walkon.formats import policy_xml
from walkon.formats.files import FormatError
from walkon.formats.policy_xml import read_policy, write_policy
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.policies.vector_blocks import VectorBlocks

HEAD = '<?xml version="1.0" encoding="ISO-8859-1"?>\n'
# As SARSOP writes it for tiger.
TIGER = (
    HEAD + '<Policy version="0.1" type="value" model="tiger.pomdp" '
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="policyx.xsd">\n'
    '<AlphaVector vectorLength="2" numObsValue="1" numVectors="3">\n'
    '<Vector action="1" obsValue="0">-81.5972 28.4028 </Vector>\n'
    '<SparseVector action="2" obsValue="0"><Entry>0 28.4028</Entry></SparseVector>\n'
    '<Vector action="0" obsValue="0">19.3711 19.3711\n</Vector>\n'
    "</AlphaVector> </Policy>\n"
)


@pytest.fixture
def read(tmp_path):
    def read(text, **options):
        path = tmp_path / "tiger.policy"
        path.write_bytes(text.encode("latin-1"))
        return read_policy(path, **options)

    return read


def test_a_policy_of_sarsop_is_read(read):
    policy = read(TIGER)
    assert policy.vectors.tolist() == [[-81.5972, 28.4028], [28.4028, 0], [19.3711, 19.3711]]
    assert policy.actions.tolist() == [1, 2, 0]
    assert policy.action_count == 3


def test_the_number_of_actions_may_be_given(read):
    assert read(TIGER, action_count=7).probabilities(np.array([0.5, 0.5])).tolist() == [1, 0, 0, 0, 0, 0, 0]
    with pytest.raises(InputError, match=r"tiger\.policy: actions\[1\] is 2, expected a number from 0 to 1"):
        read(TIGER, action_count=2)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data(), st.text())
def test_a_policy_that_was_written_is_read_back(tmp_path, data, model):
    N, X, A = (data.draw(st.integers(1, 6)) for _ in range(3))
    number = st.floats(-1e300, 1e300)
    vectors = data.draw(st.lists(st.lists(number, min_size=X, max_size=X), min_size=N, max_size=N))
    actions = data.draw(st.lists(st.integers(0, A - 1), min_size=N, max_size=N))
    policy = AlphaVectors(vectors, actions, A)
    write_policy(policy, tmp_path / "x.policy", model=model)
    back = read_policy(tmp_path / "x.policy", action_count=A)
    np.testing.assert_array_equal(back.vectors, policy.vectors)
    np.testing.assert_array_equal(back.actions, policy.actions)
    assert back.action_count == A


LAUGHS = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10 if i else "ha"}">' for i in range(10))
NESTED = "<Policy>" * 100_000

MISTAKES = {
    "an empty file": ("", 1, 1, "the XML of SARSOP or in the text of zmdp, found neither"),
    "a table of numbers": ("6 -100 -100\n5 47.6 -14.1\n", 1, 1, "the XML of SARSOP or in the text of zmdp"),
    "no XML": ("<>", 1, 2, "not well-formed XML: not well-formed"),
    "a file that breaks off": (TIGER[:-40], 6, 44, "not well-formed XML: no element found"),
    "a billion laughs": (f"<!DOCTYPE Policy [{LAUGHS}]>{TIGER}", 1, 18, "document type"),
    "an external entity": ('<!DOCTYPE Policy SYSTEM "file:///etc/passwd">' + TIGER, 1, 45, "document type"),
    "deep nesting": (NESTED, 1, 9, "expected <AlphaVector>, found <Policy>"),
    "another root": ("<Alpha/>", 1, 1, "expected <Policy>, found <Alpha>"),
    "another type": (TIGER.replace('"value"', '"graph"'), 2, 1, "type \"value\", found 'graph'"),
    "another element": (TIGER.replace("<Entry>", "<Value>"), 5, 39, "expected <Entry>, found <Value>"),
    "an element in a vector": (TIGER.replace("28.4028 </V", "<b/></V"), 4, 42, "expected only numbers, found <b>"),
    "text between vectors": (TIGER.replace("\n<Sparse", "x\n<Sparse"), 5, 1, "expected a tag, found 'x'"),
    "text at the end": (TIGER.replace("</Alpha", "9</Alpha"), 8, 2, "expected a tag, found '9'"),
    "no length": (TIGER.replace("vectorLength", "length"), 3, 1, "expected vectorLength .* found none"),
    "a length of nothing": (TIGER.replace('"2" num', '"0" num'), 3, 1, "vectorLength .* from 1 .* found '0'"),
    "an endless length": (TIGER.replace('"2" num', '"99999999999" num'), 3, 1, "to 1,000,000, found '99999999999'"),
    "too many vectors": (TIGER.replace('"3"', '"25000001"'), 3, 1, "to 500,000, found '25000001'"),
    "a small file of many states": (TIGER.replace('"2" num', '"5000000" num'), 3, 1, "1,000,000, found '5000000'"),
    "more vectors than said": (TIGER.replace('"3"', '"2"'), 6, 1, "expected 2 vectors .* found more"),
    "fewer vectors than said": (TIGER.replace('"3"', '"4"'), 9, 1, "expected 4 vectors, found 3"),
    "no vectors": ("<Policy/>", 1, 10, "expected 1 vectors, found 0"),
    "a second set": (TIGER.replace("> </P", "><AlphaVector/></P"), 8, 15, "found a second"),
    "a mixed state": (TIGER.replace('numObsValue="1"', 'numObsValue="2"'), 3, 1, "only policies of plain POMDPs"),
    "an action that is no number": (TIGER.replace('"1" obs', '"go" obs'), 4, 1, "expected action .* found 'go'"),
    "an action too large": (TIGER.replace('"1" obs', '"10000" obs'), 4, 1, "from 0 to 9,999, found '10000'"),
    "a short vector": (TIGER.replace(" 28.4028 ", ""), 4, 41, "expected 2 numbers .* found 1"),
    "a long vector": (TIGER.replace(" 28.4028 ", " 1 2 3"), 4, 47, "expected 2 numbers .* found 4"),
    "a vector of words": (TIGER.replace("-81.5972", "much"), 4, 46, "a finite number, found 'much'"),
    "not a number": (TIGER.replace("-81.5972", "nan"), 4, 45, "a finite number, found 'nan'"),
    "infinity": (TIGER.replace("-81.5972", "1e999"), 4, 47, "a finite number, found '1e999'"),
    "an entry that is too far": (TIGER.replace("<Entry>0", "<Entry>2"), 5, 55, "one of the 2 states"),
    "an entry that is no state": (TIGER.replace("<Entry>0", "<Entry>0.5"), 5, 57, "one of the 2 states"),
    "an entry alone": (TIGER.replace("<Entry>0 28.4028", "<Entry>0"), 5, 47, "one of the 2 states"),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_a_mistake_is_reported_with_its_place(read, tmp_path, case):
    text, line, column, message = MISTAKES[case]
    with pytest.raises(FormatError) as caught:
        read(text)
    assert re.search(message, str(caught.value)), str(caught.value)
    assert (caught.value.line, caught.value.column) == (line, column), str(caught.value)
    assert str(caught.value).startswith(f"{tmp_path / 'tiger.policy'}, line {line}, column {column}: ")


def test_a_declared_encoding_is_not_obeyed(read):
    assert read(TIGER.replace("ISO-8859-1", "unicode_escape")).action_count == 3


def test_a_file_that_is_too_large_is_refused(read, monkeypatch):
    monkeypatch.setattr("walkon.formats.files.LARGEST_FILE", len(TIGER) - 1)
    with pytest.raises(FormatError, match=f"more than {len(TIGER) - 1} bytes"):
        read(TIGER)


def test_the_limit_of_numbers_is_that_of_vectors_times_states(read, monkeypatch):
    monkeypatch.setattr(policy_xml, "MOST_NUMBERS", 5)
    with pytest.raises(FormatError, match="numVectors to be a number from 1 to 2"):
        read(TIGER)


def test_a_policy_that_would_not_be_read_back_is_refused_with_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setattr(policy_xml, "MOST_NUMBERS", 5)
    with pytest.raises(InputError, match=r"^3 vectors over 2 states make a file with 6 numbers.*walkon\.save\(policy"):
        write_policy(AlphaVectors(np.zeros((3, 2)), [0, 0, 0], 1), tmp_path / "x.policy")
    assert not list(tmp_path.iterdir())


def test_blocks_are_written_without_the_matrix_of_all_vectors(tmp_path, monkeypatch):
    blocks = VectorBlocks.of(
        [np.array([0, 2]), np.array([1])], [2, 1], [np.ones((2, 2)), np.full((1, 1), 5.0)], np.zeros(3)
    )
    monkeypatch.delattr(VectorBlocks, "columns")
    write_policy(AlphaVectors(blocks, [0, 1, 1], 2), tmp_path / "x.policy")
    assert ">0.0 5.0 0.0 </Vector>" in (tmp_path / "x.policy").read_text()
