"""Checks for agents, worlds, tasks and solvers of your own: the same that walkon's own have to pass.

    walkon.testing.check_agent("my-agent")
    walkon.testing.check_world("my-world", size=4)
    walkon.testing.check_task(task)
    walkon.testing.check_solver(MySolver())

Each returns nothing if all is well, and raises an `AssertionError` that says in a sentence what is not.
"""

from walkon.testing.agents import check_agent
from walkon.testing.solvers import check_solver
from walkon.testing.tasks import check_task
from walkon.testing.worlds import check_world

__all__ = ["check_agent", "check_solver", "check_task", "check_world"]
