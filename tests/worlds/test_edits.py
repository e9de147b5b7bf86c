"""Edits of runs."""

from typing import Any

import pytest

from kwsuite.worlds.edits import Edit, edited
from kwsuite.worlds.trajectory import Call

CALLS = [Call(name, {}) for name in "abca"]
NEW = (Call("x", {}),)


@pytest.mark.parametrize(
    ("verb", "steps", "result"),
    [
        ("drop", (2,), "aca"),
        ("drop", ("a",), "bc"),
        ("drop", ("b", 4), "ac"),
        ("replace", (2,), "axca"),
        ("replace", (2, 3), "axa"),
        ("replace", ("a",), "xbc"),
        ("before", (1,), "xabca"),
        ("after", ("a",), "abcax"),
        ("after", (2,), "abxca"),
    ],
)
def test_an_edit_changes_the_named_steps(verb: Any, steps: Any, result: str) -> None:
    calls = () if verb == "drop" else NEW
    assert "".join(call.tool for call in edited(CALLS, Edit(verb, steps, calls))) == result


@pytest.mark.parametrize("step", [0, 5, "z"])
def test_a_step_that_is_not_there_is_refused(step: Any) -> None:
    with pytest.raises(ValueError, match="is no step of the run"):
        edited(CALLS, Edit("drop", (step,), ()))
