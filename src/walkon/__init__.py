"""walkon: ad hoc teamwork under partial observability.

An agent joins a team it has never met, in a task nobody told it, sees a noisy part of the world, works out from its
own observations which of K known tasks is going on, and helps. The names below are the public ones; each is loaded
when it is first used, so that `import walkon` and the command line start at once.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0.dev0"

if TYPE_CHECKING:
    from walkon.agents.memory import Memory, UnexplainedWarning
    from walkon.agents.onnx_policy import OnnxPolicy
    from walkon.agents.percept import Percept
    from walkon.agents.player import Event, player
    from walkon.agents.registry import agent
    from walkon.domains.registry import make
    from walkon.errors import InputError
    from walkon.formats.bundle import load, save
    from walkon.formats.cassandra.reader import read_mdp, read_pomdp
    from walkon.formats.cassandra.writer import write_pomdp
    from walkon.formats.log_file import read_log, write_log
    from walkon.formats.own import read_library
    from walkon.formats.policy_xml import read_policy, write_policy
    from walkon.models.belief import Posterior, predict, update
    from walkon.models.mdp import MDP
    from walkon.models.mmdp import MMDP
    from walkon.models.pomdp import POMDP
    from walkon.models.rules import Rules
    from walkon.models.tabulate import tabulate
    from walkon.policies.alpha_vectors import AlphaVectors
    from walkon.policies.tabular import TabularPolicy
    from walkon.service.client import Client
    from walkon.simulation.batch import play_many
    from walkon.simulation.episode import Episode
    from walkon.simulation.logged import logged
    from walkon.simulation.play import play
    from walkon.simulation.returns import simulate
    from walkon.simulation.seats import seated
    from walkon.solvers.ascent import Ascent
    from walkon.solvers.fast_informed_bound import FastInformedBound
    from walkon.solvers.perseus import Perseus
    from walkon.solvers.qmdp import QMDP
    from walkon.solvers.sarsop import Sarsop
    from walkon.solvers.solution import Progress, Solution
    from walkon.solvers.solve import solve
    from walkon.solvers.value_iteration import ValueIteration
    from walkon.tasks.define import define
    from walkon.tasks.learning.learn import learn
    from walkon.tasks.library import TaskLibrary
    from walkon.tasks.task import Task

_ROOMS = {
    "errors": ["InputError"],
    "models.mdp": ["MDP"],
    "models.mmdp": ["MMDP"],
    "models.pomdp": ["POMDP"],
    "models.rules": ["Rules"],
    "models.tabulate": ["tabulate"],
    "models.belief": ["Posterior", "predict", "update"],
    "policies.tabular": ["TabularPolicy"],
    "policies.alpha_vectors": ["AlphaVectors"],
    "solvers.solve": ["solve"],
    "solvers.solution": ["Progress", "Solution"],
    "solvers.value_iteration": ["ValueIteration"],
    "solvers.qmdp": ["QMDP"],
    "solvers.fast_informed_bound": ["FastInformedBound"],
    "solvers.perseus": ["Perseus"],
    "solvers.ascent": ["Ascent"],
    "solvers.sarsop": ["Sarsop"],
    "tasks.task": ["Task"],
    "tasks.library": ["TaskLibrary"],
    "tasks.define": ["define"],
    "tasks.learning.learn": ["learn"],
    "formats.own": ["read_library"],
    "formats.log_file": ["read_log", "write_log"],
    "simulation.logged": ["logged"],
    "domains.registry": ["make"],
    "agents.percept": ["Percept"],
    "agents.memory": ["Memory", "UnexplainedWarning"],
    "agents.registry": ["agent"],
    "agents.player": ["Event", "player"],
    "agents.onnx_policy": ["OnnxPolicy"],
    "simulation.seats": ["seated"],
    "simulation.episode": ["Episode"],
    "simulation.play": ["play"],
    "simulation.batch": ["play_many"],
    "formats.bundle": ["load", "save"],
    "formats.cassandra.reader": ["read_mdp", "read_pomdp"],
    "formats.cassandra.writer": ["write_pomdp"],
    "formats.policy_xml": ["read_policy", "write_policy"],
    "simulation.returns": ["simulate"],
    "service.client": ["Client"],
}
_HOME = {name: room for room, names in _ROOMS.items() for name in names}

__all__ = [
    "InputError",
    "MDP",
    "MMDP",
    "POMDP",
    "Rules",
    "tabulate",
    "Posterior",
    "predict",
    "update",
    "TabularPolicy",
    "AlphaVectors",
    "solve",
    "Progress",
    "Solution",
    "ValueIteration",
    "QMDP",
    "FastInformedBound",
    "Perseus",
    "Ascent",
    "Sarsop",
    "Task",
    "TaskLibrary",
    "define",
    "read_library",
    "learn",
    "read_log",
    "write_log",
    "logged",
    "make",
    "agent",
    "player",
    "Event",
    "OnnxPolicy",
    "seated",
    "Percept",
    "Memory",
    "UnexplainedWarning",
    "play",
    "play_many",
    "Episode",
    "load",
    "save",
    "read_pomdp",
    "read_mdp",
    "write_pomdp",
    "read_policy",
    "write_policy",
    "simulate",
    "Client",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'walkon' has no attribute {name!r}")
    value = getattr(import_module(f"walkon.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
