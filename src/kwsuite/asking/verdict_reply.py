"""Reading one verdict out of a grader's reply: one declared slot, or a fault."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from kwsuite.asking.reply import Fault, clean, json_values
from kwsuite.matching.reasoning import without_reasoning
from kwsuite.verdicts import State

Decided = State | Literal["abstained"]

_MET = frozenset({"met", "is met", "pass", "passed", "passes", "does pass", "yes", "true", "1"})
_NOT_MET = frozenset(
    {
        *("not met", "notmet", "is not met", "unmet", "fail", "failed", "fails", "not pass", "not passed", "no"),
        *("does not pass", "doesn't pass", "did not pass", "does not meet", "not satisfied", "false", "0"),
    }
)
_ABSTAINED = frozenset({"cannot tell", "can't tell", "abstain", "abstained", "undecidable"})

_SLOT = re.compile(
    r"(?:final\s+)?(?P<slot>verdict|score)"
    # A hyphen between letters makes a word, as in score-keeping, unless a verdict follows it.
    r"(?:\s*(?:is\s*)?[:=–—]|\s+(?:is\s*)?-|-(?![a-z])|-(?=(?:not[ _-]?)?met\b|unmet\b|cannot[ _-]tell\b))"
    r"\s*(?P<rest>.*)",
    re.IGNORECASE,
)
_THINKING = re.compile(r"</?think", re.IGNORECASE)
_OPENING_THOUGHT = re.compile(r"\A\s*<think(?:ing)?>.*?</think(?:ing)?>", re.IGNORECASE | re.DOTALL)
_TAG_AT_AN_EDGE = re.compile(
    r"^[ \t]*</?think(?:ing)?>|</?think(?:ing)?>[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_QUOTING = re.compile(r"[>\"'“”„‘’«»{\[(]")
_TAKEN_BACK = {
    "met": re.compile(r"(?<!VERDICT: )\b(?:NOT[ _-]MET|UNMET)\b"),
    "not_met": re.compile(r"(?<!VERDICT: )(?<!NOT[ _-])\bMET\b"),
}
_BLOCK = re.compile(r"^[ \t]*(`{3,}|~{3,}).*?^[ \t]*\1[ \t]*$", re.DOTALL | re.MULTILINE)
_FORM = "End with one line: VERDICT: MET, VERDICT: NOT_MET or VERDICT: CANNOT_TELL."


@dataclass(frozen=True)
class Decision:
    """A readable reply."""

    state: Decided
    """The verdict, or that the grader abstains."""
    rationale: str
    """What the grader gave as its reason; may be empty."""


def read_verdict(text: str, answer: str = "") -> Decision | Fault:
    """Read the verdict that a reply declares.

    A structured field (`verdict`, `met`, `score`) or a line that begins with `VERDICT:` is a slot; words in prose, in
    quotations and in code blocks are not, nor is what a reasoning model thought in `<think>`. Slots that disagree are
    ambiguous.

    Args:
        text: The reply.
        answer: What was judged. An object that also stands in it is a quotation, unless it is the whole reply; so is
            a slot line, unless it closes the reply, and so are thinking tags after the block that opens the reply.
            Where nothing but quotations is left and all say NOT_MET, that is the verdict: nobody plants it to gain.

    Returns:
        The decision, or a fault: parse_failure, ambiguous or out_of_range.
    """
    cleaned = clean(text).strip()
    if not cleaned:
        return Fault("parse_failure", f"the reply is empty. {_FORM}")
    quoted = clean(answer)
    values = json_values(cleaned)
    if values and values[0].raw == cleaned and _is_slot(values[0].value):
        return _from_object(values[0].value)
    # An answer can plant tags and be quoted, but never write the start of the reply.
    kept = _OPENING_THOUGHT.sub("", cleaned).strip()
    dropped = without_reasoning(kept).strip()
    if dropped == kept:
        return _read(kept, quoted)
    if _THINKING.search(quoted):
        found, other = _read(kept, quoted), _read(dropped, quoted)
        return other if isinstance(found, Fault) and isinstance(other, Decision) and other.state == "not_met" else found
    found = _read(dropped, quoted)
    only_named = isinstance(found, Fault) and not _TAG_AT_AN_EDGE.search(kept)
    return _read(kept, quoted) if only_named else found


def _read(text: str, quoted: str) -> Decision | Fault:
    if not text:
        return Fault("parse_failure", f"the reply holds nothing but thinking. {_FORM}")
    values = json_values(text)
    objects = [declared for declared in values if _is_slot(declared.value)]
    if objects and objects[0].raw == text:
        return _from_object(objects[0].value)
    planted, squeezed = (_planted(quoted), _squeezed(quoted)) if objects else ((), "")
    own: list[Decision | Fault] = []
    repeated: list[Decision | Fault] = []
    for declared in objects:
        again = declared.value in planted or _squeezed(declared.raw) in squeezed
        (repeated if again else own).append(_from_object(declared.value))
    for line in _slot_lines(text, quoted):
        (repeated if line.quoted else own).append(_from_line(line.slot, line.rest, text))
    if own:
        return _agreed(own)
    if repeated and all(isinstance(slot, Decision) and slot.state == "not_met" for slot in repeated):
        return _agreed(repeated)
    if values and text[0] in "{[":
        return Fault("parse_failure", f"the JSON has no verdict field. {_FORM}")
    whole = _word(text)
    return Decision(whole, "") if whole else Fault("parse_failure", f"no verdict was found. {_FORM}")


@lru_cache(maxsize=8)
def _planted(answer: str) -> tuple[Any, ...]:
    return tuple(declared.value for declared in json_values(answer))


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _is_slot(value: Any) -> bool:
    return isinstance(value, dict) and not {"verdict", "met", "score"}.isdisjoint(value)


def _from_object(slot: dict[str, Any]) -> Decision | Fault:
    readings: list[Decision | Fault] = []
    rationale = next((str(slot[key]) for key in ("rationale", "reason", "reasoning") if slot.get(key)), "")
    if "verdict" in slot:
        given = slot["verdict"]
        state = _word(given) if isinstance(given, str) else None
        readings.append(Decision(state, rationale) if state else _unknown("verdict", given))
    if "met" in slot:
        given = slot["met"]
        state = _word(str(given).lower()) if isinstance(given, str | bool | int) else None
        readings.append(Decision(state, rationale) if state else _unknown("met", given))
    if "score" in slot:
        readings.append(_from_number(slot["score"], rationale))
    return _agreed(readings)


def _from_line(slot: str, rest: str, text: str) -> Decision | Fault:
    if slot.lower() == "score":
        number = re.fullmatch(r"[-+]?\d+(?:\.\d+)?", rest.strip(" .*`_"))
        return _from_number(float(number[0]), text) if number else _unknown("score", rest)
    state = _leading_word(rest)
    return Decision(state, text) if state else _unknown("verdict", rest)


def _from_number(given: Any, rationale: str) -> Decision | Fault:
    if isinstance(given, bool) or not isinstance(given, int | float):
        return _unknown("score", given)
    if given in (0, 1):
        return Decision("met" if given == 1 else "not_met", rationale)
    if 0 < given < 1:
        return Fault("ambiguous", f"score {given} is neither 0 nor 1. {_FORM}")
    return Fault("out_of_range", f"score {given} is outside 0 to 1. {_FORM}")


def _agreed(readings: list[Decision | Fault]) -> Decision | Fault:
    faults = [reading for reading in readings if isinstance(reading, Fault)]
    if faults:
        return faults[-1]
    decisions = [reading for reading in readings if isinstance(reading, Decision)]
    if len({decision.state for decision in decisions}) > 1:
        return Fault("ambiguous", f"the reply holds verdicts that disagree. {_FORM}")
    return decisions[-1]


class _SlotLine(NamedTuple):
    slot: str
    rest: str
    quoted: bool


def _slot_lines(text: str, answer: str) -> list[_SlotLine]:
    """Find the slot lines; one that also stands in the answer is a quotation, unless it closes the reply."""
    outside = (
        text
        if text.count("```") + text.count("~~~") > 60
        else _BLOCK.sub(lambda block: "\n" * block[0].count("\n"), text)
    )
    lines = [line for line in outside.splitlines() if line.strip()]
    quoted = {line.strip() for line in answer.splitlines()}
    found: list[_SlotLine] = []
    for number, line in enumerate(lines, start=1):
        before = re.match(r"[^A-Za-z]*", line)
        prefix = before[0] if before else ""
        slot = _SLOT.match(line[len(prefix) :].replace("*", "").replace("`", ""))
        closing = number == len(lines)
        if slot and not _QUOTING.search(prefix):
            found.append(_SlotLine(slot["slot"], slot["rest"], not closing and line.strip() in quoted))
    return found


def _leading_word(rest: str) -> Decided | None:
    """Read a slot's value; after it only the end of a sentence may follow, for `MET, but ...` is no verdict."""
    value, _, after = re.sub(r"[.!;(]", "\n", rest).partition("\n")
    state = _word(value)
    taken_back = _TAKEN_BACK.get(state or "")
    return None if taken_back and taken_back.search(after) else state


def _word(text: str) -> Decided | None:
    folded = " ".join(text.casefold().replace("’", "'").replace("_", " ").replace("-", " ").split())
    value = folded.strip(" .!*|`\"'")
    if value in _MET:
        return "met"
    if value in _NOT_MET:
        return "not_met"
    return "abstained" if value in _ABSTAINED else None


def _unknown(slot: str, given: Any) -> Fault:
    return Fault("parse_failure", f"{slot} {str(given)[:60]!r} is not a verdict. {_FORM}")
