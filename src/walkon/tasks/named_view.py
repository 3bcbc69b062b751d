"""How a task without a drawing of its own shows itself: by the names of its states and observations."""

from dataclasses import dataclass

from walkon.arrays import Floats, Names
from walkon.pictures.scene import Scene
from walkon.tasks.task import Task
from walkon.tasks.view import View


@dataclass(frozen=True)
class NamedView:
    """A scene without a board: the names stand in its notes. There is no board to show a belief on."""

    name: str
    states: Names | None  # [X]
    observations: Names | None  # [Z]

    def scene(self, state: int, *, observation: int | None = None, belief: Floats | None = None) -> Scene:
        """One moment, in words."""
        notes = [f"state: {_name(self.states, state)}"]
        if observation is not None:
            notes.append(f"read: {_name(self.observations, observation)}")
        return Scene(title=self.name, columns=0, rows=0, pieces=(), notes=tuple(notes))


def view_of(task: Task) -> View:
    """How a task is drawn: its own view, or its names."""
    return task.view or NamedView(task.name, task.states, task.observations)


def _name(names: Names | None, index: int) -> str:
    return names[index] if names else str(index)
