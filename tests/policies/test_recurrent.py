"""A recurrent network as one ONNX file: it reads the padded history as one row, and plays as a twin in NumPy does."""

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save

import walkon

NIGHT = walkon.make("night-pursuit", size=3, tasks=2)
HORIZON, NUMBERS, HIDDEN, ACTIONS = 8, 5, 4, 5
RNG = np.random.default_rng(1)
W = RNG.normal(size=(1, 3 * HIDDEN, NUMBERS)).astype(np.float32)  # update, reset and hidden gate, as ONNX orders them
R = RNG.normal(size=(1, 3 * HIDDEN, HIDDEN)).astype(np.float32)
HEAD = RNG.normal(size=(HIDDEN, ACTIONS)).astype(np.float32)


def write_gru(path):
    given = helper.make_tensor_value_info("row", TensorProto.FLOAT, [1, HORIZON * NUMBERS])
    made = helper.make_tensor_value_info("scores", TensorProto.FLOAT, [1, ACTIONS])
    nodes = [
        helper.make_node("Reshape", ["row", "steps_shape"], ["steps"]),
        helper.make_node("GRU", ["steps", "W", "R"], ["", "last"], hidden_size=HIDDEN),
        helper.make_node("Reshape", ["last", "last_shape"], ["state"]),
        helper.make_node("MatMul", ["state", "head"], ["scores"]),
    ]
    constants = {
        "steps_shape": np.array([HORIZON, 1, NUMBERS]),
        "last_shape": np.array([1, HIDDEN]),
        "W": W,
        "R": R,
        "head": HEAD,
    }
    held = [numpy_helper.from_array(value, name) for name, value in constants.items()]
    graph = helper.make_graph(nodes, "gru", [given], [made], held)
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)
    return path


def twin(history):
    """The scores, step by step: h' = (1 - u) tanh(W x + r R h) + u h, with the gates u and r."""
    h = np.zeros(HIDDEN)
    for x in history:
        wu, wr, wh = np.split(W[0].astype(float) @ x, 3)
        ru, rr, rh = np.split(R[0].astype(float), 3)
        u, r = (1 / (1 + np.exp(-(a + b @ h))) for a, b in [(wu, ru), (wr, rr)])
        h = (1 - u) * np.tanh(wh + rh @ (r * h)) + u * h
    return h @ HEAD


def test_a_recurrent_network_plays_as_its_twin_does(tmp_path):
    policy = walkon.OnnxPolicy(write_gru(tmp_path / "gru.onnx"), head="greedy")

    def remember(numbers, history):
        history = (*history[1:], numbers)
        return policy(np.concatenate(history)), history

    empty = (np.zeros(NUMBERS),) * HORIZON
    agent = walkon.player(remember, NIGHT, own=empty, numbers=True)
    for seed in range(5):
        episode = walkon.play(NIGHT[1], agent, seed=seed, horizon=HORIZON)
        seen = [np.zeros(NUMBERS), *(NIGHT.observation_numbers(int(z)) for z in episode.observations[:-1])]
        padded = [[np.zeros(NUMBERS)] * (HORIZON - t - 1) + seen[: t + 1] for t in range(HORIZON)]
        assert episode.actions.tolist() == [int(np.argmax(twin(history))) for history in padded]
