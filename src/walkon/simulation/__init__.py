"""Simulation: the luck of a trial, its steps, and whole episodes."""
