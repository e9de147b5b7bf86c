"""Loading scenarios: what is refused, and where it says so."""

import re
from pathlib import Path
from typing import Any

import pytest

from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.world_format import Scenario
from kwsuite.datasets.world_set import load_world_set
from kwsuite.datasets.worlds import load_scenario, load_worlds

SCENARIO = """\
id: shop
category: accessibility
user_prompt: Sell one.
world:
  context: {local_time: 09:30, code: '012'}
  entities:
    shelf:
      type: app
      name: Shelf
      state: {stock: 4, price: 1.5, opens: 09:30, due: 2024-01-02, country: NO}
      actions:
        - name: count
          description: Counts.
          reads: shelf.stock
        - name: take
          description: Takes some.
          parameters:
            by: integer
          effects:
            set:
              shelf.stock: shelf.stock - by
          returns: The stock falls.
execution_rules:
  - Nothing is told.
evaluation_rubric:
  - criterion: One is sold.
    pass_condition: shelf.stock is 3.
    check: shelf.stock == 3
"""

PROSE = """\
id: shop
category: accessibility
user_prompt: Sell one.
world:
  context: {}
  entities:
    podcasts_app:
      id: podcasts_app
      type: app
      name: Podcasts
      state: {playing: true, volume: 0.55}
      actions:
        - name: get_state
          description: Shows it.
          parameters: {}
          returns: No state changes. Reports playing and volume.
        - name: set_volume
          description: Sets it.
          parameters:
            level: {type: number, required: true}
          returns: "State changes to podcasts_app: volume becomes the level."
execution_rules: [Volume is between 0 and 1.]
evaluation_rubric:
  - {criterion: Quiet., pass_condition: podcasts_app.state.volume == 0.2}
"""


@pytest.fixture
def write(tmp_path: Path) -> Any:
    def save(text: str, name: str = "shop.yaml") -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return save


def test_times_dates_codes_and_words_keep_their_text(write: Any) -> None:
    """C72, C73, C74."""
    item = load_scenario(write(SCENARIO))
    assert item.world.initial["shelf"] == {
        "stock": 4,
        "price": 1.5,
        "opens": "09:30",
        "due": "2024-01-02",
        "country": "NO",
    }
    assert item.scenario.world.context == {"local_time": "09:30", "code": "012"}


def test_a_scenario_with_both_forms_runs_by_itself(write: Any) -> None:
    assert load_scenario(write(SCENARIO)).runs_with == "runs by itself"


def test_a_scenario_in_prose_only_loads_and_says_what_it_runs_with(write: Any) -> None:
    item = load_scenario(write(PROSE))
    assert item.scenario.needs == {"world", "grader"}
    assert item.runs_with == "runs with --model-role world and --model-role grader"


@pytest.mark.parametrize(
    ("old", "new", "place", "hint"),
    [
        ("shelf.stock == 3", "shelf.stok ==", "28:5", "check: column 14"),
        ("shelf.stock == 3", "shelff.stock == 3", "28:5", "Did you mean 'shelf'"),
        ("shelf.stock == 3", "called('shelf_tale')", "28:5", "Did you mean 'shelf_take'"),
        ("shelf.stock: shelf.stock - by", "shelf.stok: 1", "21:15", "no property 'stok'"),
        ("shelf.stock: shelf.stock - by", "shelf.stock: byy", "21:15", "Did you mean 'by'"),
        ("reads: shelf.stock", "reads: shop.stock", "14:11", "begins with an entity"),
        ("reads: shelf.stock", "reads: shelf", "14:11", "to a property"),
        ("reads: shelf.stock", "reads: shelf.stock\n          reply: 'It is {shelf.stock'", "15:11", "not closed"),
        ("by: integer", "by: intger", "18:13", "Input should be 'string'"),
        ("by: integer", "shelf: integer", "18:13", "is an entity"),
        ("by: integer", "type: integer", "18:13", "expressions use the word"),
        ("name: take", "name: count", "15:11", "two actions make the tool 'shelf_count'"),
        ("name: take", "name: order.cancel", "15:11", "must match"),
        ("name: take", f"name: {'t' * 60}", "15:11", "must match"),
        ("name: take", "name: 取消", "15:11", "must match"),
        ("    shelf:\n", "    my-shelf:\n", "7:5", "Try 'my_shelf'"),
        ("id: shop", "id: shoq", "1:1", "the file is shop.yaml"),
        ("pass_condition", "pas_condition", "26:5", "Did you mean 'pass_condition'"),
        ("category: accessibility", "category: access", "2:1", "Input should be 'implicit_reasoning'"),
        ("          returns: The stock falls.\n", "", "15:11", "returns, the contract in prose, is required"),
        ("stock: 4", "stock: 99999999999999999999", "10:7", "does not fit 64 bits"),
        ("by: integer", "by: {type: integer, required: 'false'}", "18:33", "valid boolean"),
        ("by: integer", "by: {type: integer, default: 3}", "18:13", "a required parameter has no default"),
        ("by: integer", "by: {enum: [NO, 3]}", "18:18", "must be a string, not 3"),
        ("  - Nothing is told.", "  - {rule: x, when: shelf.stock > 9}", "24:5", "has both when and effects"),
        (
            "  - Nothing is told.",
            "  - {rule: x, when: 1 == 1, effects: {set: {shelf.stock: 9}}}",
            "24:5",
            "initial state",
        ),
    ],
)
def test_a_fault_is_reported_at_its_line_with_what_to_do(write: Any, old: str, new: str, place: str, hint: str) -> None:
    """C72, C78, C79, C81."""
    assert old in SCENARIO
    path = write(SCENARIO.replace(old, new, 1))
    with pytest.raises(DataError) as caught:
        load_scenario(path)
    assert str(caught.value).startswith(f"{path}:{place}: item shop: ")
    assert hint in str(caught.value)


def test_two_actions_under_one_key_are_refused(write: Any) -> None:
    """C71."""
    with pytest.raises(DataError, match="stands twice"):
        load_scenario(write(SCENARIO.replace("category:", "id: other\ncategory:")))


def test_two_criteria_with_one_id_are_refused(write: Any) -> None:
    """C37."""
    twice = "  - {id: c1, criterion: x, pass_condition: y}\n"
    with pytest.raises(DataError, match=r"29:5.*also that of criterion 1"):
        load_scenario(write(SCENARIO + twice))


REFERENCE = "reference:\n  expert: [{shelf_take: {by: 1}}]\n  surface: [shelf_count]\n"


@pytest.mark.parametrize(
    ("old", "new", "hint"),
    [
        ("shelf_take: {by: 1}", "shelf_tke: {by: 1}", "Did you mean 'shelf_take'"),
        ("shelf_take: {by: 1}", "shelf_take: {by: '1'}", "must be an integer"),
        ("shelf_take: {by: 1}", "shelf_take: 1", "a call is written as"),
        ("{shelf_take: {by: 1}}", "shelf_take", "by: is required"),
    ],
)
def test_scripted_calls_are_checked_when_loaded(write: Any, old: str, new: str, hint: str) -> None:
    with pytest.raises(DataError, match=re.escape(hint)):
        load_scenario(write(SCENARIO + REFERENCE.replace(old, new)))


@pytest.mark.parametrize(
    ("alone", "hint"),
    [
        ("{drop: 2}", "is no step of the run"),
        ("{drop: 1, replace: 1, with: shelf_count}", "exactly one of"),
        ("{replace: 1}", "need calls under with"),
        ("{before: 1, with: shelf_cnt}", "Did you mean 'shelf_count'"),
    ],
)
def test_an_edit_is_checked_when_loaded(write: Any, alone: str, hint: str) -> None:
    text = SCENARIO + f"    alone: {alone}\n" + REFERENCE
    with pytest.raises(DataError, match=re.escape(hint)):
        load_scenario(write(text))


def test_the_same_scenario_twice_is_refused(write: Any, tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    with pytest.raises(DataError, match="is also in"):
        load_worlds([write(SCENARIO), write(SCENARIO, "more/shop.yaml")])


def test_every_field_of_the_format_is_described_for_editors() -> None:
    schema = Scenario.model_json_schema()
    assert all("description" in field for field in schema["properties"].values())
    assert schema["$defs"]["ActionPart"]["properties"]["effects"]["anyOf"]


def test_bundled_scenarios_come_in_the_order_of_their_ids() -> None:
    ids = [item.scenario.id for item in load_world_set().items]
    assert ids == sorted(ids)
    assert len(ids) >= 4


@pytest.mark.parametrize("dataset", ["", "  ", None])
def test_a_dataset_without_a_name_is_refused(dataset: Any) -> None:
    with pytest.raises(DataError, match="Use 'bundled'"):
        load_world_set(dataset)
