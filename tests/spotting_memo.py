"""A short document with two planted problems, and replies about it."""

from pathlib import Path
from typing import Any

import yaml

from kwsuite.matching.findings import Finding, ReplyFormat
from kwsuite.matching.reply_writer import write_reply
from tests.scripted import Call, Reply, Scripted

POSTER = "The poster therefore caused the rise."
TEXT = (
    f"Sales rose by 12 per cent after the poster campaign. {POSTER} Prices were cut in the same month. "
    "The team will report back soon. The market is said to be worth two billion."
)
CREDITED = "The rise is credited to the poster although prices were cut in the same month."
NO_DATE = "No date is given for the report; soon is open."


def memo(**changes: Any) -> dict[str, Any]:
    """The document's fields."""
    return {
        "id": "memo",
        "language": "en",
        "domain": "report",
        "text": TEXT,
        "problems": [
            {"quote": POSTER, "type": "argument_flaw", "description": CREDITED},
            {"quote": "soon", "type": "ambiguity", "description": NO_DATE},
        ],
        **changes,
    }


def write_memo(folder: Path, **changes: Any) -> Path:
    """Write the document and give its file."""
    document = memo(**changes)
    path = folder / f"{document['id']}.yaml"
    path.write_text(yaml.safe_dump(document, sort_keys=False, allow_unicode=True), encoding="utf-8")
    return path


def finding(location: str, description: str, type_: str = "argument flaw") -> Finding:
    return Finding(location=location, type_text=type_, description=description)


CUT = finding(POSTER, "The price cut explains the rise as well as the poster does.")
SOON = finding("The team will report back soon.", "Soon gives no date for the report.", "ambiguity")
ALARM = finding("The market is said to be worth two billion.", "Two billion of what?", "data or citation")


def reports(*findings: Finding, form: ReplyFormat = "xml") -> Scripted:
    """A candidate that reports these findings."""
    text = write_reply(findings, form)
    return Scripted(lambda call: text)


def report_of(call: Call) -> str:
    """The finding's description that a grader was shown."""
    return call.prompt.split("<report ", 1)[1].split(">\n", 1)[1].split("\n</report", 1)[0]


def compares(answers: dict[str, str] | None = None, default: str = "MET") -> Scripted:
    """A grader that replies by the finding's description: a verdict word, or any raw reply."""

    def reply(call: Call) -> Reply:
        word = (answers or {}).get(report_of(call), default)
        return f"Because.\nVERDICT: {word}" if word in ("MET", "NOT_MET", "CANNOT_TELL") else word

    return Scripted(reply, "grader")
