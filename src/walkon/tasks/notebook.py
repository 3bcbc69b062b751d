"""A task as notebooks show it: what it consists of, and a picture of the state in which it most likely begins."""

from walkon.arrays import Names
from walkon.pictures.notebook import card, image
from walkon.pictures.svg import svg
from walkon.tasks import joint_actions
from walkon.tasks.task import Task

MOST = 8  # names in a list


def task_html(task: Task) -> str:
    """Return the HTML of a task."""
    known = {
        "actions": _names(task.actions),
        "teammates": "folded in" if task.teammates is None else _names(joint_actions.names(task)),
        "observations": "the state" if task.observed else _names(task.observations),
        "score": task.score,
        "horizon": f"{task.horizon} steps",
    }
    scene = task.drawing.scene(int(task.start.argmax()))
    facts = {name: each for name, each in known.items() if each}
    return card(repr(task), facts, image(svg(scene), f"{task.name}, a state in which it may begin"))


def _names(names: Names | None) -> str:
    """List names, of many only the first ones; they may hold commas."""
    if not names:
        return ""
    rest = "" if len(names) <= MOST else f"; ... ({len(names)} in all)"
    return "; ".join(names[:MOST]) + rest
