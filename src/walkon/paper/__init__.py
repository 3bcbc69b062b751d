"""The paper as data: its experiments, figures, claims and report, and what goes beyond it."""

PAPER, READINGS, BEYOND = "paper", "readings", "beyond"  # the parts of a run
TALLY = "soups"  # what is counted in the one world of the paper in which something is
