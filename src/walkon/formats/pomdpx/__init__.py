"""POMDPX, the XML format of factored problems of APPL, version 1.0.

A file declares variables and gives for each a conditional table or a decision diagram. Reading goes through these
modules: `tree` (the elements, with their lines), `variables`, `blocks` (what a table's entries set), `tables` and
`diagrams` (from elements to blocks), `cells` (from blocks to sparse tables, in which later entries win), `reader`.
"""
