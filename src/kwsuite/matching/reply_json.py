"""Findings written as JSON, valid or nearly."""

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from kwsuite.matching.findings import Finding, Refused, Reply
from kwsuite.matching.list_choice import ListInReply, choose, stands_alone
from kwsuite.matching.reply_fields import ALIASES, ASKED_NAME, LIST_NAMES, FieldName, build, field_name, writable

_DECODER = json.JSONDecoder(strict=False)
_MAX_STARTS = 500
_MARGIN = 80
_FENCES = ("```", "~~~")
_FENCE_OPENS = re.compile(r"(?:```|~~~)\w*\s*\Z")
_LABELS = "|".join(re.escape(alias) for aliases in ALIASES.values() for alias in aliases) + r"|problem_type"
# Reads a value up to the quote that is followed by the next key or the end of the object, so that bare quotation
# marks inside the value (the commonest fault in Chinese replies) do not end it.
_LOOSE_FIELD = re.compile(
    rf'["“”](?P<label>{_LABELS})["“”]\s*[:：]\s*["“](?P<value>.*?)["”]\s*(?=,\s*["“][^"“”:：]{{1,40}}["”]\s*[:：]|,?\s*\}}|\Z)',
    re.DOTALL | re.IGNORECASE,
)
_LOOSE_OBJECT = re.compile(rf'\{{\s*["“](?:id|no|序号|编号|{_LABELS})["”]\s*[:：]', re.IGNORECASE)


class _Found(NamedTuple):
    items: list[Any]
    truncated: bool


class _Value(NamedTuple):
    value: Any
    start: int
    end: int


def read_json(text: str) -> Reply | None:
    """Read a JSON list of findings, or an object that holds one; None where there is none in the text.

    Fences and prose around the JSON do not matter. Single finding objects side by side are one list. A list that
    breaks off keeps its complete objects.
    """
    values = list(_values(text))
    lists = [
        ListInReply(_read(_Found(items, False)), name == ASKED_NAME, stands_alone(text, start, end))
        for value, start, end in values
        for name, items in ([("", [])] if value == [] and _fills(text, start, end) else _lists_of(value))
    ]
    if not any(one.answers for one in lists):
        singles = [one.value for one in values if isinstance(one.value, dict) and _is_finding(one.value)]
        if found := _loose(_without_lists(text, values)) or (_Found(singles, False) if singles else None):
            lists.insert(0, ListInReply(_read(found), False, False))
    return choose(lists) if lists else None


def _values(text: str) -> Iterator[_Value]:
    """Give every outermost object or array that decodes, in order; gives up after `_MAX_STARTS` failures."""
    position = failures = 0
    while failures < _MAX_STARTS:
        start = re.compile(r"[\[{]").search(text, position)
        if start is None:
            return
        try:
            value, position = _DECODER.raw_decode(text, start.start())
        except (ValueError, RecursionError):  # a ValueError also where a number has thousands of digits
            position = start.end()
            failures += 1
            continue
        yield _Value(value, start.start(), position)


def _fills(text: str, start: int, end: int) -> bool:
    """Tell whether `text[start:end]` is the whole reply, its last line, or all that a fence holds."""
    after = text[end : end + _MARGIN].lstrip()
    if not after:
        return stands_alone(text, start, end)
    return after.startswith(_FENCES) and _FENCE_OPENS.search(text[max(0, start - _MARGIN) : start]) is not None


def _lists_of(value: Any) -> list[tuple[str, list[Any]]]:
    """Give each list of findings with its name: the value itself, which has none, or those an object holds.

    An empty bare array is an answer only where `_fills` says so: prose is full of `[]`.
    """
    if isinstance(value, list):
        return [("", value)] if any(isinstance(item, dict) and _is_finding(item) for item in value) else []
    if isinstance(value, dict):
        named = [(str(key).casefold(), inner) for key, inner in value.items()]
        return [(name, inner) for name, inner in named if name in LIST_NAMES and isinstance(inner, list)]
    return []


def _without_lists(text: str, values: list[_Value]) -> str:
    """Leave out the objects that hold a list: what stands beside an empty one in them is no finding."""
    kept: list[str] = []
    position = 0
    for value, start, end in values:
        if _lists_of(value):
            kept.append(text[position:start])
            position = end
    return "".join([*kept, text[position:]])


def _is_finding(value: dict[Any, Any]) -> bool:
    return any(field_name(str(key)) == "description" for key in value)


def _read(found: _Found) -> Reply:
    read = [_build(item) for item in found.items]
    return Reply(
        format="json",
        findings=tuple(one for one in read if isinstance(one, Finding)),
        refused=tuple(one for one in read if isinstance(one, Refused)),
        truncated=found.truncated,
    )


def _build(item: Any) -> Finding | Refused | None:
    if isinstance(item, _Cut):
        return build(item.fields, item.raw, cut=True)
    raw = _raw(item)
    if not isinstance(item, dict):
        return Refused(reason="not_an_object", text=raw[:300])
    return build({name: value for key, value in item.items() if (name := field_name(str(key)))}, raw)


def _raw(item: Any) -> str:
    try:
        return writable(json.dumps(item, ensure_ascii=False))
    except RecursionError:
        return "(nested too deep to be written)"


class _Cut(NamedTuple):
    fields: dict[FieldName, str]
    raw: str


def _loose(text: str) -> _Found | None:
    """Read objects that do not decode, field by field; None where nothing looks like a finding."""
    starts = [match.start() for match in _LOOSE_OBJECT.finditer(text)]
    items: list[Any] = []
    truncated = False
    for number, start in enumerate(starts):
        last = number + 1 == len(starts)
        chunk = text[start : len(text) if last else starts[number + 1]]
        try:
            item, _ = _DECODER.raw_decode(chunk)
        except (ValueError, RecursionError):
            fields = {
                name: _unescape(match["value"])
                for match in _LOOSE_FIELD.finditer(chunk)
                if (name := field_name(match["label"]))
            }
            cut = last and "}" not in chunk
            truncated = truncated or cut
            item = _Cut(fields, chunk) if cut else fields
        items.append(item)
    if starts and not truncated and "]" not in text[starts[-1] :] and re.search(r"[\[［]", text[: starts[0]]):
        truncated = True
    return _Found(items, truncated) if items else None


def _unescape(value: str) -> str:
    try:
        return str(json.loads('"' + value.replace('"', '\\"').replace('\\\\"', '\\"') + '"', strict=False))
    except ValueError:
        return value
