"""Playing: the luck of a trial, and one step of it."""
