"""Parameters: nothing is converted from text."""

from typing import Any

import pytest

from kwsuite.worlds.parameters import Malformed, Parameter, accept_arguments


def parameter(kind: Any, **fields: Any) -> Parameter:
    defaults: dict[str, Any] = {"description": "", "required": True, "default": None, "enum": (), "among": None}
    return Parameter(name="p", type=kind, **{**defaults, **fields})


@pytest.mark.parametrize(
    ("kind", "value", "kept"),
    [
        ("integer", 3, 3),
        ("integer", 3.0, 3),
        ("number", 3, 3.0),
        ("string", "007", "007"),
        ("boolean", False, False),
        ("time", "09:05", "09:05"),
        ("datetime", "2026-02-12T10:00", "2026-02-12T10:00"),
    ],
)
def test_a_fitting_value_is_kept_in_its_declared_kind(kind: str, value: Any, kept: Any) -> None:
    """C82."""
    accepted = parameter(kind).accept(value)
    assert accepted == kept
    assert type(accepted) is type(kept)


@pytest.mark.parametrize(
    ("kind", "value", "due"),
    [
        ("integer", "3", "an integer"),
        ("integer", True, "an integer"),
        ("integer", 3.5, "an integer"),
        ("integer", float("inf"), "an integer"),
        ("number", "3.5", "a number"),
        ("number", float("nan"), "a number"),
        ("boolean", "false", "true or false"),
        ("boolean", 0, "true or false"),
        ("string", 7, "a string"),
        ("string", None, "a string"),
        ("time", "9:05", "HH:MM"),
        ("time", "24:00", "HH:MM"),
        ("date", "2026-13-01", "YYYY-MM-DD"),
        ("array", "a", "an array"),
        ("integer", 2**63, "64 bits"),
        ("string", "\ud800", "surrogate"),
    ],
)
def test_another_value_is_refused_with_what_is_due(kind: str, value: Any, due: str) -> None:
    """C82."""
    with pytest.raises(Malformed, match=due):
        parameter(kind).accept(value)


def test_a_value_outside_the_choices_is_refused_and_the_choices_named() -> None:
    """C81."""
    with pytest.raises(Malformed, match="one of 'gold', 'silver', not 'bronze'"):
        parameter("string", enum=("gold", "silver")).accept("bronze")


@pytest.mark.parametrize("arguments", [{}, {"p": None}])
def test_an_optional_parameter_left_out_or_null_holds_its_default(arguments: dict[str, Any]) -> None:
    """C81."""
    assert accept_arguments([parameter("string", required=False, default="x")], arguments) == {"p": "x"}


@pytest.mark.parametrize(("arguments", "hint"), [({}, "is required"), ({"p": None}, "a string"), ({"q": 1}, "no such")])
def test_a_missing_null_or_unknown_argument_is_refused(arguments: dict[str, Any], hint: str) -> None:
    """C81."""
    with pytest.raises(Malformed, match=hint):
        accept_arguments([parameter("string")], arguments)


def test_the_schema_tells_callers_the_form_and_the_choices() -> None:
    assert parameter("time", description="Start").schema() == {
        "type": "string",
        "description": "Start (HH:MM, 24 h)",
        "pattern": r"^([01]\d|2[0-3]):[0-5]\d$",
    }
    assert parameter("string", enum=("a",)).schema() == {"type": "string", "enum": ["a"]}
