"""Verifier, written from instruction, artefact and data; findings joined in tables and scored in exact fractions."""

import json
import re
from collections import Counter
from datetime import date, timedelta
from fractions import Fraction
from itertools import count, islice, pairwise

from kwsuite.checking import Unreadable, close, json_faults, read_json, read_table

KEYS = {"package": "text", "version": "text", "advisory": "text", "depth": "whole", "score": "number", "fix": "text"}
LOOKED_AT = {
    "severity_base": ("score",),
    "decay": ("score",),
    "prerelease": (),
    "scope_weight": ("score",),
    "fix_choice": ("fix",),
}


def verify(case):
    """Decide every criterion."""
    checks = case.checks()
    audit = read_json(case.outputs["audit.json"])
    if not isinstance(audit, list):
        raise Unreadable("audit.json is no list")
    schedule = read_table(case.outputs["schedule.csv"], ("advisory", "due"))
    if not checks.decide("schema", shape_faults(audit, schedule)):
        return checks.report()
    found, due = reference(case.inputs, case.conventions)
    rows = [(name_of(row), row) for row in audit]
    days = [(row["advisory"], row) for row in schedule]
    checks.decide("row_set", [*miscounted(rows, found), *miscounted(days, due)])
    audit_order = [((-row["score"], *name), name[2]) for name, row in rows]
    schedule_order = [((row["due"], name), name) for name, row in days]
    checks.decide("order", [*misplaced(audit_order), *misplaced(schedule_order)])
    every = [*entry_faults(rows, found, case.tolerance, ("depth", "score", "fix")), *due_faults(days, due, due)]
    checks.decide("all_values", every)
    for convention, planted in case.planted.items():
        if convention == "due_days":
            checks.decide(convention, due_faults(days, due, planted))
            continue
        right = {name: entry for name, entry in found.items() if name[0] in planted}
        there = [pair for pair in rows if pair[0][0] in planted]
        faults = [*miscounted(there, right), *entry_faults(there, right, case.tolerance, LOOKED_AT[convention])]
        checks.decide(convention, faults)
    return checks.report()


def name_of(row):
    """Give what identifies an entry of the audit."""
    return row["package"], row["version"], row["advisory"]


def shape_faults(audit, schedule):
    """List entries without the keys asked for and days that are none."""
    for number, row in enumerate(audit):
        yield from json_faults(row, KEYS, f"entry {number}", closed=True)
    for number, row in enumerate(schedule, start=2):
        if not row["advisory"] or not is_day(row["due"]):
            yield f"row {number}: {row['advisory']!r} with the day {row['due']!r}"


def is_day(text):
    """Tell whether a text is a day of the calendar."""
    try:
        return bool(re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text)) and date.fromisoformat(text) is not None
    except ValueError:
        return False


def miscounted(rows, wanted):
    """List what does not stand once where it should, or stands where it should not."""
    times = Counter(name for name, _row in rows)
    for name in sorted({*times, *wanted}):
        if times[name] != (name in wanted):
            label = name if isinstance(name, str) else " ".join(name)
            yield f"{label} stands {times[name]} times instead of {int(name in wanted)}"


def misplaced(keyed):
    """List what stands after something that it belongs before."""
    return [f"{after} should not stand after {before}" for (a, before), (b, after) in pairwise(keyed) if b < a]


def entry_faults(rows, wanted, tolerance, looked_at):
    """Compare entries of the audit with the wanted ones by some of their keys; an absent one is a fault."""
    got = dict(rows)
    for name, entry in sorted(wanted.items()):
        if name not in got:
            yield f"{' '.join(name)} is missing"
            continue
        for key in looked_at:
            seen, right = got[name][key], entry[key]
            if not (close(seen, float(right), tolerance) if key == "score" else seen == right):
                shown = float(right) if key == "score" else right
                yield f"{' '.join(name)}: {key} {seen} instead of {shown}"


def due_faults(days, due, chosen):
    """Compare the days of some advisories with the right ones."""
    got = {name: row["due"] for name, row in days}
    for name in sorted(chosen):
        if got.get(name) != due[name]:
            yield f"{name}: due {got.get(name, 'is missing')} instead of {due[name]}"


def reference(inputs, conventions):
    """Give the audit as {(package, version, advisory): entry} and the schedule as {advisory: day}."""
    held = installed([json.loads(text) for name, text in inputs.items() if name.startswith("lock-")])
    weights = {"runtime": Fraction(1)} | {key: exact(part) for key, part in conventions["scope_weight"].items()}
    audit, schedule = {}, {}
    for advisory in json.loads(inputs["advisories.json"]):
        base = exact(conventions["severity_base"][advisory["severity"]])
        for (package, version), (depth, scopes) in held.items():
            if package != advisory["package"] or not affected(version, advisory, conventions["prerelease"]):
                continue
            product = base * exact(conventions["decay"]) ** depth * max(weights[scope] for scope in scopes)
            score = Fraction((2000 * product + 1) // 2, 1000)
            if score:
                target = fixed_in(version, advisory["fixed"], conventions["fix_choice"])
                audit[package, version, advisory["advisory"]] = {"depth": depth, "score": score, "fix": target}
                schedule[advisory["advisory"]] = due_day(advisory, conventions["due_days"])
    return audit, schedule


def exact(number):
    """Take a convention's number as it is written."""
    return Fraction(str(number))


def installed(locks):
    """Give (smallest depth, scopes) of every package version that a lock file holds."""
    held = {}
    for lock in locks:
        held_here = {package["name"]: package for package in lock["packages"]}
        layer, left = set(lock["requires"]), set(held_here)
        for depth in count():
            layer &= left
            if not layer:
                break
            left -= layer
            for name in layer:
                key = name, held_here[name]["version"]
                known, scopes = held.get(key, (depth, frozenset()))
                held[key] = min(known, depth), scopes | {held_here[name]["scope"]}
            layer = {needed for name in layer for needed in held_here[name]["requires"]}
    return held


def numbers(version):
    """Give the three numbers of a version."""
    return tuple(map(int, version.partition("-")[0].split(".")))


def affected(version, advisory, rule):
    """Tell whether an installed version lies in an advisory's range."""
    suffixed = "-" in version
    if suffixed and rule.startswith("is left out"):
        return False
    # A release is a step above what comes before it, and both are below the next release.
    here = *numbers(version), 0 if suffixed and rule.startswith("comes before") else 1
    lowest = min(numbers(one) for one in advisory["fixed"])
    return (*numbers(advisory["introduced"]), 1) <= here < (*lowest, 1)


def fixed_in(version, fixed, rule):
    """Choose the version to move to, the one that stands first by rule and numbers."""
    own = numbers(version)[0]

    def place(one):
        major, minor, patch = numbers(one)
        if rule == "the highest fixed version":
            return -major, -minor, -patch
        stays = major == own and minor % 2 == 0
        return not (rule == "the lowest fixed version" or stays), major == own, major, minor, patch

    return min(fixed, key=place)


def due_day(advisory, rule):
    """Give the last of the counted days after the day of publication."""
    first = date.fromisoformat(advisory["published"]) + timedelta(days=1)
    later = (first + timedelta(days=step) for step in count())
    counted = (day for day in later if counts(day, rule["count"]))
    return next(islice(counted, rule[advisory["severity"]] - 1, None)).isoformat()


def counts(day, kind):
    """Tell whether a day is of a kind."""
    if kind == "calendar days":
        return True
    closed = kind == "working days of the house" and not (1, 2) < (day.month, day.day) < (12, 24)
    return day.isoweekday() < 6 and not closed
