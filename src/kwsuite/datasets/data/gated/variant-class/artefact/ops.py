"""Normal form of insertions and deletions in repeats."""

END = "{{ norm_pos.end }}"
BASE = "{{ norm_pos.base }}"


def shift(context, start, pos, ref, alt):
    """Give the position to report.

    Args:
        context: Reference sequence on the plus strand.
        start: Position of its first base.
        pos: First deleted base, or the base before an insertion, or the exchanged base.
        ref: Deleted or exchanged bases; "-" for an insertion.
        alt: Inserted or new bases; "-" for a deletion.
    """
    if "-" not in (ref, alt):
        return pos
    bases, width = (alt, 0) if ref == "-" else (ref, len(ref))
    at = pos - start + (1 if ref == "-" else 0)
    while END == "5'" and at > 0 and context[at - 1] == bases[-1]:
        bases, at = bases[-1] + bases[:-1], at - 1
    while END == "3'" and at + width < len(context) and context[at + width] == bases[0]:
        bases, at = bases[1:] + bases[0], at + 1
    first, last = (at, at + width - 1) if width else (at - 1, at)
    return start + (first if BASE == "first" else last)
