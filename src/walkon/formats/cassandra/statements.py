"""From text to assignments.

    T  :  a  :  x  :  y  0.5
    head  field field field value

The file is read in pieces of about a megabyte, and within a piece all statements of one form at once: their letters,
colons, fields and numbers are found by array arithmetic, because a loop over millions of tokens would take seconds;
only the tokens themselves are turned into numbers one by one. If anything is wrong, `find_mistake` says what and where.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from walkon.arrays import Bools, Floats, Ints
from walkon.formats.cassandra.assignments import Assignments, join
from walkon.formats.cassandra.grammar import LETTERS, WORDS, Form, Statement, find_mistake
from walkon.formats.cassandra.preamble import NUMBER, UNKNOWN
from walkon.formats.cassandra.source import SPACES, Source
from walkon.models.distributions import ROW_SUM_TOLERANCE

PIECE = 2**20  # bytes
MOST_FIELDS = 4

_LINE_OF_STATEMENT = re.compile(rb"\n[TOR][ \t]*:")
_BEFORE_NUMBERS = re.compile(rb"([TOR])\s*:\s*([^\s:]+)\s*(?::\s*([^\s:]+)\s*)?(?::\s*([^\s:]+)\s*)?(?=\s[\d.+-])")
_SPACE = re.compile(rb"\s|\Z")
_IN_NUMBERS = b"0123456789+-.eE" + SPACES
_WORD_NUMBERS = {word: i for i, word in enumerate(WORDS)}

_BLANK, _COLON, _OTHER = 0, 1, 2
_KIND = np.full(256, _OTHER, np.uint8)
_KIND[list(SPACES)] = _BLANK
_KIND[ord(":")] = _COLON

Grammar = dict[int, Statement]
Part = tuple[str, Assignments]  # with its letter
Number = Callable[[bytes], float]  # from a token that is a number


@dataclass(frozen=True)
class Layout:
    """The places of S statements, counted in tokens."""

    text: bytes
    starts: Ints  # [tokens]
    ends: Ints  # [tokens]
    heads: Ints  # [S]
    letters: npt.NDArray[np.uint8]  # [S]
    fields: Ints  # [S], how many
    values: Ints  # [S], the first one
    counts: Ints  # [S], how many values
    well_placed: Bools  # [S], whether no colon is misplaced and no field is missing

    def words(self, places: Ints) -> list[bytes]:
        """Return the tokens at some places."""
        starts, ends = self.starts[places].tolist(), self.ends[places].tolist()
        return [self.text[start:end] for start, end in zip(starts, ends, strict=True)]

    def values_only(self, chosen: Bools) -> bytes:
        """Return the text with everything blanked out but the values of the chosen statements."""
        step = np.zeros(len(self.text) + 1, np.int8)
        step[self.starts[self.values[chosen]]] = 1
        step[self.ends[(self.values + self.counts - 1)[chosen]]] = -1
        inside = np.cumsum(step[:-1], dtype=np.int8).view(bool)
        return np.where(inside, np.frombuffer(self.text, np.uint8), np.uint8(ord(" "))).tobytes()


def read_statements(source: Source, offset: int, grammar: Grammar, number: Number = float) -> dict[str, Assignments]:
    """Read all assignments from an offset to the end of the file, by letter; `number` reads the numbers."""
    parts = {each.letter: [Form(each, [], np.empty(0, np.int64)).everywhere(np.empty(0))] for each in grammar.values()}
    clock = 0
    for first, last in _pieces(source.text, offset):
        text = source.text[first:last]
        read = _one_long_statement(text, clock, grammar, number) or _many_statements(text, clock, grammar, number)
        if isinstance(read, int):
            raise find_mistake(source, first + read, grammar)
        for letter, part in read:
            parts[letter].append(part)
        clock += len(text)  # a statement has more bytes than ticks
    return {letter: join(parts[letter]) for letter in parts}


def _pieces(text: bytes, first: int) -> Iterator[tuple[int, int]]:
    """Cut the text before statements. A piece of several megabytes has a single statement where possible."""
    end = len(text.rstrip())
    while first < end:
        cut = _LINE_OF_STATEMENT.search(text, first + PIECE)
        last = cut.start() + 1 if cut else end
        if last - first > 2 * PIECE:
            within = [found.start() + 1 for found in _LINE_OF_STATEMENT.finditer(text, first, first + PIECE)]
            last = within[-1] if within else last
        yield first, last
        first = last


def _one_long_statement(text: bytes, clock: int, grammar: Grammar, number: Number) -> list[Part] | None:
    """Read a row or matrix of any length without storing the place of each number.

    None where the text is anything else or has a mistake, which `_many_statements` then finds.
    """
    head = _BEFORE_NUMBERS.match(text) if len(text) > 2 * PIECE else None
    statement = grammar.get(ord(head[1])) if head else None
    if not head or not statement:
        return None
    fields = [axis.index[token] for axis, token in zip(statement.axes, head.groups()[1:], strict=False) if token]
    form = Form(statement, [np.array([field]) for field in fields], np.array([clock]))
    if UNKNOWN in fields or form.count < 2:
        return None
    parts = [form.everywhere(np.zeros(1))]
    done, first = 0, head.end()
    while first < len(text):
        space = _SPACE.search(text, first + PIECE)
        last = space.end() if space else len(text)
        values = _numbers(text[first:last], number)
        if values is None or done + len(values) > form.count:
            return None
        if not _acceptable(values, np.array(statement.is_probability)).all():
            return None
        parts.append(form.non_zeros(values, done))
        done, first = done + len(values), last
    return [(statement.letter, part) for part in parts] if done == form.count else None


def _many_statements(text: bytes, clock: int, grammar: Grammar, number: Number) -> list[Part] | int:
    """Read the assignments of a piece of text, or return the place of the first statement that has a mistake."""
    layout = lay_out(text)
    if layout is None:
        return len(text) - len(text.lstrip())
    words, good = _complete(layout, grammar)
    numbered = good & (words < 0)
    only_values = layout.values_only(numbered)
    values = _numbers(only_values, number)
    if values is None:
        tokens = only_values.split()
        values = np.array([float(token) if NUMBER.fullmatch(token) else np.nan for token in tokens])
    owner = np.repeat(np.flatnonzero(numbered), layout.counts[numbered])
    good[owner[~_acceptable(values, (layout.letters != ord("R"))[owner])]] = False
    times = clock + 2 * np.arange(len(good))
    parts: list[Part] = []
    for letter, statement in grammar.items():
        for k in range(1, MOST_FIELDS + 1):
            alike = good & (layout.letters == letter) & (layout.fields == k)
            for chosen in (alike & numbered, alike & ~numbered):
                if chosen.any():
                    here = np.flatnonzero(chosen)
                    form = Form(statement, _fields(layout, statement, here, k), times[here])
                    good[here] &= np.all([field != UNKNOWN for field in form.fields], axis=0)
                    made = form.numbers(values[chosen[owner]]) if numbered[here[0]] else [form.words(words[here])]
                    parts += [(statement.letter, part) for part in made]
    return parts if good.all() else int(layout.starts[layout.heads[int(np.argmin(good))]])


def _complete(layout: Layout, grammar: Grammar) -> tuple[Ints, Bools]:
    """Return the word that each statement has in place of numbers, or -1; and whether its form exists."""
    needed = np.zeros((256, MOST_FIELDS + 1), np.int64)
    allowed = np.zeros((256, MOST_FIELDS + 1, len(WORDS) + 1), bool)
    for letter, statement in grammar.items():
        for k in range(1, MOST_FIELDS + 1):
            needed[letter, k] = statement.count(k)
            allowed[letter, k, [WORDS.index(word) for word in statement.words.get(k, ())]] = True
    words = np.full(len(layout.heads), -1)
    lettered = np.flatnonzero(layout.well_placed & (layout.counts == 1))
    places = layout.values[lettered]
    is_letter = np.frombuffer(layout.text, np.uint8)[layout.starts[places]] >= ord("A")
    words[lettered[is_letter]] = [_WORD_NUMBERS.get(word, -1) for word in layout.words(places[is_letter])]
    numbered = (words < 0) & (layout.counts == needed[layout.letters, layout.fields])
    return words, layout.well_placed & (numbered | allowed[layout.letters, layout.fields, words])


def _fields(layout: Layout, statement: Statement, here: Ints, k: int) -> list[Ints]:
    """Return the k fields of the statements here, each [S]."""
    return [
        np.fromiter(map(axis.index.__getitem__, layout.words(layout.heads[here] + 2 + 2 * j)), np.int64, len(here))
        for j, axis in enumerate(statement.axes[:k])
    ]


def _numbers(text: bytes, number: Number) -> Floats | None:
    """Parse the numbers of a text; None if a token is not a number."""
    if text.translate(None, _IN_NUMBERS):  # `float` accepts tokens that the format does not have, such as 1_000
        return None
    tokens = text.split()
    try:
        return np.fromiter(map(number, tokens), np.float64, len(tokens))
    except ValueError:  # such as "1e" or "--1"
        return None


def _acceptable(values: Floats, is_probability: Bools) -> Bools:
    """Tell which numbers are finite and, where they are probabilities, from 0 to 1."""
    return np.isfinite(values) & (~is_probability | ((values >= 0) & (values <= 1 + ROW_SUM_TOLERANCE)))


def lay_out(text: bytes) -> Layout | None:
    """Find the statements of a text; None if it does not begin with one. The k-th field is 2k tokens after the head."""
    starts, ends = tokenise(text)
    first_bytes = np.frombuffer(text, np.uint8)[starts]
    one_byte = ends - starts == 1
    heads = np.flatnonzero(one_byte & np.isin(first_bytes, np.frombuffer(LETTERS, np.uint8)))
    if not len(heads) or heads[0]:
        return None
    behind = np.append(heads[1:], len(one_byte))
    colon = first_bytes == ord(":")
    padded = np.append(colon, np.zeros(2 * MOST_FIELDS, bool))
    fields, going = np.zeros(len(heads), np.int64), np.ones(len(heads), bool)
    for place in range(1, 2 * MOST_FIELDS, 2):
        going &= padded[heads + place] & (heads + place < behind)
        fields += going
    values = heads + 1 + 2 * fields
    colons = np.add.reduceat(colon, heads, dtype=np.int64)
    well_placed = (colons == fields) & (values < behind)
    return Layout(text, starts, ends, heads, first_bytes[heads], fields, values, behind - values, well_placed)


def tokenise(text: bytes) -> tuple[Ints, Ints]:
    """Find where the tokens of a text start and end.

    >>> [int(i) for i in tokenise(b"T: a 0.5")[0]]
    [0, 1, 3, 5]
    """
    kind = np.empty(len(text) + 2, np.uint8)
    kind[0] = kind[-1] = _BLANK
    np.take(_KIND, np.frombuffer(text, np.uint8), out=kind[1:-1])
    here, before, after = kind[1:-1], kind[:-2], kind[2:]
    colon, other = here == _COLON, here == _OTHER
    starts = np.flatnonzero(colon | (other & (before != _OTHER)))
    return starts, np.flatnonzero(colon | (other & (after != _OTHER))) + 1
