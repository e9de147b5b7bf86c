"""Read what a model wrote as a list of findings, in whatever of three formats it chose."""

from collections.abc import Callable

from kwsuite.matching.findings import Reply, ReplyFormat
from kwsuite.matching.nothing_found import says_nothing_found
from kwsuite.matching.reasoning import without_reasoning
from kwsuite.matching.reply_fields import writable
from kwsuite.matching.reply_json import read_json
from kwsuite.matching.reply_markdown import read_markdown
from kwsuite.matching.reply_xml import read_xml

_READERS: dict[ReplyFormat, Callable[[str], Reply | None]] = {
    "xml": read_xml,
    "json": read_json,
    "markdown": read_markdown,
}


def read_reply(text: str, asked: ReplyFormat = "xml") -> Reply:
    """Read a reply: fenced or not, either language, prose around it, fields missing, tail cut off.

    Args:
        text: The model's completion. Reasoning in `<think>` is not part of the answer.
        asked: The format the model was asked for. A complete list in it is the answer, also an empty one; only without
            one are the others tried.

    Returns:
        The reply. `format` is None where no list can be read in it; an empty list, or the plain statement that
        nothing was found at the end of it, is an answer with no findings.
    """
    answer = without_reasoning(writable(text))
    order = sorted(_READERS, key=lambda name: name != asked)
    read = [reply for name in order if (reply := _READERS[name](answer)) is not None]
    if read and read[0].format == asked and not read[0].truncated:
        return read[0]
    with_findings = [reply for reply in read if reply.reported]
    if with_findings:
        return with_findings[0]
    if read:
        return read[0]
    if says_nothing_found(answer, closing=True):
        return Reply(format=asked)
    return Reply(format=None)
