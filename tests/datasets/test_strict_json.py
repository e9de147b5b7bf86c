"""A JSON file is read as JSON, and errors still know where things stood."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.strict_json import parse_json, read_yaml_or_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


def written(folder: Path, text: str, name: str = "rubric.json") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("text", ['{\n\t"mandatory": ["Is it?"]\n}', '{"mandatory": ["Is it?"]}'])
def test_json_is_read_however_it_is_indented(tmp_path: Path, text: str) -> None:
    assert read_yaml_or_json(written(tmp_path, text)).data == {"mandatory": ["Is it?"]}


@pytest.mark.parametrize("character", ["\u2028", "\u0085"])
def test_a_line_separator_inside_a_text_stays(tmp_path: Path, character: str) -> None:
    assert read_yaml_or_json(written(tmp_path, f'["a{character}b"]')).data == [f"a{character}b"]


@given(VALUES)
def test_whatever_json_can_say_comes_back(value: object) -> None:
    assert parse_json(json.dumps(value, ensure_ascii=False)) == value


def test_a_value_of_a_json_file_is_placed_by_line_and_column(tmp_path: Path) -> None:
    document = read_yaml_or_json(written(tmp_path, '{\n  "a": 1,\n  "b": 2\n}'))
    assert document.where(("b",)).endswith("rubric.json:3:3")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": 1,\n "b"}', r"rubric\.json:2:5: not JSON \(.*\)\. Correct it, or name the file \.yaml\."),
        ('{"a": 1, "a": 2}', r"rubric\.json: key 'a' stands twice\."),
        ('"\\ud800"', r"rubric\.json: text holds half a surrogate pair\."),
        ("[" * 100_000, r"rubric\.json: objects and lists stand in one another more than 64 deep\."),
        ("", r"rubric\.json:1:1: not JSON"),
    ],
)
def test_what_is_no_strict_json_is_refused_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read_yaml_or_json(written(tmp_path, text))


def test_another_suffix_is_read_as_yaml(tmp_path: Path) -> None:
    assert read_yaml_or_json(written(tmp_path, "mandatory:\n  - Is it?\n", "r.yml")).data == {"mandatory": ["Is it?"]}
