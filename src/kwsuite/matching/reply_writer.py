"""Findings written as a reply, in each of the three formats."""

import html
import json
from collections.abc import Sequence
from typing import assert_never

from kwsuite.matching.findings import Finding, ReplyFormat


def write_reply(findings: Sequence[Finding], form: ReplyFormat) -> str:
    """Write findings as `read_reply` reads them; no findings are written as the format's empty list.

    Markdown puts each value on one line; the other two keep it as it is.
    """
    match form:
        case "xml":
            return "\n".join(["<problems>", *map(_xml, findings), "</problems>"])
        case "json":
            return json.dumps({"problems": [_fields(one) for one in findings]}, ensure_ascii=False, indent=2)
        case "markdown":
            blocks = [_markdown(number, one) for number, one in enumerate(findings, start=1)]
            return "\n\n".join(blocks) or "No problems found."
        case _:
            assert_never(form)


def _fields(finding: Finding) -> dict[str, str]:
    return {"location": finding.location, "type": finding.type_text, "description": finding.description}


def _xml(finding: Finding) -> str:
    lines = [f"<{name}>{html.escape(text, quote=False)}</{name}>" for name, text in _fields(finding).items()]
    return "\n".join(["<problem>", *lines, "</problem>"])


def _markdown(number: int, finding: Finding) -> str:
    lines = [f"- **{name.capitalize()}**: {' '.join(text.split())}" for name, text in _fields(finding).items()]
    return "\n".join([f"### Problem {number}", *lines])
