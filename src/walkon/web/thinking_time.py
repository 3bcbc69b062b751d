"""How long an agent that searches may think: a time, which is measured once and becomes a number of simulations.

Decisions that end by the clock differ from run to run, and the moves of an address would no longer lead to the same
game. So the page measures how many simulations fit into the time that was chosen, and the address has their number.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from time import thread_time
from typing import Any

from walkon.agents.agent import Agent
from walkon.agents.registry import AGENTS
from walkon.checks import number_of
from walkon.errors import InputError
from walkon.simulation.stepping import begun, first_state
from walkon.tasks import TaskLibrary
from walkon.trials.luck import Luck
from walkon.trials.trial import Trial

SECONDS = ("0.03", "0.1", "0.3", "1")  # for a decision
MOST, MOST_PLAIN = 1_000_000, 5_000  # simulations that an address may ask for: of compiled rules, and of plain Python
COUNTED, TIMED = "simulations", "seconds"


def searching(agents: Sequence[str]) -> list[str]:
    """Those of the agents that search by a number of simulations or a time."""
    kinds = [(name, AGENTS[name]) for name in agents if name in AGENTS]
    return [
        name for name, kind in kinds if hasattr(kind, "plan") and kind.picked({COUNTED: 1}) and kind.picked({TIMED: 1})
    ]


def read_thinking(query: Mapping[str, str]) -> tuple[tuple[str, Any], ...]:
    """Read the options of agents that search from an address: a number of simulations, or one of the offered times."""
    if COUNTED in query:
        if count := number_of(COUNTED, query[COUNTED], MOST):
            return ((COUNTED, count),)
        raise InputError(f"{COUNTED} is 0, expected a whole number from 1 to {MOST:,}")
    text = query.get(TIMED, "")
    if text and text not in SECONDS:
        raise InputError(f"{TIMED} is {text!r:.40}, expected one of {', '.join(SECONDS)}")
    return ((TIMED, float(text)),) if text else ()


def time_of(agent: Agent[Any] | None) -> tuple[tuple[str, Any], ...]:
    """The time for each decision of an agent that was brought along, as an option of a trial; none if it has none."""
    seconds = getattr(getattr(agent, "options", None), TIMED, None)
    return () if seconds is None or agent is None or not searching([agent.name]) else ((TIMED, seconds),)


def thinking_for(agent: Any, options: Mapping[str, Any]) -> Agent[Any]:
    """The agent with so many simulations; the agent itself if their number was not chosen."""
    chosen: Agent[Any] = agent.spending(options[COUNTED]) if options else agent
    return chosen


def check_count(trial: Trial, agent: Agent[Any]) -> None:
    """Refuse more simulations than plain Python makes while a visitor waits."""
    count = dict(trial.options).get(COUNTED, 0)
    if count > MOST_PLAIN and searching([trial.agent]) and getattr(agent, "tree", None) is None:
        raise InputError(f"{COUNTED} is {count:,}, and of rules in plain Python the page makes {MOST_PLAIN:,} at most")


def counted(setup: Trial, name: str, library: TaskLibrary) -> Trial:
    """The setup with as many simulations as this agent makes in the chosen time, at the start of an episode.

    Four times as many are made again and again until they take a quarter of that, in CPU time: others may be at work.
    """
    agent: Any = replace(setup, agent=name, options=((COUNTED, 1),)).make_agent(library)
    seconds, task, count, spent = dict(setup.options)[TIMED], library[setup.task], 1, 0.0
    most = MOST_PLAIN if agent.tree is None else MOST
    x = first_state(task, Luck.of(setup.seed, task.horizon))
    agent.plan(begun(agent, task, x))  # may compile, and is not measured
    while spent < seconds / 4 and count < most:
        count = min(4 * count, most)
        again = agent.spending(count)
        memory = begun(again, task, x)
        began = thread_time()
        again.plan(memory)
        spent = thread_time() - began
    found = min(most, int(count * seconds / spent))
    return replace(setup, options=((COUNTED, max(1, _rounded(found))),))


def _rounded(count: int) -> int:
    """A number with two digits and zeros.

    >>> _rounded(23_456), _rounded(7)
    (23000, 7)
    """
    unit: int = 10 ** max(0, len(str(count)) - 2)
    return count // unit * unit
