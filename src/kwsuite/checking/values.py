"""Comparing whole values, by kind."""

from typing import Any

from kwsuite.checking.numbers import Tolerance, same_number


def same_value(got: Any, expected: Any, tolerance: Tolerance, *, closed: bool = False, ordered: bool = True) -> bool:
    """Compare what JSON gave with what it should be.

    Args:
        got: The output's value.
        expected: The reference: whole numbers count things and agree exactly, floats agree within the tolerance.
        tolerance: For floats.
        closed: Whether keys beyond the expected ones are a difference; the order of keys never is.
        ordered: Whether the order of lists matters.
    """
    match expected:
        case bool() | None | str():
            return type(got) is type(expected) and got == expected
        case int() | float():
            return same_number(got, expected, tolerance, whole=isinstance(expected, int))
        case dict():
            return isinstance(got, dict) and _same_object(got, expected, tolerance, closed, ordered)
        case list():
            return isinstance(got, list) and _same_list(got, expected, tolerance, closed, ordered)
    raise TypeError(f"{expected!r} is no JSON value")


def _same_object(
    got: dict[str, Any], expected: dict[str, Any], tolerance: Tolerance, closed: bool, ordered: bool
) -> bool:
    if not expected.keys() <= got.keys() or (closed and len(got) > len(expected)):
        return False
    return all(
        same_value(got[key], value, tolerance, closed=closed, ordered=ordered) for key, value in expected.items()
    )


def _same_list(got: list[Any], expected: list[Any], tolerance: Tolerance, closed: bool, ordered: bool) -> bool:
    if len(got) != len(expected):
        return False
    if not ordered:
        return _same_bag(got, expected, tolerance, closed)
    return all(same_value(one, other, tolerance, closed=closed) for one, other in zip(got, expected, strict=True))


def _same_bag(got: list[Any], expected: list[Any], tolerance: Tolerance, closed: bool) -> bool:
    """Match two lists one to one, whatever their order; with a tolerance a greedy choice could miss a match."""
    taken: dict[int, int] = {}

    def place(index: int, seen: set[int]) -> bool:
        for other in range(len(got)):
            if other in seen or not same_value(got[other], expected[index], tolerance, closed=closed, ordered=False):
                continue
            seen.add(other)
            if other not in taken or place(taken[other], seen):
                taken[other] = index
                return True
        return False

    return all(place(index, set()) for index in range(len(expected)))
