"""Verifier, written from instruction, artefact, codes and data; all times are whole minutes since the year 1."""

import re
from collections import Counter
from datetime import date

from kwsuite.checking import json_faults, read_json, read_table

COLUMNS = ("pnr", "code", "segment")
CODES = "ABCDEF"
DAY = 24 * 60


def verify(case):
    """Decide every criterion."""
    checks = case.checks()
    right = reference(case.inputs, case.conventions)
    rows = read_table(case.outputs["findings.csv"], COLUMNS)
    summary = read_json(case.outputs["summary.json"])
    faults = [f"row {number}: {fault}" for number, row in enumerate(rows, 1) for fault in misshapen(row)]
    faults += json_faults(summary, dict.fromkeys(CODES, "whole"), "summary.json", closed=True)
    if not checks.decide("schema", faults):
        return checks.report()
    got = [(row["pnr"], row["code"], int(row["segment"])) for row in rows]
    checks.decide("order", [f"{two} stands after {one}" for one, two in zip(got, got[1:], strict=False) if one > two])
    checks.decide("all_values", deviations(got, right))
    listed = Counter(code for _, code, _ in got)
    checks.decide(
        "summary", [f"{key} is {summary[key]}, rows are {listed[key]}" for key in CODES if summary[key] != listed[key]]
    )
    for name, planted in case.planted.items():
        checks.decide(name, deviations(*([row for row in many if row[0] in planted] for many in (got, right))))
    return checks.report()


def misshapen(row):
    """List cells of a finding that are not of their kind."""
    if not row["pnr"]:
        yield "pnr is blank"
    if row["code"] not in tuple(CODES):
        yield f"code {row['code']!r} is none of A to F"
    if not re.fullmatch(r"[1-9]\d{0,5}", row["segment"], re.ASCII):
        yield f"segment {row['segment']!r} is no whole number from 1"


def deviations(got, right):
    """List the rows that stand more or less often than they should."""
    found, wanted = Counter(got), Counter(right)
    return [
        f"{pnr},{code},{segment} stands {found[pnr, code, segment]} times instead of {wanted[pnr, code, segment]}"
        for pnr, code, segment in sorted(found.keys() | wanted.keys())
        if found[pnr, code, segment] != wanted[pnr, code, segment]
    ]


def reference(inputs, conventions):
    """Give the right rows."""
    trips = {}
    for leg in records(inputs["segments.csv"]):
        trips.setdefault(leg["pnr"], []).append(leg)
    fares = {fare["fare_code"]: fare for fare in records(inputs["fares.csv"])}
    bookings = records(inputs["bookings.csv"])
    rows = {(pnr, "E", 1) for pnr in repeated(bookings, trips, conventions["duplicate_key"])}
    for booking in bookings:
        pnr, legs = booking["pnr"], trips[booking["pnr"]]
        fare = fares[booking["fare_code"]]
        issue, start = minute(booking["issue_ts"]), minute(legs[0]["dep_local"])
        if int(fare["adv_days"]) and days_ahead(issue, start, conventions["day_count"]) < int(fare["adv_days"]):
            rows.add((pnr, "A", 1))
        if minute(legs[-1]["dep_local"]) // DAY - start // DAY < int(fare["min_stay"]):
            rows.add((pnr, "B", len(legs)))
        if fare["refundable"] == "N" and booking["refund_ts"]:
            if minute(booking["refund_ts"]) > last_void(issue, conventions["void_window"]):
                rows.add((pnr, "D", 1))
        marks = {"C": [], "F": []}
        for later, pair in enumerate(zip(legs, legs[1:], strict=False), start=2):
            marks.get(joint(*pair, conventions), []).append(later)
        for code, segments in marks.items():
            rows |= {(pnr, code, segment) for segment in kept(segments, conventions["one_finding"])}
    return sorted(rows)


def records(text):
    """Split a plain table."""
    names, *lines = (line.split(",") for line in text.splitlines() if line)
    return [dict(zip(names, line, strict=True)) for line in lines]


def minute(stamp):
    """Number the minute of a time as printed."""
    day, clock = stamp.split()
    return date.fromisoformat(day).toordinal() * DAY + of_day(clock)


def of_day(clock):
    """Number the minute of a day."""
    return int(clock[:2]) * 60 + int(clock[2:])


def days_ahead(issue, start, rule):
    """Count the days of advance purchase."""
    midnight, half = start - start % DAY, 0
    match rule.split()[0]:
        case "hours":
            midnight, half = start, DAY // 2
        case "the":
            issue -= issue % DAY
    return (midnight - issue + half) // DAY


def last_void(issue, rule):
    """Give the last minute in which a ticket may be voided."""
    day, spent = divmod(issue, DAY)
    clock, _, rest = rule.partition(" office time on the ")
    # The first day of the calendar was a Monday, so ordinals leave 5 for a Friday and 6 for a Saturday.
    wait = {"day of issue": 0, "next business day after the day of issue": {5: 3, 6: 2}.get(day % 7, 1)}
    return (day + wait[rest]) * DAY + of_day(clock) if rest else (day + 1) * DAY + spent


def joint(before, after, conventions):
    """Tell the code, if any, that a segment and the one before it give."""
    one, two = before["to"], after["from"]
    limits = conventions["connection_table"]
    if one == two:
        limit = limits["same_terminal" if before["arr_terminal"] == after["dep_terminal"] else "other_terminal"]
    elif any({one, two} <= set(area.split("; ")) for area in conventions["metro_alias"].values()):
        limit = limits["metro"]
    else:
        return "F"
    return "C" if minute(after["dep_local"]) - minute(before["arr_local"]) < min(limit, DAY) else ""


def kept(segments, rule):
    """Choose the segments of a code that are listed."""
    return segments[-1:] if "last one" in rule else segments[:1] if "first one" in rule else segments


def repeated(bookings, trips, rule):
    """Find the bookings of a trip that an earlier one has booked already."""
    seen = set()
    for booking in sorted(bookings, key=lambda one: (one["issue_ts"], one["pnr"])):
        key = traveller(booking, rule), journey(trips[booking["pnr"]], rule)
        if key in seen:
            yield booking["pnr"]
        seen.add(key)


def traveller(booking, rule):
    """Give what tells one traveller from another."""
    if rule.startswith("family name"):
        return re.sub(r"(.)\1", r"\1", booking["passenger"].split("/")[0]), booking["born"][:4]
    printed = booking["passenger"]
    if rule.startswith("passenger without title"):
        printed = re.sub(r" (MR|MRS|MS|DR)$", "", printed)
    return printed, booking["born"]


def journey(legs, rule):
    """Give what tells one trip from another."""
    if rule.endswith("day of the first departure"):
        return legs[0]["dep_local"].split()[0]
    return tuple((leg["flight"], leg["dep_local"], leg["arr_local"]) for leg in legs)
