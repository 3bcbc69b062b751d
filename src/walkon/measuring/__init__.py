"""What is measured of episodes: numbers, their statistics, comparisons of agents, and verdicts on claims."""
