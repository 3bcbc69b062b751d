"""The papers as data: experiments, figures, claims and report, and what goes beyond them."""

PAPER, FITTED, READINGS, BEYOND, DARK = "paper", "fitted", "readings", "beyond", "dark"  # the parts of a run
TALLY = "soups"  # the count of Overcooked, the only world of the paper that has one
