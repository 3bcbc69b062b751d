"""walkon: ad hoc teamwork under partial observability."""

__version__ = "0.1.0.dev0"
