"""Reading what a world model says came of an action, and refusing what cannot be."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from kwsuite.asking import Fault
from kwsuite.asking.reply import json_values
from kwsuite.worlds.actions import Action
from kwsuite.worlds.engine import Run, World
from kwsuite.worlds.faults import WorldFault
from kwsuite.worlds.json_values import Json, kind_of, same, unfit
from kwsuite.worlds.state import State, Write, apply_writes, differences, spelled
from kwsuite.worlds.trajectory import Call, Step

WorldCheck = Literal["effects", "types"]

_FIELDS = {"success", "message", "state_changes"}
_NUMBER = re.compile(r"-?\d+(?:,\d{3})*(?:\.\d+)?")
_SHOWN = 5


@dataclass(frozen=True)
class WorldReply:
    """A reply that can be: what came of a call in a state."""

    success: bool
    """Whether the action took place."""
    message: str
    """What the caller is told."""
    state: State
    """The state after it."""

    def step(self, call: Call, before: State) -> Step:
        """Write it down as a step of a run."""
        changes = tuple(differences(before, self.state))
        return Step(call, "done" if self.success else "refused", self.message, changes)


def read_world_reply(text: str, run: Run, call: Call, check: WorldCheck) -> WorldReply | Fault:
    """Read a reply of the world model.

    Args:
        text: The reply.
        run: The run before the call.
        call: The call, its arguments accepted.
        check: `types` holds the reply to the declared entities, properties and kinds, and lets actions that only read
            change nothing. `effects` holds it to the executable contract too, where the action has one: the same
            outcome, the same state, and the numbers that it reports.

    Returns:
        What came of the call; or a fault that says what is wrong and what is due.

    Raises:
        WorldFault: The executable contract itself is broken.
    """
    action = run.world.actions[call.tool]
    try:
        reply = _typed(_declared(text), run, action)
    except _Unusable as error:
        return _fault(str(error))
    if check == "effects" and action.executable and (faults := contract_faults(reply, run, call)):
        return _fault(" ".join(faults))
    return reply


def contract_faults(reply: WorldReply, run: Run, call: Call) -> list[str]:
    """Say where a reply departs from the executable contract: the outcome, the state, the numbers it reports.

    Args:
        reply: The reply.
        run: The run before the call.
        call: The call of an action that is executable.

    Returns:
        One sentence for each fault, with what is due; empty if there is none. Words are never a fault.

    Raises:
        WorldFault: The executable contract itself is broken.
    """
    return list(_against_contract(reply, run, call))


class _Unusable(ValueError):
    """A reply that cannot be; the message says why and what is due."""


def _declared(text: str) -> dict[str, Any]:
    values = [declared.value for declared in json_values(text)]
    objects = [value for value in values if isinstance(value, dict) and not _FIELDS.isdisjoint(value)]
    if not objects:
        raise _Unusable("it holds no JSON object with success, message and state_changes.")
    if any(not same(value, objects[0]) for value in objects[1:]):
        raise _Unusable("it holds several JSON objects that differ. Give one.")
    if missing := sorted(_FIELDS - objects[0].keys()):
        raise _Unusable(f"{', '.join(missing)} is missing.")
    found: dict[str, Any] = objects[0]
    return found


def _typed(found: Mapping[str, Any], run: Run, action: Action) -> WorldReply:
    success, message, changes = found["success"], found["message"], found["state_changes"]
    if not isinstance(success, bool):
        raise _Unusable(f"success is true or false, not {json.dumps(success)}.")
    if not isinstance(message, str) or not message.strip():
        raise _Unusable("message is a text that is not empty.")
    if not isinstance(changes, dict) or not all(isinstance(part, dict) for part in changes.values()):
        raise _Unusable('state_changes is an object of objects: {"<entity>": {"<property>": value}}.')
    try:
        after = apply_writes(run.state, run.world.initial, list(_writes(changes, run.world)))
    except WorldFault as fault:
        raise _Unusable(fault.message) from fault
    moved = ", ".join(dict.fromkeys(spelled(change.place[:2]) for change in differences(run.state, after)))
    if moved and not success:
        raise _Unusable(f"success is false, so nothing changes; it changes {moved}.")
    if moved and action.read_only:
        raise _Unusable(f"{action.tool} changes nothing; the reply changes {moved}.")
    return WorldReply(success, message, after)


def _writes(changes: Mapping[str, Mapping[str, Json]], world: World) -> Iterator[Write]:
    for entity, properties in changes.items():
        known = world.initial.get(entity)
        if known is None:
            raise _Unusable(f"there is no entity {entity!r} (entities: {', '.join(world.initial)}).")
        for name, value in properties.items():
            if name not in known:
                raise _Unusable(f"{entity} has no property {name!r} (properties: {', '.join(known) or 'none'}).")
            if reason := unfit(value):
                raise _Unusable(f"{entity}.{name}: {reason}.")
            yield Write((entity, name), "set", value, ("state_changes", entity, name))


def _against_contract(reply: WorldReply, run: Run, call: Call) -> Iterator[str]:
    due = run.act(call)
    step = due.steps[-1]
    action = run.world.actions[call.tool]
    if step.outcome == "refused":
        if reply.success:
            yield f"by its contract {call.tool} does not take place here ({step.reply}): success is false."
        return
    if not reply.success:
        yield f"by its contract {call.tool} takes place here: success is true."
        return
    wrong = list(dict.fromkeys(change.place[:2] for change in differences(reply.state, due.state)))
    for entity, name in wrong[:_SHOWN]:
        value = due.state[str(entity)][str(name)]
        yield f"by the contracts and rules {entity}.{name} is now {json.dumps(value, ensure_ascii=False)}."
    scope = run.world.scope(due.state, step.call.arguments)
    read = [number for path in action.reads for number in _numbers(path.read(due.state, scope)[1])]
    # A reply of the author's may leave out some of what is read, and then so may the model's.
    missing = [number for number in read if _says(step.reply, number) and not _says(reply.message, number)]
    if missing:
        numbers = ", ".join(json.dumps(number) for number in missing[:_SHOWN])
        yield f"the message does not report {numbers}, which stands in what {call.tool} reads."


def _numbers(value: Json) -> Iterator[int | float]:
    match kind_of(value):
        case "integer" | "number":
            yield value
        case "list":
            for part in value:
                yield from _numbers(part)
        case "map":
            for part in value.values():
                yield from _numbers(part)
        case _:
            return


def _says(text: str, number: float) -> bool:
    return any(float(word.replace(",", "")) == number for word in _NUMBER.findall(text))


def _fault(message: str) -> Fault:
    return Fault("parse_failure", message)
