"""What walkon says when an input is wrong."""


class InputError(ValueError):
    """An input that cannot be used. The message names the value, the place and the remedy."""
