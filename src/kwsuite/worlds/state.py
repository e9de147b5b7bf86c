"""The state of a world: JSON that is replaced, never changed, with kinds declared by the initial values."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, assert_never

from kwsuite.worlds.faults import Location, WorldFault
from kwsuite.worlds.json_values import Json, kind_of, same

State: TypeAlias = Mapping[str, Mapping[str, Json]]
"""Entity -> property -> value. Shared between steps: nothing may change it in place."""

Place: TypeAlias = tuple[str | int, ...]
"""A concrete path: entity, property, then keys of maps and positions in lists."""


@dataclass(frozen=True)
class Write:
    """One change that an effect asks for."""

    place: Place
    deed: Literal["set", "append", "remove"]
    value: Json
    """The new value or the item to append; None for `remove`."""
    at: Location
    """The effect that asks."""


@dataclass(frozen=True)
class Change:
    """A difference between two states."""

    place: Place
    value: Json
    """The new value; a list is given whole."""
    removed: bool = False


class _Unsuitable(ValueError):
    """A value whose kind is not the declared one."""


def apply_writes(state: State, initial: State, writes: Sequence[Write]) -> State:
    """Apply writes in order to a copy; `state` itself stays as it was, also when a write fails.

    Args:
        state: The state now.
        initial: The state at the start; its values declare the kinds. A whole number becomes a decimal one where a
            decimal one is declared; every other difference of kind is a fault. A null declares nothing.
        writes: What to change.

    Raises:
        WorldFault: Two writes want different things of one place; a place does not exist; a property is not
            declared in the initial state; a value has another kind than the declared one.
    """
    _refuse_conflicts(writes)
    for write in writes:
        state = _written(state, initial, write)
    return state


def look_up(state: State, place: Place) -> Json:
    """Give the value at a place.

    Raises:
        LookupError: There is none; the message says which part is missing.
    """
    value: Json = state
    for depth, key in enumerate(place):
        if not _holds(value, key):
            raise LookupError(f"there is no {spelled(place[: depth + 1])}")
        value = value[key]
    return value


def differences(before: Json, after: Json, place: Place = ()) -> Iterator[Change]:
    """List what changed between two states, maps entry by entry, everything else whole."""
    if before is after:
        return
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in [*before, *(key for key in after if key not in before)]:
            if key not in after:
                yield Change((*place, key), None, removed=True)
            elif key not in before:
                yield Change((*place, key), after[key])
            else:
                yield from differences(before[key], after[key], (*place, key))
    elif not same(before, after):
        yield Change(place, after)


def apply_changes(state: State, changes: Sequence[Change]) -> State:
    """Apply differences as `differences` lists them."""
    for change in changes:
        state = _replaced(state, change.place, change.value, remove=change.removed)
    return state


def spelled(place: Place) -> str:
    """Write a place as an author would."""
    words = [
        f".{key}" if isinstance(key, str) and key.isidentifier() and key.isascii() else f"[{key!r}]" for key in place
    ]
    return "".join(words).removeprefix(".")


def _refuse_conflicts(writes: Sequence[Write]) -> None:
    for index, one in enumerate(writes):
        for other in writes[index + 1 :]:
            shorter = min(len(one.place), len(other.place))
            if one.place[:shorter] != other.place[:shorter]:
                continue
            if one.place == other.place and (one.deed, other.deed) == ("append", "append"):
                continue
            if one.place == other.place and one.deed == other.deed and same(one.value, other.value):
                continue
            raise WorldFault(
                other.at,
                f"{spelled(one.place)} and {spelled(other.place)} are both written at once. Effects see the state "
                "before the action, so their order must not matter: write one of them, or use a rule.",
            )


def _written(state: State, initial: State, write: Write) -> State:
    place = write.place
    try:
        parent = look_up(state, place[:-1])
        match write.deed:
            case "set":
                _require_room(parent, initial, place)
                value = _suited(_reference(state, initial, place), write.value)
                return _replaced(state, place, value)
            case "append":
                items = look_up(state, place)
                if not isinstance(items, list):
                    raise _Unsuitable(f"it is a {kind_of(items)}, not a list")
                # Only the new item is suited: the others are so already, and stay the same objects.
                value = [*items, *_suited(_reference(state, initial, place) or items, [write.value])]
                return _replaced(state, place, value)
            case "remove":
                look_up(state, place)
                if len(place) <= 2:
                    raise _Unsuitable("a property of an entity cannot be removed; set it")
                return _replaced(state, place, None, remove=True)
            case _:
                assert_never(write.deed)
    except (LookupError, _Unsuitable) as error:
        message = error.args[0]
        raise WorldFault(write.at, f"cannot {write.deed} {spelled(place)}: {message}.") from error


def _require_room(parent: Json, initial: State, place: Place) -> None:
    if isinstance(parent, list) and not _holds(parent, place[-1]):
        raise LookupError(f"there is no {spelled(place)}; lists grow by append")
    if not isinstance(parent, list | Mapping):
        raise _Unsuitable(f"{spelled(place[:-1])} is a {kind_of(parent)}, which has no entries")
    if place[1] not in initial[str(place[0])]:
        raise _Unsuitable("the initial state does not declare this property; declare it there")


def _reference(state: State, initial: State, place: Place) -> Json:
    """Give the value whose kind a new value at `place` must have; None if any kind will do."""
    for known in (initial, state):
        try:
            value = look_up(known, place)
        except LookupError:
            continue
        if value is not None:
            return value
    return None


def _suited(reference: Json, value: Json) -> Json:
    if reference is None:
        return value
    wanted, given = kind_of(reference), kind_of(value)
    if (wanted, given) == ("number", "integer"):
        return float(value)
    if wanted != given:
        hint = "; write it with a decimal point to make it a number" if given == "number" else ""
        raise _Unsuitable(f"the value is a {given}, and a {wanted} is declared{hint}")
    if wanted == "map":
        return {key: _suited(reference.get(key), item) for key, item in value.items()}
    if wanted == "list" and len({kind_of(item) for item in reference}) == 1:
        return [_suited(reference[0], item) for item in value]
    return value


def _holds(container: Json, key: str | int) -> bool:
    if isinstance(container, Mapping):
        return key in container
    return isinstance(container, list) and isinstance(key, int) and 0 <= key < len(container)


def _replaced(state: State, place: Place, value: Json, *, remove: bool = False) -> State:
    rebuilt: State = _rebuilt(state, place, value, remove)
    return rebuilt


def _rebuilt(container: Json, place: Place, value: Json, remove: bool) -> Json:
    key, rest = place[0], place[1:]
    copy: Json = list(container) if isinstance(container, list) else dict(container)
    if rest:
        copy[key] = _rebuilt(container[key], rest, value, remove)
    elif remove:
        del copy[key]
    else:
        copy[key] = value
    return copy
