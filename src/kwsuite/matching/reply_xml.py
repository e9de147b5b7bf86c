"""Findings written as XML, well-formed or not."""

import html
import re
from typing import NamedTuple

from kwsuite.matching.findings import Finding, Refused, Reply
from kwsuite.matching.list_choice import ListInReply, choose, stands_alone
from kwsuite.matching.reply_fields import ASKED_NAME, ITEM_NAMES, LIST_NAMES, FieldName, build, field_name

_ITEM = "|".join(ITEM_NAMES)
_LIST = "|".join(LIST_NAMES)
_ITEM_OPEN = re.compile(rf"<({_ITEM})(\s[^<>]*)?(?<!/)>", re.IGNORECASE)
_ITEM_NEXT = re.compile(rf"\s*<(?:{_ITEM})(?:\s[^<>]*)?(?<!/)>", re.IGNORECASE)
_LIST_OPEN = re.compile(rf"<({_LIST})(?:\s[^<>]*)?(/?)>", re.IGNORECASE)
_TAG = re.compile(r"<([\w\-一-鿿]+)(?:\s[^<>]*)?>")
_ATTRIBUTE = re.compile(r"([\w\-一-鿿]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_CDATA = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)


def read_xml(text: str) -> Reply | None:
    """Read `<problems><problem>...` with English or Chinese names; None where no such list is in the text.

    An XML parser would refuse what models write (bare `&` and `<`, a cut tail), so tags are found by pattern.
    """
    lists = [
        ListInReply(
            _read_list(text[found.start : found.end], found.closed),
            found.name.casefold() == ASKED_NAME,
            stands_alone(text, found.opens, found.closes),
        )
        for found in _lists(text)
    ]
    return choose(lists) if lists else None


class _Found(NamedTuple):
    name: str
    opens: int
    start: int
    end: int
    closes: int
    closed: bool


def _lists(text: str) -> list[_Found]:
    """Give where each list and its body stand; loose items without a list around them are one list."""
    found: list[_Found] = []
    position = 0
    while opening := _LIST_OPEN.search(text, position):
        position = opening.end()
        name = opening.group(1)
        if opening.group(2):
            found.append(_Found(name, opening.start(), position, position, position, True))
            continue
        closing = re.compile(rf"</\s*{re.escape(name)}\s*>", re.IGNORECASE)
        if name in ITEM_NAMES:
            # 问题 names both the list and the item: it is a list only where an item opens inside it.
            if _ITEM_NEXT.match(text, position) is None:
                continue
            close = max(closing.finditer(text, position), key=re.Match.start, default=None)
        else:
            close = closing.search(text, position)
        end, closes = close.span() if close else (len(text), len(text))
        found.append(_Found(name, opening.start(), position, end, closes, close is not None))
        position = closes
    if not found and _ITEM_OPEN.search(text):
        found.append(_Found("", 0, 0, len(text), len(text), True))
    # A sentence such as "I will answer in <problems>" opens a list that holds nothing.
    return [one for one in found if one.closed or _ITEM_OPEN.search(text, one.start, one.end)]


def _read_list(body: str, closed: bool) -> Reply:
    read = []
    truncated = not closed
    openings = list(_ITEM_OPEN.finditer(body))
    for number, opening in enumerate(openings):
        limit = openings[number + 1].start() if number + 1 < len(openings) else len(body)
        closing = re.compile(rf"</\s*{re.escape(opening.group(1))}\s*>", re.IGNORECASE).search(
            body, opening.end(), limit
        )
        inner = body[opening.end() : closing.start() if closing else limit]
        cut = closing is None and number + 1 == len(openings)
        truncated = truncated or cut
        read.append(build(_fields(inner, opening.group(2) or ""), opening.group(0) + inner, cut))
    return Reply(
        format="xml",
        findings=tuple(one for one in read if isinstance(one, Finding)),
        refused=tuple(one for one in read if isinstance(one, Refused)),
        truncated=truncated,
    )


def _fields(inner: str, attributes: str) -> dict[FieldName, str]:
    fields: dict[FieldName, str] = {}
    for attribute in _ATTRIBUTE.finditer(attributes):
        if name := field_name(attribute.group(1)):
            fields[name] = html.unescape(attribute.group(2) or attribute.group(3) or "")
    tags = [(tag, name) for tag in _TAG.finditer(inner) if (name := field_name(tag.group(1)))]
    for number, (tag, name) in enumerate(tags):
        closing = re.compile(rf"</\s*{re.escape(tag.group(1))}\s*>", re.IGNORECASE).search(inner, tag.end())
        following = tags[number + 1][0].start() if number + 1 < len(tags) else len(inner)
        end = closing.start() if closing else following
        # A field inside another one belongs to the outer text only where the outer one is closed after it.
        if name not in fields or not fields[name].strip():
            fields[name] = _unescape(inner[tag.end() : end])
    return fields


def _unescape(text: str) -> str:
    return html.unescape(_CDATA.sub(lambda match: match.group(1), text))
