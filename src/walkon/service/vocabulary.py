"""Translates the messages of a client: numbers or names become a percept for the agent, or are refused."""

from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from typing import Any

import numpy as np

from walkon.agents.agent import Agent
from walkon.agents.memory import Percept
from walkon.arrays import Names
from walkon.models.distributions import numbers
from walkon.service.messages import Opening, Told, unusable


@dataclass(frozen=True)
class Axis:
    """Things that are numbered from 0 and may have names."""

    what: str
    size: int
    names: Names | None

    def index(self, said: Any) -> int:
        """Return the number of a name, or check a number."""
        if isinstance(said, str):
            if said not in self._numbers:
                raise unusable(f"{self.what} is {said!r:.80}, {self._remedy(said)}")
            return self._numbers[said]
        if not isinstance(said, int) or not 0 <= said < self.size:
            raise unusable(f"{self.what} is {said!r:.80}, expected a number from 0 to {self.size - 1}")
        return said

    def name(self, index: int) -> str | None:
        """Return the name of a number."""
        return None if self.names is None else self.names[index]

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names or ())}

    def _remedy(self, said: str) -> str:
        if self.names is None:
            return f"and there are no names: expected a number from 0 to {self.size - 1}"
        near = get_close_matches(said[:80], self.names, n=1)
        return f'did you mean "{near[0]}"?' if near else f'expected a name such as "{self.names[0]}", or a number'


@dataclass(frozen=True)
class Values:
    """Observations or states of a library without tables: values of the rules, which JSON writes with lists."""

    what: str
    size = names = None

    def index(self, said: Any) -> Any:
        """Return the value, with tuples in the place of lists."""
        try:
            return _frozen(said)
        except RecursionError:
            raise unusable(
                f"{self.what} has lists in lists in lists without end: expected a value of the rules"
            ) from None


def _frozen(said: Any) -> Any:
    return tuple(map(_frozen, said)) if isinstance(said, list) else said


class Vocabulary:
    """The actions, observations and states of one agent, and the percepts made of them."""

    def __init__(self, agent: Agent[Any]) -> None:
        self.agent, library = agent, agent.library
        self.actions = Axis("action", library.action_count, library.actions)
        self.observations: Axis | Values = Values("observation")
        if library.tables:
            self.observations = Axis("observation", library[0].pomdp.O[0].shape[1], library.observations)

    @cached_property
    def states(self) -> Axis | Values:
        """The states, for agents that see them. Names are those of the first task, if all tasks share them."""
        library = self.agent.library
        if not library.tables:
            return Values("state")
        fewest = min(len(task.pomdp.start) for task in library)
        return Axis("state", fewest, library[0].states if library.shared else None)

    @cached_property
    def teammates(self) -> Axis:
        """The teammates' joint actions, for agents that see them."""
        teams = [task.mmdp for task in self.agent.library if task.mmdp is not None]
        return Axis("teammates", min(team.R.shape[2] for team in teams), teams[0].teammate_actions)

    def first(self, opening: Opening) -> Percept | None:
        """Return the percept before the first action: a state, for agents that see it."""
        agent = self.agent
        sees, observed = "state" in agent.senses, agent.library.observed and "observation" in agent.senses
        if sees and opening.state is None:
            raise unusable(f'state is missing: {agent.name} sees it, so open with the first one, {{"state": 0}}')
        if opening.observation is not None and not observed:
            raise unusable("observation is given, and there is none before the first action: send it as step 0")
        if opening.state is not None and not (sees or observed):
            raise unusable(f"state is given, and {agent.name} does not see it: leave it out")
        if opening.state is not None and opening.observation is not None:
            raise unusable("both a state and an observation are given: they are the same here, give one")
        if opening.state is not None:
            seen = self.states.index(opening.state)
            return Percept(state=seen) if sees else Percept(observation=seen)
        return (
            None if opening.observation is None else Percept(observation=self.observations.index(opening.observation))
        )

    def percept(self, told: Told) -> Percept:
        """Return the percept of a step."""
        for sense in ("observation", "state", "teammates"):
            if getattr(told, sense) is not None and not self._takes(sense):
                raise unusable(f"{sense} is given, and {self.agent.name} does not sense it: leave it out")
        if told.likelihood is not None and not self._takes("observation"):
            raise unusable(f"likelihood is given, and {self.agent.name} receives no observations: leave it out")
        observations = [name for name in ("observation", "likelihood", "state") if getattr(told, name) is not None]
        if len(observations) > 1:
            raise unusable(f"both {' and '.join(observations)} are given: expected one of them")
        return Percept(
            observation=None if told.observation is None else self.observations.index(told.observation),
            likelihood=None if told.likelihood is None else self._weights(told.likelihood),
            state=None if told.state is None else self.states.index(told.state),
            teammates=None if told.teammates is None else self.teammates.index(told.teammates),
        )

    def _takes(self, sense: str) -> bool:
        """Check whether the agent has a sense; where the state is observed, both names mean the same."""
        senses = self.agent.senses
        return sense in senses or (sense == "state" and "observation" in senses and self.agent.library.observed)

    def _weights(self, said: list[Any]) -> Any:
        """Return soft evidence with its largest weight scaled to 1, so that no weights are too small or too large."""
        if isinstance(self.observations, Values):
            return self._weighed(said)
        if any(isinstance(each, list) for each in said):
            raise unusable("likelihood has lists in it, expected a weight for each observation, in their order")
        weights = numbers("likelihood", said, (self.observations.size,), "(Z,)")
        if (weights < 0).any() or not weights.any():
            raise unusable("likelihood has a negative weight or none at all: expected weights over the observations")
        return np.minimum(weights / weights.max(), 1.0)

    def _weighed(self, said: list[Any]) -> dict[Any, float]:
        """Return soft evidence of pairs, each an observation and its weight."""
        if not all(isinstance(each, list) and len(each) == 2 and isinstance(each[1], int | float) for each in said):
            raise unusable("likelihood: there are no tables, expected pairs of an observation and its weight")
        weights = [float(weight) for _, weight in said]
        if not 0 <= min(weights, default=-1.0) <= max(weights) < np.inf or not max(weights):
            raise unusable("likelihood has a negative weight or none at all: expected weights of observations")
        return {self.observations.index(z): weight / max(weights) for (z, _), weight in zip(said, weights, strict=True)}
