"""Night-time Pursuit: predators must stand on all sleeping preys at once, and one of them sees only next to itself."""

from walkon.domains.night_pursuit.tasks import library

__all__ = ["library"]
