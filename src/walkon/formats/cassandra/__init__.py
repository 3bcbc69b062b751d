"""Cassandra's `.pomdp` format, as published at pomdp.org, and its `.mdp` form without observations.

A file is a preamble and a list of assignments to cells: `T: a : x : y p` sets T(y|x,a). A field may be `*`, the last
statement that matches a cell wins, and a cell that no statement matches is 0. The modules here follow that observation:
`source` (the text), `preamble` and `statements` (text to assignments), `mistakes` (where a statement is wrong),
`assignments` (cells to matrices), `rewards` (cells to expected rewards), `reader`, `writer`, `identifiers`.
"""
