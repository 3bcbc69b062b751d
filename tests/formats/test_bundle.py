import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors import safe_open
from safetensors.numpy import save_file

import walkon
from random_libraries import quick_agent, random_library
from random_models import pomdps, random_mmdp, random_pomdp
from walkon import InputError, Perseus, load, make, play, save, solve
from walkon.agents.registry import AGENTS
from walkon.domains.classics import tiger
from walkon.formats.bundle import KINDS
from walkon.solvers.points import closing


def things():
    pomdp = tiger()
    solution = solve(pomdp, Perseus(beliefs=5))
    return {
        "mdp": pomdp.mdp,
        "mmdp": random_mmdp(1),
        "pomdp": pomdp,
        "tabular": solve(pomdp.mdp).policy,
        "alpha-vectors": solution.policy,
        "vector-blocks": solution.policy.blocks,
        "solution": solution,
        "tally": walkon.Tally("boxes", np.arange(8).reshape(2, 2, 2), "stacked"),
        "task": random_library(1)[0],
        "library": make("night-pursuit", size=3, tasks=2),
        "agent": quick_agent("atpo", random_library(1)),
        "rules": make("tag", tables=False),
    }


def test_every_kind_is_tried_here():
    assert things().keys() == KINDS.keys()


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_saved_is_loaded_again_to_the_last_bit(kind, tmp_path):
    thing = things()[kind]
    save(thing, tmp_path / "one")
    again = load(tmp_path / "one", make("tag", tables=False) if kind == "rules" else None)
    assert type(again) is type(thing)
    save(again, tmp_path / "two")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    if hasattr(thing, "hash"):
        assert again.hash == thing.hash or kind == "library"  # made from rules, kept as arrays
        assert getattr(again, "states", None) == getattr(thing, "states", None)


@pytest.mark.parametrize("name", AGENTS)
@pytest.mark.parametrize("world", ["night-pursuit", "overcooked"])
def test_an_agent_that_was_saved_plays_on_as_before(name, world, tmp_path):
    library = make(world, **({"size": 3, "tasks": 2} if world == "night-pursuit" else {"role": "cook"}))
    options = {"target": 1} if AGENTS[name].needs.informed else {} if name == "random" else {"prior": [0.3, 0.7]}
    before = quick_agent(name, library, **options)
    save(before, tmp_path / "agent")
    after = load(tmp_path / "agent")
    one, two = play(library[1], before, seed=3), play(library[1], after, seed=3)
    assert type(after) is type(before)
    assert one.actions.tolist() == two.actions.tolist()
    if one.task_beliefs is not None:
        assert one.task_beliefs.tobytes() == two.task_beliefs.tobytes()


def test_a_library_that_was_saved_is_played_as_before(tmp_path):
    library = make("night-pursuit", size=3, tasks=2)
    save(library, tmp_path / "library")
    again = load(tmp_path / "library")
    assert again.names == library.names
    assert [task.pomdp.hash for task in again] == [task.pomdp.hash for task in library]
    ready = quick_agent("assistant", again)
    assert play(library[0], ready, seed=2).states.tolist() == play(again[0], ready, seed=2).states.tolist()


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


@pytest.mark.parametrize(
    ("name", "reader"), [("a.pomdp", "read_pomdp"), ("a.POMDP", "read_pomdp"), ("a.mdp", "read_mdp")]
)
def test_a_file_of_another_format_is_refused_with_the_function_that_reads_it(name, reader, tmp_path):
    (tmp_path / name).write_text("discount: 0.95\nvalues: reward\nstates: 2\n")
    with pytest.raises(InputError, match=rf"not a walkon bundle that can be read: .*; read it with walkon\.{reader}$"):
        load(tmp_path / name)
    assert callable(getattr(walkon, reader))


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
    "newer": ({"version": 4, "content": {}}, "version is not 3"),
    "no object": ([], "version is not 3"),
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


def test_a_matrix_whose_rows_end_before_they_begin_is_refused(bundle):
    """SciPy's own check does not look where the last row ends below 0: found by the fuzzer, as a crash."""
    save(random_pomdp(0), bundle)
    content = bytearray(bundle.read_bytes())
    size = int.from_bytes(content[:8], "little")
    begin, end = (8 + size + at for at in json.loads(content[8 : 8 + size])["P.0.indptr"]["data_offsets"])
    whole = np.frombuffer(bytes(content[begin:end]), dtype=np.int32)
    for row in range(1, len(whole)):
        for wrong in (-1, -(2**31), 2**31 - 1):
            ends = whole.copy()
            ends[row] = wrong
            content[begin:end] = ends.tobytes()
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


def header_of(path):
    with safe_open(path, framework="np") as file:
        names = file.keys()
        return json.loads(file.metadata()["walkon"]), {name: file.get_tensor(name) for name in names}


@pytest.mark.parametrize("name", [name for name in AGENTS if AGENTS[name].needs.model])
@pytest.mark.parametrize("policies", [[], False, None, 0, ""])
def test_nothing_is_solved_for_a_bundle_without_policies(name, policies, tmp_path, monkeypatch):
    def solving(*arguments, **more):
        raise AssertionError("it solves")

    monkeypatch.setattr("walkon.agents.registry.solve_all", solving)
    library = random_library(1, sizes=(3,))
    save(quick_agent(name, library, **({"target": 0} if AGENTS[name].needs.informed else {})), tmp_path / "agent")
    header, tensors = header_of(tmp_path / "agent")
    header["content"]["policies"] = policies
    save_file(tensors, tmp_path / "agent", metadata={"walkon": json.dumps(header)})
    with pytest.raises(InputError, match="its policies are missing"):
        load(tmp_path / "agent")
    del header["content"]["policies"]
    save_file(tensors, tmp_path / "agent", metadata={"walkon": json.dumps(header)})
    with pytest.raises(InputError, match="policies"):
        load(tmp_path / "agent")


@pytest.mark.parametrize("size", [2**63, 2**64, -1, 2**62, 1e300, "2", None])
def test_a_matrix_of_an_impossible_size_is_refused(size, tmp_path):
    save(tiger(), tmp_path / "tiger")
    header, tensors = header_of(tmp_path / "tiger")
    header["content"]["P"][0]["csr"] = [size, 2]
    save_file(tensors, tmp_path / "tiger", metadata={"walkon": json.dumps(header)})
    with pytest.raises(InputError, match="not a walkon bundle that can be read"):
        load(tmp_path / "tiger")


def test_the_suffix_decides_what_is_written(tmp_path):
    solution = solve(tiger(), Perseus(beliefs=5))
    for thing in (solution, solution.policy):
        save(thing, tmp_path / "tiger.policy")
        again = walkon.read_policy(tmp_path / "tiger.policy", action_count=3)
        assert np.array_equal(again.vectors, solution.policy.vectors)
    with pytest.raises(InputError, match=r"read it with walkon\.read_policy"):
        load(tmp_path / "tiger.policy")
    for thing in (tiger(), solve(tiger().mdp)):
        with pytest.raises(InputError, match=r"would hold alpha vectors, .*: name it \.safetensors"):
            save(thing, tmp_path / "other.policy")
    for name, told in [("x.xyz", r"name it \.safetensors"), ("x.txt", "name it"), ("x.pomdp", r"walkon\.write_pomdp")]:
        with pytest.raises(InputError, match=told):
            save(solution, tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == ["tiger.policy"]


@pytest.mark.parametrize("version", [1, 2])
def test_the_vectors_of_an_older_bundle_are_a_matrix(tmp_path, version):
    header = {"kind": "alpha-vectors", "vectors": {"array": True}, "actions": {"array": True}, "action_count": 3}
    tensors = {"vectors": np.array([[1.0, 2.0], [3.0, 0.5]]), "actions": np.array([0, 2])}
    text = json.dumps({"version": version, "content": header})
    save_file(tensors, tmp_path / "old.safetensors", metadata={"walkon": text})
    again = walkon.load(tmp_path / "old.safetensors")
    assert again.vectors.tolist() == [[1.0, 2.0], [3.0, 0.5]]
    assert again.action([0.9, 0.1]) == 2


def test_vectors_by_blocks_are_saved_without_what_they_share_and_come_back_the_same(tmp_path, monkeypatch):
    monkeypatch.setattr(closing, "SMALL", 0)
    problem = walkon.make("night-pursuit", size=3, tasks=1)[0].pomdp
    solution = walkon.solve(problem, walkon.Ascent(backups=50))
    blocks = solution.policy.blocks
    assert not blocks.whole
    walkon.save(solution, tmp_path / "by-blocks.safetensors")
    again = walkon.load(tmp_path / "by-blocks.safetensors").policy
    for name in ("states", "begins", "firsts", "entries"):
        assert getattr(again.blocks, name).tobytes() == getattr(blocks, name).tobytes()
    assert again.value(problem.start) == solution.policy.value(problem.start)
    with safe_open(tmp_path / "by-blocks.safetensors", framework="np") as file:
        assert file.get_tensor("policy.vectors.entries").size < solution.policy.vectors.size
