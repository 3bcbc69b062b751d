"""`walkon examples`: the examples, which come with the package: lists them, prints one, or copies it to a folder."""

import ast
import json as documents
from pathlib import Path
from typing import Annotated

import typer

import walkon
from walkon.checks import one_of
from walkon.cli import terminal
from walkon.cli.options import Json

INSTALLED = Path(walkon.__file__).parent / "examples"  # in a wheel
CHECKOUT = Path(walkon.__file__).parents[2] / "examples"  # where walkon is installed in place


def examples(
    name: Annotated[str | None, typer.Argument(help="An example. Without one, all are listed.")] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Copy it to this folder, with the examples that it reads; or to this file. Nothing is replaced."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """List the examples, print one, or copy it to a folder. `--out` alone copies all."""
    from rich.text import Text

    found = all_examples()
    wanted = list(found) if name is None else [str(one_of("NAME", name, list(found)))]
    if out is not None:
        written = _copy(found, wanted, out)
        if json:
            terminal.print_json({"written": [str(path) for path in written]})
        for path in () if json else written:
            typer.echo(f"written to {path}")
    elif name is None:
        sentences = {each: _sentence(path) for each, path in found.items()}
        if json:
            terminal.print_json(sentences)
            return
        terminal.print_table([(f"  {each}", Text(text)) for each, text in sentences.items()], title="examples")
        typer.echo("`walkon examples NAME` prints one, and `walkon examples NAME --out FOLDER` copies it")
    else:
        text = found[name].read_text(encoding="utf-8")
        if json:
            terminal.print_json({"name": name, "file": found[name].name, "text": text})
            return
        typer.echo(text, nl=False)


def all_examples() -> dict[str, Path]:
    """Return the files of all examples by name."""
    folder = INSTALLED if INSTALLED.is_dir() else CHECKOUT
    return {path.stem: path for path in sorted(folder.iterdir()) if path.suffix in (".py", ".ipynb", ".csv")}


def _copy(found: dict[str, Path], wanted: list[str], out: Path) -> list[Path]:
    """Copy examples and those that they read; refuse to replace a file before anything is written."""
    renamed = len(wanted) == 1 and out.suffix == found[wanted[0]].suffix
    folder = out.parent if renamed else out
    chosen = [found[name] for name in wanted]
    texts = [path.read_text(encoding="utf-8") for path in chosen]
    needed = [path for path in found.values() if any(f'"{path.name}"' in text for text in texts) and path not in chosen]
    targets = {path: folder / path.name for path in (*chosen, *needed)} | ({chosen[0]: out} if renamed else {})
    there = [path for path in needed if targets[path].is_file() and targets[path].read_bytes() == path.read_bytes()]
    targets = {path: target for path, target in targets.items() if path not in there}
    for target in targets.values():
        if target.exists():
            raise walkon.InputError(f"--out would replace {target}: remove it, or name another folder")
    folder.mkdir(parents=True, exist_ok=True)
    for path, target in targets.items():
        with target.open("x", encoding="utf-8") as file:
            file.write(path.read_text(encoding="utf-8"))
    return list(targets.values())


def _sentence(path: Path) -> str:
    """Return the first line of an example's docstring, or of the first cell of a notebook below its title."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".csv":
        return "A recorded log, for `walkon replay` and `walkon learn`."
    if path.suffix == ".ipynb":
        return str(documents.loads(text)["cells"][0]["source"][-1])
    return (ast.get_docstring(ast.parse(text)) or "").partition("\n")[0]
