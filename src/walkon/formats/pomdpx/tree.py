"""The elements of a POMDPX file with their lines.

Elements and attributes that the format does not have are errors, unless they are to be skipped.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from walkon.formats.files import FormatError, error_at
from walkon.formats.xml_file import XMLFile

_FUNCTIONS = ("InitialStateBelief", "StateTransitionFunction", "ObsFunction")
_BRANCH = ("Node", "SubDAG", "Terminal")
CHILDREN: dict[str, tuple[str, ...]] = {
    "": ("pomdpx",),
    "pomdpx": ("Description", "Discount", "Variable", *_FUNCTIONS, "RewardFunction"),
    "Variable": ("StateVar", "ObsVar", "ActionVar", "RewardVar"),
    **dict.fromkeys(("StateVar", "ObsVar", "ActionVar"), ("NumValues", "ValueEnum")),
    **dict.fromkeys(_FUNCTIONS, ("CondProb",)),
    "RewardFunction": ("Func",),
    **dict.fromkeys(("CondProb", "Func"), ("Var", "Parent", "Parameter")),
    "Parameter": ("Entry", "DAG", "SubDAGTemplate"),
    "Entry": ("Instance", "ProbTable", "ValueTable"),
    **dict.fromkeys(("DAG", "SubDAGTemplate", "Edge"), _BRANCH),
    "Node": ("Edge",),
}
ATTRIBUTES: dict[str, tuple[str, ...]] = {
    "StateVar": ("vnamePrev", "vnameCurr", "fullyObs"),
    **dict.fromkeys(("ObsVar", "ActionVar", "RewardVar"), ("vname",)),
    "Parameter": ("type",),
    "SubDAGTemplate": ("id",),
    "Node": ("var",),
    "Edge": ("val",),
    "SubDAG": ("type", "var", "val", "idref"),
}
_TAGS = {tag for tags in CHILDREN.values() for tag in tags}
_SKIPPED = ": --skip-unknown, or skip_unknown=True in Python, skips what the format does not have"


@dataclass(slots=True)
class Element:
    """An element of the file."""

    file: str
    tag: str
    attributes: dict[str, str]
    line: int
    column: int
    children: list["Element"] = field(default_factory=list)
    text: str = ""

    def error(self, message: str) -> FormatError:
        """Return the error for this element."""
        return error_at(self.file, self.line, self.column, message)

    def all(self, *tags: str) -> Iterator["Element"]:
        """Yield the children of these tags."""
        return (child for child in self.children if child.tag in tags)

    def first(self, *tags: str) -> "Element | None":
        """Return the only child of these tags, if there is one."""
        found = list(self.all(*tags))
        if len(found) > 1:
            raise found[1].error(f"<{found[1].tag}> is given a second time in <{self.tag}>: remove one of them")
        return found[0] if found else None

    def only(self, *tags: str) -> "Element":
        """Return the only child of these tags, which has to exist."""
        child = self.first(*tags)
        if child is None:
            raise self.error(f"<{self.tag}> has no {' or '.join(f'<{tag}>' for tag in tags)}: add it")
        return child

    def attribute(self, name: str) -> str:
        """Return an attribute that has to exist."""
        if not (value := self.attributes.get(name, "").strip()):
            raise self.error(f'<{self.tag}> has no {name}: add {name}="..."')
        return value

    @property
    def words(self) -> list[str]:
        """The text, split at white space."""
        return self.text.split()


def read_tree(file: str, data: bytes, *, skip_unknown: bool = False) -> tuple[Element, list[str]]:
    """Parse a file: return its root, and a note on each element that was skipped."""
    tree = _Tree(file, skip_unknown)
    tree.parse(data)
    return tree.open[0].only("pomdpx"), tree.skipped


class _Tree(XMLFile):
    """Builds the tree of one file."""

    def __init__(self, name: str, skip_unknown: bool) -> None:
        super().__init__(name, "a POMDPX file")
        self.skip_unknown = skip_unknown
        self.open = [Element(name, "", {}, 1, 1)]  # the elements around the current place
        self.skipping = 0  # how many unknown elements are open
        self.skipped: list[str] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        around = self.open[-1]
        self._take_text(around)
        known = CHILDREN.get(around.tag, ())
        element = Element(self.name, tag, attributes, *self.place)
        if self.skipping or tag not in known:
            foreign = around.tag and tag not in _TAGS
            if not self.skipping and not (self.skip_unknown and foreign):
                expected = " or ".join(f"<{child}>" for child in known) or "only text"
                place = f" in <{around.tag}>" if around.tag else ""
                raise element.error(f"expected {expected}{place}, found <{tag[:40]}>{_SKIPPED * bool(foreign)}")
            if not self.skipping:
                self.skipped.append(f"line {element.line} (<{tag[:40]}>)")
            self.skipping += 1
            return
        for name in attributes:
            if tag != "pomdpx" and ":" not in name and name not in ATTRIBUTES.get(tag, ()):
                if not self.skip_unknown:
                    expected = ", ".join(ATTRIBUTES.get(tag, ())) or "none"
                    raise element.error(f"<{tag}> has an attribute {name[:40]}, expected {expected}{_SKIPPED}")
                self.skipped.append(f"line {element.line} ({name[:40]} of <{tag}>)")
        around.children.append(element)
        self.open.append(element)

    def end(self, tag: str) -> None:
        if self.skipping:
            self.text.clear()
            self.skipping -= 1
            return
        self._take_text(self.open.pop())

    def _take_text(self, element: Element) -> None:
        """Give an element the text that was found since the last tag; only those without children may have any."""
        if self.text and not self.skipping:
            text = "".join(self.text)
            if CHILDREN.get(element.tag) and text.strip():
                raise self.error(f"expected a tag in <{element.tag}>, found {text.strip()[:40]!r}")
            element.text += text
        self.text.clear()
