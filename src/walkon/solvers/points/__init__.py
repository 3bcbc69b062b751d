"""Vectors over sampled belief points, with proven bounds: what only Ascent and SARSOP use."""
