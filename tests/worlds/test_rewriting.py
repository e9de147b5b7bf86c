"""Reading expressions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kwsuite.worlds.rewriting import read_expression
from kwsuite.worlds.tokens import Unreadable


@pytest.mark.parametrize(
    ("source", "rewritten"),
    [
        ("a || b", "(a ? true : b)"),
        ("a && b && c", "(a ? (b ? c : false) : false)"),
        ("a.exists(x, x > 1)", "(a.filter(x, x > 1).size() > 0)"),
        ("a.all(x, x > 1)", "(a.filter(x, !(x > 1)).size() == 0)"),
        ("a.map(k, a[k].b)", "in_order(a).map(k, a[k].b)"),
        ("a.?b.orValue('x')", "a.?b.orValue('x')"),
        ("a[?b + 'c'].orValue([])", "a[?b + 'c'].orValue([])"),
        ("a ? b : c ? d : e", "a ? b : c ? d : e"),
        ("!a.b && -c < 2", "(!a.b ? -c < 2 : false)"),
        ("{'a': [1, ?b], ?'c': d}", "{'a': [1, ?b], ?'c': d}"),
        ("'a || b' == \"c && d\"", "'a || b' == \"c && d\""),
        ("a // || b", "a"),
    ],
)
def test_an_expression_is_rewritten_to_go_from_left_to_right(source: str, rewritten: str) -> None:
    assert read_expression(source).text == rewritten


def test_names_bound_by_a_walk_are_not_free() -> None:
    assert set(read_expression("a.exists(x, x == b && x.c(d))").names) == {"a", "b", "d"}


def test_a_name_is_free_again_after_the_walk_that_bound_it() -> None:
    assert set(read_expression("a.exists(x, x) && x").names) == {"a", "x"}


def test_calls_keep_their_leading_texts() -> None:
    (call,) = read_expression("called('a_b', {'k': 'v'})").calls
    assert (call.name, call.texts[0]) == ("called", "a_b")


@pytest.mark.parametrize("source", ["", "a b", "a +", "(a", "a ? b", "a.1", "'open", "a.exists(x)", "a..b", "§"])
def test_what_is_not_an_expression_is_unreadable(source: str) -> None:
    with pytest.raises(Unreadable):
        read_expression(source)


@given(st.text(alphabet="ab'\"|&?:.,()[]{}!-+ 1\\/\n", max_size=40))
def test_any_text_is_read_or_refused(source: str) -> None:
    try:
        read: str | int = read_expression(source).text
    except Unreadable as error:
        read = error.offset
    assert read in range(len(source) + 1) or isinstance(read, str)
