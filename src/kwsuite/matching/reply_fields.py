"""Names of the fields of a finding in either language, and how their values become a finding."""

import re
import unicodedata
from collections.abc import Mapping
from typing import Any, Literal

from kwsuite.matching.findings import Finding, Refused
from kwsuite.matching.nothing_found import says_nothing_found
from kwsuite.matching.problem_types import read_type

FieldName = Literal["location", "quote", "type", "description"]

ALIASES: dict[FieldName, tuple[str, ...]] = {
    "location": ("location", "place", "position", "where", "位置", "所在位置", "问题位置", "定位", "出处"),
    "quote": ("quote", "quoted text", "excerpt", "original text", "original", "span", "sentence", "text",
              "原文", "引文", "原句", "原文引用"),
    "type": ("type", "problem type", "issue type", "category", "kind", "类型", "问题类型", "类别", "分类"),
    "description": ("description", "problem description", "explanation", "details", "detail", "reason", "analysis",
                    "issue", "why", "描述", "问题描述", "说明", "解释", "原因", "分析", "问题说明"),
}  # fmt: skip

ASKED_NAME = "problems"
LIST_NAMES = (ASKED_NAME, "issues", "findings", "errors", "results", "问题列表", "问题清单", "问题", "发现的问题")
ITEM_NAMES = ("problem", "issue", "finding", "error", "item", "问题", "问题项")

_BY_ALIAS: dict[str, FieldName] = {alias: name for name, aliases in ALIASES.items() for alias in aliases}
_SHOWN = 300
_WRAPPERS = (("“", "”"), ("「", "」"), ("『", "』"), ('"', '"'), ("'", "'"), ("‘", "’"), ("`", "`"), ("**", "**"))


def field_name(label: str) -> FieldName | None:
    """Read a field's label as written ("Problem_Type", "问题描述"); None for a label that is not a finding's."""
    plain = unicodedata.normalize("NFKC", label).casefold()
    plain = re.sub(r"\([^)]*\)", "", plain)
    return _BY_ALIAS.get(" ".join(re.sub(r"[\W_]+", " ", plain).split()))


def build(fields: Mapping[FieldName, Any], raw: str, cut: bool = False) -> Finding | Refused | None:
    """Make a finding of its fields, or refuse it with a reason; None where it says that nothing was found.

    Args:
        fields: Values as read; a list is joined, an object is written out as "paragraph 3, sentence 2".
        raw: What was written, for the record of a refusal.
        cut: Whether the reply breaks off inside this finding. It is kept if it has a place and a description.
    """
    try:
        texts = {name: clean(writable(as_text(value))) for name, value in fields.items()}
    except RecursionError:
        return Refused(reason="nested_too_deep", text=raw[:_SHOWN])
    description = texts.get("description", "")
    anchored = bool(texts.get("location") or texts.get("quote"))
    if cut and not (description and anchored):
        return Refused(reason="truncated", text=raw[:_SHOWN])
    if not description:
        return Refused(reason="no_description", text=raw[:_SHOWN])
    if _is_template(description):
        return Refused(reason="template_echoed", text=raw[:_SHOWN])
    if says_nothing_found(description):
        return None
    return Finding(
        location=texts.get("location", ""),
        quote=texts.get("quote", ""),
        type=read_type(texts.get("type", "")),
        type_text=texts.get("type", "")[:_SHOWN],
        description=description,
    )


def as_text(value: Any) -> str:
    """Write a value of any JSON type as text; nothing for null and booleans."""
    match value:
        case None | bool():
            return ""
        case str():
            return value
        case list() | tuple():
            return " … ".join(filter(None, (as_text(part) for part in value)))
        case Mapping():
            return ", ".join(f"{key} {text}" for key, part in value.items() if (text := as_text(part)))
        case _:
            return str(value)


def writable(text: str) -> str:
    """Put a question mark for half a surrogate pair, which JSON can spell and no log can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")


def clean(text: str) -> str:
    """Strip spaces and one pair of quotation or emphasis marks around the whole."""
    text = text.strip()
    for opening, closing in _WRAPPERS:
        inner = text[len(opening) : -len(closing)]
        wrapped = text.startswith(opening) and text.endswith(closing) and inner.strip()
        if wrapped and opening not in inner and closing not in inner:
            return inner.strip()
    return text


def _is_template(text: str) -> bool:
    # The asked-for format shows "..." or a bracketed instruction in each field; a model that copies it reports nothing.
    if not any(character.isalnum() for character in text):
        return True
    return bool(re.fullmatch(r"[\[【<{][^\]】>}]*[\]】>}]", text))
