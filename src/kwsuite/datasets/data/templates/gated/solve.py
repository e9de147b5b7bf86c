"""Reference solution: reads its conventions from the artefact it is given, else uses the common ones."""

import csv
import re
from pathlib import Path

COMMON = {"grace": 0, "rate": 0.05, "largest": 1000000, "smallest": 0}


def solve(root, artefact=None):
    """Write outputs/fees.csv from data/, with the artefact's folder or without one."""
    rules = read_rules((artefact / "conventions.md").read_text(encoding="utf-8")) if artefact else COMMON
    with open(Path(root) / "data" / "invoices.csv", encoding="utf-8", newline="") as file:
        invoices = list(csv.DictReader(file))
    (root / "outputs").mkdir(exist_ok=True)
    with open(root / "outputs" / "fees.csv", "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["invoice", "fee"])
        for row in sorted(invoices, key=lambda row: row["invoice"]):
            writer.writerow([row["invoice"], f"{fee(float(row['amount']), int(row['days_late']), rules):.2f}"])


def read_rules(text):
    """Take the values out of the prose."""
    number = r"([\d.]*\d)"
    patterns = {
        "grace": rf"including {number} are free",
        "rate": rf"costs {number} per cent",
        "largest": rf"above {number} is cut",
        "smallest": rf"below {number} is raised",
    }
    return {name: float(re.search(pattern, text)[1]) for name, pattern in patterns.items()}


def fee(amount, days, rules):
    """Compute one fee."""
    due = amount * max(0, days - rules["grace"]) * rules["rate"] / 100
    if due > 0:
        due = min(max(due, rules["smallest"]), rules["largest"])
    return due
