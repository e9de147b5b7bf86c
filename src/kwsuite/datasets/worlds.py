"""Scenarios: a YAML file -> a checked scenario -> a compiled world."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.strict_yaml import Document, load_model, read_yaml
from kwsuite.datasets.world_compiler import compile_world
from kwsuite.datasets.world_format import Scenario
from kwsuite.worlds.engine import World
from kwsuite.worlds.faults import AuthoringError, Location


@dataclass(frozen=True)
class WorldItem:
    """A scenario as loaded: what its author wrote, where, and what the engine made of it."""

    scenario: Scenario
    document: Document
    world: World

    def where(self, at: Location = ()) -> str:
        """Give `file:line:column` of a part of the scenario."""
        return place(self.document, at)

    @property
    def runs_with(self) -> str:
        """Say in words what it can run with."""
        roles = [role for role in ("world", "grader") if role in self.scenario.needs]
        return "runs by itself" if not roles else f"runs with --model-role {' and --model-role '.join(roles)}"


def load_scenario(path: Path) -> WorldItem:
    """Load one scenario.

    Raises:
        DataError: It cannot be read, does not fit the format, or does not compile; the message lists every fault of
            the format, or the first that does not compile, with file:line:column and what to do.
    """
    document = read_yaml(path)
    item = path.stem
    scenario = load_model(Scenario, document, item)
    try:
        if scenario.id != item:
            raise AuthoringError(("id",), f"the id is {scenario.id!r}, the file is {path.name}. Rename one of them.")
        return WorldItem(scenario, document, compile_world(scenario))
    except AuthoringError as error:
        name = ".".join(str(part) for part in error.at) or "file"
        raise DataError(f"{place(document, error.at)}: item {item}: {name}: {error.message}") from error


def load_worlds(paths: Sequence[Path]) -> tuple[WorldItem, ...]:
    """Load scenarios, in the order of their ids.

    Raises:
        DataError: One cannot be loaded, or two have the same id.
    """
    items: dict[str, WorldItem] = {}
    for path in paths:
        item = load_scenario(path)
        if (other := items.get(item.scenario.id)) is not None:
            raise DataError(f"{path}: item {item.scenario.id} is also in {other.document.path}. Rename one of them.")
        items[item.scenario.id] = item
    return tuple(items[key] for key in sorted(items))


def place(document: Document, at: Location) -> str:
    """Give `file:line:column` of a location, also where an entry stands alone instead of in a list."""
    found: Location = ()
    for part in at:
        if (*found, part) in document.marks:
            found = (*found, part)
        elif not isinstance(part, int):
            break
    return document.where(found)
