"""Measures of episodes, their statistics, comparisons of agents, and verdicts on claims."""
