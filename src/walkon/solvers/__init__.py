"""Solvers take a problem and return its solution: a policy, proven bounds on its value, and why they stopped."""
