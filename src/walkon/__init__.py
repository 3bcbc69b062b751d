"""walkon: ad hoc teamwork under partial observability.

An agent joins a team it has never met, in a task nobody told it, sees a noisy part of the world, works out from its
own observations which of K known tasks is going on, and helps. The public names are those of `__init__.pyi`; each is
loaded when it is first used, so that `import walkon` and the command line start at once.
"""

import ast
from importlib import import_module
from pathlib import Path
from typing import Any

__version__ = "0.2.0"

_PUBLIC = ast.parse(Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8")).body
_HOME = {alias.name: line.module for line in _PUBLIC if isinstance(line, ast.ImportFrom) for alias in line.names}
__all__ = list(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'walkon' has no attribute {name!r}")
    home = str(_HOME[name])
    value = import_module(f"walkon.{name}") if home == "walkon" else getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
