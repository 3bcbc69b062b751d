"""Put examples in docstrings into code blocks for the reference, because Markdown takes `>>>` for a quotation."""

import re
from typing import Any

from griffe import Extension, Object

EXAMPLE = re.compile(r"^( *)>>> .*(?:\n\1\S.*|\n\1 +\S.*)*", re.MULTILINE)


class Doctests(Extension):
    """Puts a fence around each run of lines that begins with `>>>`."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Change a docstring before it is read."""
        if obj.docstring:
            obj.docstring.value = EXAMPLE.sub(r"\1```pycon\n\g<0>\n\1```", obj.docstring.value)
