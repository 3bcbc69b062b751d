"""Make the gallery: run each example, and put its output, its picture and its code into `gallery.md`."""

import ast
import contextlib
import io
import json
import os
import re
import runpy
import sys
import tempfile
from base64 import b64decode
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib

DOCS = Path(__file__).parent
EXAMPLES = DOCS.parent / "examples"
PICTURES = DOCS / "images" / "gallery"

SHOWN = {  # by example: the heading, and the picture in words
    "museum": ("A world of your own", "Film of a game: a board with three doors, the agent, the guard, and the belief"),
    "sensors": ("A sensor of your own", "Steps until they meet, by sensor, for two agents"),
    "comparing": ("Agents compared", "A dot for each trial of five agents, with means and intervals"),
    "paper_figure": (
        "A figure for a paper",
        "The belief in the true task over fifteen steps, for three levels of noise",
    ),
    "learn_from_log": ("A task learned from a log", "What the teammate does in three states, with intervals"),
    "train": ("A trained policy in a seat", "The mean return rises from round to round of training"),
    "robot": ("A robot", "Film of the robot in the museum, with the belief that the service answered"),
    "cluster": ("A large experiment on a cluster", "Steps by noise, for two agents"),
    "notebook": ("A notebook", "Film of a game in the dark room, with the belief over four tasks"),
}
HEAD = """---
description: Nine short programs, each with its output and a picture, from a world of your own to a cluster.
---

# Gallery

Each of these is a short program that comes with the package. The tests run them all, and compare what they print with
this page.

```sh
walkon examples                   # what there is
walkon examples museum            # print one
walkon examples museum --out .    # copy it, with the files that it reads
```

Then run it with `python museum.py`: it prints the output and writes the picture that you see here.
"""
MORE = """
## And these

Three tasks to read, `walkon check`, `walkon play` and `walkon serve`, a robot with ROS 2, and a log:

"""


class Shown(NamedTuple):
    """What an example prints and draws."""

    output: str
    picture: str


def run(path: Path, folder: Path) -> Shown:
    """Run an example in a folder, as `python PATH` does, in this process."""
    printed = io.StringIO()
    stamp = {"SOURCE_DATE_EPOCH": "0"}  # in the pictures that matplotlib draws
    before, kept = os.getcwd(), {name: os.environ.get(name) for name in stamp}
    os.environ.update(stamp)
    os.chdir(folder)
    try:
        with contextlib.redirect_stdout(printed), matplotlib.rc_context({"svg.hashsalt": "walkon"}):
            if path.suffix == ".ipynb":
                _run_cells(path)
            else:
                runpy.run_path(str(path), run_name="__main__")
    finally:
        os.chdir(before)
        for name, value in kept.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})
    lines = [line.rstrip() for line in printed.getvalue().splitlines()]
    return Shown("\n".join(lines) + "\n", (folder / f"{path.stem}.svg").read_text(encoding="utf-8"))


def cells(path: Path) -> list[str]:
    """The code of a notebook, cell by cell."""
    document = json.loads(path.read_text(encoding="utf-8"))
    return ["".join(cell["source"]) for cell in document["cells"] if cell["cell_type"] == "code"]


def _run_cells(path: Path) -> None:
    """Run a notebook: print the value that each cell ends with, and keep the last picture that one shows."""
    names: dict[str, Any] = {"__name__": "__main__"}
    for text in cells(path):
        *lines, last = ast.parse(text).body
        assert isinstance(last, ast.Expr), "a cell ends with what it shows"
        exec(compile(ast.Module(lines, []), path.name, "exec"), names)
        shown = eval(compile(ast.Expression(last.value), path.name, "eval"), names)
        sys.stdout.write(f"{shown!r}\n")
        if found := re.search(r"data:image/svg\+xml;base64,([^\"]+)", getattr(shown, "_repr_html_", str)()):
            Path(f"{path.stem}.svg").write_bytes(b64decode(found[1]))


def find(name: str) -> Path:
    """Find the file of an example."""
    (path,) = EXAMPLES.glob(f"{name}.*")
    return path


def sentence(path: Path) -> str:
    """The sentence that an example begins with."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".csv":
        return "nine recorded runs of a robot that may ask, for [`walkon replay`](terminal.md#replay-a-recorded-log)."
    if path.suffix == ".ipynb":
        return str(json.loads(text)["cells"][0]["source"][-1])
    return (ast.get_docstring(ast.parse(text)) or "").partition("\n\n")[0].replace("\n", " ")


def section(name: str, output: str) -> str:
    """Return the part of the page about one example."""
    path, (heading, words) = find(name), SHOWN[name]
    code = "\n\n".join(cells(path)) + "\n" if path.suffix == ".ipynb" else path.read_text(encoding="utf-8")
    return f"""
## {heading}

{sentence(path)}

![{words}](images/gallery/{name}.svg)

```text
{output}```

<details markdown="1">
<summary>The code: {path.name}</summary>

```python title="{path.name}"
{code}```

</details>
"""


def page(outputs: dict[str, str]) -> str:
    """Return the whole page."""
    others = sorted(path for path in EXAMPLES.iterdir() if path.is_file() and path.stem not in SHOWN)
    listed = "".join(f"- `{path.name}`: {sentence(path)}\n" for path in others)
    return HEAD + "".join(section(name, outputs[name]) for name in SHOWN) + MORE + listed


def main() -> None:
    """Run all examples and write the page."""
    PICTURES.mkdir(exist_ok=True)
    outputs = {}
    for name in SHOWN:
        with tempfile.TemporaryDirectory() as folder:
            outputs[name], picture = run(find(name), Path(folder))
        (PICTURES / f"{name}.svg").write_text(picture, encoding="utf-8")
    (DOCS / "gallery.md").write_text(page(outputs), encoding="utf-8")


if __name__ == "__main__":
    main()
