"""Replies."""

from typing import Any

import pytest

from kwsuite.worlds.expressions import Language
from kwsuite.worlds.faults import AuthoringError
from kwsuite.worlds.templates import compile_template

LANGUAGE = Language(["desk"], [])


def fill(source: str, desk: Any) -> str:
    return compile_template(source, (), LANGUAGE, ["desk"]).fill(LANGUAGE.scope({"desk": desk}))


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("it's {desk.n} now", "it's 3 now"),
        ("{desk.t}/{desk.b}", "x/true"),
        ("{{{desk.n}}}", "{3}"),
        ("{ {'a': '}'} }", '{"a": "}"}'),
        ("plain", "plain"),
    ],
)
def test_expressions_in_braces_are_filled_in(source: str, text: str) -> None:
    assert fill(source, {"n": 3, "t": "x", "b": True}) == text


@pytest.mark.parametrize("source", ["{desk.n", "desk }", "{desk.n + }", "{}"])
def test_a_broken_template_is_refused(source: str) -> None:
    with pytest.raises(AuthoringError):
        compile_template(source, (), LANGUAGE, ["desk"])
