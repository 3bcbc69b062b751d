"""The paper as data: its experiments, figures, claims and report, and what goes beyond it."""
