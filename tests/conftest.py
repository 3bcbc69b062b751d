"""How the tests run: short and the same each time by default, long and at random with WALKON_LONG=1."""

import os

from hypothesis import HealthCheck, settings

LONG = bool(os.environ.get("WALKON_LONG"))

settings.register_profile(
    "short", max_examples=50, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("long", max_examples=1000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("long" if LONG else "short")
