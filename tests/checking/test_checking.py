"""Comparisons of outputs: neither too lenient nor too strict."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kwsuite.checking import (
    EXACT,
    Checks,
    JsonKey,
    Tolerance,
    Unreadable,
    close,
    json_faults,
    plain_text,
    read_json,
    read_number,
    read_table,
    same_number,
    same_value,
)

HUNDREDTH = Tolerance(0.01)


def test_nan_agrees_with_nothing() -> None:
    """C96"""
    assert not close(math.nan, 3.2, HUNDREDTH)
    assert not close(math.nan, math.nan, HUNDREDTH)
    assert not close(math.inf, math.inf, HUNDREDTH)


@pytest.mark.parametrize("part", [math.nan, -1, math.inf, True, "0.1"])
def test_a_tolerance_that_is_no_finite_number_of_at_least_zero_is_refused(part: Any) -> None:
    """C96"""
    with pytest.raises(ValueError, match="finite number of at least 0"):
        Tolerance(part)


def test_a_relative_tolerance_alone_passes_nothing_but_zero_for_an_expected_zero() -> None:
    """C97"""
    relative = Tolerance(0.0, 0.05)
    assert close(0.0, 0.0, relative)
    assert close(-0.0, 0.0, relative)
    assert not close(1e-12, 0.0, relative)
    assert close(1e-12, 0.0, Tolerance(1e-9))


def test_counts_agree_exactly_whatever_the_tolerance() -> None:
    """C98"""
    loose = Tolerance(0.0, 0.05)
    assert not same_number(21, 20, loose, whole=True)
    assert same_number(20.0, 20, loose, whole=True)
    assert not same_number("20", 20, loose, whole=True)


def test_booleans_and_numbers_are_not_each_other() -> None:
    """C99"""
    assert not same_value({"count": True}, {"count": 1}, HUNDREDTH)
    assert not same_value({"flag": 1}, {"flag": True}, HUNDREDTH)


@pytest.mark.parametrize(
    ("text", "form", "number"),
    [
        ("-12.5", "plain", -12.5),
        ("$1,250.00", "currency", 1250.0),
        ("1 250", "currency", 1250.0),
        ("12.5%", "percent", 0.125),
        ("12.5%", "plain", None),
        ("$5", "plain", None),
        ("nan", "plain", None),
        ("1e999", "plain", None),
        ("１２", "plain", None),
        ("it is 72 boxes", "plain", None),
        ("", "plain", None),
    ],
)
def test_a_number_is_read_only_in_the_form_that_its_key_declares(text: str, form: Any, number: float | None) -> None:
    """C101, C107"""
    assert read_number(text, form) == number


def test_order_of_keys_never_matters_and_extra_keys_only_when_closed() -> None:
    """C104"""
    assert same_value({"b": 1, "a": 2}, {"a": 2, "b": 1}, EXACT)
    assert same_value({"a": 1, "note": "x"}, {"a": 1}, EXACT)
    assert not same_value({"a": 1, "note": "x"}, {"a": 1}, EXACT, closed=True)


def test_order_of_lists_matters_as_declared() -> None:
    """C104"""
    assert not same_value(["y", "x"], ["x", "y"], EXACT)
    assert same_value(["y", "x"], ["x", "y"], EXACT, ordered=False)
    assert not same_value(["x", "x"], ["x", "y"], EXACT, ordered=False)


@given(st.lists(st.floats(-5, 5), max_size=6), st.randoms())
def test_an_unordered_list_matches_every_order_of_itself(numbers: list[float], random: Any) -> None:
    shuffled = list(numbers)
    random.shuffle(shuffled)
    assert same_value(shuffled, numbers, HUNDREDTH, ordered=False)


def test_byte_order_mark_and_line_ends_are_no_difference() -> None:
    """C106"""
    assert read_json(b'\xef\xbb\xbf{"a":1}\r\n') == {"a": 1}
    assert plain_text(b"a\r\nb\r") == "a\nb\n"


@pytest.mark.parametrize("data", [b'{"a": NaN}', b'{"a": 1, "a": 2}', b"", b"\xff", b'{"a": 1', b"[" * 100_000])
def test_what_is_no_strict_json_is_unreadable(data: bytes) -> None:
    with pytest.raises(Unreadable):
        read_json(data)


def test_a_table_forgives_order_of_columns_and_spaces() -> None:
    assert read_table(b" b , a \r\n 2 , x \r\n\r\n", ("a", "b")) == [{"b": "2", "a": "x"}]


@pytest.mark.parametrize("data", [b"", b"a\n1\n", b"a,b,c\n1,2,3\n", b"a,a\n1,2\n", b"a,b\n1\n", b'a,b\n"1,2\n'])
def test_a_table_of_another_shape_is_unreadable(data: bytes) -> None:
    with pytest.raises(Unreadable):
        read_table(data, ("a", "b"))


def test_faults_of_an_object_name_every_key() -> None:
    keys: dict[str, Any] = {"n": "whole", "x": "number", "f": "flag", "t": "text"}
    assert json_faults({"n": 2.0, "x": 1, "f": False, "t": ""}, keys, "it") == []
    faults = json_faults({"n": True, "x": "1", "f": 1, "more": 0}, keys, "it", closed=True)
    assert faults == [
        "it lacks 't'",
        "it: n is True, which is no whole",
        "it: x is '1', which is no number",
        "it: f is 1, which is no flag",
        "it has 'more', which was not asked for",
    ]
    assert json_faults([], keys, "it") == ["it is no object"]


def test_a_check_that_was_never_decided_is_not_met() -> None:
    checks = Checks(("schema", "values"))
    checks.decide("schema", ["broken", "also"])
    assert [(check.met, check.why) for check in checks.report()] == [
        (False, "broken (and 1 more)"),
        (False, "not evaluated, because schema is not met"),
    ]


def test_a_check_that_the_verifier_forgot_is_its_fault_and_not_the_candidates() -> None:
    checks = Checks(("schema", "values"))
    checks.decide("schema", [])
    with pytest.raises(ValueError, match="never decided: values"):
        checks.report()


def test_a_check_is_announced_and_decided_once() -> None:
    checks = Checks(("schema",))
    checks.decide("schema", [])
    with pytest.raises(ValueError, match="decided twice"):
        checks.decide("schema", [])
    with pytest.raises(ValueError, match="was not announced"):
        checks.decide("other", [])
    with pytest.raises(ValueError, match="unique"):
        Checks(())


@pytest.mark.parametrize("kind", ["number", "whole"])
def test_a_whole_number_that_no_float_holds_is_a_fault_or_a_number_and_never_a_crash(kind: JsonKey) -> None:
    huge = read_json(b"1" + b"0" * 400)
    assert bool(json_faults({"a": huge}, {"a": kind}, "entry")) == (kind == "number")
    assert not close(huge, 1.0, Tolerance(1.0))
    assert not same_number(huge, 1.0, Tolerance(1.0))
