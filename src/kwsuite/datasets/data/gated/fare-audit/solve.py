"""Reference solution: reads its conventions from the artefact it is given, else uses the common ones."""

import csv
import datetime as dt
import json
import re
from collections import defaultdict

COMMON = {
    "day_count": "the difference between the calendar dates of issue and first departure",
    "minutes": {"same": 60, "other": 60, "metro": 60},
    "places": {},
    "void": "24 hours after the minute of issue",
    "duplicate": "passenger as printed, date of birth and all flights with their times",
    "listing": "each one is reported",
}
DAY = dt.timedelta(days=1)


def solve(root, artefact=None):
    """Write outputs/findings.csv and outputs/summary.json."""
    rules = read_rules((artefact / "conventions.md").read_text(encoding="utf-8")) if artefact else COMMON
    data, segments = root / "data", defaultdict(list)
    for row in sorted(read(data / "segments.csv"), key=lambda row: int(row["seq"])):
        segments[row["pnr"]].append(row)
    fares = {row["fare_code"]: row for row in read(data / "fares.csv")}
    bookings = sorted(read(data / "bookings.csv"), key=lambda row: (row["issue_ts"], row["pnr"]))
    found, seen = [], set()
    for booking in bookings:
        flown, pnr = segments[booking["pnr"]], booking["pnr"]
        found += [(pnr, code, at) for code, at in ticket_findings(booking, flown, fares[booking["fare_code"]], rules)]
        key = trip_key(booking, flown, rules["duplicate"])
        found += [(pnr, "E", 1)] if key in seen else []
        seen.add(key)
        for code in "CF":
            offending = [at for kind, at in journey_findings(flown, rules) if kind == code]
            found += [(pnr, code, at) for at in listed(offending, rules["listing"])]
    found.sort()
    (root / "outputs").mkdir(exist_ok=True)
    with open(root / "outputs" / "findings.csv", "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["pnr", "code", "segment"])
        writer.writerows(found)
    summary = {code: sum(one[1] == code for one in found) for code in "ABCDEF"}
    (root / "outputs" / "summary.json").write_text(json.dumps(summary) + "\n", encoding="utf-8")


def read_rules(text):
    """Take the values out of the prose and its tables."""
    flat = " ".join(text.split())

    def find(pattern):
        return re.search(pattern, flat)[1]

    areas = re.findall(r"^\| \w+ \| ((?:[A-Z]{3}(?:; )?)+) \|$", text, re.MULTILINE)
    return {
        "day_count": find(r"Days of advance purchase are (.+?)\. A ticket"),
        "minutes": {
            "same": int(find(r"within a terminal \| (\d+)")),
            "other": int(find(r"other terminal of the airport \| (\d+)")),
            "metro": int(find(r"other airport of the metro area \| (\d+)")),
        },
        "places": {airport: area for area in areas for airport in area.split("; ")},
        "void": find(r"may be voided until (.+?), that minute"),
        "duplicate": find(r"when they agree in (.+?)\. A family"),
        "listing": find(r"offend under one code, (.+?)\."),
    }


def ticket_findings(booking, flown, fare, rules):
    """Give code and segment of what is wrong with the ticket itself."""
    issue, departure = moment(booking["issue_ts"]), moment(flown[0]["dep_local"])
    if days_ahead(issue, departure, rules["day_count"]) < int(fare["adv_days"]):
        yield "A", 1
    if (moment(flown[-1]["dep_local"]).date() - departure.date()).days < int(fare["min_stay"]):
        yield "B", len(flown)
    refunded = booking["refund_ts"] and fare["refundable"] == "N"
    if refunded and moment(booking["refund_ts"]) > void_end(issue, rules["void"]):
        yield "D", 1


def days_ahead(issue, departure, rule):
    """Count the days of advance purchase."""
    if rule.startswith("full blocks"):
        return (at_midnight(departure) - issue) // DAY
    if rule.startswith("hours"):
        return (departure - issue + DAY / 2) // DAY
    return (departure.date() - issue.date()).days


def void_end(issue, rule):
    """Give the last minute at which a ticket may be voided."""
    if rule.startswith("24 hours"):
        return issue + DAY
    day = at_midnight(issue)
    if "next business day" in rule:
        day += DAY
        while day.weekday() > 4:
            day += DAY
    return day + dt.timedelta(hours=int(rule[:2]), minutes=int(rule[2:4]))


def trip_key(booking, flown, rule):
    """Give what two bookings of the same trip share."""
    passenger, born, first_day = booking["passenger"], booking["born"], flown[0]["dep_local"][:10]
    if rule.startswith("family name"):
        return re.sub(r"(.)\1", r"\1", passenger.split("/")[0]), born[:4], first_day
    if rule.startswith("passenger without title"):
        return re.sub(r" (MR|MRS|MS|DR)$", "", passenger), born, first_day
    return passenger, born, tuple((one["flight"], one["dep_local"], one["arr_local"]) for one in flown)


def journey_findings(flown, rules):
    """Give code and segment of breaks and short connections."""
    places, minutes = rules["places"], rules["minutes"]
    for at, (before, after) in enumerate(zip(flown, flown[1:]), start=2):
        arrived, left = before["to"], after["from"]
        if places.get(arrived, arrived) != places.get(left, left):
            yield "F", at
            continue
        wait = moment(after["dep_local"]) - moment(before["arr_local"])
        same = before["arr_terminal"] == after["dep_terminal"]
        least = minutes["metro" if arrived != left else "same" if same else "other"]
        if wait < DAY and wait < dt.timedelta(minutes=least):
            yield "C", at


def listed(offending, rule):
    """Keep the offending segments that are reported."""
    if rule.startswith("each"):
        return offending
    return offending[-1:] if "last" in rule else offending[:1]


def at_midnight(time):
    """Give the start of the day."""
    return dt.datetime.combine(time.date(), dt.time())


def moment(text):
    """Read a time."""
    return dt.datetime.strptime(text, "%Y-%m-%d %H%M")


def read(path):
    """Read a table."""
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
