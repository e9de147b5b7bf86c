"""State: atomic, of declared kinds, and its differences."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kwsuite.worlds.faults import WorldFault
from kwsuite.worlds.json_values import MAX_ENTRIES, MAX_TEXT, same, unfit
from kwsuite.worlds.state import Change, Place, Write, apply_changes, apply_writes, differences, spelled

INITIAL: dict[str, Any] = {"desk": {"n": 1, "price": 1.5, "rows": {"a": {"q": 1}}, "log": [], "any": None, "t": "x"}}


def write(place: Place, value: Any = None, deed: Any = "set") -> Any:
    return apply_writes(INITIAL, INITIAL, [Write(place, deed, value, ("effect",))])["desk"]


def test_a_whole_number_becomes_decimal_where_a_decimal_one_is_declared() -> None:
    assert same(write(("desk", "price"), 2)["price"], 2.0)


def test_a_null_declares_no_kind() -> None:
    assert write(("desk", "any"), {"a": 1})["any"] == {"a": 1}


@pytest.mark.parametrize(
    ("place", "value", "deed", "hint"),
    [
        (("desk", "n"), 2.5, "set", "write it with a decimal point"),
        (("desk", "n"), True, "set", "a boolean, and a integer is declared"),
        (("desk", "t"), None, "set", "a null"),
        (("desk", "rows", "a", "q"), "1", "set", "a text"),
        (("desk", "rows", "zz", "q"), 1, "set", "there is no desk.rows.zz"),
        (("desk", "new"), 1, "set", "does not declare this property"),
        (("desk", "n", "x"), 1, "set", "has no entries"),
        (("desk", "log", 0), 1, "set", "lists grow by append"),
        (("desk", "n"), 1, "append", "not a list"),
        (("desk", "rows", "zz"), None, "remove", "there is no desk.rows.zz"),
        (("desk", "n"), None, "remove", "cannot be removed"),
    ],
)
def test_a_write_that_does_not_fit_is_a_fault(place: Place, value: Any, deed: str, hint: str) -> None:
    with pytest.raises(WorldFault, match=hint) as caught:
        write(place, value, deed)
    assert caught.value.at == ("effect",)


def test_items_of_a_list_keep_the_kind_of_the_first() -> None:
    state = {"desk": {**INITIAL["desk"], "log": [1]}}
    with pytest.raises(WorldFault, match="a text, and a integer is declared"):
        apply_writes(state, INITIAL, [Write(("desk", "log"), "append", "x", ())])


def test_writes_that_overlap_are_a_fault_because_order_would_matter() -> None:
    writes = [Write(("desk", "rows"), "set", {}, ()), Write(("desk", "rows", "a"), "remove", None, ())]
    with pytest.raises(WorldFault, match="both written at once"):
        apply_writes(INITIAL, INITIAL, writes)


PLACES: list[Place] = [("desk", "n"), ("desk", "rows", "a", "q"), ("desk", "rows", "b"), ("desk", "any"), ("desk", "t")]
VALUES: dict[Place, Any] = {
    PLACES[0]: 5,
    PLACES[1]: 7,
    PLACES[2]: {"q": 2},
    PLACES[3]: [1],
    PLACES[4]: "y",
}


@given(st.permutations(PLACES))
def test_the_order_of_independent_effects_does_not_matter(order: list[Place]) -> None:
    writes = [Write(place, "set", VALUES[place], ()) for place in order]
    expected = apply_writes(INITIAL, INITIAL, [Write(place, "set", VALUES[place], ()) for place in PLACES])
    assert same(apply_writes(INITIAL, INITIAL, writes), expected)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats(-2, 2) | st.text(alphabet="ab", max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=8,
)
STATES = st.fixed_dictionaries({"desk": st.dictionaries(st.sampled_from("abc"), JSON, max_size=3)})


@given(STATES, STATES)
def test_differences_lead_from_one_state_to_the_other(before: Any, after: Any) -> None:
    assert same(apply_changes(before, list(differences(before, after))), after)


@given(STATES)
def test_equal_states_have_no_differences(state: Any) -> None:
    assert list(differences(state, state)) == []


def test_a_difference_of_kind_alone_is_a_difference() -> None:
    """C99: 1 and true, or 1 and 1.0, are not the same."""
    assert list(differences({"a": 1}, {"a": True})) == [Change(("a",), True)]
    assert list(differences({"a": 1}, {"a": 1.0})) == [Change(("a",), 1.0)]


def test_places_are_spelled_as_paths() -> None:
    assert spelled(("desk", "rows", "v1.2", 0)) == "desk.rows['v1.2'][0]"


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 2**63, "a\x00b", "\ud800", {1: 2}, b"x", [{"a": {3}}]])
def test_what_json_or_the_library_cannot_hold_is_unfit(value: Any) -> None:
    """C74, and what the expression library would cut or choke on."""
    assert unfit(value) is not None


@pytest.mark.parametrize("value", ["x" * (MAX_TEXT + 1), [0] * (MAX_ENTRIES + 1), {"a": ["x" * (MAX_TEXT + 1)]}])
def test_a_value_that_outgrows_a_world_is_refused(value: Any) -> None:
    assert "more than the" in str(unfit(value))


def test_a_value_at_the_limit_may_live_in_a_world() -> None:
    assert unfit(["x" * MAX_TEXT]) is None
