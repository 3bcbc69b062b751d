"""Learning a task from a log."""
