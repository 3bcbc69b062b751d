"""Policies: a table of values, a set of alpha vectors, or a mixture of policies weighted by a belief."""
