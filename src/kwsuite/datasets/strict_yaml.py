"""One strict reader for every authored YAML file.

YAML 1.2 core scalars (`no` and `on` stay text, `012` is 12, `1e-3` is a number, a date stays text), no duplicate
keys, no aliases, no merge keys, no tags, no non-finite numbers, a size cap. Every error names file:line:column and
what to do.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

M = TypeVar("M", bound=BaseModel)

MAX_BYTES = 2_000_000
"""Largest file the reader opens, in bytes."""

MAX_DEPTH = 60
"""Deepest nesting the reader follows."""

MAX_INTEGER_DIGITS = 40
"""Longest integer read as a number; a longer one is almost surely an identifier that wants quotes."""

Key = str | int
Mark = tuple[int, int]

_INTEGER = re.compile(r"[-+]?[0-9]+")
_OCTAL = re.compile(r"0o[0-7]+")
_HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NON_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_STRING_TAG = "tag:yaml.org,2002:str"
_PLAIN_TAGS = {
    "tag:yaml.org,2002:" + kind for kind in ("str", "map", "seq", "int", "float", "bool", "null", "timestamp")
}


class DataError(ValueError):
    """Authored data that cannot be used; the message says where and what to do."""


@dataclass(frozen=True)
class Document:
    """A YAML file as plain data, with the position of every value."""

    path: Path
    data: Any
    marks: dict[tuple[Key, ...], Mark]

    def where(self, location: Sequence[Key] = ()) -> str:
        """Give `file:line:column` of a value, or of its nearest ancestor that stands in the file."""
        key = tuple(location)
        while key and key not in self.marks:
            key = key[:-1]
        line, column = self.marks.get(key, (1, 1))
        return f"{self.path}:{line}:{column}"


def read_yaml(path: Path) -> Document:
    """Read one YAML document strictly.

    Raises:
        DataError: The file is missing, too large, not UTF-8, empty, not one YAML document, or uses a refused feature.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror}). Check the path and its permissions.") from error
    if len(raw) > MAX_BYTES:
        raise DataError(f"{path}: {len(raw):,} bytes is over the limit of {MAX_BYTES:,}. Split the file.")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: not UTF-8 (byte {error.start}). Save it as UTF-8.") from error
    return parse_yaml(text, path)


def parse_yaml(text: str, path: Path) -> Document:
    """Parse YAML text that came from `path`; see `read_yaml`."""
    try:
        node = yaml.compose(text, Loader=_RefusingLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"{path}:{mark.line + 1}:{mark.column + 1}" if mark else str(path)
        raise DataError(f"{place}: {error.problem or error.context}") from error
    except (yaml.YAMLError, RecursionError) as error:
        raise DataError(f"{path}: not readable as YAML ({type(error).__name__}: {error})") from error
    if node is None:
        raise DataError(f"{path}:1:1: the file is empty. Fill it or delete it.")
    marks: dict[tuple[Key, ...], Mark] = {}
    return Document(path, _build(node, (), marks, path), marks)


def load_model(model: type[M], document: Document, item: str) -> M:
    """Validate a document as `model`.

    Raises:
        DataError: Lists every fault, each with file:line:column, the item, and the nearest known field for a
            misspelt one.
    """
    try:
        return model.model_validate(document.data)
    except ValidationError as error:
        lines = [_fault(fault, document, item, model) for fault in error.errors()]
        raise DataError("\n".join(lines)) from error


class _RefusingLoader(yaml.SafeLoader):
    """A composer that resolves nothing and refuses aliases while composing, before they can multiply."""

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            event = self.peek_event()
            raise yaml.MarkedYAMLError(
                problem=f"alias *{event.anchor} is refused. Write the value out.", problem_mark=event.start_mark
            )
        return super().compose_node(parent, index)


def _build(node: yaml.Node, location: tuple[Key, ...], marks: dict[tuple[Key, ...], Mark], path: Path) -> Any:
    marks[location] = (node.start_mark.line + 1, node.start_mark.column + 1)
    if node.tag not in _PLAIN_TAGS and node.tag != "tag:yaml.org,2002:merge":
        raise _refusal(node, path, f"tag {node.tag!r} is refused. Write plain YAML.")
    if len(location) > MAX_DEPTH:
        raise _refusal(node, path, f"nested deeper than {MAX_DEPTH} levels.")
    if isinstance(node, yaml.MappingNode):
        return _build_mapping(node, location, marks, path)
    if isinstance(node, yaml.SequenceNode):
        return [_build(child, (*location, index), marks, path) for index, child in enumerate(node.value)]
    return _scalar(node, path)


def _build_mapping(
    node: yaml.MappingNode, location: tuple[Key, ...], marks: dict[tuple[Key, ...], Mark], path: Path
) -> dict[str, Any]:
    built: dict[str, Any] = {}
    first: dict[str, int] = {}
    for key_node, value_node in node.value:
        if not isinstance(key_node, yaml.ScalarNode):
            raise _refusal(key_node, path, "a key must be a plain word.")
        key = str(key_node.value)
        if key == "<<" and key_node.style is None:
            raise _refusal(key_node, path, "merge key << is refused. Write the fields out.")
        if key in built:
            raise _refusal(key_node, path, f"key {key!r} stands twice, first on line {first[key]}. Delete one.")
        first[key] = key_node.start_mark.line + 1
        built[key] = _build(value_node, (*location, key), marks, path)
        marks[(*location, key)] = (key_node.start_mark.line + 1, key_node.start_mark.column + 1)
    return built


def _scalar(node: yaml.Node, path: Path) -> Any:
    text: str = node.value
    if node.style is not None:
        return text
    match text:
        case "" | "~" | "null" | "Null" | "NULL":
            return None
        case "true" | "True" | "TRUE":
            return True
        case "false" | "False" | "FALSE":
            return False
    if _NON_FINITE.fullmatch(text):
        raise _refusal(node, path, f"{text} is not a finite number. Quote it if text is meant.")
    if _INTEGER.fullmatch(text):
        if len(text) > MAX_INTEGER_DIGITS:
            raise _refusal(node, path, f"an integer of {len(text)} digits. Quote it if it is an identifier.")
        return int(text)
    if _OCTAL.fullmatch(text):
        return int(text[2:], 8)
    if _HEXADECIMAL.fullmatch(text):
        return int(text[2:], 16)
    if _FLOAT.fullmatch(text):
        number = float(text)
        if number in (float("inf"), float("-inf")):
            raise _refusal(node, path, f"{text} is not a finite number. Quote it if text is meant.")
        return number
    return text


def _refusal(node: yaml.Node, path: Path, message: str) -> DataError:
    return DataError(f"{path}:{node.start_mark.line + 1}:{node.start_mark.column + 1}: {message}")


def _fault(fault: Any, document: Document, item: str, model: type[BaseModel]) -> str:
    location = tuple(fault["loc"])
    name = ".".join(str(part) for part in location) or "file"
    place = f"{document.where(location)}: item {item}: {name}:"
    if fault["type"] == "extra_forbidden":
        known = _field_names(model, location[:-1])
        near = get_close_matches(str(location[-1]), known, n=1)
        advice = f"Did you mean {near[0]!r}?" if near else f"Known fields: {', '.join(known)}."
        return f"{place} unknown field. {advice}"
    if fault["type"] == "missing":
        return f"{place} this field is required. Add it."
    message = fault["msg"].removeprefix("Value error, ")
    given = fault["input"]
    wants_text = fault["type"] == "string_type" and isinstance(given, int | float | bool)
    hint = f" Quote it: '{given}'." if wants_text else ""
    return f"{place} {message}.{hint}" if not message.endswith(".") else f"{place} {message}{hint}"


def _field_names(model: type[BaseModel], location: Sequence[Key]) -> list[str]:
    """Names the fields of the model at `location`; empty where the way there is not through plain models."""
    current: Any = model
    for part in location:
        if isinstance(part, int):
            continue
        fields = getattr(current, "model_fields", {})
        if part not in fields:
            continue
        models = _models_in(fields[part].annotation)
        if not models:
            return []
        current = models[0]
    return sorted(getattr(current, "model_fields", {}))


def _models_in(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [found for part in getattr(annotation, "__args__", ()) for found in _models_in(part)]
