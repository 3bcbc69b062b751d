"""Cassandra's `.pomdp` format, as published at pomdp.org, and its `.mdp` form without observations.

A file is a preamble and a list of assignments to cells: `T: a : x : y p` sets T(y|x,a). A field may be `*`, the last
statement that matches a cell wins, and a cell that no statement matches is 0. Reading goes through these modules:
`source` (the text), `dialects` (lines to skip), `preamble`, `grammar` and `statements` (from text to assignments),
`assignments` (from cells to matrices), `rounding` (rows that miss one because of it), `rewards` (from cells to
expected rewards), `reader`.
"""
