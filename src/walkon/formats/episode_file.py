"""Episodes as files: one JSON document with everything that can be shown of a trial, and no code.

    {"format": "walkon episode", "version": 2,
     "world": "night-pursuit", "options": {"size": 3}, "task": 0, "task_hash": "9f...",
     "agent": "atpo", "seed": 7, "horizon": 50, "solved_at": 12,
     "states": [T + 1], "actions": [T], "teammate_actions": [T], "observations": [T], "rewards": [T],
     "tally": {"soups": [T]} (counts by name; empty if the task has no tally),
     "decision_times": [T] or null, "task_beliefs": [T + 1][K] or null, "choices": [T + 1][A],
     "events": [[step, action, observation or null], ...],
     "evidence": "transitions"}  (only if the agent's task belief was updated from these instead of observations)

Of a task without tables, `states`, `teammate_actions` and `observations` (also those of events) are names, and what
they name follows from the rules, the seed and all actions: reading plays the episode again, step by step, and the names
have to agree.

Numbers are read back to the last bit. Files are not trusted: their size is limited, every number is checked against the
world that the file names, and that world must still contain the recorded task.
"""

import json
import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from walkon.agents.memory import Unexplained
from walkon.agents.registry import AGENTS
from walkon.arrays import Floats, Ints
from walkon.checks import whole
from walkon.domains.registry import WORLDS, make
from walkon.domains.world import TREMBLE
from walkon.errors import InputError
from walkon.formats.files import check_ending, read_whole, replacing
from walkon.models.distributions import ROW_SUM_TOLERANCE
from walkon.saying import briefly
from walkon.tasks import Task, TaskLibrary, joint_actions
from walkon.tasks.naming import name_of
from walkon.tasks.rule_task import RuleTask
from walkon.trials.episode import Episode
from walkon.trials.rule_stepping import recalled
from walkon.trials.trial import Trial, WorldSpec

FORMAT, ENDING = "walkon episode", ".json"
OWN = "own"  # the world's name for a library of the user's own
OWN_LIBRARY = "give that library too (walkon play EPISODE --library FILE, walkon.read_episode(EPISODE, library))"
VERSION = 2
LARGEST_FILE = 2**24  # bytes; a thousand steps with 32 tasks take one million
LONGEST = 10_000  # steps
MOST_OPTIONS = 4096  # characters
COLUMNS = ("states", "actions", "teammate_actions", "observations", "rewards")
VALUES = ("states", "teammate_actions", "observations")  # names where there are no tables
OBSERVATIONS, TRANSITIONS = "observations", "transitions"


@dataclass(frozen=True, eq=False)
class Recording:
    """An episode, and the trial that determined it. A person played if the library's teammates tremble."""

    trial: Trial
    library: TaskLibrary  # made by the trial's world
    episode: Episode
    choices: Floats  # [T + 1, A]: the probability of each action, before each step and at the end

    @property
    def task(self) -> int:
        """The index of the task that was played."""
        return self.trial.task

    def document(self) -> dict[str, Any]:
        """The recording as a JSON object."""
        episode, times = self.episode, self.episode.decision_times
        columns = {name: getattr(episode, name).tolist() for name in COLUMNS}
        events = [list(event) for event in episode.events]
        if not self.library.tables:
            columns |= {name: list(map(name_of, columns[name])) for name in VALUES}
            events = [[step, action, None if z is None else name_of(z)] for step, action, z in events]
        return {
            "format": FORMAT,
            "version": VERSION,
            "world": self.trial.world.domain,
            "options": dict(self.trial.world.options),
            "task": self.task,
            "task_hash": self.library[self.task].hash,
            "agent": episode.agent,
            "seed": episode.seed,
            "horizon": episode.horizon,
            "solved_at": episode.solved_at,
            **columns,
            "tally": _tally(episode),
            "decision_times": None if np.isnan(times).any() else times.tolist(),
            "task_beliefs": None if episode.task_beliefs is None else episode.task_beliefs.tolist(),
            "choices": self.choices.tolist(),
            "events": events,
            **({} if self.trial.evidence == OBSERVATIONS else {"evidence": self.trial.evidence}),
        }


def encode(recording: Recording) -> bytes:
    """Write a recording as the content of a file, one field per line."""
    fields = (f"{json.dumps(name)}: {json.dumps(value)}" for name, value in recording.document().items())
    data = ("{\n" + ",\n".join(fields) + "\n}\n").encode()
    if len(data) > LARGEST_FILE:
        raise InputError(f"the episode takes {len(data):,} bytes, more than {LARGEST_FILE:,}: play fewer steps")
    return data


def write_episode(recording: Recording, path: str | os.PathLike[str]) -> None:
    """Write a recording to a file; `walkon.record` makes one of an episode."""
    if isinstance(recording, Episode):
        raise InputError("an episode is written with its agent: give walkon.record(episode, agent, library, task)")
    if not isinstance(recording, Recording):
        raise InputError(f"recording is {briefly(recording)}, expected a Recording, as walkon.read_episode gives")
    check_ending(path, ENDING)
    with replacing(path) as draft:
        draft.write_bytes(encode(recording))


def read_episode(path: str | os.PathLike[str], library: TaskLibrary | None = None) -> Recording:
    """Read a file that `write_episode` wrote. Any other file gives an `InputError` that says what is wrong with it.

    Args:
        path: The file.
        library: The library in which the episode was played, if it is not one of walkon's own worlds.
    """
    data = read_whole(path, LARGEST_FILE, "an episode")
    try:
        return recording_of(parse(data), () if library is None else (library,))
    except (InputError, RecursionError) as cause:
        raise InputError(f"{os.fspath(path)} is not an episode that can be replayed: {cause}") from None


def parse(data: bytes) -> dict[str, Any]:
    """Read the JSON object in a file, as one of this version; `recording_of` checks its fields."""
    if len(data) > LARGEST_FILE:
        raise InputError(f"it has more than {LARGEST_FILE:,} bytes")
    try:
        document = json.loads(data.decode())
    except (ValueError, RecursionError) as cause:
        raise InputError(f"it is not JSON in UTF-8: {str(cause) or type(cause).__name__}") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise InputError(f'it has no "format": "{FORMAT}"')
    if document.get("version") not in (1, VERSION):
        raise InputError(f"its version is not {VERSION}: was it written by a newer walkon?")
    if document["version"] == 1:
        document = {"teammate_actions" if name == "replies" else name: value for name, value in document.items()}
        if document.get("evidence") == "readings":
            del document["evidence"]
    return document


def recording_of(document: dict[str, Any], brought: Sequence[TaskLibrary] = ()) -> Recording:
    """Read a recording from a JSON object and check every number.

    The world "own" stands for the first of the libraries in `brought` that contains the recorded task.
    """
    columns = _Columns(document)
    world, options = named_world(document)
    if world == OWN:
        recorded = (each for each in brought if columns["task_hash"] in [task.hash for task in each])
        if (library := next(recorded, None)) is None:
            raise InputError(f"it was played in a library of the user's own: {OWN_LIBRARY}")
    else:
        library = make(world, **options)
    k = whole("task", columns["task"], 0, len(library) - 1)
    task = library[k]
    if columns["task_hash"] != task.hash:
        why = "its hash differs. Either this version of walkon has other rules, or the file was changed"
        raise InputError(f'task {k} of {world} ("{task.name}") is not the task that was recorded: {why}')
    agent = columns["agent"]
    AGENTS[agent]
    A = task.action_count
    horizon, seed = whole("horizon", columns["horizon"], 1, LONGEST), whole("seed", columns["seed"], 0, None)
    T = len(columns.column("actions", 1, horizon))
    believes = columns["task_beliefs"] is not None
    if believes != AGENTS[agent].identifies:
        found, wanted = ("given", "none") if believes else ("null", "one")
        raise InputError(f"task_beliefs is {found}, but {agent} has {wanted}")
    given: dict[str, Any] = {"actions": columns.wholes("actions", T, A), "rewards": columns.numbers("rewards", T)}
    given |= _values(columns, task, T, seed, given["actions"])
    if believes:
        given["task_beliefs"] = columns.shares("task_beliefs", T + 1, len(library))
        given["task_names"] = library.names
    if columns["decision_times"] is not None:
        given["decision_times"] = columns.numbers("decision_times", T, least=0.0)
    episode = Episode.of(task, agent, seed, horizon=horizon, events=_events(columns, task, given), **given)
    if columns["solved_at"] != episode.solved_at or isinstance(columns["solved_at"], bool):
        raise InputError(f"solved_at is {columns['solved_at']!r:.60}, but its states say {episode.solved_at}")
    name, counts = ("tally", _tally(episode)) if document["version"] > 1 else ("deliveries", episode.counts.tolist())
    if columns[name] != counts:
        raise InputError(f"{name} is {columns[name]!r:.60}, but its states and actions say {counts!r:.60}")
    evidence = document.get("evidence", OBSERVATIONS)
    if evidence not in (OBSERVATIONS, TRANSITIONS):
        raise InputError(f'evidence is {evidence!r:.60}, expected "{OBSERVATIONS}" or "{TRANSITIONS}"')
    spec, player = WorldSpec.of(world, **options), None if options.get(TREMBLE.name) else k
    trial = Trial(world=spec, task=k, agent=agent, seed=seed, played_by=player, evidence=evidence, horizon=horizon)
    return Recording(trial, library, episode, columns.shares("choices", T + 1, A))


def _tally(episode: Episode) -> dict[str, list[int]]:
    """The counts of each step, by the tally's name."""
    return {episode.counted: episode.counts.tolist()} if episode.counted else {}


def named_world(document: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Read the world's name and options; the world itself checks their values."""
    columns = _Columns(document)
    world, options = columns["world"], columns["options"]
    if not isinstance(world, str) or world not in (OWN, *WORLDS):
        raise InputError(f"world is {world!r:.60}, expected one of {', '.join(WORLDS)}")
    known = (TREMBLE.name,) if world == OWN else tuple(WORLDS[world].every_option)
    if not isinstance(options, dict) or not options.keys() <= set(known):
        raise InputError(f"options is {options!r:.60}, expected options of {world}: {', '.join(known)}")
    if len(repr(options)) > MOST_OPTIONS:
        raise InputError(f"options has more than {MOST_OPTIONS:,} characters")
    return world, options


def _values(columns: "_Columns", task: Task, T: int, seed: int, actions: Ints) -> dict[str, Any]:
    """Read the states, joint actions and observations: their numbers, or their names, which are those of the rules."""
    if not isinstance(task, RuleTask):
        X, Z = task.pomdp.O[0].shape
        sizes = {"states": X, "teammate_actions": joint_actions.count(task), "observations": Z}
        return {name: columns.wholes(name, T + (name == "states"), size) for name, size in sizes.items()}
    said = {name: columns.column(name, T + (name == "states"), T + (name == "states")) for name in VALUES}
    return recalled(task, seed, actions.tolist(), said)


def _events(columns: "_Columns", task: Task, given: dict[str, Any]) -> tuple[Unexplained, ...]:
    """Read the observations that no task explained. Before the first step, their action is -1."""
    events, T = [], len(given["actions"])
    for i, event in enumerate(columns.column("events", 0, T + 1)):
        place = f"events[{i}]"
        if not isinstance(event, list) or len(event) != 3:
            raise InputError(f"{place} is {event!r:.60}, expected a step, an action and an observation")
        step = whole(f"{place}[0]", event[0], 0, T)
        action = whole(f"{place}[1]", event[1], -1, task.action_count - 1)
        observation = event[2]
        if observation is not None and task.tables:
            observation = whole(f"{place}[2]", observation, 0, task.pomdp.O[0].shape[1] - 1)
        elif observation is not None:
            seen = given["states"][0] if action < 0 else given["observations"][min(step, T - 1)]
            if observation != name_of(seen):
                raise InputError(f"{place}[2] is {observation!r:.60}, but then {name_of(seen):.60} was observed")
            observation = seen
        events.append(Unexplained(step, action, observation))
    return tuple(events)


class _Columns(dict[str, Any]):
    """The fields of a JSON object, checked as they are read; an error names the place of a wrong number."""

    def __missing__(self, name: str) -> Any:
        raise InputError(f'it has no field "{name}"')

    def column(self, name: str, least: int, most: int) -> list[Any]:
        """Read a list of limited length."""
        column = self[name]
        if not isinstance(column, list) or not least <= len(column) <= most:
            found = f"has {len(column):,} entries" if isinstance(column, list) else f"is {column!r:.60}"
            raise InputError(f"{name} {found}, expected a list of {least:,} to {most:,}")
        return column

    def wholes(self, name: str, length: int, size: int) -> Ints:
        """Read a column of whole numbers from 0 to size - 1."""
        column = enumerate(self.column(name, length, length))
        return np.array([whole(f"{name}[{t}]", value, 0, size - 1) for t, value in column], dtype=np.int64)

    def numbers(self, name: str, length: int, least: float = -math.inf) -> Floats:
        """Read a column of finite numbers."""
        column = enumerate(self.column(name, length, length))
        return np.array([_number(f"{name}[{t}]", value, least) for t, value in column], dtype=np.float64)

    def shares(self, name: str, length: int, size: int) -> Floats:
        """Read a column of probability distributions of the given size."""
        table = np.empty((length, size))
        for t, row in enumerate(self.column(name, length, length)):
            if not isinstance(row, list) or len(row) != size:
                raise InputError(f"{name}[{t}] is {row!r:.60}, expected {size} probabilities")
            table[t] = [_number(f"{name}[{t}][{k}]", value, 0.0) for k, value in enumerate(row)]
            if not abs(table[t].sum() - 1) <= ROW_SUM_TOLERANCE:
                raise InputError(f"{name}[{t}] sums to {table[t].sum():.9g}, expected 1")
        return table


def _number(place: str, value: Any, least: float) -> float:
    """Check that a value is a finite number."""
    try:
        found = float(value) if type(value) in (int, float) else math.nan
    except OverflowError:  # a whole number with hundreds of digits
        found = math.nan
    if not (math.isfinite(found) and found >= least):
        raise InputError(f"{place} is {value!r:.60}, expected a finite number{'' if least < 0 else ', 0 or more'}")
    return found
