"""One strict reader for every authored YAML file.

YAML 1.2 core scalars (`no` and `on` stay text, `1e-3` is a number, a date stays text, `012` wants quotes), no duplicate
keys, no aliases, no anchors, no merge keys, no tags, no non-finite numbers, one document, a size cap. Every error names
file:line:column and what to do.
"""

import re
from pathlib import Path
from typing import Any, cast

import yaml

from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.document import Document, Key, Mark
from kwsuite.datasets.file_fault import FileFault
from kwsuite.datasets.regular_file import read_regular
from kwsuite.datasets.scalars import plain_scalar
from kwsuite.datasets.validation import load_model
from kwsuite.datasets.yaml_nodes import NodeFault, compose

__all__ = ["MAX_BYTES", "Document", "Key", "load_model", "parse_yaml", "read_text", "read_yaml"]

MAX_BYTES = 2_000_000
"""Largest file the reader opens, in bytes."""

_LOST = re.compile(r"[ \t]+#[^\s!#]")


def read_yaml(path: Path) -> Document:
    """Read one YAML document strictly.

    Raises:
        DataError: The file is missing, no regular file, too large, not UTF-8, empty, not one YAML document, or uses a
            refused feature.
    """
    return parse_yaml(read_text(path), path)


def read_text(path: Path) -> str:
    """Read a regular file of UTF-8 text, without its byte order mark.

    Raises:
        DataError: The file is missing, no regular file, larger than `MAX_BYTES`, or not UTF-8.
    """
    try:
        raw = read_regular(path, MAX_BYTES)
    except FileFault as fault:
        raise DataError(f"{path}: {fault}") from fault
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: not UTF-8 (byte {error.start}). Save it as UTF-8.") from error


def parse_yaml(text: str, path: Path) -> Document:
    """Parse YAML text that came from `path`; see `read_yaml`."""
    reading = _Reading(text.removeprefix("\ufeff"))
    try:
        node = compose(reading.text)
        if node is None:
            raise NodeFault(Mark(1, 1), "the file is empty. Fill it or delete it.")
        data = reading.build(node, ())
    except NodeFault as fault:
        raise DataError(f"{path}:{fault.mark.line}:{fault.mark.column}: {fault}") from fault
    return Document(path, data, reading.marks, reading.raw)


class _Reading:
    """Turns nodes into plain data, and notes where each value stood and how it was spelt."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.marks: dict[tuple[Key, ...], Mark] = {}
        self.raw: dict[tuple[Key, ...], str] = {}

    def build(self, node: yaml.Node, location: tuple[Key, ...]) -> Any:
        self.marks.setdefault(location, _mark(node))
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, location)
        if isinstance(node, yaml.SequenceNode):
            return [self.build(child, (*location, index)) for index, child in enumerate(node.value)]
        return self._scalar(cast(yaml.ScalarNode, node), location)  # the third and last kind of node

    def _mapping(self, node: yaml.MappingNode, location: tuple[Key, ...]) -> dict[str, Any]:
        built: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = self._key(key_node)
            if key in built:
                first = self.marks[(*location, key)].line
                raise NodeFault(_mark(key_node), f"key {key!r} stands twice, first on line {first}. Delete one.")
            self.marks[(*location, key)] = _mark(key_node)
            built[key] = self.build(value_node, (*location, key))
        return built

    def _key(self, node: yaml.Node) -> str:
        if not isinstance(node, yaml.ScalarNode):
            raise NodeFault(_mark(node), "a key must be text, not a list or a mapping. Quote it if text is meant.")
        if node.style is None and node.value == "<<":
            raise NodeFault(_mark(node), "merge key << is refused. Write the fields out.")
        if node.style is None and not node.value:
            raise NodeFault(_mark(node), "a key is missing before the ':'. Write one.")
        return _text(node)

    def _scalar(self, node: yaml.ScalarNode, location: tuple[Key, ...]) -> Any:
        text = _text(node)
        if node.style is not None:
            return text
        try:
            value = plain_scalar(text)
        except ValueError as error:
            raise NodeFault(_mark(node), str(error)) from error
        if not isinstance(value, str):
            self.raw[location] = text
        elif _LOST.match(self.text, node.end_mark.index):
            raise NodeFault(
                _mark(node), "the text after # would be lost as a comment. Quote the value, or put a space after the #."
            )
        return value


def _text(node: yaml.ScalarNode) -> str:
    """Gives a scalar's text with surrogate pairs joined: JSON escapes a character beyond U+FFFF as two halves."""
    text: str = node.value
    if not any("\ud800" <= character <= "\udfff" for character in text):
        return text
    try:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
    except UnicodeDecodeError as error:
        message = "half of a surrogate pair cannot be stored as UTF-8. Write the character itself."
        raise NodeFault(_mark(node), message) from error


def _mark(node: yaml.Node) -> Mark:
    return Mark(node.start_mark.line + 1, node.start_mark.column + 1)
