"""From text to assignments.

The file is read in pieces of about a megabyte, and within a piece all statements of one form at once: their letters,
colons, fields and numbers are found by array arithmetic, and only the tokens themselves are turned into numbers one
by one. If anything is wrong, `mistakes` is asked where.
"""

import re
from collections.abc import Iterator

import numpy as np

from walkon.arrays import Floats, Ints
from walkon.formats.cassandra.assignments import Assignments, joined, nothing
from walkon.formats.cassandra.axis import UNKNOWN
from walkon.formats.cassandra.form import WORDS, Form
from walkon.formats.cassandra.grammar import Statement
from walkon.formats.cassandra.layout import MOST_FIELDS, Bools, Layout, lay_out
from walkon.formats.cassandra.mistakes import mistake
from walkon.formats.cassandra.preamble import NUMBER
from walkon.formats.cassandra.source import Source
from walkon.models.distributions import ROW_SUM_TOLERANCE

PIECE = 2**20  # bytes

_LINE_OF_STATEMENT = re.compile(rb"\n[TOR][ \t]*:")
_BEFORE_NUMBERS = re.compile(rb"([TOR])\s*:\s*([^\s:]+)\s*(?::\s*([^\s:]+)\s*)?(?::\s*([^\s:]+)\s*)?(?=\s[\d.+-])")
_SPACE = re.compile(rb"\s|\Z")
_IN_NUMBERS = b"0123456789+-.eE \t\n\r\f\v"
_WORD_NUMBERS = {word: i for i, word in enumerate(WORDS)}

Grammar = dict[int, Statement]
Part = tuple[str, Assignments]  # with its letter


def read_statements(source: Source, offset: int, grammar: Grammar) -> dict[str, Assignments]:
    """All assignments from an offset to the end of the file, by letter."""
    parts = {statement.letter: [nothing(len(statement.axes))] for statement in grammar.values()}
    clock = 0
    for first, last in _pieces(source.text, offset):
        text = source.text[first:last]
        read = _one_long_statement(text, clock, grammar) or _many_statements(text, clock, grammar)
        if isinstance(read, int):
            raise mistake(source, first + read, grammar)
        for letter, part in read:
            parts[letter].append(part)
        clock += len(text)  # a statement has more bytes than moments
    return {letter: joined(parts[letter]) for letter in parts}


def _pieces(text: bytes, first: int) -> Iterator[tuple[int, int]]:
    """Stretches that begin with a statement. One of several megabytes has a single statement where possible."""
    end = len(text.rstrip())
    while first < end:
        cut = _LINE_OF_STATEMENT.search(text, first + PIECE)
        last = cut.start() + 1 if cut else end
        if last - first > 2 * PIECE:
            within = [found.start() + 1 for found in _LINE_OF_STATEMENT.finditer(text, first, first + PIECE)]
            last = within[-1] if within else last
        yield first, last
        first = last


def _one_long_statement(text: bytes, clock: int, grammar: Grammar) -> list[Part] | None:
    """A row or matrix of any length, read without keeping a place for each number.

    None where the text is anything else, or has a mistake: then the other way of observation finds it.
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
        values = _numbers(text[first:last])
        if values is None or done + len(values) > form.count:
            return None
        if not _acceptable(values, np.array(statement.is_probability)).all():
            return None
        parts.append(form.non_zeros(values, done))
        done, first = done + len(values), last
    return [(statement.letter, part) for part in parts] if done == form.count else None


def _many_statements(text: bytes, clock: int, grammar: Grammar) -> list[Part] | int:
    """The assignments of a piece of text; or the place in it of the first statement that has a mistake."""
    layout = lay_out(text)
    if layout is None:
        return len(text) - len(text.lstrip())
    words, good = _complete(layout, grammar)
    numbered = good & (words < 0)
    only_values = layout.values_only(numbered)
    values = _numbers(only_values)
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
    return parts if good.all() else int(layout.tokens.starts[layout.heads[int(np.argmin(good))]])


def _complete(layout: Layout, grammar: Grammar) -> tuple[Ints, Bools]:
    """The word that each statement has in place of numbers, or -1; and whether its form is one that there is."""
    needed = np.zeros((256, MOST_FIELDS + 1), np.int64)
    allowed = np.zeros((256, MOST_FIELDS + 1, len(WORDS) + 1), bool)
    for letter, statement in grammar.items():
        for k in range(1, MOST_FIELDS + 1):
            needed[letter, k] = statement.count(k)
            allowed[letter, k, [WORDS.index(word) for word in statement.words.get(k, ())]] = True
    words = np.full(len(layout.heads), -1)
    lettered = np.flatnonzero(layout.well_placed & (layout.counts == 1))
    places = layout.values[lettered]
    is_letter = np.frombuffer(layout.text, np.uint8)[layout.tokens.starts[places]] >= ord("A")
    words[lettered[is_letter]] = [_WORD_NUMBERS.get(word, -1) for word in layout.words(places[is_letter])]
    numbered = (words < 0) & (layout.counts == needed[layout.letters, layout.fields])
    return words, layout.well_placed & (numbered | allowed[layout.letters, layout.fields, words])


def _fields(layout: Layout, statement: Statement, here: Ints, k: int) -> list[Ints]:
    """The k fields of the statements here, each [S]."""
    return [
        np.fromiter(map(axis.index.__getitem__, layout.words(layout.heads[here] + 2 + 2 * j)), np.int64, len(here))
        for j, axis in enumerate(statement.axes[:k])
    ]


def _numbers(text: bytes) -> Floats | None:
    """The numbers of a text; None if a token is no number."""
    if text.translate(None, _IN_NUMBERS):  # then `float` might take what the format does not have, such as 1_000
        return None
    tokens = text.split()
    try:
        return np.fromiter(map(float, tokens), np.float64, len(tokens))
    except ValueError:  # such as "1e" or "--1"
        return None


def _acceptable(values: Floats, is_probability: Bools) -> Bools:
    """Which numbers are finite and, where they are probabilities, from 0 to 1."""
    return np.isfinite(values) & (~is_probability | ((values >= 0) & (values <= 1 + ROW_SUM_TOLERANCE)))
