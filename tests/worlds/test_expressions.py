"""Expressions, and each oddity of the library under them."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kwsuite.worlds import functions
from kwsuite.worlds.expressions import Language
from kwsuite.worlds.faults import AuthoringError, WorldFault
from kwsuite.worlds.trajectory import Call, Trajectory

STATE: dict[str, Any] = {
    "desk": {
        "n": 3,
        "price": 1.5,
        "rows": {"b": {"q": 2}, "a": {"q": 1}},
        "list": [1, 2],
        "v1.2": "dotted",
        "in": "word",
    },
    "lamp": {"on": True},
}
CALLS = Trajectory((Call("desk_list", {}), Call("desk_put", {"row": "a", "n": 1}), Call("lamp_set", {"on": False})))
LANGUAGE = Language(["desk", "lamp", "id"], ["desk_list", "desk_put", "lamp_set"])


def evaluate(source: str, *, state: dict[str, Any] = STATE, trajectory: Trajectory = CALLS) -> Any:
    expression = LANGUAGE.compile(source, ("here",), ["desk", "lamp", "id"], trajectory=True)
    return expression.evaluate(LANGUAGE.scope({**state, "state": state, "initial": STATE, "id": "a"}, trajectory))


def decide(source: str) -> bool:
    expression = LANGUAGE.compile(source, ("here",), ["desk", "lamp", "id"])
    return expression.decide(LANGUAGE.scope({**STATE, "id": "a"}))


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("desk.rows[id].q", 1),
        ("values(desk.rows).exists(r, r.q == 2)", True),
        ("desk.rows.all(k, desk.rows[k].q > 0)", True),
        ("sum(values(desk.rows).map(r, r.q))", 3),
        ("sum([])", 0),
        ("flatten([[1], [], [2]])", [1, 2]),
        ("merge(desk.rows.a, {'q': 5, 'z': 1})", {"q": 5, "z": 1}),
        ("without(desk.rows, ['a', 'zz'])", {"b": {"q": 2}}),
        ("desk.list.filter(x, x != 1) + [4]", [2, 4]),
        ("desk.rows[?'zz'].?q.orValue(0)", 0),
        ("math.least(math.greatest(desk.n, 4), 8)", 4),
        ("'2026-04-08T21:30'.substring(11) >= '21:00'", True),
        ("int('08') + 4", 12),
        ("desk['v1.2']", "dotted"),
        ("desk['in']", "word"),
        ("state.desk.n == initial.desk.n", True),
        ("cel.bind(row, desk.rows[id], row.q + row.q)", 2),
    ],
)
def test_the_idioms_of_the_authors_guide_work(source: str, value: Any) -> None:
    assert evaluate(source) == value


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("called('desk_put')", True),
        ("called('desk_put', {'row': 'a'})", True),
        ("called('desk_put', {'row': 'b'})", False),
        ("never('desk_put', {'row': 'b'})", True),
        ("never('desk_list')", False),
        ("count('desk_put')", 1),
        ("called_before('desk_list', 'desk_put')", True),
        ("called_before('lamp_set', 'desk_put')", False),
        ("last_arguments('desk_put').n", 1),
    ],
)
def test_checks_can_ask_about_the_trajectory(source: str, value: Any) -> None:
    assert evaluate(source) == value


def test_called_before_holds_when_the_later_tool_was_never_called() -> None:
    assert evaluate("called_before('desk_list', 'desk_put')", trajectory=Trajectory()) is True


def test_true_is_not_one_among_the_arguments_of_a_call() -> None:
    """C99: the strictness of JSON kinds holds for arguments too."""
    assert evaluate("called('desk_put', {'n': true})") is False


@pytest.mark.parametrize(
    ("source", "hint"),
    [
        ("desk.zz == 1", "no key 'zz'"),
        ("desk.zz == 1 || true", "no key 'zz'"),
        ("desk.zz == 1 && false", "no key 'zz'"),
        ("[1, 2].exists(x, x == 2 || desk.zz == 1)", "no key 'zz'"),
        ("desk.n + desk.price == 4.5", "write double"),
        ("desk.n ? 1 : 2", "true or false is due before"),
        ("!desk.n", "true or false is due after"),
        ("desk.?zz", "orValue"),
        ("desk.price / 0.0", "not a finite number"),
        ("9223372036854775807 + desk.n", "overflow"),
        ("sum(desk.rows)", "sum does not work on map"),
        ("last_arguments('desk_put').n", "never called"),
        ("type(desk.n)", "type"),
        ("{1: 2}", "keys of a map are text"),
        ("timestamp('2026-01-01T00:00:00Z')", "not JSON"),
    ],
)
def test_an_error_is_raised_wherever_it_stands(source: str, hint: str) -> None:
    with pytest.raises(WorldFault, match=hint) as caught:
        evaluate(source, trajectory=Trajectory())
    assert source in str(caught.value)


def test_a_guarded_key_may_be_missing() -> None:
    assert evaluate("has(desk.zz) && desk.zz == 1") is False


def test_a_condition_must_be_true_or_false() -> None:
    with pytest.raises(WorldFault, match="true or false is due here, not 3"):
        decide("desk.n")


def test_loops_within_loops_stop_at_the_budget() -> None:
    with pytest.raises(WorldFault, match="walks over too much"):
        evaluate("desk.list.exists(a, desk.list.exists(b, a + b == -1))", state={**STATE, "desk": {"list": [1] * 200}})


def test_a_long_conjunction_does_not_hit_the_limit_of_depth() -> None:
    assert decide(" && ".join(["desk.n == 3"] * 200)) is True


def test_an_exception_inside_a_function_is_raised_again_and_not_swallowed(monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(table: Any) -> Any:
        raise ZeroDivisionError("inside")

    monkeypatch.setitem(functions.PLAIN, "values", (("map",), breaks))
    language = Language(["desk"], [])
    expression = language.compile("values(desk).size() == 0", (), ["desk"])
    with pytest.raises(WorldFault, match="inside") as caught:
        expression.evaluate(language.scope(STATE))
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


@given(st.dictionaries(st.text(alphabet="abcdefghij", min_size=1), st.integers(0, 9), min_size=2))
def test_a_map_is_walked_in_the_order_of_its_keys(table: dict[str, int]) -> None:
    assert evaluate("desk.map(k, k)", state={**STATE, "desk": table}) == sorted(table)
    assert list(evaluate("desk", state={**STATE, "desk": table})) == sorted(table)


@pytest.mark.parametrize(
    ("source", "hint"),
    [
        ("playing", "Text wants quotes of its own: \"'playing'\""),
        ("desks.n == 1", "Did you mean 'desk'"),
        ("called('desk_lst')", "Did you mean 'desk_list'"),
        ("desk.n ==", "column 10"),
        ("1 == 'a'", "overload"),
        ("nonsense(1)", "nonsense"),
        ("desk.n == 'x", "column"),
    ],
)
def test_a_faulty_expression_is_refused_when_it_is_compiled(source: str, hint: str) -> None:
    with pytest.raises(AuthoringError, match=hint) as caught:
        LANGUAGE.compile(source, ("rubric", 2, "check"), ["desk"], trajectory=True)
    assert caught.value.at == ("rubric", 2, "check")


def test_only_checks_may_ask_about_the_trajectory() -> None:
    with pytest.raises(AuthoringError, match="is for checks"):
        LANGUAGE.compile("called('desk_put')", (), ["desk"])
