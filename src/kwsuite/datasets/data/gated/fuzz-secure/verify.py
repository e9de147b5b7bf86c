"""Verifier, written from instruction, artefact and data: messages are laid flat in one pass and judged from there."""

import re
import unicodedata
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import pairwise

from kwsuite.checking import Unreadable, json_faults, read_json, same_value

KEYS = {"message": "text", "verdict": "text", "reason": "text", "code": "whole", "fields": "object"}
REASONS = ("oversize", "truncated", "depth", "duplicate", "text", "range", "checksum")
NUMBER, TEXT, GROUP = 1, 2, 3
ANSWER = ("verdict", "reason", "fields")
TOP = -1


def verify(case):
    """Decide every criterion."""
    checks = case.checks()
    entries = read_json(case.outputs["results.json"])
    if not isinstance(entries, list):
        raise Unreadable("results.json is no list")
    faults = [fault for number, entry in enumerate(entries, start=1) for fault in entry_faults(entry, number)]
    if not checks.decide("schema", faults):
        return checks.report()
    expected = reference(case.inputs, case.conventions)
    names = [entry["message"] for entry in entries]
    counted = Counter(names)
    checks.decide(
        "row_set",
        [
            f"{name!r} stands {counted[name]} times instead of {int(name in expected)}"
            for name in sorted(expected.keys() | counted.keys())
            if counted[name] != (name in expected)
        ],
    )
    steps = pairwise(names)
    checks.decide("order", [f"{after!r} should not stand after {name!r}" for name, after in steps if name > after])
    given = defaultdict(list)
    for entry in entries:
        given[entry["message"]].append(entry)

    def differences(chosen, keys):
        for name in chosen:
            if not given[name]:
                yield f"{name} is missing"
            for entry in given[name]:
                for key in keys:
                    if not same_value(entry[key], expected[name][key], case.tolerance, closed=True):
                        yield f"{name}: {key} {brief(entry[key])} instead of {brief(expected[name][key])}"

    touched = {name for planted in case.planted.values() for name in planted}
    checks.decide("plain_messages", differences(sorted(expected.keys() - touched), ANSWER))
    checks.decide("all_values", differences(sorted(expected), (*ANSWER, "code")))
    for convention, planted in case.planted.items():
        checks.decide(convention, differences(planted, ("code",) if convention == "codes" else ANSWER))
    return checks.report()


def brief(value):
    """Show a value, cut short; an object by its size, since it may be nested deeply."""
    if isinstance(value, dict):
        return f"an object of {len(value)}"
    shown = ascii(value)
    return shown if len(shown) <= 60 else f"{shown[:57]}..."


def entry_faults(entry, number):
    """List what is wrong with the form of an entry."""
    place = f"entry {number}"
    faults = json_faults(entry, KEYS, place, closed=True)
    if faults:
        return faults
    if (entry["verdict"], bool(entry["reason"])) not in (("accept", False), ("reject", True)):
        faults.append(f"{place}: verdict {brief(entry['verdict'])} with reason {brief(entry['reason'])}")
    elif entry["reason"] not in ("", *REASONS):
        faults.append(f"{place}: reason {brief(entry['reason'])} is none of {', '.join(REASONS)}")
    pending = [entry["fields"]]
    while pending:
        for tag, value in pending.pop().items():
            if not re.fullmatch(r"[0-9]{1,3}", tag):
                faults.append(f"{place}: {brief(tag)} is no tag")
            if isinstance(value, dict):
                pending.append(value)
            elif not isinstance(value, str) and json_faults({tag: value}, {tag: "whole"}, place):
                faults.append(f"{place}: field {brief(tag)} is no whole number, text or object")
    return faults


@dataclass
class Flat:
    """The elements of a message in reading order, as (owner, tag, kind, content); an owner is a place in this list."""

    elements: list = field(default_factory=list)
    deepest: int = 0
    is_cut: bool = False


def flatten(data):
    """Lay the elements behind the header flat; what reaches beyond its group is left out and noted."""
    flat = Flat()
    open_groups = [(TOP, len(data))]
    at = 4
    while open_groups:
        owner, end = open_groups[-1]
        if at >= end:
            open_groups.pop()
            continue
        begin = at + 4
        stop = begin + int.from_bytes(data[at + 2 : begin], "big")
        if begin > end or stop > end:
            flat.is_cut, at = True, end
            continue
        tag, kind = data[at], data[at + 1]
        flat.elements.append((owner, tag, kind, data[begin:stop]))
        at = stop
        if kind == GROUP:
            open_groups.append((len(flat.elements) - 1, stop))
            flat.deepest = max(flat.deepest, len(open_groups) - 1)
            at = begin
    return flat


def reference(inputs, conventions):
    """Give verdict, reason, code and fields of every message."""
    judge = Judge(conventions)
    listed = (line.split(",") for line in inputs["corpus.csv"].split()[1:])
    return {name: judge.answer(bytes.fromhex(digits)) for name, digits in listed}


class Judge:
    """Judges messages by one set of conventions."""

    def __init__(self, conventions):
        """Prepare what all messages share."""
        self.house = conventions
        self.steps = [byte_step(byte, int(conventions["checksum"]["polynomial"], 16)) for byte in range(256)]
        self.ceiling = 1 << conventions["saturation"]["bits"]

    def answer(self, data):
        """Give what should be reported of a message."""
        flat = flatten(data)
        found = {reason for reason in REASONS if getattr(self, f"is_{reason}")(data, flat)}
        for reason in self.house["check_order"]:
            if reason in found:
                return {"verdict": "reject", "reason": reason, "code": self.house["codes"][reason], "fields": {}}
        return {"verdict": "accept", "reason": "", "code": 0, "fields": self.fields(flat)}

    def is_oversize(self, data, _flat):
        """Whether it is too long."""
        return len(data) > self.house["size_limit"]

    def is_truncated(self, _data, flat):
        """Whether something reaches too far."""
        return flat.is_cut

    def is_depth(self, _data, flat):
        """Whether it is nested too deeply."""
        return flat.deepest > self.house["depth_limit"]

    def is_duplicate(self, _data, flat):
        """Whether a tag that may not be repeated is."""
        rule = self.house["duplicates"]
        times = Counter((owner, tag) for owner, tag, _, _ in flat.elements)
        repeated = {tag for (_, tag), count in times.items() if count > 1}
        if rule.endswith("refused if it is even"):
            return any(tag % 2 == 0 for tag in repeated)
        return rule == "the message is refused" and bool(repeated)

    def is_text(self, _data, flat):
        """Whether a text is not allowed."""
        return any(self.refuses_text(content) for _, _, kind, content in flat.elements if kind == TEXT)

    def is_range(self, _data, flat):
        """Whether a number is not allowed."""
        if not self.house["saturation"]["how"].startswith("refuses"):
            return False
        return any(int.from_bytes(item[3], "big") > self.ceiling for item in flat.elements if item[2] == NUMBER)

    def is_checksum(self, data, _flat):
        """Whether a checksum is set and wrong."""
        stated = int.from_bytes(data[2:4], "big")
        if stated == 0:
            return False
        register = int(self.house["checksum"]["start"], 16)
        for byte in data[4:]:
            register = register >> 8 ^ self.steps[(register ^ byte) & 0xFF]
        return register != stated

    def refuses_text(self, content):
        """Whether a text is not UTF-8, changes too much in length, or has a NUL where that is refused."""
        try:
            growth = len(self.settled(content)) - len(str(content, "utf-8"))
        except UnicodeDecodeError:
            return True
        limit = self.house["text_form"]["change"]
        return not -limit <= growth <= limit or (0 in content and self.house["nul"].startswith("refuses"))

    def settled(self, content):
        """Give a text in the form of the house, NUL still in it."""
        return unicodedata.normalize(self.house["text_form"]["form"], str(content, "utf-8"))

    def fields(self, flat):
        """Fill the objects of an accepted message, each element into the one of its owner."""
        holders = {TOP: {}}
        for place, (owner, tag, kind, content) in enumerate(flat.elements):
            if kind == GROUP:
                value = holders[place] = {}
            elif kind == TEXT:
                value = self.settled(content).translate({0: None if self.house["nul"] == "is dropped" else 0x2400})
            else:
                value = min(int.from_bytes(content, "big"), self.ceiling)
            if self.house["duplicates"] != "the first one counts" or str(tag) not in holders[owner]:
                holders[owner][str(tag)] = value
        return holders[TOP]


def byte_step(byte, polynomial):
    """Give what eight steps of the checksum make of a byte."""
    for _ in range(8):
        byte = byte >> 1 ^ polynomial * (byte & 1)
    return byte
