"""Reference solution: reads its conventions from the artefact it is given, else uses the common ones."""

import csv
import json
import re
import unicodedata

NUMBER, TEXT, GROUP = 1, 2, 3
REASONS = ("oversize", "truncated", "depth", "duplicate", "text", "range", "checksum")
COMMON = {
    "size": 65536,
    "depth": 32,
    "duplicates": "the last one counts",
    "form": "NFC",
    "change": 999,
    "nul": "refuses the message for its text",
    "bits": 63,
    "above": "refuses the message for its range",
    "order": ["oversize", "truncated", "checksum", "depth", "duplicate", "text", "range"],
    "codes": {reason: number for number, reason in enumerate(REASONS, start=1)},
}


def solve(root, artefact=None):
    """Write outputs/results.json."""
    rules = read_rules((artefact / "conventions.md").read_text(encoding="utf-8")) if artefact else COMMON
    check16 = load_check16(artefact / "ops.py") if artefact else ccitt
    with open(root / "data" / "corpus.csv", encoding="utf-8", newline="") as file:
        corpus = sorted((row["message"], bytes.fromhex(row["hex"])) for row in csv.DictReader(file))
    results = []
    for name, data in corpus:
        reason, fields = decide(data, rules, check16)
        results.append(
            {
                "message": name,
                "verdict": "reject" if reason else "accept",
                "reason": reason,
                "code": rules["codes"][reason] if reason else 0,
                "fields": fields,
            }
        )
    (root / "outputs").mkdir(exist_ok=True)
    text = ",\n".join(json.dumps(result, ensure_ascii=False) for result in results)
    (root / "outputs" / "results.json").write_text(f"[{text}]\n", encoding="utf-8")


def read_rules(text):
    """Take the values out of the prose and the table."""
    flat = " ".join(text.split())

    def find(pattern):
        return re.search(pattern, flat)[1]

    return {
        "size": int(find(r"more than (\d+) bytes")),
        "depth": int(find(r"more than (\d+) are too many")),
        "duplicates": find(r"or at the top, (.+?)\. Text that"),
        "form": find(r"Unicode form (\w+)\."),
        "change": int(find(r"shrinks by more than (\d+) on")),
        "nul": find(r"every NUL in it (.+?)\. A number"),
        "bits": int(find(r"to the power of (\d+) ")),
        "above": find(r"to the power of \d+ (.+?)\."),
        "order": find(r"gives the reason: (.+?)\.").split(", "),
        "codes": {reason: int(code) for reason, code in re.findall(r"(?m)^\| (\w+) \| (\d+) \|$", text)},
    }


def load_check16(path):
    """Take the checksum from the artefact."""
    space = {}
    exec(compile(path.read_text(encoding="utf-8"), "ops.py", "exec"), space)
    return space["check16"]


def ccitt(data):
    """Give the reflected CCITT checksum, from all ones."""
    value = 0xFFFF
    for byte in data:
        for bit in range(8):
            odd = (value ^ byte >> bit) & 1
            value = value >> 1 ^ (0x8408 if odd else 0)
    return value


def decide(data, rules, check16):
    """Give the reason for a refusal, empty for none, and the fields."""
    try:
        elements = read_elements(data[4:])
    except ValueError:
        elements = None
    given = int.from_bytes(data[2:4], "big")
    tests = {
        "oversize": lambda: len(data) > rules["size"],
        "truncated": lambda: elements is None,
        "depth": lambda: depth(elements) > rules["depth"],
        "duplicate": lambda: has_duplicate(elements, rules["duplicates"]),
        "text": lambda: any(clean(content, rules) is None for content in leaves(elements, TEXT)),
        "range": lambda: "range" in rules["above"] and any(n > 1 << rules["bits"] for n in leaves(elements, NUMBER)),
        "checksum": lambda: given and given != check16(data[4:]),
    }
    for reason in rules["order"]:
        if tests[reason]():
            return reason, {}
    return "", fields_of(elements, rules)


def read_elements(body):
    """Give (tag, kind, content) of each element; content is bytes, a number or again such a list."""
    found, at = [], 0
    while at < len(body):
        if at + 4 > len(body):
            raise ValueError("head beyond the end")
        tag, kind, length = body[at], body[at + 1], int.from_bytes(body[at + 2 : at + 4], "big")
        content = body[at + 4 : at + 4 + length]
        if len(content) < length:
            raise ValueError("content beyond the end")
        if kind == GROUP:
            content = read_elements(content)
        elif kind == NUMBER:
            content = int.from_bytes(content, "big")
        found.append((tag, kind, content))
        at += 4 + length
    return found


def depth(elements):
    """Count the groups inside one another."""
    return max((1 + depth(content) for _, kind, content in elements if kind == GROUP), default=0)


def leaves(elements, wanted):
    """Give the contents of one kind, at every depth."""
    for _, kind, content in elements:
        if kind == wanted:
            yield content
        elif kind == GROUP:
            yield from leaves(content, wanted)


def has_duplicate(elements, rule):
    """Tell whether a tag stands twice where the rule refuses it."""
    tags = [tag for tag, _, _ in elements]
    twice = {tag for tag in tags if tags.count(tag) > 1}
    if rule == "the message is refused" and twice:
        return True
    if "if it is even" in rule and any(tag % 2 == 0 for tag in twice):
        return True
    return any(has_duplicate(content, rule) for _, kind, content in elements if kind == GROUP)


def clean(content, rules):
    """Give a text in its form; None where it is refused."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return None
    formed = unicodedata.normalize(rules["form"], text)
    if abs(len(formed) - len(text)) > rules["change"]:
        return None
    if "\0" in formed and rules["nul"].startswith("refuses"):
        return None
    return formed.replace("\0", "\u2400" if "U+2400" in rules["nul"] else "")


def fields_of(elements, rules):
    """Give the fields of a group or a message that is accepted."""
    fields = {}
    for tag, kind, content in elements:
        if str(tag) in fields and rules["duplicates"] == "the first one counts":
            continue
        if kind == GROUP:
            fields[str(tag)] = fields_of(content, rules)
        elif kind == TEXT:
            fields[str(tag)] = clean(content, rules)
        else:
            fields[str(tag)] = min(content, 1 << rules["bits"]) if "power" in rules["above"] else content
    return fields
