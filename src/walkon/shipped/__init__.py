"""Policies that come with walkon, for the problems that are met first: nothing is compiled or solved for them."""
