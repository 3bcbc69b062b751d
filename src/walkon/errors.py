"""The error that walkon raises for a wrong input."""


class InputError(ValueError):
    """An input that cannot be used. The message names the value, the place and the remedy."""
