"""The paper as data: its experiments, figures, claims and report, and what goes beyond it."""

PAPER, READINGS, BEYOND = "paper", "readings", "beyond"  # the parts of a run
TALLY = "soups"  # the count of Overcooked, the only world of the paper that has one
