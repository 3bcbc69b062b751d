"""The paper as data: its experiments, figures, claims and report, and what goes beyond it."""

PAPER, FITTED, READINGS, BEYOND = "paper", "fitted", "readings", "beyond"  # the parts of a run
TALLY = "soups"  # the count of Overcooked, the only world of the paper that has one
