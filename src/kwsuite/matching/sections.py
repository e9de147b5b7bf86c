"""A document cut into sections of a size that can be read in one go."""

from kwsuite.matching.sentences import blocks
from kwsuite.matching.spans import Span

SHORT = 600
"""Characters under which a section is read together with the next one."""
LONG = 6_000
"""Characters over which a section is cut, at the end of a paragraph."""


def sections(text: str) -> tuple[Span, ...]:
    """Cut a text before its headings, join what is short, and cut what is long between paragraphs.

    Returns:
        Spans in order that do not overlap and together hold every paragraph. Only a single paragraph can be longer
        than `LONG`. Empty for a blank text.
    """
    cut: list[Span] = []
    for block in blocks(text):
        if not cut:
            cut.append(block.span)
            continue
        last = cut[-1]
        full = block.heading and last.end - last.start >= SHORT
        if full or block.span.end - last.start > LONG:
            cut.append(block.span)
        else:
            cut[-1] = Span(last.start, block.span.end)
    return tuple(cut)
