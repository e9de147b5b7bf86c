"""From a scenario to the sample that an agent is shown, and back from a sample to its world."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageUser

from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.document import Document
from kwsuite.datasets.message_ids import MESSAGE_KEY
from kwsuite.datasets.strict_yaml import load_model
from kwsuite.datasets.world_actions import EntityPart
from kwsuite.datasets.world_compiler import compile_world
from kwsuite.datasets.world_format import Scenario
from kwsuite.datasets.world_set import WorldSet
from kwsuite.datasets.worlds import WorldItem
from kwsuite.verdicts import Criterion, Rubric
from kwsuite.worlds.faults import AuthoringError

BENCHMARK = "implicit_worlds"

STEPS_KEY = "kwsuite:world_steps"
"""Where a sample's store keeps the steps of its run: a list of records, see `kwsuite.worlds.record`."""
PLAYER_KEY = "kwsuite:world_player"
"""Where it keeps who played the world: `engine`, or a model's name."""
STOP_KEY = "kwsuite:world_stop"
"""Where it keeps what cut the run short, if anything did."""
QUESTIONS_KEY = "kwsuite:world_questions"
"""Where it keeps the questions to the user."""

SCENARIO_KEY = "scenario"
"""Where a sample's metadata carries the scenario as written."""

_compiled: dict[str, WorldItem] = {}


def worlds_dataset(worlds: WorldSet) -> MemoryDataset:
    """Make the samples of a set, in its order."""
    version = worlds.digest()
    return MemoryDataset([_sample(item, version) for item in worlds.items], name=worlds.source)


def world_of(metadata: Mapping[str, Any]) -> WorldItem | None:
    """Give the scenario that a sample carries in its metadata; None if it carries none.

    A log holds the whole scenario, so that a finished run can be scored again without the file.

    Raises:
        DataError: The scenario in the log does not fit this version of the format.
    """
    data = metadata.get(SCENARIO_KEY)
    if not isinstance(data, dict):
        return None
    name = str(data.get("id"))
    known = _compiled.get(name)
    if known is not None and known.document.data == data:
        return known
    document = Document(Path(f"{name}.yaml"), data, {})
    scenario = load_model(Scenario, document, name)
    try:
        item = WorldItem(scenario, document, compile_world(scenario))
    except AuthoringError as error:
        raise DataError(f"item {name}: {error}") from error
    _compiled[name] = item
    return item


def carry(item: WorldItem) -> Any:
    """Give what a sample's metadata carries of a scenario, and remember its compiled world with its lines."""
    _compiled[item.scenario.id] = item
    return item.document.data


def world_rubric(scenario: Scenario) -> Rubric:
    """Give the criteria of a scenario as a rubric, all of them mandatory."""
    return Rubric(
        criteria=tuple(
            Criterion(id=identifier, text=f"{part.criterion}\nIt is met when: {part.pass_condition}")
            for identifier, part in scenario.criteria.items()
        )
    )


def shown_to_agent(scenario: Scenario) -> str:
    """Write what the agent is told: the request, the context, and what there is to act on; never state or rules."""
    parts = [scenario.user_prompt]
    if scenario.world.context:
        facts = [f"- {key.replace('_', ' ')}: {value}" for key, value in scenario.world.context.items()]
        parts.append("\n".join(["Context:", *facts]))
    entities = [_entity(key, entity) for key, entity in scenario.world.entities.items()]
    parts.append("\n".join(["What your tools act on:", *entities]))
    return "\n\n".join(parts)


def _entity(key: str, entity: EntityPart) -> str:
    what = f"- {entity.name} ({entity.type}; tools {key}_*)"
    return f"{what}: {entity.description}" if entity.description else what


def _sample(item: WorldItem, version: str) -> Sample:
    scenario = item.scenario
    message = ChatMessageUser(
        content=shown_to_agent(scenario),
        metadata={MESSAGE_KEY: {"benchmark": BENCHMARK, "item": scenario.id}},
    )
    return Sample(
        id=scenario.id,
        input=[message],
        target=scenario.summary,
        metadata={
            "category": scenario.category,
            "request": scenario.user_prompt,
            SCENARIO_KEY: carry(item),
            "rubric_hash": world_rubric(scenario).digest(),
            "version": version,
        },
    )
