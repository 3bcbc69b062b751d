"""Who plays: the ad hoc agents, and what they remember."""
