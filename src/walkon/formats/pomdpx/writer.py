"""Write POMDPX files from which every number can be read back exactly.

A problem that was read from factors is written as these factors, any other with one variable each for states, actions
and observations. A row is written whole where an eighth of it or more is not zero, and entry by entry otherwise.

A value in the format is a word without spaces; walkon's names may be any text. Any other name is written as an
identifier made from it, with the name itself as a JSON string in the description, which other programs skip and
walkon's reader uses:

    #@ state agent_0_3 "agent (0,3)"
"""

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from xml.sax.saxutils import escape, quoteattr

import numpy as np
from scipy.sparse import csr_array

from walkon.arrays import Names
from walkon.errors import InputError
from walkon.formats.cassandra.writer import identifiers
from walkon.formats.files import replacing
from walkon.models.factored import Axis, Factor, FactoredPOMDP, Variable
from walkon.models.pomdp import POMDP
from walkon.saying import briefly

WORDS_A_LINE = 16
STATE, AFTER = Axis("before", 0), Axis("after", 0)


def write_pomdpx(pomdp: POMDP, path: str | os.PathLike[str]) -> None:
    """Write a POMDP as a POMDPX file, with the variables and tables of `pomdp.factored` if it has some.

    Names that the format does not allow are written as identifiers made from them; walkon's reader restores the names.
    """
    if not isinstance(pomdp, POMDP):
        raise InputError(f"pomdp is {briefly(pomdp)}, expected a walkon.POMDP")
    with replacing(path) as draft, open(draft, "wb") as file:
        file.writelines(line.encode("ascii", "xmlcharrefreplace") for line in _lines(pomdp.factored or _flat(pomdp)))


def _flat(pomdp: POMDP) -> FactoredPOMDP:
    """Return a problem as factors of one variable each."""
    X, A = pomdp.R.shape
    Z = pomdp.O[0].shape[1]

    def variable(kind: str, names: Names | None, size: int, after: str = "") -> Variable:
        values = names or tuple(f"{kind[0]}{i}" for i in range(size))
        return Variable(f"{kind}_0" if after else kind, values, after, listed=names is not None)

    start = Factor((STATE,), (X,), csr_array(pomdp.start[None]))
    return FactoredPOMDP(
        (variable("state", pomdp.states, X, "state_1"),),
        (variable("action", pomdp.actions, A),),
        (variable("observation", pomdp.observations, Z),),
        (start,),
        tuple((Factor((STATE, AFTER), (X, X), each),) for each in pomdp.P),
        tuple((Factor((AFTER, Axis("observed", 0)), (X, Z), each),) for each in pomdp.O),
        tuple((Factor((STATE,), (X,), csr_array(pomdp.R[None, :, a])),) for a in range(A)),
        pomdp.discount,
    )


def _lines(model: FactoredPOMDP) -> Iterator[str]:
    kinds = (("state", model.states), ("action", model.actions), ("observation", model.observations))
    written = {kind: tuple(_words(kind, variables)) for kind, variables in kinds}
    yield '<?xml version="1.0" encoding="ISO-8859-1"?>\n<pomdpx version="1.0" id="walkon">\n'
    yield "<Description>Written by walkon.\n"
    for kind, variables in kinds:
        for old, new in zip(variables, written[kind], strict=True):
            pairs = zip(old.values, new.values, strict=True)
            yield from (f"#@ {kind} {word} {escape(json.dumps(name))}\n" for name, word in pairs if name != word)
    yield f"</Description>\n<Discount>{model.discount!r}</Discount>\n<Variable>\n"
    for each in written["state"]:
        seen = "true" if each.seen else "false"
        names = f"vnamePrev={quoteattr(each.name)} vnameCurr={quoteattr(each.after)}"
        yield from _variable(f'StateVar {names} fullyObs="{seen}"', each)
    for tag, kind in (("ActionVar", "action"), ("ObsVar", "observation")):
        for each in written[kind]:
            yield from _variable(f"{tag} vname={quoteattr(each.name)}", each)
    rewards = range(len(model.rewards[0]))
    yield "".join(f'<RewardVar vname="reward_{k}"/>\n' for k in rewards) + "</Variable>\n"
    model = replace(model, states=written["state"], actions=written["action"], observations=written["observation"])
    tables = _Tables(model)
    starts = [((factor,), each.name) for factor, each in zip(model.start, model.states, strict=True)]
    yield from tables.function("InitialStateBelief", starts)
    yield from tables.function("StateTransitionFunction", _named(model.transitions, [v.after for v in model.states]))
    if model.observations:
        yield from tables.function("ObsFunction", _named(model.sensors, [v.name for v in model.observations]))
    yield from tables.function("RewardFunction", _named(model.rewards, [f"reward_{k}" for k in rewards]))
    yield "</pomdpx>\n"


def _named(factors: tuple[tuple[Factor, ...], ...], names: list[str]) -> list[tuple[tuple[Factor, ...], str]]:
    """Return the factor of each variable under all actions, with the name of the variable."""
    return [(tuple(each[i] for each in factors), name) for i, name in enumerate(names)]


def _words(kind: str, variables: tuple[Variable, ...]) -> Iterator[Variable]:
    """Yield the variables with values that the format allows: those that were read are words already."""
    for each in variables:
        if not each.listed or (len(variables) > 1 and all(len(value.split()) == 1 for value in each.values)):
            yield each
        else:
            yield replace(each, values=identifiers(kind, each.values))


def _variable(tag: str, variable: Variable) -> Iterator[str]:
    yield f"<{tag}>"
    if variable.listed:
        words = [escape(value) for value in variable.values]
        lines = [" ".join(words[i : i + WORDS_A_LINE]) for i in range(0, len(words), WORDS_A_LINE)]
        yield "<ValueEnum>" + "\n".join(lines) + "</ValueEnum>"
    else:
        yield f"<NumValues>{variable.size}</NumValues>"
    yield f"</{tag.split()[0]}>\n"


class _Tables:
    """Writes the tables of a problem."""

    def __init__(self, model: FactoredPOMDP) -> None:
        self.model = model
        self.actions = list(product(*(map(escape, each.values) for each in model.actions)))

    def function(self, tag: str, factors: Sequence[tuple[tuple[Factor, ...], str]]) -> Iterator[str]:
        """Write one of the four functions."""
        outer = "Func" if tag == "RewardFunction" else "CondProb"
        yield f"<{tag}>\n"
        for by_action, name in factors:
            own = by_action[0].axes[-1:] if outer == "CondProb" else ()
            parents = sorted({axis for each in by_action for axis in each.axes} - set(own), key=_rank)
            same = all(each is by_action[0] for each in by_action)
            words = [] if same else [each.name for each in self.model.actions]
            words += [self._name(axis) for axis in parents]
            yield f"<{outer}><Var>{escape(name)}</Var><Parent>{escape(' '.join(words) or 'null')}</Parent>"
            yield '<Parameter type="TBL">\n'
            for action, factor in zip([()] if same else self.actions, by_action, strict=False):
                yield from self._entries(action, factor, [*parents, *own], outer == "CondProb")
            yield f"</Parameter></{outer}>\n"
        yield f"</{tag}>\n"

    def _entries(self, action: Names, factor: Factor, axes: list[Axis], probability: bool) -> Iterator[str]:
        """Write the entries of one factor; `*` stands for each axis that it does not have."""
        table, numbers = factor.table, "ProbTable" if probability else "ValueTable"
        values = [[escape(value) for value in self._of(axis).values] for axis in factor.axes]
        for row in np.flatnonzero(np.diff(table.indptr)).tolist():
            at = dict(zip(factor.parents, np.unravel_index(row, factor.sizes[:-1]), strict=True)) if axes else {}
            known = {axis: values[i][at[axis]] for i, axis in enumerate(factor.parents)}
            columns = table.indices[table.indptr[row] : table.indptr[row + 1]].tolist()
            data = table.data[table.indptr[row] : table.indptr[row + 1]].tolist()
            whole = bool(factor.axes) and 8 * len(columns) >= table.shape[1]
            if whole:
                dense = ["0"] * table.shape[1]
                for column, value in zip(columns, data, strict=True):
                    dense[column] = repr(value)
            last = ["-"] if whole else [values[-1][column] if factor.axes else "" for column in columns]
            for word, value in zip(last, [" ".join(dense)] if whole else map(repr, data), strict=True):
                known |= {factor.axes[-1]: word} if factor.axes else {}
                instance = " ".join([*action, *(known.get(axis, "*") for axis in axes)]) or "*"
                yield f"<Entry><Instance>{instance}</Instance><{numbers}>{value}</{numbers}></Entry>\n"

    def _of(self, axis: Axis) -> Variable:
        return (self.model.observations if axis.layer == "observed" else self.model.states)[axis.number]

    def _name(self, axis: Axis) -> str:
        return self._of(axis).after if axis.layer == "after" else self._of(axis).name


def _rank(axis: Axis) -> tuple[int, int]:
    return ("before", "after", "observed").index(axis.layer), axis.number
