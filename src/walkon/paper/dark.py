"""The second paper, "Making Friends in the Dark" (ECAI 2023): eleven worlds as they were run and as they are described.

A sweep with the name of a world has its trials as run, which made the published numbers; the sweep `WORLD, described`
has those of the text. Every task is played equally often. Trials for scores end when the task is solved; those for
beliefs, `WORLD, beliefs`, go on to the horizon, as the published ones do. All agents of the paper's table take part,
and beside them Bayes and cheaper relatives of ATPO. In the gridworld the library grows from 2 to 32 tasks, drawn from
a pool of 32. POMDPs are solved as `walkon.agent` solves them: more states get more backups, and some walks start at
random beliefs.
"""

import tomllib
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from walkon.domains.registry import WORLDS
from walkon.figures import by_world
from walkon.paper.figure import INTERVAL, Experiment, Figure
from walkon.runs.sweep import NOTHING, Point, Sweep
from walkon.solvers.defaults import default_solver
from walkon.trials.trial import Recipe, WorldSpec

RUN, DESCRIBED = "run", "described"
TABLE = ("value-iteration", "perseus", "atpo", "random-picker", "bopa-state", "random")  # the agents of the paper
BESIDE = ("bayes", "atpo-greedy", "atpo-q")
POOL = 32  # tasks of the gridworld
BELIEVING = ("bayes", "atpo", "bopa-state")
BELIEFS = "beliefs"
OFTEN = 32  # trials at each size of the library, as in the paper, and of each task for its beliefs
LIBRARIES = tuple(range(2, POOL + 1))
TIMED = (2, 8, 32)
UNION = Recipe("ascent", (("backups", 4_000),))  # a plan for all tasks at once; more backups hardly change the scores
EXPECTED = "dark-beyond"  # the claims that are ours, not the paper's


class Place(NamedTuple):
    """One of the eleven worlds."""

    name: str  # in the paper, but one-soup, which it calls overcooked
    domain: str
    options: dict[str, Any]
    states: int
    tasks: int
    slow: bool = False  # too slow for a quick run

    @property
    def title(self) -> str:
        """The name in texts."""
        world = WORLDS[self.domain].title
        return world if self.domain == self.name else f"{world}: {self.name}"

    @property
    def same_states(self) -> bool:
        """Whether all tasks have the same states, which BOPA needs."""
        return self.name != "power-plant"

    def world(self, variant: str) -> WorldSpec:
        """The world as run or as described."""
        return WorldSpec.of(self.domain, variant=variant, **self.options)

    def sweep(self, kind: str) -> str:
        """The name of its sweep: as run, as described, or for beliefs."""
        return self.name if kind == RUN else f"{self.name}, {kind}"

    def agents(self, *wanted: str) -> tuple[str, ...]:
        """Those of the agents that can play here."""
        return tuple(agent for agent in wanted if self.same_states or agent != "bopa-state")


PLACES = (
    Place("gridworld", "gridworld", {"tasks": [0, 1, 2, 3]}, 626, 4),
    Place("pursuit-task", "pursuit-task", {}, 626, 4),
    Place("pursuit-teammate", "pursuit-teammate", {}, 626, 2),
    Place("pursuit-both", "pursuit-both", {}, 626, 8, slow=True),
    Place("power-plant", "power-plant", {}, 105, 2),
    Place("ntu", "buildings", {"map": "ntu"}, 241, 4),
    Place("one-soup", "one-soup", {}, 1730, 4),
    Place("isr", "buildings", {"map": "isr"}, 1807, 3, slow=True),
    Place("mit", "buildings", {"map": "mit"}, 2163, 3, slow=True),
    Place("pentagon", "buildings", {"map": "pentagon"}, 2653, 3, slow=True),
    Place("cit", "buildings", {"map": "cit"}, 4831, 3, slow=True),
)
AS_RUN = tuple(place.sweep(RUN) for place in PLACES)
KINDS = {RUN: "", DESCRIBED: " · as described", BELIEFS: " · which task is it?"}
UNDRAWN = {  # sweeps that no figure is named after, and the claims about several
    **{place.sweep(kind): f"{place.title}{words}" for kind, words in KINDS.items() for place in PLACES},
    "gridworld-decision": "Gridworld: the time for a decision",
    "gridworld-bound": "Gridworld: the bound on the loss",
    "bound": "The bound on the loss",
    EXPECTED: "Bayes beside ATPO",
}


@cache
def published() -> dict[str, Any]:
    """The numbers that the paper and its raw runs give, with the fields of published.toml."""
    return tomllib.loads((files("walkon.paper") / "published.toml").read_text(encoding="utf-8"))


def _played(place: Place, variant: str) -> Sweep:
    return Sweep(
        name=place.sweep(variant),
        agents=place.agents(*TABLE, *BESIDE),
        points=(Point(NOTHING, place.world(variant)),),
        measure="score",
        single=Recipe.of(default_solver("pomdp", place.states)),
        union=UNION,
        quick={"agents": ()} if place.slow or variant == DESCRIBED else {},
    )


def _believed(place: Place) -> Sweep:
    """The same trials as run, but to the horizon."""
    sweep = _played(place, RUN)
    agents = place.agents(*BELIEVING)
    changed: dict[str, Any] = {"measure": "episode", "trials": OFTEN, "luck": sweep.name}
    quick = sweep.quick or {"trials": 2}
    return replace(sweep, name=place.sweep(BELIEFS), agents=agents, quick=quick, **changed)


def _grown(name: str, sizes: tuple[int, ...], **more: Any) -> Sweep:
    """The gridworld with libraries of these sizes."""
    world = PLACES[0].world(RUN)
    points = tuple(Point(K, world.having(tasks=list(range(K)))) for K in sizes)
    options: dict[str, Any] = {"luck": "gridworld-tasks", "pool": POOL} | more
    single = Recipe.of(default_solver("pomdp", PLACES[0].states))
    return Sweep(name=name, points=points, single=single, quick={"points": points[:1]}, **options)


def _sample(which: str) -> dict[tuple[str, str], tuple[float, float]]:
    """The mean of each world and agent in one of the published samples, and half of its 95 % interval."""
    return {
        (world, agent): (mean, 1.96 * deviation / n**0.5)
        for sample, world, agent, n, mean, deviation, _ in published()["samples"]
        if sample == which
    }


EXPERIMENT = Experiment(
    chapter="The second paper",
    sweeps=(
        *(_played(place, variant) for variant in (RUN, DESCRIBED) for place in PLACES),
        *map(_believed, PLACES),
        _grown(
            "gridworld-tasks", LIBRARIES, agents=("value-iteration", "atpo", "random"), measure="score", trials=OFTEN
        ),
        _grown("gridworld-decision", TIMED, agents=("atpo",), measure="decision", trials=3),
        Sweep(
            name="gridworld-bound",
            agents=("atpo",),
            points=(Point(NOTHING, PLACES[0].world(RUN)),),
            measure="loss",
            trials=8,
            luck="gridworld",
            single=Recipe.of(default_solver("pomdp", PLACES[0].states)),
        ),
    ),
    figures=(
        Figure(
            name="dark-scores",
            title="The second paper: scores in eleven worlds, as run",
            sweep=AS_RUN[0],
            sweeps=AS_RUN,
            way=by_world.scores(_sample("table")),
            text="100 - s if the task is solved after s steps, minus the horizon if it is not. Filled marks are our "
            f"means, hollow ones the published means of 32 trials; bars are their {INTERVAL}. Random, which is far "
            "below, is written below the world's name.",
            each="trials for each agent",
            part="dark",
        ),
        Figure(
            name="dark-described",
            title="The second paper: scores in eleven worlds, as described",
            sweep=PLACES[0].sweep(DESCRIBED),
            sweeps=tuple(place.sweep(DESCRIBED) for place in PLACES),
            way=by_world.scores({}),
            text=f"Scores as above, in the worlds that the text describes. Bars are their {INTERVAL}.",
            each="trials for each agent",
            part="dark",
        ),
        Figure(
            name="dark-beliefs",
            title="The second paper: which task is it?",
            sweep=PLACES[0].sweep(BELIEFS),
            sweeps=tuple(place.sweep(BELIEFS) for place in PLACES),
            way=by_world.beliefs(published()["beliefs"]),
            text="The probability of the true task before each step, as run, to the horizon: observations go on after "
            f"the task is solved. Lines are means over trials, bands their {INTERVAL}; dots are the published ATPO.",
            each="trials for each agent",
            part="dark",
        ),
        Figure(
            name="dark-tasks",
            title="The second paper: more tasks in the gridworld",
            sweep="gridworld-tasks",
            way=by_world.growing(dict(zip(published()["sweep"]["tasks"], published()["sweep"]["scores"], strict=True))),
            text="For each trial a library of K tasks and its target are drawn from the pool of 32. Lines are means "
            f"over trials, bands their {INTERVAL}; dots are the published means of ATPO.",
            each="trials for each agent and size",
            part="dark",
        ),
    ),
)
