"""Policies from ONNX files, against the same sums in NumPy."""

import builtins

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper, save

import walkon
from walkon.errors import InputError

NIGHT = walkon.make("night-pursuit", size=3, tasks=2)
RNG = np.random.default_rng(0)
WEIGHTS = RNG.normal(size=(5, 5)).astype(np.float32)


def model(path, *, inputs=1, kind=TensorProto.FLOAT, arg_max=False, width=5):
    """A linear layer from five numbers to five scores, as a file."""
    given = [helper.make_tensor_value_info(f"x{i}", kind, ["batch", width]) for i in range(inputs)]
    nodes = [helper.make_node("MatMul", ["x0", "w"], ["scores"])]
    made = helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["batch", 5])
    if arg_max:
        nodes.append(helper.make_node("ArgMax", ["scores"], ["action"], axis=1, keepdims=0))
        made = helper.make_tensor_value_info("action", TensorProto.INT64, ["batch"])
    weights = numpy_helper.from_array(WEIGHTS[:width] if width <= 5 else np.zeros((width, 5), np.float32), "w")
    graph = helper.make_graph(nodes, "policy", given, [made], [weights])
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)
    return path


@pytest.mark.parametrize("head", ["scores", "greedy"])
def test_it_says_what_numpy_says(tmp_path, head):
    policy = walkon.OnnxPolicy(model(tmp_path / "p.onnx"), head=head)
    for z in range(81):
        numbers = np.concatenate([[1], NIGHT[0].observation_numbers[z]])
        scores = numbers @ WEIGHTS.astype(float)
        if head == "greedy":
            assert policy(numbers) == scores.argmax()
        else:
            np.testing.assert_allclose(policy(numbers), np.exp(scores) / np.exp(scores).sum(), rtol=1e-4)


def test_it_plays_as_the_ad_hoc_agent(tmp_path):
    policy = walkon.OnnxPolicy(model(tmp_path / "p.onnx", arg_max=True))
    agent = walkon.player(policy, NIGHT, of="last", numbers=True, name="onnx")
    episode = walkon.play(NIGHT[0], agent, horizon=10, seed=1)
    table = NIGHT[0].observation_numbers
    observations = [np.zeros(5), *(np.concatenate([[1], table[z]]) for z in episode.observations[:-1])]
    assert episode.actions.tolist() == [int((numbers @ WEIGHTS).argmax()) for numbers in observations]


def test_it_plays_as_a_teammate(tmp_path):
    policy = walkon.OnnxPolicy(model(tmp_path / "p.onnx", width=4), head="greedy")
    mates = walkon.seated(NIGHT[0], {0: policy}, numbers=True)
    episode = walkon.play(NIGHT[0], walkon.agent("random", NIGHT), teammates=mates, horizon=10)
    numbers = NIGHT[0].state_numbers[episode.states[:-1]]
    assert episode.teammate_actions.tolist() == (numbers @ WEIGHTS[:4]).argmax(axis=1).tolist()


def test_a_model_that_cannot_be_run_is_refused(tmp_path, monkeypatch):
    with pytest.raises(InputError, match="there is no file"):
        walkon.OnnxPolicy(tmp_path / "none.onnx")
    (tmp_path / "bad.onnx").write_bytes(b"nonsense")
    with pytest.raises(InputError, match=r"bad\.onnx is not an ONNX model that can be run"):
        walkon.OnnxPolicy(tmp_path / "bad.onnx")
    with pytest.raises(InputError, match=r"takes 2 inputs \(x0, x1\), expected one"):
        walkon.OnnxPolicy(model(tmp_path / "two.onnx", inputs=2))
    with pytest.raises(InputError, match="has no output 'value': it has scores"):
        walkon.OnnxPolicy(model(tmp_path / "p.onnx"), output="value")
    with pytest.raises(InputError, match="head is 'best', expected"):
        walkon.OnnxPolicy(tmp_path / "p.onnx", head="best")
    with pytest.raises(InputError, match="cannot be run on 7 numbers"):
        walkon.OnnxPolicy(tmp_path / "p.onnx")(np.zeros(7))
    real = builtins.__import__

    def without(name, *arguments, **options):
        if name == "onnxruntime":
            raise ImportError(name)
        return real(name, *arguments, **options)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(InputError, match=r"needs onnxruntime: pip install 'walkon\[onnx\]'"):
        walkon.OnnxPolicy(tmp_path / "p.onnx")
