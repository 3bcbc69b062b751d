"""The variables that a POMDPX file declares, and the words that stand for their values."""

import json
import re
from dataclasses import dataclass
from itertools import chain

from walkon.arrays import Names
from walkon.errors import InputError
from walkon.formats.files import MOST_ACTIONS
from walkon.formats.pomdpx.tree import Element
from walkon.models.distributions import discounting
from walkon.models.factored import Axis, Layer, Variable

MOST_VALUES = 1_000_000
MOST_VARIABLES = 1000
UNKNOWN = -2

NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_COMMENT = re.compile(r'^#@ (state|action|observation) (\S+) (".*")[ \t\r]*$', re.MULTILINE)
_LETTERS = {"StateVar": "s", "ActionVar": "a", "ObsVar": "o"}
_KINDS = {"StateVar": "state", "ActionVar": "action", "ObsVar": "observation"}

Place = Axis | int  # what a name stands for: an axis of a factor, or the number of an action variable


@dataclass(frozen=True)
class Declared:
    """The variables of a file, and what their names stand for."""

    states: tuple[Variable, ...]
    actions: tuple[Variable, ...]
    observations: tuple[Variable, ...]
    rewards: Names
    places: dict[str, Place]
    words: dict[int, dict[str, int]]  # of each variable, by its id: the number of each value

    def variable(self, place: Place) -> Variable:
        """Return the variable at a place."""
        if isinstance(place, int):
            return self.actions[place]
        return (self.observations if place.layer == "observed" else self.states)[place.number]

    def value(self, place: Place, word: str) -> int:
        """Return the number of a value that is given by its name or its number."""
        variable = self.variable(place)
        number = self.words[id(variable)].get(word, UNKNOWN)
        if number == UNKNOWN and word.isascii() and word.isdigit() and len(word) < 10 and int(word) < variable.size:
            return int(word)
        return number


def read_discount(root: Element) -> float:
    """Read the discount."""
    element = root.only("Discount")
    if not NUMBER.fullmatch(element.text.strip()):
        raise element.error(f"the discount is {element.text.strip()[:40]!r}, expected a number in [0, 1)")
    try:
        return discounting(float(element.text), most=1.0)
    except InputError as cause:
        raise element.error(str(cause)) from None


def read_variables(root: Element) -> Declared:
    """Read the declarations."""
    element = root.only("Variable")
    if len(element.children) > MOST_VARIABLES:
        raise element.error(f"{len(element.children):,} variables are too many: at most {MOST_VARIABLES:,} are allowed")
    kept = _names(root)
    lists: dict[str, list[Variable]] = {tag: [] for tag in _LETTERS}
    places: dict[str, Place] = {}
    words: dict[int, dict[str, int]] = {}
    rewards: list[str] = []
    for each in element.children:
        if each.tag == "RewardVar":
            rewards.append(each.attribute("vname"))
            _new(each, rewards[-1], [*places, *rewards[:-1]])
            continue
        found = lists[each.tag]
        alone = sum(other.tag == each.tag for other in element.children) == 1
        made, numbers = _variable(each, kept if alone else {})
        layers: tuple[Layer, ...] = ("before", "after") if each.tag == "StateVar" else ("observed",)
        for name, layer in zip((made.name, made.after), layers, strict=False):
            _new(each, name, [*places, *rewards])
            places[name] = len(found) if each.tag == "ActionVar" else Axis(layer, len(found))
        found.append(made)
        words[id(made)] = numbers
    for tag in ("StateVar", "ActionVar"):
        if not lists[tag]:
            raise element.error(f"<Variable> has no <{tag}>: add it")
    states, actions, observations = (tuple(lists[tag]) for tag in ("StateVar", "ActionVar", "ObsVar"))
    count = 1
    for variable in actions:
        count *= variable.size
        if count > MOST_ACTIONS:
            raise element.error(f"there are more than {MOST_ACTIONS:,} actions, the most allowed: leave some out")
    return Declared(states, actions, observations, tuple(rewards), places, words)


def _new(element: Element, name: str, taken: list[str]) -> None:
    if name in taken or name == "null":
        why = "it stands for no parents" if name == "null" else "another variable has this name"
        raise element.error(f"a variable cannot be called {name[:40]!r}: {why}")


def _variable(element: Element, kept: dict[tuple[str, str], str]) -> tuple[Variable, dict[str, int]]:
    """Read one variable, and the number of each word that stands for one of its values."""
    given = element.only("NumValues", "ValueEnum")
    written: Names = tuple(given.words)
    if given.tag == "NumValues":
        text = given.text.strip()
        if not (text.isascii() and text.isdigit() and len(text) < 10 and 0 < int(text) <= MOST_VALUES):
            raise given.error(f"<NumValues> is {text[:40]!r}, expected a number from 1 to {MOST_VALUES:,}")
        written = tuple(f"{_LETTERS[element.tag]}{i}" for i in range(int(text)))
    if not written:
        raise given.error("<ValueEnum> is empty: list the names of the values")
    numbers = {word: i for i, word in enumerate(written)}
    if len(numbers) < len(written):
        twice = next(word for i, word in enumerate(written) if numbers[word] != i)
        raise given.error(f"two values are called {twice[:40]!r}: rename one")
    if taken := {"*", "-"} & numbers.keys():
        raise given.error(
            f"a value cannot be called {min(taken)!r}, which stands for several in an <Instance>: rename it"
        )
    values = tuple(kept.get((_KINDS[element.tag], word), word) for word in written)
    if len(set(values)) < len(values):
        raise given.error(f"the #@ lines of <Description> give two {_KINDS[element.tag]}s the same name: rename one")
    listed = given.tag == "ValueEnum"
    if element.tag != "StateVar":
        return Variable(element.attribute("vname"), values, listed=listed), numbers
    seen = element.attributes.get("fullyObs", "false").strip()
    if seen not in ("true", "false", "1", "0"):
        raise element.error(f"fullyObs is {seen[:40]!r}, expected true or false")
    name, after = element.attribute("vnamePrev"), element.attribute("vnameCurr")
    if name == after:
        raise element.error(f"vnamePrev and vnameCurr are both {name[:40]!r}: give them two names")
    return Variable(name, values, after, seen in ("true", "1"), listed), numbers


def _names(root: Element) -> dict[tuple[str, str], str]:
    """Read the names that `writer` put into the description, by kind and identifier."""
    names = {}
    for comment in chain.from_iterable(_COMMENT.finditer(each.text) for each in root.all("Description")):
        try:
            name = json.loads(comment[3])
        except ValueError:  # an ordinary comment
            continue
        names[comment[1], comment[2]] = name
    return names
