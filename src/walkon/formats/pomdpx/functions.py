"""The four functions of a POMDPX file: from elements to one factor for each variable and action.

Under one action, a factor keeps only the parents that one of its entries names; so a sensor that measures another part
of the state with each action stays small, though its table has all of them as parents.
"""

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from walkon.errors import InputError
from walkon.formats.cassandra.rounding import Divided, divide_rows, is_off
from walkon.formats.files import FormatError
from walkon.formats.pomdpx.blocks import ANY, EACH, Block
from walkon.formats.pomdpx.cells import Budget, table
from walkon.formats.pomdpx.diagrams import Diagrams
from walkon.formats.pomdpx.tables import read_entries
from walkon.formats.pomdpx.tree import Element
from walkon.formats.pomdpx.variables import Declared, Place
from walkon.models.distributions import ROW_SUM_TOLERANCE, stochastic
from walkon.models.factored import Axis, Factor, Layer

FUNCTIONS: dict[str, tuple[Layer | None, tuple[Layer, ...]]] = {  # the layer of the variable, and those of its parents
    "InitialStateBelief": ("before", ("before",)),
    "StateTransitionFunction": ("after", ("before", "after")),
    "ObsFunction": ("observed", ("after", "observed")),
    "RewardFunction": (None, ("before", "after", "observed")),
}
_LAYERS = {"before": "before the step", "after": "after the step", "observed": "that is observed"}


class _Condition(NamedTuple):
    """Where and of what a factor is made, for messages."""

    element: Element
    name: str
    axes: list[Axis]
    action: str  # "" where the factor is the same for all actions


class Functions:
    """Reads the functions of a file."""

    def __init__(self, declared: Declared, budget: Budget) -> None:
        self.declared, self.budget = declared, budget
        self.diagrams = Diagrams(declared)
        self.divided: list[Divided] = []
        self.actions = list(product(*(range(each.size) for each in declared.actions)))

    def read(self, root: Element, function: str) -> list[tuple[Factor, ...]]:
        """Return for each variable of a function its factor under each action."""
        layer, _ = FUNCTIONS[function]
        element = root.first(function)
        given = list(element.children) if element else []
        if layer is None:
            return [each for function_ in given for each in self._rewards(function_)]
        variables = self.declared.observations if layer == "observed" else self.declared.states
        made: dict[int, tuple[Factor, ...]] = {}
        for each in given:
            axis, name = self._variable(each, layer)
            if axis.number in made:
                raise each.error(f"{name} has a second <CondProb>: remove one")
            made[axis.number] = self._factors(each, function, axis, name)
        for i, variable in enumerate(variables):
            if i not in made:
                name = variable.after if layer == "after" else variable.name
                raise (element or root).error(f"<{function}> has no <CondProb> for {name}: add one")
        return [made[i] for i in range(len(variables))]

    def _rewards(self, element: Element) -> list[tuple[Factor, ...]]:
        names = element.only("Var").words
        if len(names) != 1 or names[0] not in self.declared.rewards:
            raise element.only("Var").error(f"expected the name of a <RewardVar>, found {' '.join(names)[:40]!r}")
        return [self._factors(element, "RewardFunction", None, names[0])]

    def _variable(self, element: Element, layer: Layer) -> tuple[Axis, str]:
        var = element.only("Var")
        place = self.declared.places.get(var.text.strip())
        if not isinstance(place, Axis) or place.layer != layer:
            raise var.error(f"expected the name of a variable {_LAYERS[layer]}, found {var.text.strip()[:40]!r}")
        return place, var.text.strip()

    def _factors(self, element: Element, function: str, own: Axis | None, name: str) -> tuple[Factor, ...]:
        """Return the factor of one variable under each action."""
        axes: list[Place] = self._parents(element, function, own)
        parameter = element.only("Parameter")
        kind = parameter.attributes.get("type", "TBL").strip()
        if kind not in ("TBL", "DD"):
            raise parameter.error(f"the type is {kind[:40]!r}, expected TBL or DD")
        probability = own is not None
        if kind == "DD":
            blocks = list(self.diagrams.read(parameter, axes, probability))
        else:
            blocks = list(read_entries(parameter, axes, self.declared, probability))
        try:
            return self._per_action(element, name, axes, blocks, probability)
        except InputError as cause:
            raise cause if isinstance(cause, FormatError) else element.error(str(cause)) from None

    def _parents(self, element: Element, function: str, own: Axis | None) -> list[Place]:
        """Return the axes of a table: the parents, and of a probability the variable itself."""
        parent = element.first("Parent")
        axes: list[Place] = []
        for word in parent.words if parent and parent.words != ["null"] else ():
            place = self.declared.places.get(word)
            allowed = FUNCTIONS[function][1]
            acting = function != "InitialStateBelief"
            if parent is None or place is None or not (place.layer in allowed if isinstance(place, Axis) else acting):
                expected = ["an action"] * acting + [f"a variable {_LAYERS[layer]}" for layer in allowed]
                why = "is no variable" if place is None else f"cannot be a parent in <{function}>"
                raise (parent or element).error(f"{word[:40]!r} {why}: expected {' or '.join(expected)}")
            if place in axes or place == own:
                raise parent.error(f"{word[:40]!r} is given twice among the parents and the variable: remove one")
            axes.append(place)
        return [*axes, own] if own else axes

    def _per_action(
        self, element: Element, name: str, axes: list[Place], blocks: list[Block], probability: bool
    ) -> tuple[Factor, ...]:
        asked = [i for i, axis in enumerate(axes) if isinstance(axis, int)]
        numbers = [axis for axis in axes if isinstance(axis, int)]
        others = [axis for axis in axes if isinstance(axis, Axis)]
        lists = _by_action(blocks, asked, [self.declared.actions[k].size for k in numbers], self.budget)
        made: dict[tuple[int, ...], Factor] = {}  # by the identities of the blocks
        by_choice: dict[tuple[int, ...], Factor] = {}
        for choice, own in lists.items():
            key = tuple(map(id, own))
            if key not in made:
                said = [self.declared.actions[k].values[v] for k, v in zip(numbers, choice, strict=True)]
                made[key] = self._factor(_Condition(element, name, others, " ".join(said)), own, probability)
            by_choice[choice] = made[key]
        return tuple(by_choice[tuple(action[i] for i in numbers)] for action in self.actions)

    def _factor(self, where: _Condition, blocks: Sequence[Block], probability: bool) -> Factor:
        """Return the factor that some blocks without actions define."""
        count = len(where.axes)
        named = [i for i in range(count) if any(block.fields[i] != ANY for block in blocks)]
        if probability and count - 1 not in named:
            named.append(count - 1)
        dropped = [i for i in range(count) if i not in named]
        axes = [where.axes[i] for i in named]
        sizes = tuple(self.declared.variable(axis).size for axis in axes)
        own = [block.without(dropped) if dropped else block for block in blocks]
        made = table(own, sizes, self.budget)
        if probability:
            made = self._distributions(where._replace(axes=axes), made, own, sizes)
        return Factor(tuple(axes), sizes, made)

    def _distributions(
        self, where: _Condition, made: csr_array, blocks: list[Block], sizes: tuple[int, ...]
    ) -> csr_array:
        """Return a table whose rows sum to 1; rows that miss it only because of their digits are divided."""
        if is_off([made]):
            divided = divide_rows(where.name, [made], [table(blocks, sizes, self.budget, lowest=True)])
            self.divided += [divided] if divided else []
        sums = np.asarray(made.sum(axis=1)).ravel()
        wrong = np.flatnonzero(np.abs(sums - 1) > ROW_SUM_TOLERANCE)
        if len(wrong):
            values = np.unravel_index(int(wrong[0]), sizes[:-1]) if len(sizes) > 1 else ()
            said = [f"the action is {where.action}"] * bool(where.action)
            for axis, value in zip(where.axes[:-1], values, strict=True):
                variable = self.declared.variable(axis)
                said.append(f"{variable.after if axis.layer == 'after' else variable.name} is {variable.values[value]}")
            place = f" where {', '.join(said)}" if said else ""
            more = f" ({len(wrong) - 1:,} more rows are off too)" if len(wrong) > 1 else ""
            remedy = "is an entry missing?" if sums[wrong[0]] < 1 else "is a case given twice?"
            raise where.element.error(
                f"the probabilities of {where.name} sum to {sums[wrong[0]]:.9g}, not 1{place}: {remedy}{more}"
            )
        return stochastic(where.name, made, made.shape, None, "")


def _by_action(
    blocks: list[Block], asked: list[int], sizes: list[int], budget: Budget
) -> dict[tuple[int, ...], list[Block]]:
    """Return the blocks of each choice of the actions among the axes, without these axes."""
    lists: dict[tuple[int, ...], list[Block]] = {choice: [] for choice in product(*map(range, sizes))}
    for block in blocks:
        fields = [block.fields[i] for i in asked]
        ranges = [range(size) if field < 0 else (field,) for field, size in zip(fields, sizes, strict=True)]
        shared = block.without(asked) if EACH not in fields else None
        for choice in product(*ranges):
            budget.take(1)
            part: Block | None = block
            for axis, value, size in zip(asked, choice, sizes, strict=True):
                part = part.fix(axis, value, size) if part and shared is None else part
            if part is not None:
                lists[choice].append(shared or part.without(asked))
    return lists
