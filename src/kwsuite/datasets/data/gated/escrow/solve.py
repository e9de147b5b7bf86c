"""Reference solution: reads its conventions from the artefact it is given, else uses the common ones."""

import csv
import re
from collections import defaultdict
from fractions import Fraction
from math import floor

COMMON = {
    "projection": {"tax": Fraction(1), "insurance": Fraction(1)},
    "early_days": 0,
    "moment": "after the bills and the deposit of the month",
    "cushion": Fraction(60, 360),
    "small": 12,
    "months": 12,
    "limit": Fraction(50),
}
HEADER = [
    *("loan_id", "yearly_bills", "low_month", "low_point"),
    *("required_cushion", "shortage", "surplus", "new_monthly"),
]


def solve(root, artefact=None):
    """Write outputs/escrow.csv."""
    rules = read_rules((artefact / "conventions.md").read_text(encoding="utf-8")) if artefact else COMMON
    bills = defaultdict(list)
    for bill in read(root / "data" / "bills.csv"):
        bills[bill["loan_id"]].append(bill)
    rows = [analyse(loan, bills[loan["loan_id"]], rules) for loan in read(root / "data" / "loans.csv")]
    (root / "outputs").mkdir(exist_ok=True)
    with open(root / "outputs" / "escrow.csv", "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEADER)
        writer.writerows(sorted(rows))


def read_rules(text):
    """Take the values out of the prose and its table."""
    flat = " ".join(text.split())

    def find(pattern):
        return re.search(pattern, flat)[1]

    early = re.search(r"due on one of the first (\w+) days", flat)
    return {
        "projection": {
            "tax": Fraction(find(r"expected at ([\d.]+) times")),
            "insurance": Fraction(find(r"insurance bills at ([\d.]+) times")),
        },
        "early_days": {"five": 5, "ten": 10}[early[1]] if early else 0,
        "moment": find(r"one balance is looked at, (.+?)\. The low point"),
        "cushion": Fraction(int(find(r"The cushion is (\d+)/360")), 360),
        "small": int(find(r"less than one present monthly deposit \| (\d+) months")),
        "months": int(find(r"deposit or more \| (\d+) months")),
        "limit": Fraction(find(r"if it is above ([\d.]+)\. Otherwise")),
    }


def analyse(loan, bills, rules):
    """Give the row of one loan."""
    year, month = map(int, loan["analysis_month"].split("-"))
    deposit, balance = Fraction(loan["monthly_deposit"]), Fraction(loan["start_balance"])
    paid = [Fraction(0)] * 12
    for bill in bills:
        _, due_month, day = map(int, bill["due_date"].split("-"))
        early = 1 if day <= rules["early_days"] else 0
        amount = Fraction(bill["amount_last"]) * rules["projection"].get(bill["kind"], 1)
        paid[(due_month - early - month) % 12] += rounded(amount)
    looked_at = []
    for amount in paid:
        balance -= amount
        looked_at.append(balance + deposit * share_of_deposit(rules["moment"]))
        balance += deposit
    low = min(looked_at)
    reached = month - 1 + looked_at.index(low)
    low, yearly = rounded(low), sum(paid)
    cushion = rounded(yearly * rules["cushion"])
    shortage, surplus = max(cushion - low, 0), max(low - cushion, 0)
    if surplus <= rules["limit"]:
        surplus = 0
    months = rules["small"] if shortage < deposit else rules["months"]
    amounts = [low, cushion, shortage, surplus, yearly / 12 + Fraction(shortage) / months]
    low_month = f"{year + reached // 12}-{reached % 12 + 1:02d}"
    return [loan["loan_id"], show(yearly), low_month, *map(show, amounts)]


def share_of_deposit(moment):
    """Tell how much of the deposit of a month is in the balance that is looked at."""
    if moment.startswith("as the mean"):
        return Fraction(1, 2)
    return 0 if moment.endswith("before its deposit") else 1


def rounded(amount):
    """Round to cents, halves away from zero."""
    cents = floor(abs(amount) * 100 + Fraction(1, 2))
    return Fraction(cents if amount >= 0 else -cents, 100)


def show(amount):
    """Write an amount with two decimals."""
    return f"{float(rounded(Fraction(amount))):.2f}"


def read(path):
    """Read a table."""
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
