"""The strict YAML reader: what each text means, and the exact words for each broken file."""

import json
import os
import re
import string
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field

from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.strict_yaml import MAX_BYTES, Document, load_model, parse_yaml, read_yaml

FILE = Path("item.yaml")


def load(text: str) -> Any:
    return parse_yaml(text, FILE).data


def refusal(text: str) -> str:
    with pytest.raises(DataError) as caught:
        parse_yaml(text, FILE)
    return str(caught.value)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        pytest.param("no", "no", id="C72 no"),
        pytest.param("on", "on", id="C72 on"),
        pytest.param("Y", "Y", id="C72 Y"),
        pytest.param("NO", "NO", id="C72 NO"),
        pytest.param("1e-3", 0.001, id="C73 exponent"),
        pytest.param("09:30", "09:30", id="C73 time"),
        pytest.param("1:30:00", "1:30:00", id="C73 sexagesimal"),
        pytest.param("1_000", "1_000", id="C73 underscore"),
        pytest.param("2024-01-02", "2024-01-02", id="C74 date"),
        pytest.param("2024-01-02T03:04:05Z", "2024-01-02T03:04:05Z", id="C74 timestamp"),
        ("=", "="),
        ("", None),
        ("~", None),
        ("null", None),
        ("true", True),
        ("FALSE", False),
        ("0", 0),
        ("-12", -12),
        ("0o14", 12),
        ("0x1F", 31),
        ("0b1", "0b1"),
        ("3.10", 3.1),
        (".5", 0.5),
        ("0.5", 0.5),
        ("-0.5e+2", -50.0),
        ("1.", 1.0),
        ("1.2.3", "1.2.3"),
        ("+", "+"),
        ("00:15", "00:15"),
        ("0800-FREE", "0800-FREE"),
        ("12 # a comment", 12),
        ("word # a comment", "word"),
        ("word#5", "word#5"),
        ("'012'", "012"),
        ('"true"', "true"),
        ("|\n  12\n", "12\n"),
        ('"\\ud83d\\ude00"', "\U0001f600"),
        ('"\\0\\t"', "\0\t"),
    ],
)
def test_a_scalar_is_read_by_the_core_schema(written: str, value: object) -> None:
    data = load(f"field: {written}")
    assert data == {"field": value}
    assert type(data["field"]) is type(value)


@pytest.mark.parametrize("key", ["on", "no", "12", "true", "null", "3.10", "012", "2024-01-02", "="])
def test_a_key_stays_the_text_it_was_written_as(key: str) -> None:
    """C72, C73."""
    assert load(f"{key}: 1") == {key: 1}


def test_a_byte_order_mark_is_no_part_of_the_first_key() -> None:
    """C46."""
    assert load("\ufeffname: 1") == {"name": 1}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param(
            "refund:\n  a: 1\nship: 2\nrefund:\n  b: 1\n",
            "item.yaml:4:1: key 'refund' stands twice, first on line 1. Delete one.",
            id="C71 duplicate key",
        ),
        pytest.param(
            "1: a\n'1': b\n", "item.yaml:2:1: key '1' stands twice, first on line 1. Delete one.", id="C71 spelt apart"
        ),
        pytest.param(
            "a:\n  <<: {b: 1}\n", "item.yaml:2:3: merge key << is refused. Write the fields out.", id="C71 merge"
        ),
        pytest.param(
            "a: 1\nb: *a\n",
            "item.yaml:2:4: alias *a is refused. Write the value out, or quote the text.",
            id="C71 alias",
        ),
        pytest.param(
            "a: &x 1\n", "item.yaml:1:4: anchor &x is refused. Delete it, or quote the text.", id="C71 lone anchor"
        ),
        pytest.param("&k a: 1\n", "item.yaml:1:1: anchor &k is refused. Delete it, or quote the text.", id="on key"),
        pytest.param(
            "a: !!python/object/apply:os.system [ls]\n",
            "item.yaml:1:4: tag !!python/object/apply:os.system is refused. Delete it; "
            "quote the value where text is meant.",
            id="C76 python tag",
        ),
        pytest.param(
            "a: !!str 12\n",
            "item.yaml:1:4: tag !!str is refused. Delete it; quote the value where text is meant.",
            id="C76 str tag",
        ),
        pytest.param(
            "a: !!binary aGk=\n",
            "item.yaml:1:4: tag !!binary is refused. Delete it; quote the value where text is meant.",
            id="C76 binary tag",
        ),
        pytest.param(
            "a: ! 12\n",
            "item.yaml:1:4: tag ! is refused. Delete it; quote the value where text is meant.",
            id="C76 bare tag",
        ),
        pytest.param(
            "!!map\na: 1\n",
            "item.yaml:1:1: tag !!map is refused. Delete it; quote the value where text is meant.",
            id="C76 map tag",
        ),
        pytest.param(
            "a: .nan\n",
            "item.yaml:1:4: .nan is not a finite number. Quote it if text is meant: '.nan'.",
            id="C74 nan",
        ),
        pytest.param(
            "a: -.inf\n",
            "item.yaml:1:4: -.inf is not a finite number. Quote it if text is meant: '-.inf'.",
            id="C74 inf",
        ),
        pytest.param(
            "a: 1e999\n",
            "item.yaml:1:4: 1e999 is not a finite number. Quote it if text is meant: '1e999'.",
            id="C74 overflow",
        ),
        pytest.param(
            "zip: 01234\n",
            "item.yaml:1:6: 01234 has a leading zero. Quote it: '01234', or write the number 1234.",
            id="C73 leading zero",
        ),
        pytest.param(
            "tel: +4420\n",
            "item.yaml:1:6: +4420 has a leading plus sign. Quote it: '+4420', or write the number 4420.",
            id="C73 plus sign",
        ),
        pytest.param(
            "a: -007.5\n",
            "item.yaml:1:4: -007.5 has a leading zero. Quote it: '-007.5', or write the number -7.5.",
            id="C73 negative with zeros",
        ),
        pytest.param(
            "a: " + "9" * 41,
            "item.yaml:1:4: an integer of 41 digits. Quote it if it is an identifier.",
            id="C73 long integer",
        ),
        pytest.param(
            "a: 0x" + "f" * 39,
            "item.yaml:1:4: an integer of 41 digits. Quote it if it is an identifier.",
            id="C73 long hexadecimal",
        ),
        pytest.param(
            "a: see issue #42 today\n",
            "item.yaml:1:4: the text after # would be lost as a comment. Quote the value, or put a space after the #.",
            id="text cut by a comment",
        ),
        pytest.param(
            "? [a, b]\n: 1\n",
            "item.yaml:1:3: a key must be text, not a list or a mapping. Quote it if text is meant.",
            id="list as key",
        ),
        pytest.param(
            "{a: 1}: 2\n",
            "item.yaml:1:1: a key must be text, not a list or a mapping. Quote it if text is meant.",
            id="mapping as key",
        ),
        pytest.param("?\n: 1\n", "item.yaml:1:2: a key is missing before the ':'. Write one.", id="no key"),
        pytest.param("", "item.yaml:1:1: the file is empty. Fill it or delete it.", id="empty"),
        pytest.param("# only a comment\n", "item.yaml:1:1: the file is empty. Fill it or delete it.", id="comment"),
        pytest.param(
            "a: 1\n---\nb: 2\n",
            "item.yaml:2:1: but found another document. One document a file: delete the '---' line or split the file.",
            id="two documents",
        ),
        pytest.param(
            "a:\n\tb: 1\n",
            "item.yaml:2:1: found character '\\t' that cannot start any token. Use spaces instead of the tab.",
            id="tab indent",
        ),
        pytest.param(
            "a: @home\n",
            "item.yaml:1:4: found character '@' that cannot start any token. "
            "Quote the text: it starts with a character that YAML keeps for itself.",
            id="at sign",
        ),
        pytest.param(
            "a: one: two\n",
            "item.yaml:1:7: mapping values are not allowed here. Quote the text if it holds ': ', "
            "or correct the indentation.",
            id="colon in text",
        ),
        pytest.param(
            "a: *important*\n",
            "item.yaml:1:14: expected alphabetic or numeric character, but found '*'. "
            "Quote the text if it starts with * or &.",
            id="markdown emphasis",
        ),
        pytest.param(
            'a: "open\n',
            "item.yaml:2:1: found unexpected end of stream. Close the quote.",
            id="open quote",
        ),
        pytest.param(
            'a: "x" y\n',
            "item.yaml:1:8: expected <block end>, but found '<scalar>'. "
            "Correct the indentation, or quote the text if it starts with a quote or bracket.",
            id="text after a quote",
        ),
        pytest.param(
            "a: 1\nplain line\nb: 2\n",
            "item.yaml:3:1: could not find expected ':'. Add ': ' after the key, "
            "or indent the text that goes on from the line above.",
            id="line without a colon",
        ),
        pytest.param(
            "a: [1, 2\nb: 3\n",
            "item.yaml:2:2: expected ',' or ']', but got ':'. Close the bracket, or quote the text inside it.",
            id="open bracket",
        ),
        pytest.param(
            "a: \x00\n",
            "item.yaml:1:4: character U+0000 is refused. Delete it, or write it as an escape in double quotes.",
            id="NUL",
        ),
        pytest.param(
            "ok: 1\na: x\u2028y\n",
            "item.yaml:2:5: character U+2028 is refused. Delete it, or write it as an escape in double quotes.",
            id="line separator",
        ),
        pytest.param(
            "a: \ud800\n",
            "item.yaml:1:4: character U+D800 is refused. Delete it, or write it as an escape in double quotes.",
            id="raw surrogate",
        ),
        pytest.param(
            'a: "\\ud800"\n',
            "item.yaml:1:4: half of a surrogate pair cannot be stored as UTF-8. Write the character itself.",
            id="escaped surrogate",
        ),
        pytest.param(
            '"\\udc00": 1\n',
            "item.yaml:1:1: half of a surrogate pair cannot be stored as UTF-8. Write the character itself.",
            id="surrogate in a key",
        ),
        pytest.param(
            "[" * 100_000, "item.yaml:1:62: nested deeper than 60 levels. Flatten the data.", id="open brackets"
        ),
        pytest.param(
            "- " * 5_000 + "x", "item.yaml:1:123: nested deeper than 60 levels. Flatten the data.", id="nested dashes"
        ),
        pytest.param(
            "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n",
            "item.yaml:1:4: anchor &a is refused. Delete it, or quote the text.",
            id="billion laughs",
        ),
    ],
)
def test_a_broken_text_is_refused_in_these_words(text: str, message: str) -> None:
    assert refusal(text) == message


def test_sixty_levels_are_read() -> None:
    assert load("[" * 60 + "]" * 60) is not None


def test_a_position_counts_characters_and_windows_line_ends_once() -> None:
    assert refusal("é: 1\r\nü: !!int 2\r\n").startswith("item.yaml:2:4: ")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"caf\xe9: 1\n", "not UTF-8 (byte 3). Save it as UTF-8."),
        ("a: 1".encode("utf-16"), "not UTF-8 (byte 0). Save it as UTF-8."),
        (b"a" * (MAX_BYTES + 1), "2,000,001 bytes is over the limit of 2,000,000. Split the file."),
    ],
    ids=["latin-1", "utf-16", "too large"],
)
def test_bytes_that_cannot_be_text_are_refused_in_these_words(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "item.yaml"
    path.write_bytes(content)
    with pytest.raises(DataError) as caught:
        read_yaml(path)
    assert str(caught.value) == f"{path}: {message}"


def test_a_file_is_read_with_its_byte_order_mark_dropped(tmp_path: Path) -> None:
    """C46."""
    path = tmp_path / "item.yaml"
    path.write_bytes(b"\xef\xbb\xbfname: x\n")
    assert read_yaml(path).data == {"name": "x"}


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "none.yaml"
    with pytest.raises(DataError) as caught:
        read_yaml(path)
    assert str(caught.value) == (
        f"{path}: cannot be read (No such file or directory). Check the path and its permissions."
    )


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught:
        read_yaml(tmp_path)
    assert str(caught.value) == f"{tmp_path}: is a folder. Name the files in it."


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "pipe.yaml"
    os.mkfifo(path)
    with pytest.raises(DataError, match="is not a regular file"):
        read_yaml(path)


class Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")
    text: str
    weight: float = 1.0


class Item(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")
    id: str
    mandatory: tuple[str | Part, ...] = ()
    tier: Literal["true", "gold"] = "gold"
    place: Part | None = None
    class_: str = Field("", alias="class")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param(
            "id: a\nmandatroy: []\n",
            "item.yaml:2:1: item x: mandatroy: unknown field. Did you mean 'mandatory'?",
            id="C78 misspelt",
        ),
        pytest.param(
            "id: a\nzzz: 1\n",
            "item.yaml:2:1: item x: zzz: unknown field. Known fields: class, id, mandatory, place, tier.",
            id="C78 unknown",
        ),
        pytest.param(
            "id: a\nplace:\n  text: b\n  wieght: 1\n",
            "item.yaml:4:3: item x: place.wieght: unknown field. Did you mean 'weight'?",
            id="C78 nested",
        ),
        pytest.param(
            "tier: gold\n", "item.yaml:1:1: item x: id: this field is required. Add it.", id="missing at the top"
        ),
        pytest.param(
            "id: a\nplace:\n  weight: 1\n",
            "item.yaml:2:1: item x: place.text: this field is required. Add it.",
            id="missing inside",
        ),
        pytest.param(
            "id: 3.10\n",
            "item.yaml:1:1: item x: id: Input should be a valid string. Quote it: '3.10'.",
            id="C73 version",
        ),
        pytest.param(
            "id: 1e-3\n",
            "item.yaml:1:1: item x: id: Input should be a valid string. Quote it: '1e-3'.",
            id="C73 exponent",
        ),
        pytest.param(
            "id: True\n",
            "item.yaml:1:1: item x: id: Input should be a valid string. Quote it: 'True'.",
            id="C72 boolean",
        ),
        pytest.param(
            "id: null\n",
            "item.yaml:1:1: item x: id: Input should be a valid string. Quote it: 'null'.",
            id="C72 null",
        ),
        pytest.param(
            "id:\n",
            "item.yaml:1:1: item x: id: Input should be a valid string. Write the text, or delete the field.",
            id="nothing where text is due",
        ),
        pytest.param(
            "id: a\ntier: true\n",
            "item.yaml:2:1: item x: tier: Input should be 'true' or 'gold'. Quote it: 'true'.",
            id="C72 choice",
        ),
        pytest.param(
            "id: [a]\n", "item.yaml:1:1: item x: id: Input should be a valid string.", id="a list where text is due"
        ),
        pytest.param(
            "- a\n", "item.yaml:1:1: item x: file: must be a mapping (lines of 'name: value').", id="not a mapping"
        ),
        pytest.param(
            "tier: 5\nid: 1\n",
            "item.yaml:1:1: item x: tier: Input should be 'true' or 'gold'.\n"
            "item.yaml:2:1: item x: id: Input should be a valid string. Quote it: '1'.",
            id="every fault in the order of the file",
        ),
    ],
)
def test_a_fault_of_the_model_is_told_in_these_words(text: str, message: str) -> None:
    with pytest.raises(DataError) as caught:
        load_model(Item, parse_yaml(text, FILE), "x")
    assert str(caught.value) == message


def test_a_fault_inside_a_union_points_at_the_field_and_knows_its_names() -> None:
    """C78: pydantic puts the names of the union's members into the location, which no file has."""
    with pytest.raises(DataError) as caught:
        load_model(Item, parse_yaml("id: a\nmandatory:\n  - txet: b\n    text: c\n", FILE), "x")
    assert "item.yaml:3:5: item x: mandatory.0.txet: unknown field. Did you mean 'text'?" in str(caught.value)


def test_a_leading_zero_where_text_is_due_is_told_to_be_quoted_as_written() -> None:
    """C73."""
    assert "Quote it: '012'" in refusal("id: 012")


def test_where_falls_back_to_the_nearest_ancestor_in_the_file() -> None:
    document = parse_yaml("a:\n  b: 1\n", FILE)
    assert document.where(("a", "b")) == "item.yaml:2:3"
    assert document.where(("a", "c")) == "item.yaml:1:1"
    assert document.where() == "item.yaml:1:1"


def test_a_row_of_which_only_the_line_is_known_still_names_the_field() -> None:
    """C78: rows of JSON lines have no positions inside."""
    row = Document(Path("rows.jsonl"), {"id": "a", "place": {"text": "b", "wieght": 1}}, {(): (7, 1)})
    with pytest.raises(DataError) as caught:
        load_model(Item, row, "x")
    assert str(caught.value) == "rows.jsonl:7:1: item x: place.wieght: unknown field. Did you mean 'weight'?"


def json_values(characters: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    text = st.text(characters, max_size=40)
    # Forty digits is the reader's own limit, and 1,000 characters that of YAML for a key.
    leaves = st.none() | st.booleans() | st.integers(-(10**38), 10**38) | text
    leaves |= st.floats(allow_nan=False, allow_infinity=False)
    return st.recursive(leaves, lambda inner: st.lists(inner) | st.dictionaries(text, inner), max_leaves=25)


@settings(deadline=None)
@given(json_values(st.characters(exclude_categories=["Cs"])), st.sampled_from([None, 1, 4]))
def test_json_text_loads_to_an_equal_value(value: Any, indent: int | None) -> None:
    assert load(json.dumps(value, indent=indent)) == value


@settings(deadline=None)
@given(json_values(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\u2028\u2029\ufffe\uffff")))
def test_json_text_with_its_characters_written_out_loads_to_an_equal_value(value: Any) -> None:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    assert load(text) == value


def outcome(text: str) -> str:
    try:
        return json.dumps(load(text), allow_nan=False)
    except DataError as error:
        return str(error)


@settings(deadline=None)
@given(st.text(st.sampled_from(string.printable + "é\u2028\ud800&*!#")))
def test_any_text_is_read_as_json_safe_data_or_refused_with_a_position(text: str) -> None:
    told = outcome(text)
    assert re.match(r"item\.yaml:\d+:\d+: ", told) or json.dumps(json.loads(told)) == told
