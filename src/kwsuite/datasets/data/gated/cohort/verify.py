"""Verifier, written from instruction, protocol, artefact and data; in Decimal and dates."""

import re
from collections import Counter, defaultdict
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from itertools import pairwise

from kwsuite.checking import close, read_table

SCREENING = ("id", "age", "creatinine", "glucose", "marker", "status")
COHORT = ("site", "position", "id")
STATUSES = {"eligible", "pending", "age", "lab", "drug", "missing"}
DECIMALS = {"creatinine": 1, "glucose": 2, "marker": 2}
UPPER = {"creatinine": 115, "glucose": Decimal("7.8")}
LOWER = {"marker": 2}
UNITS = {
    "creatinine": {"umol/L": (1, 1), "mg/dL": (Decimal("88.4"), 1)},
    "glucose": {"mmol/L": (1, 1), "mg/dL": (1, 18)},
    "marker": {"ng/mL": (1, 1)},
}
PLACES = 60
LOOKED_AT = {
    "age_day": ("age", "status"),
    "lab_window": (*DECIMALS, "status"),
    "washout": ("status",),
    "missing_tests": ("status",),
    "units": ("marker", "status"),
    "reason_order": ("status",),
}


def verify(case):
    """Decide every criterion."""
    checks = case.checks()
    people = read_table(case.outputs["screening.csv"], SCREENING)
    drawn = read_table(case.outputs["cohort.csv"], COHORT)
    if not checks.decide("schema", [*screening_form(people), *cohort_form(drawn)]):
        return checks.report()
    right, places = reference(case.inputs, case.conventions)
    times = Counter(row["id"] for row in people)
    off = [f"{key} stands {times[key]} times in screening.csv" for key in right if times[key] != 1]
    off += [f"{key} of screening.csv is nobody" for key in times if key not in right]
    home = {line["id"]: line["site"] for line in table(case.inputs["people.csv"])}
    checks.decide("row_set", off + misplaced(drawn, home, places))
    if off:
        return checks.report()
    checks.decide("order", disorder(people, drawn))
    got = {row["id"]: row for row in people}

    def differences(chosen, columns):
        return [
            f"{key}: {column} is {got[key][column]!r} instead of {told(right[key][column])}"
            for key in chosen
            for column in columns
            if not agrees(got[key][column], right[key][column], case.tolerance)
        ]

    def site_differences(chosen):
        for site in chosen:
            listed = sorted((int(row["position"]), row["id"]) for row in drawn if row["site"] == site)
            wanted = list(enumerate(places.get(site, []), 1))
            if listed != wanted:
                first = [pair for pair in wanted if pair not in listed] or ["nobody more"]
                yield f"{site}: {first[0]} is expected among its places"

    sites = sorted({*places, *(row["site"] for row in drawn)})
    checks.decide("all_values", [*differences(sorted(right), SCREENING[1:]), *site_differences(sites)])
    for name, planted in case.planted.items():
        found = site_differences(planted) if name == "draw" else differences(planted, LOOKED_AT[name])
        checks.decide(name, found)
    return checks.report()


def screening_form(rows):
    """List cells of the first file that cannot be what was asked for."""
    forms = {test: re.compile(rf"([0-9]+\.[0-9]{{{places}}})?") for test, places in DECIMALS.items()}
    forms |= {"id": re.compile(r".+"), "age": re.compile(r"[0-9]+"), "status": re.compile("|".join(STATUSES))}
    for number, row in enumerate(rows, 1):
        for column, form in forms.items():
            if not form.fullmatch(row[column]):
                yield f"row {number} of screening.csv: {column} is {row[column]!r}"


def cohort_form(rows):
    """List cells of the second file that cannot be what was asked for."""
    for number, row in enumerate(rows, 1):
        if not (row["site"] and row["id"] and re.fullmatch(r"[0-9]{1,6}", row["position"])):
            yield f"row {number} of cohort.csv: {', '.join(row.values())}"


def misplaced(drawn, home, places):
    """List who stands in the cohort twice, unknown or at another's site, and sites with a wrong number of rows."""
    faults = [f"{key} stands {n} times in cohort.csv" for key, n in Counter(r["id"] for r in drawn).items() if n > 1]
    faults += [f"{row['id']} is not of {row['site']}" for row in drawn if home.get(row["id"]) != row["site"]]
    sizes = Counter(row["site"] for row in drawn)
    wanted = {site: len(people) for site, people in places.items()}
    return faults + [
        f"{site}: {sizes[site]} places instead of {wanted.get(site, 0)}"
        for site in sorted({*sizes, *wanted})
        if sizes[site] != wanted.get(site, 0)
    ]


def disorder(people, drawn):
    """List rows of both files that are out of order, and sites that do not count from 1."""
    faults = [f"{b['id']} stands after {a['id']}" for a, b in pairwise(people) if b["id"] < a["id"]]
    before = ("", 0)
    for row in drawn:
        site, position = row["site"], int(row["position"])
        next_one = before[1] + 1 if site == before[0] else 1
        if site < before[0] or position != next_one:
            faults.append(f"{site}: position {position} where {next_one} was due")
        before = (site, position)
    return faults


def agrees(cell, expected, tolerance):
    """Compare a cell with a text, a number or nothing."""
    if isinstance(expected, str):
        return cell == expected
    if expected is None or not cell:
        return expected is None and not cell
    return close(float(cell), float(expected), tolerance)


def told(expected):
    """Write an expected value into a message."""
    return repr(expected) if expected is None or isinstance(expected, str) else f"{float(expected):g}"


def table(text):
    """Read a table of the data, which has no quotes."""
    header, *rows = (line.split(",") for line in text.splitlines() if line)
    return [dict(zip(header, row, strict=True)) for row in rows]


def reference(inputs, conventions):
    """Give the right screening row of everybody, and who has the places of each site, for any conventions."""
    people = {line["id"]: line for line in table(inputs["people.csv"])}
    values, drugs = measured(table(inputs["labs.csv"]), conventions["units"]), defaultdict(list)
    for line in table(inputs["drugs.csv"]):
        drugs[line["id"]].append((date.fromisoformat(line["last_dose"]), Decimal(line["half_life_h"])))
    screened = {}
    for key, person in people.items():
        row = {"age": age_of(person, conventions["age_day"])}
        day = date.fromisoformat(person["screen_date"])
        row |= {test: counted(values[key, test], test, day, conventions["lab_window"]) for test in DECIMALS}
        present = any(not gone(day - dose, life, **conventions["washout"]) for dose, life in drugs[key])
        row["status"] = standing(row, present, conventions["missing_tests"], conventions["reason_order"])
        screened[key] = row
    return screened, cohort(people, screened, conventions["draw"])


def age_of(person, rule):
    """Give the full years: whole ten thousands between both days read as numbers such as 20240315."""
    if "consent" in rule:
        reading = person["consent_date"]
    else:
        later = sum(int(number) for number in re.findall(r"(\d+) days? after", rule))
        reading = (date.fromisoformat(person["screen_date"]) + timedelta(days=later)).isoformat()
    on, born = (int(day.replace("-", "")) for day in (reading, person["birth"]))
    return (on - born) // 10_000


def measured(lines, unit_rule):
    """Give the values of each person and test by day (as text), in the protocol's unit and rounded."""
    rate = re.fullmatch(r"is ([\d.]+) ng/mL", unit_rule)
    units = UNITS | {"marker": UNITS["marker"] | ({"AU": (Decimal(rate[1]), 1)} if rate else {})}
    found = defaultdict(dict)
    for line in lines:
        times, parts = units[line["test"]].get(line["unit"], (0, 0))
        if parts:
            exact = Decimal(line["value"]) * times / parts
            step = Decimal(1).scaleb(-DECIMALS[line["test"]])
            found[line["id"], line["test"]][line["date"]] = exact.quantize(step, ROUND_HALF_UP)
    return found


def counted(by_day, test, day, rule):
    """Give the value that is held against the limit, or None."""
    window = re.search(r"last (\d+) days", rule)
    earliest = (day - timedelta(int(window[1]))).isoformat() if window else ""
    inside = {taken: value for taken, value in by_day.items() if earliest <= taken <= day.isoformat()}
    if not inside:
        return None
    if rule.startswith("the latest"):
        return inside[max(inside)]
    return (max if test in UPPER else min)(inside.values())


def gone(passed, life, half_lives, days):
    """Tell whether a drug is washed out."""
    return passed.days >= days and passed.days * 24 >= Decimal(str(half_lives)) * life


def standing(row, present, missing_rule, order):
    """Give the status."""
    lacking = [row[test] for test in DECIMALS].count(None)
    most = {"has the status pending with one missing test and is excluded with more": 1}.get(missing_rule, 0)
    if missing_rule == "is treated as if a missing test were normal":
        most = len(DECIMALS)
    beyond = [row[test] > limit for test, limit in UPPER.items() if row[test] is not None]
    beyond += [row[test] < limit for test, limit in LOWER.items() if row[test] is not None]
    applies = {"age": not 18 <= row["age"] <= 65, "lab": any(beyond), "drug": present, "missing": lacking > most}
    quiet = "pending" if lacking and most == 1 else "eligible"
    return next((reason for reason in order.split(", ") if applies[reason]), quiet)


def cohort(people, screened, rule):
    """Give the people who are drawn at each site, in order."""

    def turn(key):
        if rule.startswith("draw key"):
            return drawing_number(key, people[key]["site"])
        return people[key]["screen_date"] if rule.startswith("day of screening") else 0

    sizes = Counter(person["site"] for person in people.values())
    shares = {site: divmod(PLACES * size, len(people)) for site, size in sizes.items()}
    left = PLACES - sum(whole for whole, _ in shares.values())
    favoured = sorted(shares, key=lambda site: (-shares[site][1], sizes[site], site))[:left]
    result = {}
    for site in sorted(sizes):
        rank = {"eligible": 0, "pending": 1}
        able = [key for key in screened if people[key]["site"] == site and screened[key]["status"] in rank]
        able.sort(key=lambda key: (rank[screened[key]["status"]], turn(key), key))
        result[site] = able[: shares[site][0] + (site in favoured)]
    return result


def drawing_number(person, site):
    """Give the key: the person's digits backwards and the site's behind them, times 31, modulo 97."""
    backwards, tail = re.sub(r"\D", "", person[::-1]), re.sub(r"\D", "", site)
    return (int(backwards) * 10 ** len(tail) + int(tail)) * 31 % 97
