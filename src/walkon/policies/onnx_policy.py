"""A policy from an ONNX file, run by onnxruntime (`pip install 'walkon[onnx]'`).

The model maps the numbers of an observation (or of a state), in one row, to one row: a score or a probability for each
action, or the number of an action. It can act for any member of the team: as the ad hoc agent with
`walkon.player(OnnxPolicy("agent.onnx"), library, of="last", numbers=True)`, as a teammate with
`walkon.seated(task, {0: OnnxPolicy("mate.onnx")}, numbers=True)`.
"""

import os
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np

from walkon.arrays import Floats
from walkon.errors import InputError

Head: TypeAlias = Literal["scores", "probabilities", "greedy"]

KINDS: dict[str, Any] = {
    "tensor(float)": np.float32,
    "tensor(double)": np.float64,
    "tensor(int64)": np.int64,
    "tensor(int32)": np.int32,
}


@dataclass(frozen=True, eq=False)
class OnnxPolicy:
    """A function from numbers to an action or a distribution.

    Attributes:
        path: The file.
        head: The meaning of the output: "scores" are converted by softmax, "probabilities" are used as they are,
            "greedy" takes the action with the highest. A single whole number is always an action.
        output: The name of the output; the first one if not given.
    """

    path: str | os.PathLike[str]
    head: Head = "scores"
    output: str | None = None
    session: Any = field(init=False, repr=False)
    kind: Any = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if self.head not in ("scores", "probabilities", "greedy"):
            raise InputError(f'head is {self.head!r}, expected "scores", "probabilities" or "greedy"')
        session = _session(os.fspath(self.path))
        inputs, outputs = session.get_inputs(), [each.name for each in session.get_outputs()]
        if len(inputs) != 1:
            names = ", ".join(each.name for each in inputs)
            raise InputError(
                f"{self.path} takes {len(inputs)} inputs ({names}), expected one: the numbers of an observation"
            )
        if inputs[0].type not in KINDS:
            raise InputError(f"{self.path} takes {inputs[0].type}, expected one of {', '.join(KINDS)}")
        if self.output is not None and self.output not in outputs:
            raise InputError(f"{self.path} has no output {self.output!r}: it has {', '.join(outputs)}")
        object.__setattr__(self, "session", session)
        object.__setattr__(self, "kind", KINDS[inputs[0].type])

    def __call__(self, numbers: Any) -> Floats | int:
        """Return the action, or the probability of each, after an observation."""
        given = self.session.get_inputs()[0]
        row = np.asarray(numbers, dtype=self.kind).reshape(-1)
        row = row if len(given.shape) == 1 else row[np.newaxis]
        try:
            found = self.session.run([self.output] if self.output else None, {given.name: row})[0]
        except Exception as cause:  # onnxruntime has a dozen exceptions of its own
            raise InputError(f"{self.path} cannot be run on {len(row.ravel())} numbers: {cause}") from None
        answer = np.asarray(found).reshape(-1)
        if np.issubdtype(answer.dtype, np.integer) and answer.size == 1:
            return int(answer[0])
        scores: Floats = answer.astype(np.float64)
        if self.head == "greedy":
            return int(np.argmax(scores))
        weights: Floats = scores if self.head == "probabilities" else np.exp(scores - scores.max())
        shares: Floats = weights / weights.sum()  # in single precision the sum is only roughly one
        return shares


def _session(path: str) -> Any:
    """Load the model, to run on one core."""
    try:
        import onnxruntime
    except ImportError:
        raise InputError("an ONNX policy needs onnxruntime: pip install 'walkon[onnx]'") from None
    if not os.path.isfile(path):
        raise InputError(f'there is no file "{path}"')
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    try:
        return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    except Exception as cause:  # likewise
        raise InputError(f"{path} is not an ONNX model that can be run: {cause}") from None
