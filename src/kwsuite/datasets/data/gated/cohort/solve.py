"""Reference solution: reads its conventions from the artefact it is given, else uses the common ones."""

import csv
import re
from collections import Counter, defaultdict
from datetime import date
from decimal import ROUND_HALF_UP, Decimal

COMMON = {
    "age_day": "on the day of screening",
    "choice": "latest",
    "window": None,
    "au": None,
    "missing": "is excluded with any missing test",
    "half_lives": Decimal(5),
    "days": 0,
    "reasons": ["age", "lab", "drug", "missing"],
    "draw": "day of screening, the earliest first",
}
STEPS = {"creatinine": Decimal("0.1"), "glucose": Decimal("0.01"), "marker": Decimal("0.01")}
LIMITS = {"creatinine": Decimal(115), "glucose": Decimal("7.8"), "marker": Decimal(2)}
PLACES = 60


def solve(root, artefact=None):
    """Write outputs/screening.csv and outputs/cohort.csv."""
    rules = read_rules((artefact / "conventions.md").read_text(encoding="utf-8")) if artefact else COMMON
    people = sorted(read(root / "data" / "people.csv"), key=lambda row: row["id"])
    labs, drugs = defaultdict(list), defaultdict(list)
    for row in read(root / "data" / "labs.csv"):
        labs[row["id"], row["test"]].append(row)
    for row in read(root / "data" / "drugs.csv"):
        drugs[row["id"]].append(row)
    screening = []
    for person in people:
        age = age_of(person, rules)
        values = {test: value_of(test, labs[person["id"], test], person, rules) for test in STEPS}
        person["status"] = status_of(person, age, values, drugs[person["id"]], rules)
        shown = ["" if value is None else str(value) for value in values.values()]
        screening.append([person["id"], age, *shown, person["status"]])
    (root / "outputs").mkdir(exist_ok=True)
    write(root / "outputs" / "screening.csv", ["id", "age", *STEPS, "status"], screening)
    write(root / "outputs" / "cohort.csv", ["site", "position", "id"], drawn(people, rules, load_key(artefact)))


def read(path):
    """Read a table."""
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write(path, header, rows):
    """Write a table."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def read_rules(text):
    """Take the values out of the prose."""
    flat = " ".join(text.split())

    def find(pattern):
        found = re.search(pattern, flat)
        return found and found[1]

    window = find(r"values of a test the (?:latest|least favourable) of the last (\d+) days counts")
    factor = find(r"AU of the marker is ([\d.]+) ng/mL\.")
    return {
        "age_day": find(r"person has reached (.+?)\. Somebody"),
        "choice": find(r"values of a test the (latest|least favourable)\b"),
        "window": window and int(window),
        "au": factor and Decimal(factor),
        "missing": find(r"A person (.+?)\. The limits"),
        "half_lives": Decimal(find(r"at least ([\d.]+) half-lives")),
        "days": int(find(r"half-lives and at least (\d+) days")),
        "reasons": find(r"under the first of: (.+?)\. ").split(", "),
        "draw": find(r"people are drawn by (.+?), equal ones"),
    }


def age_of(person, rules):
    """Give the age in full years on the day that counts."""
    after = re.match(r"(\d+) days after screening", rules["age_day"])
    day = date.fromisoformat(person["consent_date" if "consent" in rules["age_day"] else "screen_date"])
    if after:
        day = date.fromordinal(day.toordinal() + int(after[1]))
    birth = date.fromisoformat(person["birth"])
    return day.year - birth.year - ((day.month, day.day) < (birth.month, birth.day))


def days_before(day, person):
    """Count the days from a date to screening."""
    return (date.fromisoformat(person["screen_date"]) - date.fromisoformat(day)).days


def value_of(test, rows, person, rules):
    """Give the value of a test that counts, or None."""
    found = []
    for row in rows:
        before, value = days_before(row["date"], person), converted(test, row, rules)
        if value is not None and before >= 0 and (rules["window"] is None or before <= rules["window"]):
            found.append((before, value))
    if not found:
        return None
    if rules["choice"] == "latest":
        return min(found)[1]
    return (min if test == "marker" else max)(value for _, value in found)


def converted(test, row, rules):
    """Bring a value into the protocol's unit."""
    value = Decimal(row["value"])
    if row["unit"] == "AU":
        if rules["au"] is None:
            return None
        value *= rules["au"]
    elif row["unit"] == "mg/dL":
        value = value * Decimal("88.4") if test == "creatinine" else value / 18
    return value.quantize(STEPS[test], ROUND_HALF_UP)


def status_of(person, age, values, drugs, rules):
    """Decide about a person."""
    absent = sum(value is None for value in values.values())
    beyond = [
        value < LIMITS[test] if test == "marker" else value > LIMITS[test]
        for test, value in values.items()
        if value is not None
    ]
    tolerated = {"is excluded with any missing test": 0, "is treated as if a missing test were normal": 3}
    applies = {
        "age": not 18 <= age <= 65,
        "lab": any(beyond),
        "drug": not all(washed_out(drug, person, rules) for drug in drugs),
        "missing": absent > tolerated.get(rules["missing"], 1),
    }
    for reason in rules["reasons"]:
        if applies[reason]:
            return reason
    return "pending" if absent and "pending" in rules["missing"] else "eligible"


def washed_out(drug, person, rules):
    """Tell whether a drug is gone at screening."""
    days = days_before(drug["last_dose"], person)
    return days >= rules["days"] and days * 24 >= rules["half_lives"] * int(drug["half_life_h"])


def load_key(artefact):
    """Take the operator from the artefact, if there is one."""
    if artefact is None:
        return None
    space = {}
    exec(compile((artefact / "ops.py").read_text(encoding="utf-8"), "ops.py", "exec"), space)
    return space["draw_key"]


def quotas(people):
    """Share the places out among the sites."""
    count = Counter(person["site"] for person in people)
    quota = {site: PLACES * some // len(people) for site, some in count.items()}
    left = sorted(count, key=lambda site: (-(PLACES * count[site] % len(people)), count[site], site))
    for site in left[: PLACES - sum(quota.values())]:
        quota[site] += 1
    return quota


def drawn(people, rules, draw_key):
    """Give site, position and person of each place."""

    def place(person):
        if rules["draw"].startswith("draw key"):
            rank = draw_key(person["id"], person["site"])
        else:
            rank = person["screen_date"] if rules["draw"].startswith("day") else ""
        return person["status"] == "pending", rank, person["id"]

    rows = []
    for site, quota in sorted(quotas(people).items()):
        able = [one for one in people if one["site"] == site and one["status"] in ("eligible", "pending")]
        chosen = sorted(able, key=place)[:quota]
        rows += [(site, position, one["id"]) for position, one in enumerate(chosen, start=1)]
    return rows
