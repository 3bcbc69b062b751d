"""As if other packages were installed that declare agents, worlds or solvers by entry points."""

from contextlib import contextmanager
from importlib.metadata import EntryPoint


@contextmanager
def declaring(registry, points):
    """Let a registry find these entry points, and no others; names of walkon's own stay walkon's."""
    before = dict(vars(registry))
    group = f"walkon.{registry.kind}s"
    found = {name: EntryPoint(name, value, group) for name, value in points.items() if name not in registry._own}
    vars(registry).update(_declared=found, _loaded={})
    try:
        yield
    finally:
        vars(registry).clear()
        vars(registry).update(before)
