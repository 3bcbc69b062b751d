"""Checks for your own agents, worlds, tasks and solvers: walkon's own have to pass the same ones.

    walkon.testing.check_agent("my-agent")
    walkon.testing.check_world("my-world", size=4)
    walkon.testing.check_task(task)
    walkon.testing.check_solver(MySolver())

Each returns None if all is well, and otherwise raises an `AssertionError` that says what is wrong.
"""

from walkon.testing.agents import check_agent
from walkon.testing.solvers import check_solver
from walkon.testing.worlds import check_task, check_world

__all__ = ["check_agent", "check_solver", "check_task", "check_world"]
