"""Ways to draw results: each figure is a function of a table."""
