"""The authors' guide says only what is so."""

import re
from pathlib import Path

import pytest

from kwsuite.datasets.strict_yaml import parse_yaml
from kwsuite.datasets.world_actions import EffectPart
from kwsuite.datasets.world_format import Scenario
from kwsuite.worlds.expressions import Language
from kwsuite.worlds.rewriting import read_expression

GUIDE = (Path(__file__).parents[2] / "docs" / "authoring-worlds.md").read_text(encoding="utf-8")
COOKBOOK, EFFECTS = GUIDE.split("| in Python, where `s` is the state |")[1].split("| effect in Python |")


def cells(table: str) -> list[str]:
    rows = [line for line in table.splitlines() if line.startswith("| ")]
    return [code for row in rows for code in re.findall(r"`([^`]+)`", re.split(r"(?<!\|)\|(?!\|)", row)[2])]


EXPRESSIONS = [code for code in cells(COOKBOOK.split("\n\n")[0]) if not re.match(r"\w+: ", code)]


@pytest.mark.parametrize("source", EXPRESSIONS)
def test_every_expression_of_the_cookbook_compiles(source: str) -> None:
    names = read_expression(source).names
    tools = re.findall(r"'(\w+_\w+)'", source)
    assert Language([*names], tools).compile(source, (), [*names], trajectory=True) is not None


@pytest.mark.parametrize(
    "source", [code for code in cells(EFFECTS.split("\n\n")[0]) if re.match(r"(set|merge|append|rem)", code)]
)
def test_every_effect_of_the_cookbook_fits_the_format(source: str) -> None:
    assert EffectPart.model_validate(parse_yaml(source, Path("guide")).data).model_fields_set


def test_the_cookbook_is_found_by_these_tests() -> None:
    assert len(EXPRESSIONS) > 20


def test_the_example_fits_the_format() -> None:
    example = re.findall(r"```yaml\n(id: .*?)```", GUIDE, re.DOTALL)[0]
    assert Scenario.model_validate(parse_yaml(example, Path("guide")).data).needs == set()
