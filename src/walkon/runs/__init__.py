"""Runs of many trials: their plan, the processes that do the work, and the store of results."""
