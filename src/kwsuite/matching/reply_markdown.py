"""Findings written as labelled lines or as a table."""

import re
from collections.abc import Sequence

from kwsuite.matching.findings import Finding, Refused, Reply
from kwsuite.matching.reply_fields import ALIASES, FieldName, build, field_name

_ALIASES = sorted((alias for aliases in ALIASES.values() for alias in aliases), key=len, reverse=True)
_LABELS = "|".join(re.escape(alias) for alias in _ALIASES)
_LABEL = re.compile(
    rf"(?:^|(?<=[;；|])|(?<=\s)(?=\*\*))\s*(?:>\s*)?(?:[-*+•·]\s+|\(?\d+[.)、）]\s*)?(?:\*\*|__)?[\[【]?"
    rf"(?P<label>(?:{_LABELS}))(?:\s*[(（][^)）]{{0,30}}[)）])?[\]】]?"
    rf"(?:\s*(?:\*\*|__)\s*[:：]|\s*[:：]\s*(?:\*\*|__)|\s*[:：])\s*",
    re.IGNORECASE,
)
_BREAK = re.compile(
    r"^\s*(?:#{1,6}\s|(?:-{3,}|\*{3,}|_{3,})\s*$"
    r"|(?:[-*+•]\s+)?(?:\*\*)?(?:problem|issue|finding|问题)\s*(?:no\.?\s*)?[#\d一二三四五六七八九十]+)",
    re.IGNORECASE,
)
_ROW = re.compile(r"^\s*\|(.+)\|\s*$")


def read_markdown(text: str) -> Reply | None:
    """Read labelled fields ("- **Location**: ..."), or a table with such headings; None where there are none.

    A finding begins where a label comes again or a new heading stands. A value runs on to the next label.
    """
    lines = _unfenced(text).splitlines()
    groups = _table(lines) or _labelled(lines)
    usable = [group for group in groups if "description" in group and ("location" in group or "quote" in group)]
    if not usable:
        return None  # prose is full of "Note: ..."; one place with one description is the least that is a list
    read = [build(group, "; ".join(f"{name}: {value}" for name, value in group.items())) for group in groups]
    return Reply(
        format="markdown",
        findings=tuple(one for one in read if isinstance(one, Finding)),
        refused=tuple(one for one in read if isinstance(one, Refused)),
    )


def _unfenced(text: str) -> str:
    return re.sub(r"^\s*(?:```|~~~).*$", "", text, flags=re.MULTILINE)


def _labelled(lines: Sequence[str]) -> list[dict[FieldName, str]]:
    groups: list[dict[FieldName, str]] = []
    current: dict[FieldName, str] = {}
    open_field: FieldName | None = None
    for line in lines:
        labels = [(match, name) for match in _LABEL.finditer(line) if (name := field_name(match["label"]))]
        if not labels:
            if _BREAK.match(line):
                open_field = None
                if current:
                    groups.append(current)
                current = {}
            elif open_field is not None:
                current[open_field] = f"{current[open_field]}\n{line.strip()}".strip()
            continue
        for number, (match, name) in enumerate(labels):
            if name in current:
                groups.append(current)
                current = {}
            end = labels[number + 1][0].start() if number + 1 < len(labels) else len(line)
            value = line[match.end() : end].strip()
            # Between labels these part fields; after a label of its own line they may end a quoted row or statement.
            current[name] = value.rstrip(";；|").strip() if len(labels) > 1 else value
            open_field = name
    if current:
        groups.append(current)
    return groups


def _table(lines: Sequence[str]) -> list[dict[FieldName, str]]:
    groups: list[dict[FieldName, str]] = []
    heads: list[FieldName | None] = []
    for line in lines:
        row = _ROW.match(line)
        if row is None:
            heads = []
            continue
        cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", row.group(1))]
        if not heads:
            heads = [field_name(cell) for cell in cells]
            if "description" not in heads:
                heads = []
            continue
        if all(re.fullmatch(r":?-+:?", cell) for cell in cells):
            continue
        groups.append({head: cell for head, cell in zip(heads, cells, strict=False) if head is not None})
    return groups
