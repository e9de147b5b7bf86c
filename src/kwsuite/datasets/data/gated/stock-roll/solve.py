"""Reference solution: reads its conventions from the artefact it is given, else uses the common ones."""

import csv
import json
import re
from datetime import date, timedelta
from fractions import Fraction

COMMON = {
    "offsets": {"FCA": 0, "DAP": 0, "EXW": 0},
    "reversal": "on the day of its own time stamp",
    "order": "time stamp",
    "rounding": "not rounded on the way",
    "negative": "sets the average to its own cost",
    "share": Fraction(0),
    "of": "quantity issued",
}
ORDER = ["R", "TI", "A", "I", "V", "TO"]


def solve(root, artefact=None):
    """Write outputs/closing.csv."""
    rules = read_rules((artefact / "conventions.md").read_text(encoding="utf-8")) if artefact else COMMON
    data = root / "data"
    pieces = {row["unit"]: int(row["pieces"]) for row in read(data / "units.csv")}
    period = json.loads((data / "period.json").read_text(encoding="utf-8"))
    start, end = date.fromisoformat(period["start"]), date.fromisoformat(period["end"])
    lines = {}
    for row in read(data / "opening.csv"):
        size = pieces[row["unit"]]
        lines[row["sku"], row["site"]] = Stock(int(row["qty"]) * size, Fraction(row["cost"]) / size, rules)
    for _, move in dated(read(data / "moves.csv"), rules, start, end):
        lines[move["sku"], move["site"]].book(move, pieces[move["unit"]])
    (root / "outputs").mkdir(exist_ok=True)
    with open(root / "outputs" / "closing.csv", "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["sku", "site", "qty", "avg_cost", "value", "note"])
        for (sku, site), stock in sorted(lines.items()):
            quantity = stock.closing(site)
            cells = printed(quantity, 3), printed(stock.average, 4), printed(quantity * stock.average, 2)
            writer.writerow([sku, site, *cells, stock.note])


def read_rules(text):
    """Take the values out of the prose and its table."""
    flat = " ".join(text.split())

    def find(pattern):
        return re.search(pattern, flat)[1]

    return {
        "offsets": {terms: int(find(rf"\| {terms} \| (-?\d+) \|")) for terms in ("FCA", "DAP", "EXW")},
        "reversal": find(r"A reversal counts (.+?)\. Only"),
        "order": find(r"within a day by (.+?)\. What"),
        "rounding": find(r"The average is (.+?)\. A receipt"),
        "negative": find(r"finds the quantity below zero (.+?)\. Example"),
        "share": Fraction(find(r"begins with K, ([\d.]+) per cent")) / 100,
        "of": find(r"per cent of the (.+?) is taken off"),
    }


def read(path):
    """Read a table."""
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def dated(moves, rules, start, end):
    """Give the moves that count in the period, with their day, in the order in which they are rolled."""
    stamps = {move["move"]: date.fromisoformat(move["ts"][:10]) for move in moves}
    found = []
    for move in moves:
        day = stamps[move["move"]] + timedelta(days=rules["offsets"].get(move["terms"], 0))
        if move["kind"] == "V" and rules["reversal"].startswith("on the day of the issue"):
            day = stamps[move["ref"]]
            if rules["reversal"].endswith("first day of the period"):
                day = max(day, start)
        if start <= day <= end:
            found.append((day, move))
    return sorted(found, key=lambda one: (one[0], place(one[1], rules["order"]), one[1]["ts"], one[1]["move"]))


def place(move, order):
    """Give the place of a move within its day."""
    if order.startswith("kind"):
        return ORDER.index(move["kind"])
    return move["ts"] if order == "time stamp" else move["move"]


class Stock:
    """One stock line while it is rolled."""

    def __init__(self, quantity, average, rules):
        self.quantity, self.average, self.rules = quantity, average, rules
        self.issued, self.note = 0, ""

    def book(self, move, size):
        """Take in one move."""
        change = int(move["qty"]) * size
        if move["kind"] in ("R", "TI"):
            self.receive(change, Fraction(move["unit_cost"]) / size)
        elif move["kind"] in ("I", "TO"):
            change = -change
        if move["kind"] in ("I", "V"):
            self.issued -= change
        self.quantity += change

    def receive(self, more, cost):
        """Change the average by what comes in."""
        total = self.quantity + more
        mean = (self.quantity * self.average + more * cost) / total if total else self.average
        if self.quantity < 0:
            self.note = "VAR"
            if self.rules["negative"].startswith("leaves"):
                mean = self.average
            elif self.rules["negative"].startswith("sets"):
                mean = cost
        decimals = re.search(r"to (\d+) decimals", self.rules["rounding"])
        self.average = nearest(mean, int(decimals[1])) if decimals else mean

    def closing(self, site):
        """Give the quantity at the end, less shrink."""
        base = self.issued if self.rules["of"] == "quantity issued" else self.quantity
        return self.quantity - (nearest(base * self.rules["share"], 3) if site.startswith("K") else 0)


def nearest(value, decimals):
    """Round, halves away from zero."""
    whole = int(abs(value) * 10**decimals + Fraction(1, 2))
    return Fraction(whole if value >= 0 else -whole, 10**decimals)


def printed(value, decimals):
    """Write a number with so many decimals."""
    return f"{float(nearest(Fraction(value), decimals)):.{decimals}f}"
