"""Lines that other programs add to the preamble, such as `goals: 3 4` or `atom 0: left right`, skipped on request."""

import re
from dataclasses import replace

from walkon.formats.cassandra.preamble import FIRST_STATEMENT, KEYWORDS
from walkon.formats.cassandra.source import Source, quote

_ITEM = re.compile(rb"^[ \t]*([^\s:]+(?:[ \t]+[^\s:]+)?)[ \t]*:.*(?:\n[^:\n]*$)*", re.MULTILINE)


def skip_unknown(source: Source) -> tuple[Source, str]:
    """Blank out the unknown items of the preamble, each to the next line with a colon, and name them.

    Nothing is named if all items are known. Every other byte stays at its place.
    """
    first = FIRST_STATEMENT.search(source.text)
    end = first.start() if first else len(source.text)
    text, skipped = bytearray(source.text), []
    for item in _ITEM.finditer(source.text, 0, end):
        words = item[1].split()
        if words[-1] in KEYWORDS or words[0] == b"start":
            continue
        text[slice(*item.span())] = re.sub(rb"\S", b" ", item[0])
        first_line = source.text.count(b"\n", 0, item.start()) + 1
        last_line = first_line + item[0].rstrip().count(b"\n")
        lines = f"line {first_line}" if first_line == last_line else f"lines {first_line} to {last_line}"
        skipped.append(f"{lines} ({quote(item[1] + b':')})")
    return replace(source, text=bytes(text)), f"skipped {', '.join(skipped)}" if skipped else ""
