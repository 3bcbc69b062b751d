"""Tables of the type TBL, from entries to blocks.

    <Entry><Instance>listen - -</Instance><ProbTable>0.85 0.15 0.15 0.85</ProbTable></Entry>

The fields of an instance are those of the parents in their order, and then, for a probability, of the variable itself.
Numbers run along the fields that are `-`, the last one fastest. `uniform` and `identity` may stand in place of numbers.
"""

from collections.abc import Iterator
from math import prod

import numpy as np

from walkon.formats.pomdpx.blocks import ANY, EACH, Block, Tokens
from walkon.formats.pomdpx.tree import Element
from walkon.formats.pomdpx.variables import NUMBER, UNKNOWN, Declared, Place
from walkon.models.distributions import ROW_SUM_TOLERANCE

LONGEST_NUMBER = 64  # characters
SHOWN = 8  # values in a message

_WILD = {"*": ANY, "-": EACH}


def read_entries(parameter: Element, axes: list[Place], declared: Declared, probability: bool) -> Iterator[Block]:
    """Yield what each entry of a table sets."""
    if wrong := parameter.first("DAG") or next(parameter.all("SubDAGTemplate"), None):
        raise wrong.error(
            f'<{wrong.tag}> is for tables of type="DD", and this one is of type="TBL": change one of them'
        )
    for entry in parameter.all("Entry"):
        instance = entry.only("Instance")
        tag = "ProbTable" if probability else "ValueTable"
        given = entry.only("ProbTable", "ValueTable")
        if given.tag != tag:
            raise given.error(f"expected <{tag}>, found <{given.tag}>: rename it")
        fields = read_instance(instance, axes, declared)
        sizes = [declared.variable(axis).size for axis, field in zip(axes, fields, strict=True) if field == EACH]
        yield _block(given, fields, sizes, declared.variable(axes[-1]).size if probability else 0)


def read_instance(instance: Element, axes: list[Place], declared: Declared) -> tuple[int, ...]:
    """Read the fields of an instance."""
    words = instance.words
    if not axes and len(words) == 1 and words[0] in ("*", "-", "null"):
        return ()
    if len(words) != len(axes):
        names = " ".join(name for axis in axes for name, place in declared.places.items() if place == axis)
        raise instance.error(f"expected {len(axes)} fields, for {names or 'no parents'}, found {len(words)}")
    return tuple(
        _WILD[word] if word in _WILD else value_of(instance, declared, axis, word)
        for axis, word in zip(axes, words, strict=True)
    )


def value_of(element: Element, declared: Declared, place: Place, word: str) -> int:
    """Return the number of a value, which has to exist."""
    value = declared.value(place, word)
    if value == UNKNOWN:
        variable = declared.variable(place)
        known = ", ".join([*variable.values[:SHOWN], "..."] if variable.size > SHOWN else variable.values)
        raise element.error(f"{variable.name} has no value {word[:40]!r}: expected {known}")
    return value


def _block(given: Element, fields: tuple[int, ...], sizes: list[int], outcomes: int) -> Block:
    """Return what the numbers or the keyword of an entry set; `outcomes` is 0 for rewards."""
    words = given.words
    if words == ["uniform"] and outcomes:
        if fields[-1] not in (ANY, EACH):
            raise given.error('"uniform" is for all values of the variable: the last field has to be - or *')
        return Block(tuple(ANY if field == EACH else field for field in fields), value=1 / outcomes)
    if words == ["identity"] and outcomes:
        if len(sizes) != 2 or sizes[0] != sizes[1]:
            found = " and ".join(map(str, sizes)) or "none"
            raise given.error(f'"identity" needs two - in the instance, of equally many values, found {found}')
        return Block(fields, value=1.0, diagonal=True)
    if len(words) != prod(sizes):
        keywords = ", uniform or identity" if outcomes else ""
        counted = " x ".join(map(str, sizes)) if len(sizes) > 1 else ""
        expected = f"{prod(sizes):,} number{'s' * (prod(sizes) != 1)}{f' ({counted})' * bool(counted)}{keywords}"
        raise given.error(f"expected {expected}, as the - of the instance say, found {len(words):,}")
    return Block(fields, printed(given, words, bool(outcomes)).reshape(sizes))


def printed(given: Element, words: list[str], probability: bool) -> Tokens:
    """Check numbers, and return them as they are printed."""
    for word in words:
        if not NUMBER.fullmatch(word) or len(word) > LONGEST_NUMBER:
            raise given.error(f"expected a number, found {word[:40]!r}")
        value = float(word)
        if not np.isfinite(value):
            raise given.error(f"{word[:40]!r} is too large a number")
        if probability and not 0 <= value <= 1 + ROW_SUM_TOLERANCE:
            raise given.error(f"{word[:40]!r} is not a probability: expected a number from 0 to 1")
    return np.array([word.encode() for word in words], dtype=np.bytes_)
