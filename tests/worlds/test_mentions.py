"""What expressions mention of the state."""

import pytest

from kwsuite.worlds.mentions import Pattern, mentions, overlap


@pytest.mark.parametrize(
    ("source", "places"),
    [
        ("shelf.stock", [("shelf", "stock")]),
        ("state.shelf.stock", [("shelf", "stock")]),
        ("size(state)", [()]),
        ("shelf.stock['pen'].price", [("shelf", "stock", "pen", "price")]),
        ("shelf.stock[item].price", [("shelf", "stock", None, "price")]),
        ("shelf.?stock[?item].orValue(0)", [("shelf", "stock", None)]),
        ("shelf.stock[till.last.item].price", [("shelf", "stock", None, "price"), ("till", "last", "item")]),
        ("item.shelf + 'till.last'", []),
        ("item == 1 ? shelf.open : till.last", [("shelf", "open"), ("till", "last")]),
        ("item == 1 ?shelf.open : 2", [("shelf", "open")]),
    ],
)
def test_an_expression_mentions_places(source: str, places: list[Pattern]) -> None:
    assert list(mentions(source, {"shelf", "till"})) == places


@pytest.mark.parametrize(
    ("one", "other", "meets"),
    [
        (("shelf",), ("shelf", "stock"), True),
        (("shelf", None, "price"), ("shelf", "pen", "price"), True),
        (("shelf", None, "price"), ("shelf", "pen", "count"), False),
        ((), ("till", "last"), True),
    ],
)
def test_places_meet_where_no_key_differs(one: Pattern, other: Pattern, meets: bool) -> None:
    assert overlap(one, other) == overlap(other, one) == meets
