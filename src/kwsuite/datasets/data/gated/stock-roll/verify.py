"""Verifier, written from instruction, artefact and data; every line of stock is replayed on its own, in fractions."""

import csv
import io
import json
import re
from collections import Counter, defaultdict
from datetime import date, timedelta
from fractions import Fraction

from kwsuite.checking import Tolerance, close, read_table

COLUMNS = ("sku", "site", "qty", "avg_cost", "value", "note")
DECIMALS = {"qty": 3, "avg_cost": 4, "value": 2}
VALUE_TOLERANCE = Tolerance(0.0101)
KINDS = {"receipts": "R", "transfers in": "TI", "adjustments": "A", "issues": "I", "reversals": "V"}
KINDS["transfers out"] = "TO"
SIGNS = {"R": 1, "TI": 1, "A": 1, "V": 1, "I": -1, "TO": -1}


def verify(case):
    """Decide every criterion."""
    checks = case.checks()
    rows = read_table(case.outputs["closing.csv"], COLUMNS)
    if not checks.decide("schema", shape_faults(rows)):
        return checks.report()
    right = reference(case.inputs, case.conventions)
    names = [(row["sku"], row["site"]) for row in rows]
    times = Counter(names)
    off = [
        f"{sku} at {site} stands {times[sku, site]} times"
        for sku, site in sorted({*times, *right})
        if times[sku, site] != ((sku, site) in right)
    ]
    if not checks.decide("row_set", off):
        return checks.report()
    places = zip(names, sorted(names), strict=True)
    checks.decide("order", [f"{one} stands where {other} belongs" for one, other in places if one != other])
    faults = {name: list(row_faults(row, right[name], case.tolerance)) for name, row in zip(names, rows, strict=True)}
    checks.decide("all_values", [fault for name in sorted(faults) for fault in faults[name]])
    for convention, planted in case.planted.items():
        seen = [fault for name in sorted(faults) if name[0] in planted for fault in faults[name]]
        checks.decide(convention, seen)
    return checks.report()


def shape_faults(rows):
    """List cells that do not hold what their column asks for."""
    for number, row in enumerate(rows, start=2):
        for column, decimals in DECIMALS.items():
            if not re.fullmatch(rf"-?[0-9]+\.[0-9]{{{decimals}}}", row[column]):
                yield f"row {number}: {column} {row[column]!r} is no plain number with {decimals} decimals"
        if row["note"] not in ("", "VAR"):
            yield f"row {number}: note {row['note']!r} is neither empty nor VAR"
        if not (row["sku"] and row["site"]):
            yield f"row {number}: sku {row['sku']!r} and site {row['site']!r} must not be empty"


def row_faults(row, right, tolerance):
    """Compare a row with the right one."""
    label = f"{row['sku']} at {row['site']}"
    for column, decimals in DECIMALS.items():
        allowed = VALUE_TOLERANCE if column == "value" else tolerance
        if not close(float(row[column]), float(right[column]), allowed):
            yield f"{label}: {column} {row[column]} instead of {float(right[column]):.{decimals}f}"
    if row["note"] != right["note"]:
        yield f"{label}: note {row['note']!r} instead of {right['note']!r}"


def reference(inputs, conventions):
    """Give the right row of every line of stock."""
    pieces = {row["unit"]: int(row["pieces"]) for row in table(inputs["units.csv"])}
    period = {name: date.fromisoformat(day) for name, day in json.loads(inputs["period.json"]).items()}
    counted = rolled_moves(table(inputs["moves.csv"]), period, conventions)
    right = {}
    for row in table(inputs["opening.csv"]):
        holds = pieces[row["unit"]]
        line = Line(Fraction(row["qty"]) * holds, Fraction(row["cost"]) / holds, conventions)
        for move in counted[row["sku"], row["site"]]:
            line.take(move, pieces[move["unit"]])
        right[row["sku"], row["site"]] = line.closing(row["site"])
    return right


def table(text):
    """Read a table."""
    return list(csv.DictReader(io.StringIO(text)))


def rolled_moves(moves, period, conventions):
    """Give the moves that count in the period by line of stock, in the order in which they are rolled."""
    stamps = {move["move"]: date.fromisoformat(move["ts"][:10]) for move in moves}
    listed = []
    for move in moves:
        day = stamps[move["move"]]
        if move["kind"] == "V" and conventions["reversal"].startswith("on the day of the issue"):
            floor = period["start"] if "not before the first day" in conventions["reversal"] else date.min
            day = max(stamps[move["ref"]], floor)
        if move["terms"]:
            day += timedelta(days=conventions["cut_off"][move["terms"]])
        if period["start"] <= day <= period["end"]:
            number = int(move["move"].lstrip("M"))
            first = precedence(move["kind"], number, conventions["day_order"])
            listed.append((day, first, move["ts"], number, move))
    by_line = defaultdict(list)
    for *_, move in sorted(listed, key=lambda entry: entry[:-1]):
        by_line[move["sku"], move["site"]].append(move)
    return by_line


def precedence(kind, number, rule):
    """Tell what decides first within a day."""
    if rule.startswith("kind: "):
        return [KINDS[words] for words in rule.removeprefix("kind: ").split(", ")].index(kind)
    return number if rule == "number of the move" else 0


class Line:
    """One sku at one site while it is rolled."""

    def __init__(self, quantity, average, conventions):
        """Start with the opening stock, in pieces."""
        self.quantity, self.average, self.conventions = quantity, average, conventions
        self.issued, self.note = Fraction(0), ""

    def take(self, move, holds):
        """Roll one move, whose unit holds so many pieces."""
        amount = Fraction(move["qty"]) * holds * SIGNS[move["kind"]]
        if move["kind"] in ("I", "V"):
            self.issued -= amount
        if move["kind"] in ("R", "TI"):
            self.average = self.rounded_average(amount, Fraction(move["unit_cost"]) / holds)
            self.note = "VAR" if self.quantity < 0 else self.note
        self.quantity += amount

    def rounded_average(self, amount, cost):
        """Give the average after something came in."""
        below = self.quantity < 0
        if below and self.conventions["negative"].startswith("leaves"):
            average = self.average
        elif below and self.conventions["negative"].startswith("sets"):
            average = cost
        else:
            average = self.average + (cost - self.average) * amount / (self.quantity + amount)
        decimals = re.match(r"rounded to (\d+) decimals", self.conventions["rounding"])
        return half_away(average, int(decimals[1])) if decimals else average

    def closing(self, site):
        """Give the row at the end of the period."""
        quantity = self.quantity
        if site.startswith("K"):
            rule = self.conventions["shrink"]
            basis = self.issued if rule["of"] == "quantity issued" else self.quantity
            quantity -= half_away(basis * Fraction(str(rule["per_cent"])) / 100, 3)
        exact = {"qty": quantity, "avg_cost": self.average, "value": quantity * self.average}
        return {name: half_away(exact[name], decimals) for name, decimals in DECIMALS.items()} | {"note": self.note}


def half_away(number, decimals):
    """Round, with halves away from zero."""
    doubled = 2 * number * 10**decimals
    if doubled < 0:
        return -half_away(-number, decimals)
    return Fraction((doubled + 1) // 2, 10**decimals)
