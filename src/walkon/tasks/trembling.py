"""Rules whose teammates tremble: at each step, each of them may make a uniform move instead of its own."""

from collections.abc import Callable
from functools import partial
from typing import Any

from walkon.tasks.chances import Chances, chances


class Trembling:
    """The rules of a task without tables, with trembling teammates. They have no compiled form."""

    own = ("rules", "tremble")
    compiled = None

    def __init__(self, rules: Any, tremble: float, name: str) -> None:
        self.rules, self.tremble, self.name = rules, tremble, name

    def __getattr__(self, word: str) -> Any:
        """All else is as in the rules."""
        if word.startswith("__") or word == "rules":  # as when it is copied
            raise AttributeError(word)
        return getattr(self.rules, word)

    @property
    def teammates(self) -> Any:
        """The teammates, each a function of the state."""
        steady = self.rules.teammates
        if callable(steady):
            return partial(self._shaky, steady)
        return [partial(self._shaky, each) for each in steady]

    def _shaky(self, steady: Callable[[Any], Any], state: Any) -> Chances:
        actions = tuple(getattr(self.rules, "teammate_actions", None) or self.rules.actions)
        own = [(action, (1 - self.tremble) * p) for action, p in chances(steady(state))]
        return own + [(action, self.tremble / len(actions)) for action in actions]
