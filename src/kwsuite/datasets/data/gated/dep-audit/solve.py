"""Reference solution: reads its conventions from the artefact it is given, else uses the common ones."""

import csv
import json
import re
from collections import deque
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal

COMMON = {
    "base": {"low": Decimal("3.9"), "moderate": Decimal("6.9"), "high": Decimal("8.9"), "critical": Decimal(10)},
    "decay": Decimal(1),
    "suffix": "comes before the release of the same numbers",
    "weight": {"runtime": Decimal(1), "build": Decimal(1), "optional": Decimal(1), "dev": Decimal(0)},
    "fix": "the lowest fixed version",
    "days": {"low": 180, "moderate": 90, "high": 30, "critical": 7},
    "count": "calendar days",
}


def solve(root, artefact=None):
    """Write outputs/audit.json and outputs/schedule.csv."""
    rules = read_rules((artefact / "conventions.md").read_text(encoding="utf-8")) if artefact else COMMON
    advisories = json.loads((root / "data" / "advisories.json").read_text(encoding="utf-8"))
    installed = read_locks(root / "data", rules)
    rows, schedule = [], {}
    for advisory in advisories:
        for (name, version), (depth, weight) in installed.items():
            score = rules["base"][advisory["severity"]] * rules["decay"] ** depth * weight
            if name == advisory["package"] and affects(advisory, version, rules) and score:
                score = score.quantize(Decimal("0.001"), ROUND_HALF_UP)
                fix = chosen(version, advisory["fixed"], rules["fix"])
                rows.append((name, version, advisory["advisory"], depth, float(score), fix))
                schedule[advisory["advisory"]] = due(advisory, rules).isoformat()
    rows.sort(key=lambda row: (-row[4], *row[:3]))
    keys = ("package", "version", "advisory", "depth", "score", "fix")
    (root / "outputs").mkdir(exist_ok=True)
    listed = [dict(zip(keys, row, strict=True)) for row in rows]
    (root / "outputs" / "audit.json").write_text(json.dumps(listed, indent=1) + "\n", encoding="utf-8")
    with open(root / "outputs" / "schedule.csv", "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["advisory", "due"])
        writer.writerows(sorted(schedule.items(), key=lambda one: (one[1], one[0])))


def read_rules(text):
    """Take the values out of the prose and its tables."""
    flat = " ".join(text.split())
    table = dict(re.findall(r"^\| (\w+) \| ([\d.]+) \|$", text, re.MULTILINE))

    def find(pattern):
        return re.search(pattern, flat)[1]

    return {
        "base": {word: Decimal(table[word]) for word in COMMON["base"]},
        "decay": Decimal(find(r"factor for depth is ([\d.]+) to the power")),
        "suffix": find(r"-beta\.2, (.+?)\. ## "),
        "weight": {scope: Decimal(table[scope]) for scope in COMMON["weight"]},
        "fix": find(r"We move to (.+?)\. ## "),
        "days": {
            "critical": int(find(r"critical is due (\d+)")),
            "high": int(find(r"a high one (\d+)")),
            "moderate": int(find(r"a moderate one (\d+)")),
            "low": int(find(r"a low one (\d+)")),
        },
        "count": find(r"critical is due \d+ (.+?) after it was published"),
    }


def read_locks(data, rules):
    """Give depth and weight of every installed package version."""
    installed = {}
    for path in sorted(data.glob("lock-*.json")):
        lock = json.loads(path.read_text(encoding="utf-8"))
        packages = {one["name"]: one for one in lock["packages"]}
        for name, depth in depths(lock["requires"], packages).items():
            key = (name, packages[name]["version"])
            weight = rules["weight"][packages[name]["scope"]]
            known = installed.get(key, (depth, weight))
            installed[key] = (min(depth, known[0]), max(weight, known[1]))
    return installed


def depths(direct, packages):
    """Walk a lock file breadth first."""
    found, queue = dict.fromkeys(direct, 0), deque(direct)
    while queue:
        name = queue.popleft()
        for other in packages[name]["requires"]:
            if other not in found:
                found[other] = found[name] + 1
                queue.append(other)
    return found


def numbers(version):
    """Give the three numbers of a version."""
    return tuple(int(part) for part in version.partition("-")[0].split("."))


def affects(advisory, version, rules):
    """Tell whether a version lies in the range of an advisory."""
    early = "-" in version
    if early and rules["suffix"].startswith("is left out"):
        return False
    place = (*numbers(version), 0 if early and rules["suffix"].startswith("comes before") else 1)
    low, high = (*numbers(advisory["introduced"]), 1), (*min(map(numbers, advisory["fixed"])), 1)
    return low <= place < high


def chosen(version, fixed, rule):
    """Choose the version to move to."""
    ordered = sorted(fixed, key=numbers)
    major = numbers(version)[0]
    if rule == "the highest fixed version":
        return ordered[-1]
    if rule == "the lowest fixed version":
        return ordered[0]
    even = [one for one in ordered if numbers(one)[0] == major and numbers(one)[1] % 2 == 0]
    return (even or [one for one in ordered if numbers(one)[0] > major])[0]


def due(advisory, rules):
    """Count the days from publication on."""
    day, left = date.fromisoformat(advisory["published"]), rules["days"][advisory["severity"]]
    while left:
        day += timedelta(days=1)
        left -= counts(day, rules["count"])
    return day


def counts(day, count):
    """Tell whether a day is among those that are counted."""
    if count == "calendar days":
        return True
    closed = (day.month, day.day) >= (12, 24) or (day.month, day.day) <= (1, 2)
    return day.weekday() < 5 and not (closed and count.startswith("working"))
