"""`walkon report`: figures, tables and claims of a run that exists."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from walkon.experiments.store import Store


def report(
    folder: Annotated[Path, typer.Argument(help="The folder of a run of `walkon reproduce`.")],
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Draw figures, test claims and write the report of a run that exists; nothing is run."""
    from walkon.experiments.store import Store

    with Store(folder) as store:
        conclude(store, json)


def conclude(store: "Store", json: bool) -> None:
    """Write the report of what a store holds, and say what came out."""
    from walkon.experiments.sweeps import Settings, entries, sweeps
    from walkon.experiments.tabulate import tabulate

    settings = Settings.from_record(store.settings())
    table = tabulate([entry for sweep in sweeps(settings.quick) for entry in entries(sweep, settings)], store)
    for sweep in dict.fromkeys(table["sweep"].tolist()):
        for agent, rows in table.where(sweep=sweep).by_agent():
            print(sweep, agent, len(rows), rows["steps"].mean(), rows["soups"].mean(), rows["seconds"].mean())
