"""Alpha-vector policies in the XML that APPL's SARSOP solver writes, `.policy`.

    <Policy version="0.1" type="value" model="tiger.pomdp">
    <AlphaVector vectorLength="2" numObsValue="1" numVectors="1">
    <Vector action="0" obsValue="0">19.4 18.2 </Vector>
    </AlphaVector> </Policy>

A vector may also be sparse: <SparseVector ...><Entry>1 18.2</Entry></SparseVector>. A file may come from an untrusted
source, so the parser accepts only these five elements, and at most `MOST_NUMBERS` numbers, fewer in a small file.
"""

import os
from collections.abc import Iterator
from xml.sax.saxutils import quoteattr

import numpy as np

from walkon.arrays import Floats
from walkon.errors import InputError
from walkon.formats.files import MOST_ACTIONS, FormatError, allowed_numbers, error_at, read_whole, replacing
from walkon.formats.policy_text import NUMBER, is_text, read_planes
from walkon.formats.xml_file import XMLFile
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.saying import briefly

MOST_NUMBERS = 50_000_000  # vectors times states

_PARENTS = {"Policy": "", "AlphaVector": "Policy", "Vector": "AlphaVector", "SparseVector": "AlphaVector"}
_PARENTS["Entry"] = "SparseVector"


def write_policy(policy: AlphaVectors, path: str | os.PathLike[str], *, model: str = "") -> None:
    """Write alpha vectors as a `.policy` file.

    Args:
        policy: The vectors.
        path: The file.
        model: The name of the model that the policy was made for.
    """
    if not isinstance(policy, AlphaVectors):
        raise InputError(f"policy is {briefly(policy)}, expected alpha vectors, such as solution.policy")
    if (numbers := policy.vector_count * policy.state_count) > MOST_NUMBERS:
        raise InputError(
            f"{policy.vector_count:,} vectors over {policy.state_count:,} states make a file with {numbers:,} numbers, "
            f"and those with more than {MOST_NUMBERS:,} are not read: save a bundle, walkon.save(policy, "
            '"policy.safetensors"), which keeps vectors by blocks, or solve with fewer backups'
        )
    with replacing(path) as draft, open(draft, "wb") as file:
        file.writelines(line.encode("ascii", "xmlcharrefreplace") for line in _lines(policy, model))


def _lines(policy: AlphaVectors, model: str) -> Iterator[str]:
    N, X = policy.vector_count, policy.state_count
    printable = "".join(c if c.isprintable() else "?" for c in model)  # XML has no way to write other characters
    yield '<?xml version="1.0" encoding="ISO-8859-1"?>\n'
    yield f'<Policy version="0.1" type="value" model={quoteattr(printable)}>\n'
    yield f'<AlphaVector vectorLength="{X}" numObsValue="1" numVectors="{N}">\n'
    for action, vector in zip(policy.actions.tolist(), policy.blocks.rows(), strict=True):
        yield f'<Vector action="{action}" obsValue="0">{" ".join(map(repr, vector.tolist()))} </Vector>\n'
    yield "</AlphaVector> </Policy>\n"


def read_policy(path: str | os.PathLike[str], *, action_count: int | None = None) -> AlphaVectors:
    """Read a `.policy` file, in the XML of SARSOP or in the text of zmdp.

    Args:
        path: The file.
        action_count: The number of actions of the problem, which the file does not contain. By default, one more
            than the largest action of a vector.
    """
    data, name = read_whole(path, what="a .policy file"), os.fspath(path)
    most = min(MOST_NUMBERS, allowed_numbers(len(data)))
    if is_text(data):
        vectors, actions = read_planes(name, data, most)
    elif b"<" not in data:
        raise error_at(name, 1, 1, "expected a policy in the XML of SARSOP or in the text of zmdp, found neither")
    else:
        file = _Policy(name, most)
        file.parse(data)
        vectors, actions = np.stack(file.vectors), file.actions
    try:
        return AlphaVectors(vectors, actions, max(actions) + 1 if action_count is None else action_count)
    except InputError as cause:
        raise FormatError(f"{name}: {cause}") from None


class _Policy(XMLFile):
    """Collects the vectors of one file."""

    def __init__(self, name: str, most: int) -> None:
        # The encoding that the file declares is ignored: the numbers are ASCII, and the names are not used.
        super().__init__(name, "a policy", "ISO-8859-1")
        self.most = most
        self.open: list[str] = []  # the elements around the current place
        self.announced = 0
        self.length = 0
        self.actions: list[int] = []
        self.vectors: list[Floats] = []

    def parse(self, data: bytes) -> None:
        """Read the whole file."""
        super().parse(data)
        if len(self.vectors) != self.announced or not self.announced:
            raise self.error(f"expected {max(self.announced, 1)} vectors, found {len(self.vectors)}")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        parent = self.open[-1] if self.open else ""
        if _PARENTS.get(tag) != parent:
            expected = " or ".join(f"<{child}>" for child, outer in _PARENTS.items() if outer == parent)
            raise self.error(f"expected {expected or 'only numbers'}, found <{tag[:40]}>")
        self._no_text()
        self.open.append(tag)
        if tag == "Policy":
            if attributes.get("type", "value") != "value":
                raise self.error(f'expected a policy of type "value", found {attributes["type"][:40]!r}')
        elif tag == "AlphaVector":
            self._announce(attributes)
        elif tag != "Entry":
            if len(self.vectors) == self.announced:
                raise self.error(f"expected {self.announced} vectors as numVectors says, found more")
            self.actions.append(self._whole(attributes, "action", 0, MOST_ACTIONS - 1))
            self._whole(attributes, "obsValue", 0, 0)
            self.vectors.append(np.zeros(self.length))

    def _announce(self, attributes: dict[str, str]) -> None:
        if self.length:
            raise self.error("expected one <AlphaVector>, found a second")
        self.length = self._whole(attributes, "vectorLength", 1, self.most)
        self.announced = self._whole(attributes, "numVectors", 1, self.most // self.length)
        if self._whole(attributes, "numObsValue", 1, MOST_NUMBERS) != 1:
            reason = "the policy is for states that are partly observed (numObsValue is not 1)"
            raise self.error(f"{reason}; only policies of plain POMDPs can be read")

    def end(self, tag: str) -> None:
        if tag == "Vector":
            values = self._numbers()
            if len(values) != self.length:
                raise self.error(f"expected {self.length} numbers as vectorLength says, found {len(values)}")
            self.vectors[-1][:] = values
        elif tag == "Entry":
            values = self._numbers()
            if len(values) != 2 or not (values[0] == int(values[0]) and 0 <= values[0] < self.length):
                raise self.error(f"expected the number of one of the {self.length} states, and its value")
            self.vectors[-1][int(values[0])] = values[1]
        self._no_text()
        self.open.pop()

    def _numbers(self) -> Floats:
        """Parse the text since the last tag as numbers."""
        tokens = "".join(self.text).split()
        self.text.clear()
        values = np.array([float(token) if NUMBER.fullmatch(token) else np.nan for token in tokens])
        for i in np.flatnonzero(~np.isfinite(values)):
            raise self.error(f"expected a finite number, found {tokens[i][:40]!r}")
        return values

    def _no_text(self) -> None:
        if found := "".join(self.text).strip():
            raise self.error(f"expected a tag, found {found[:40]!r}")
        self.text.clear()

    def _whole(self, attributes: dict[str, str], attribute: str, least: int, most: int) -> int:
        """Parse an attribute that is a whole number."""
        text = attributes.get(attribute, "")
        if not (text.isascii() and text.isdigit() and len(text) <= 18 and least <= int(text) <= most):
            found = repr(text[:40]) if attribute in attributes else "none"
            raise self.error(f"expected {attribute} to be a number from {least:,} to {most:,}, found {found}")
        return int(text)
