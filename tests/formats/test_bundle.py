import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import save_file

import walkon
from random_models import pomdps, random_mmdp, random_pomdp
from walkon import InputError, Perseus, load, save, solve
from walkon.domains.classics import tiger
from walkon.formats.bundle import KINDS


def things():
    pomdp = tiger()
    solution = solve(pomdp, Perseus(beliefs=5))
    return {
        "mdp": pomdp.mdp,
        "mmdp": random_mmdp(1),
        "pomdp": pomdp,
        "tabular": solve(pomdp.mdp).policy,
        "alpha-vectors": solution.policy,
        "solution": solution,
    }


def test_every_kind_is_tried_here():
    assert things().keys() == KINDS.keys()


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_saved_is_loaded_again_to_the_last_bit(kind, tmp_path):
    thing = things()[kind]
    save(thing, tmp_path / "one")
    again = load(tmp_path / "one")
    assert type(again) is type(thing)
    save(again, tmp_path / "two")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    if hasattr(thing, "hash"):
        assert again.hash == thing.hash
        assert again.states == thing.states


@given(pomdps(), st.booleans())
def test_any_model_survives(tmp_path_factory, pomdp, named):
    if named:
        X, A = pomdp.R.shape
        pomdp = walkon.POMDP(
            pomdp.P, pomdp.O, pomdp.R, pomdp.start, pomdp.discount,
            states=[f"ß{x}" for x in range(X)], actions=[f'"{a}"\n' for a in range(A)],
        )  # fmt: skip
    path = tmp_path_factory.mktemp("bundle") / "model"
    save(pomdp, path)
    again = load(path)
    assert (again.hash, again.states, again.actions) == (pomdp.hash, pomdp.states, pomdp.actions)


@pytest.fixture
def bundle(tmp_path):
    path = tmp_path / "tiger.safetensors"
    save(tiger(), path)
    return path


def test_a_truncated_bundle_is_refused_at_any_length(bundle):
    whole = bundle.read_bytes()
    for length in range(0, len(whole), 13):
        bundle.write_bytes(whole[:length])
        with pytest.raises(InputError, match="not a walkon bundle"):
            load(bundle)


@given(st.data())
def test_a_bundle_with_a_changed_byte_is_refused_or_still_a_model(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("bundle") / "tiger"
    save(tiger(), path)
    content = bytearray(path.read_bytes())
    content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(content)
    try:
        again = load(path)
    except InputError:
        return
    assert isinstance(again, walkon.MDP)


@given(st.binary(max_size=300))
def test_any_other_file_is_refused(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("bundle") / "noise"
    path.write_bytes(content)
    with pytest.raises(InputError, match="not a walkon bundle"):
        load(path)


HOSTILE = {
    "foreign": (None, "no walkon header"),
    "newer": ({"version": 2, "content": {}}, "version is not 1"),
    "no object": ([], "version is not 1"),
    "code": ({"version": 1, "content": {"kind": "os.system", "command": "true"}}, "names no content"),
    "missing tensor": ({"version": 1, "content": {"kind": "tabular", "table": {"array": True}}}, "'table' is missing"),
    "unknown field": ({"version": 1, "content": {"kind": "tabular", "x": 1}}, "unexpected keyword"),
    "wrong shape": (
        {"version": 1, "content": {"kind": "mdp", "P": [{"csr": [10**15, 10**15]}], "R": 1}},
        "not a walkon bundle",
    ),
    "no policy": (
        {"version": 1, "content": {"kind": "solution", "policy": 1, "lower": 0, "upper": 0, "iterations": 0,
                                   "seconds": 0, "stopped": ""}},
        "policy is a int",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_header_is_refused(case, tmp_path):
    header, message = HOSTILE[case]
    metadata = None if header is None else {"walkon": json.dumps(header)}
    tensors = {f"P.0.{part}": np.zeros(2, dtype=np.int64) for part in ("indptr", "indices", "data")}
    save_file(tensors, tmp_path / "x", metadata=metadata)
    with pytest.raises(InputError, match=message):
        load(tmp_path / "x")


def test_a_header_nested_past_all_measure_is_refused(tmp_path):
    deep = '{"version": 1, "content": ' + "[" * 100_000 + "]" * 100_000 + "}"
    save_file({"x": np.zeros(1)}, tmp_path / "x", metadata={"walkon": deep})
    with pytest.raises(InputError, match="not a walkon bundle"):
        load(tmp_path / "x")


def test_a_matrix_whose_indices_point_outside_is_refused(bundle):
    content = bundle.read_bytes()
    model = random_pomdp(0)
    save(model, bundle)
    content = bytearray(bundle.read_bytes())
    size = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + size])
    begin, _ = header["P.0.indices"]["data_offsets"]
    content[8 + size + begin : 8 + size + begin + 4] = (10**6).to_bytes(4, "little")
    bundle.write_bytes(content)
    with pytest.raises(InputError, match="not a walkon bundle"):
        load(bundle)


def test_something_that_cannot_be_saved_is_refused_and_the_old_file_stays(bundle):
    before = bundle.read_bytes()
    with pytest.raises(InputError, match="cannot save a dict"):
        save({}, bundle)
    assert bundle.read_bytes() == before


def test_a_save_that_fails_leaves_the_old_file_and_no_draft(bundle, monkeypatch):
    def fail(*_, **__):
        raise OSError("disk full")

    before = bundle.read_bytes()
    monkeypatch.setattr("walkon.formats.bundle.save_file", fail)
    with pytest.raises(OSError, match="disk full"):
        save(tiger(), bundle)
    assert bundle.read_bytes() == before
    assert [p.name for p in bundle.parent.iterdir()] == [bundle.name]
