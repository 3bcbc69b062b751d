"""Decision diagrams, type DD, from nodes to blocks: one block for each path to an end.

    <DAG><Node var="action"><Edge val="stay"><SubDAG type="persistent" var="robot_1"/></Edge> ... </Node></DAG>

A path ends in a number (`Terminal`) or in a diagram of its own: `deterministic` (1 where the variable has the value),
`persistent` (1 where it has its value before the step), `uniform`, or `template`, a diagram that is given elsewhere
under the same parameter. Values for which a node has no edge have the number 0.
"""

from collections.abc import Iterator
from typing import NamedTuple

from walkon.formats.pomdpx.blocks import ANY, EACH, Block
from walkon.formats.pomdpx.tables import printed, value_of
from walkon.formats.pomdpx.tree import Element
from walkon.formats.pomdpx.variables import Declared, Place
from walkon.models.factored import Axis

MOST_STEPS = 500_000  # along all paths of the diagrams of a file


class _Path(NamedTuple):
    element: Element  # which has the next node or end
    fields: tuple[int, ...]
    templates: tuple[str, ...]  # that lead here


class Diagrams:
    """Reads the diagrams of a file, and counts their steps."""

    def __init__(self, declared: Declared) -> None:
        self.declared, self.steps = declared, 0

    def read(self, parameter: Element, axes: list[Place], probability: bool) -> Iterator[Block]:
        """Yield what each path of a diagram sets."""
        if wrong := next(parameter.all("Entry"), None):
            raise wrong.error('<Entry> is for tables of type="TBL", and this one is of type="DD": change one of them')
        templates: dict[str, Element] = {}
        for each in parameter.all("SubDAGTemplate"):
            if templates.setdefault(each.attribute("id"), each) is not each:
                raise each.error(f"a second template is called {each.attribute('id')[:40]!r}: rename one")
        waiting = [_Path(parameter.only("DAG"), (ANY,) * len(axes), ())]
        while waiting:
            path = waiting.pop()
            self.steps += 1
            branch = path.element.only("Node", "SubDAG", "Terminal")
            if self.steps > MOST_STEPS:
                raise branch.error(f"the diagrams have more than {MOST_STEPS:,} paths, the most allowed: use a table")
            if branch.tag == "Node":
                waiting.extend(self._edges(branch, path, axes))
            elif branch.tag == "SubDAG" and branch.attribute("type") == "template":
                name = branch.attribute("idref")
                if name not in templates or name in path.templates:
                    why = "it leads to itself" if name in path.templates else "there is none in this <Parameter>"
                    raise branch.error(f"the template {name[:40]!r} cannot be used: {why}")
                waiting.append(_Path(templates[name], path.fields, (*path.templates, name)))
            elif block := self._end(branch, path.fields, axes, probability):
                yield block

    def _edges(self, node: Element, path: _Path, axes: list[Place]) -> Iterator[_Path]:
        """Yield the paths from a node. If the path has fixed its variable already, only one edge can be taken."""
        axis = self._axis(node, node.attribute("var"), axes)
        seen = set()
        for edge in node.all("Edge"):
            value = value_of(edge, self.declared, axes[axis], edge.attribute("val"))
            if value in seen:
                raise edge.error(f"a second edge has the value {edge.attribute('val')[:40]!r}: remove one")
            seen.add(value)
            if path.fields[axis] in (ANY, value):
                yield path._replace(element=edge, fields=_put(path.fields, axis, value))

    def _end(self, end: Element, fields: tuple[int, ...], axes: list[Place], probability: bool) -> Block | None:
        """Return what an end sets; None where it is 0."""
        if end.tag == "Terminal":
            words = end.words
            if len(words) != 1:
                raise end.error(f"expected a number, found {end.text.strip()[:40]!r}")
            return Block(fields, printed(end, words, probability).reshape(()))
        kind = end.attribute("type")
        if kind not in ("deterministic", "persistent", "uniform"):
            expected = "deterministic, persistent, uniform or template"
            raise end.error(f"the type is {kind[:40]!r}, expected {expected}")
        axis = self._axis(end, end.attribute("var"), axes)
        if kind == "uniform":
            return Block(fields, value=1 / self.declared.variable(axes[axis]).size)
        if kind == "deterministic":
            value = value_of(end, self.declared, axes[axis], end.attribute("val"))
            return Block(_put(fields, axis, value), value=1.0) if fields[axis] in (ANY, value) else None
        place = axes[axis]
        before = Axis("before", place.number) if isinstance(place, Axis) and place.layer == "after" else place
        if before == place or before not in axes:
            raise end.error(
                f"{end.attribute('var')[:40]!r} cannot be persistent: expected the name after the step of a "
                "variable, whose name before it is among the parents"
            )
        return _persistent(fields, axes.index(before), axis)

    def _axis(self, element: Element, name: str, axes: list[Place]) -> int:
        place = self.declared.places.get(name)
        if place is None or place not in axes:
            raise element.error(f"{name[:40]!r} is neither the variable nor one of its parents: add it to <Parent>")
        return axes.index(place)


def _persistent(fields: tuple[int, ...], before: int, after: int) -> Block | None:
    """Return 1 where a variable has the value that it had."""
    known = {fields[before], fields[after]} - {ANY}
    if not known:
        return Block(_put(_put(fields, before, EACH), after, EACH), value=1.0, diagonal=True)
    return Block(_put(_put(fields, before, min(known)), after, min(known)), value=1.0) if len(known) == 1 else None


def _put(fields: tuple[int, ...], axis: int, value: int) -> tuple[int, ...]:
    return (*fields[:axis], value, *fields[axis + 1 :])
