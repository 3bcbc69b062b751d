"""Solvers: each returns a policy for a problem, proven bounds on its value, and the reason why it stopped."""
