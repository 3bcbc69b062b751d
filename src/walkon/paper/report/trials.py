"""Every trial as a row: the table of results itself, for a CSV file."""

from walkon.measuring.summaries import Row
from walkon.measuring.table import Table
from walkon.paper.sweeps import TALLY
from walkon.trials.trial import TIMED


def trials(table: Table, *, timed: bool) -> list[Row]:
    """The trials of the sweeps whose numbers are times, or of the others."""
    return [
        {TALLY if name == "tally" else name: column[i].item() for name, column in table.columns.items()}
        for i in range(len(table))
        if (table["sweep"][i] in TIMED) == timed
    ]
