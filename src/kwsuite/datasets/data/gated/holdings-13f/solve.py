"""Reference solution: reads its conventions from the artefact it is given, else uses the common ones."""

import csv
import json
import re
from collections import defaultdict
from decimal import ROUND_HALF_UP, Decimal
from xml.etree import ElementTree

COMMON = {
    "key": "all nine characters of the CUSIP",
    "successors": {},
    "new": "adds its lines to what was reported before",
    "restatement": "takes the place of everything reported before",
    "options": {"": Decimal(1), "CALL": Decimal(0), "PUT": Decimal(0)},
    "discretion": Decimal(1),
    "status": Decimal(0),
    "small": Decimal(0),
}


def solve(root, artefact=None):
    """Write the three files."""
    rules = read_rules((artefact / "conventions.md").read_text(encoding="utf-8")) if artefact else COMMON
    reports = [read_report(path) for path in sorted((root / "data").glob("*.xml"))]
    ratio = {row["cusip"]: Decimal(row["new"]) / Decimal(row["old"]) for row in read(root / "data" / "splits.csv")}
    names = {}
    for report in reports:
        for line in report["lines"]:
            key = position_key(line, rules)
            names[key] = min(names.get(key, line["cusip"]), line["cusip"])
    managers = sorted(row["manager"] for row in read(root / "data" / "managers.csv"))
    quarters = sorted({report["quarter"] for report in reports})
    positions, changes, concentration = [], [], {}
    for manager in managers:
        lines = {quarter: in_force(reports, manager, quarter, rules) for quarter in quarters}
        concentration[manager] = {}
        for quarter in quarters:
            rows = holdings(lines[quarter], rules, names)
            total = sum(value for _, _, value in rows)
            weights = [value / total * 100 for _, _, value in rows]
            concentration[manager][quarter] = float(printed(sum(weight * weight for weight in weights), 4))
            for (name, shares, value), weight in zip(rows, weights, strict=True):
                cells = [printed(shares, 2), printed(value, 2), printed(weight, 4)]
                positions.append([manager, quarter, name, *cells])
        before = shares_held(lines[quarters[0]], rules, names, ratio)
        after = shares_held(lines[quarters[1]], rules, names, {})
        for name in sorted(before.keys() | after.keys()):
            changes.append([manager, name, *change(before[name], after[name], rules["status"])])
    (root / "outputs").mkdir(exist_ok=True)
    write(root / "outputs" / "positions.csv", "manager,quarter,position,shares,value_usd,weight_pct", positions)
    write(root / "outputs" / "changes.csv", "manager,position,status,share_change_pct", changes)
    (root / "outputs" / "concentration.json").write_text(json.dumps(concentration, indent=1) + "\n", encoding="utf-8")


def read_rules(text):
    """Take the values out of the prose and the table."""
    flat = " ".join(text.split())

    def find(pattern):
        return re.search(pattern, flat)[1]

    return {
        "key": find(r"when they agree in (.+?)\. That holds"),
        "successors": dict(re.findall(r"(?m)^\| (\w{9}) \| (\w{9}) \|$", text)),
        "new": find(r"type NEW HOLDINGS (.+?)\. One"),
        "restatement": find(r"type RESTATEMENT (.+?)\. ##"),
        "options": {
            "": Decimal(1),
            "CALL": Decimal(find(r"call counts times ([-\d.]+),")),
            "PUT": Decimal(find(r"put times ([-\d.]+);")),
        },
        "discretion": Decimal(find(r"shares count times ([\d.]+),")),
        "status": Decimal(find(r"changed by more than ([\d.]+) per cent")),
        "small": Decimal(find(r"value is below ([\d.]+) per cent")),
    }


def read(path):
    """Read a table."""
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def read_report(path):
    """Read a report or an amendment."""
    tree = ElementTree.parse(path).getroot()
    head = {name: tree.findtext(name) for name in ("manager", "quarter", "filed", "type")}
    return {**head, "lines": [dict(line.attrib) for line in tree.iter("line")]}


def position_key(line, rules):
    """Give what the lines of a position have in common."""
    cusip = rules["successors"].get(line["cusip"], line["cusip"])
    if rules["key"].startswith("all nine"):
        return cusip
    return cusip[:6], "PFD" in rules["key"] and line["class"] == "PFD"


def in_force(reports, manager, quarter, rules):
    """Give a report's lines after its amendments."""
    own = [report for report in reports if (report["manager"], report["quarter"]) == (manager, quarter)]
    own.sort(key=lambda report: (report["type"] != "ORIGINAL", report["filed"]))
    lines = []
    for report in own:
        effect = {"NEW HOLDINGS": rules["new"], "RESTATEMENT": rules["restatement"]}.get(report["type"], "adds")
        if effect.endswith("everything reported before"):
            lines = []
        elif effect.startswith("takes"):
            listed = {position_key(line, rules) for line in report["lines"]}
            lines = [line for line in lines if position_key(line, rules) not in listed]
        lines = lines + report["lines"]
    return lines


def counted(line, rules):
    """Give shares and value of a line as they count."""
    share = rules["discretion"] if line["discretion"] == "DFND" else Decimal(1)
    shares = Decimal(0) if line["option"] else Decimal(line["shares"]) * share
    return shares, Decimal(line["value"]) * share * rules["options"][line["option"]]


def holdings(lines, rules, names):
    """Give (name, shares, value) of a manager's rows in a quarter, in order."""
    held = defaultdict(lambda: [Decimal(0), Decimal(0)])
    for line in lines:
        for at, amount in enumerate(counted(line, rules)):
            held[names[position_key(line, rules)]][at] += amount
    rows = [(name, *amounts) for name, amounts in held.items() if any(amounts)]
    least = sum(value for _, _, value in rows) * rules["small"] / 100
    small = [value for _, _, value in rows if value < least]
    rows = sorted((row for row in rows if row[2] >= least), key=lambda row: (-row[2], row[0]))
    return rows + ([("OTHER", Decimal(0), sum(small))] if small else [])


def shares_held(lines, rules, names, ratio):
    """Give the shares of each position that has some, adjusted for splits."""
    held = defaultdict(Decimal)
    for line in lines:
        shares = counted(line, rules)[0] * ratio.get(line["cusip"], 1)
        if shares:
            held[names[position_key(line, rules)]] += shares
    return held


def change(before, after, limit):
    """Give status and change in per cent."""
    if not before or not after:
        return ("gone", "-100.00") if before else ("new", "100.00")
    moved = (after - before) * 100 / before
    status = "flat" if abs(moved) <= limit else "up" if moved > 0 else "down"
    return status, printed(moved, 2)


def printed(number, decimals):
    """Round halves away from zero and write."""
    return f"{number.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP):f}"


def write(path, header, rows):
    """Write a table."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header.split(","))
        writer.writerows(rows)
