"""Tasks, and libraries of them."""

from walkon.tasks.library import TaskLibrary
from walkon.tasks.task import Task

__all__ = ["Task", "TaskLibrary"]
