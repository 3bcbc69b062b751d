"""The sections of `walkon bench`, by name."""

from walkon.speed.bench import Section
from walkon.speed.building import building, starting
from walkon.speed.deciding import batch, deciding
from walkon.speed.growth import growth
from walkon.speed.playing import agents, larger
from walkon.speed.solving import solving

SECTIONS: dict[str, Section] = {
    "solvers": solving,
    "decisions": deciding,
    "batch": batch,
    "agents": agents,
    "larger": larger,
    "building": building,
    "starting": starting,
    "growth": growth,
}
