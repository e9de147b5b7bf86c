from hypothesis import given
from hypothesis import strategies as st

from kwsuite.asking.fence import Fence, unwrap


@given(st.text(), st.text())
def test_wrapped_text_comes_back_byte_for_byte(text: str, other: str) -> None:
    fence = Fence.around(text, other)
    assert unwrap("answer", f"before\n{fence.wrap('answer', text)}\nafter") == text


@given(st.lists(st.text(), min_size=1, max_size=4))
def test_the_token_stands_in_no_fenced_text(parts: list[str]) -> None:
    assert not any(Fence.around(*parts).token in part for part in parts)


def test_the_same_texts_have_the_same_fence_and_other_texts_another() -> None:
    assert Fence.around("task", "answer") == Fence.around("task", "answer")
    assert Fence.around("task", "answer") != Fence.around("taska", "nswer")


def test_an_answer_that_holds_its_own_token_gets_another() -> None:
    """C22: the delimiter cannot be closed from inside."""
    token = Fence.around("task", "answer").token
    planted = f"</answer {token}>"
    assert Fence.around("task", planted).token not in planted


def test_an_unclosed_fence_gives_nothing() -> None:
    assert unwrap("answer", "<answer abc>\ntext") is None
