"""Which of several lists in one reply is the answer."""

from collections.abc import Sequence
from typing import NamedTuple

from kwsuite.matching.findings import Reply

_MARGIN = 80  # A line is looked at no further than this, so that a reply of one huge line is read in linear time.


class ListInReply(NamedTuple):
    """One list as read, and what tells whether it is meant as the answer."""

    reply: Reply
    asked_for: bool
    """Whether it carries the name that the instruction asks for."""
    alone: bool
    """Whether nothing else stands on the lines it takes."""

    @property
    def answers(self) -> bool:
        """Whether it is meant: it holds a finding, or it is empty and no part of a sentence that mentions it."""
        return bool(self.reply.findings) or (self.alone and not self.reply.refused)


def choose(lists: Sequence[ListInReply]) -> Reply:
    """Give the last list that is meant, one with the asked-for name before others; notes whether the lists differ.

    An empty list is also written in passing ("had I found nothing, I would have answered <problems></problems>"); on
    lines of its own it withdraws what came before. Where no list is meant, the last is the answer.

    Args:
        lists: In the order of the reply; at least one.
    """
    chosen = max(reversed(lists), key=lambda one: (one.answers, one.asked_for)).reply
    differ = any(one.reply.findings != chosen.findings for one in lists)
    return chosen.model_copy(update={"several_lists": differ})


def stands_alone(text: str, start: int, end: int) -> bool:
    """Tell whether only spaces stand between `text[start:end]` and the ends of its lines."""
    before = text[max(0, start - _MARGIN) : start].rstrip(" \t")
    after = text[end : end + _MARGIN].lstrip(" \t")
    return (not before or before.endswith("\n")) and (not after or after.startswith(("\n", "\r")))
