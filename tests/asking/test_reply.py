from hypothesis import given
from hypothesis import strategies as st

from kwsuite.asking.reply import clean, json_values


def test_objects_in_prose_and_blocks_come_in_order() -> None:
    text = 'first {"a": 1} then\n```json\n{"b": 2}\n```\nlast {"c": 3}'
    assert [declared.value for declared in json_values(text)] == [{"a": 1}, {"b": 2}, {"c": 3}]


def test_a_block_in_another_language_is_no_json() -> None:
    assert json_values('```python\n{"a": 1}\n```') == []


@given(st.text(max_size=200))
def test_cleaning_twice_changes_nothing_more(text: str) -> None:
    assert clean(clean(text)) == clean(text)


def test_beginnings_that_reread_the_same_text_are_given_up() -> None:
    nested = '{"k":' * 100 + "[" + '{"a":0},' * 12_500
    assert json_values(nested) == []
    assert len(json_values(nested[-80:])) == 10


def test_deeply_nested_brackets_are_no_json_and_no_crash() -> None:
    assert json_values("[" * 100_000) == []
