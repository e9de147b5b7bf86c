"""Verifier, written from instruction, artefact and data: reports are read from the last back, in whole numbers."""

import math
import re
from collections import defaultdict
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise, product
from typing import NamedTuple
from xml.etree import ElementTree

from kwsuite.checking import Unreadable, close, read_json, read_table

FIRST = "2031Q1"
QUARTERS = (FIRST, "2031Q2")
COLUMNS = {
    "positions.csv": ("manager", "quarter", "position", "shares", "value_usd", "weight_pct"),
    "changes.csv": ("manager", "position", "status", "share_change_pct"),
}
KEYS = {"positions.csv": ("manager", "quarter", "position"), "changes.csv": ("manager", "position")}
FORMS = {
    "quarter": re.compile("|".join(QUARTERS)),
    "status": re.compile("new|gone|up|down|flat"),
    "weight_pct": re.compile(r"-?[0-9]+\.[0-9]{4}"),
    **dict.fromkeys(("shares", "value_usd", "share_change_pct"), re.compile(r"-?[0-9]+\.[0-9]{2}")),
}
HELD, INDEX = "concentration.json", "concentration"


def verify(case):
    """Decide every criterion."""
    checks = case.checks()
    tables = {name: read_table(case.outputs[name], columns) for name, columns in COLUMNS.items()}
    indices = read_json(case.outputs[HELD])
    if not checks.decide("schema", [*cell_faults(tables), *index_faults(indices)]):
        return checks.report()
    given, expected = keyed(tables, indices), reference(case.inputs, case.conventions)
    checks.decide("row_set", set_faults(given, expected))
    checks.decide("order", [fault for name in COLUMNS for fault in order_faults(name, tables[name])])
    everyone = {key[0] for key in expected[HELD]}
    checks.decide("all_values", differences(given, expected, everyone, case.tolerance))
    for name, planted in case.planted.items():
        checks.decide(name, differences(given, expected, set(planted), case.tolerance))
    return checks.report()


def cell_faults(tables):
    """Find cells that are not written as was asked for."""
    for name, rows in tables.items():
        for number, row in enumerate(rows, start=1):
            for column, cell in row.items():
                if column in FORMS and not FORMS[column].fullmatch(cell):
                    yield f"{name} row {number}: {column} is {cell!r}"


def index_faults(indices):
    """Find what is no object of objects of numbers."""
    if not isinstance(indices, dict):
        raise Unreadable(f"{HELD} is no object")
    for manager, held in indices.items():
        for quarter, number in (held if isinstance(held, dict) else {"itself": None}).items():
            if type(number) not in (int, float) or not abs(number) < 1e12:
                yield f"{HELD} {manager!r}: {quarter!r} is no number, or none that can be"


def keyed(tables, indices):
    """Give the delivered rows of each file by their keys."""
    found = {name: defaultdict(list) for name in (*KEYS, HELD)}
    for name, rows in tables.items():
        for row in rows:
            found[name][tuple(row[column] for column in KEYS[name])].append(row)
    for manager, held in indices.items():
        for quarter, number in held.items():
            found[HELD][manager, quarter].append({INDEX: number})
        if not held:
            found[HELD][(manager,)].append({})
    return found


def set_faults(given, expected):
    """Find keys that are missing, unknown or there more than once."""
    for name, rows in expected.items():
        for key in sorted(rows.keys() | given[name].keys()):
            count = len(given[name].get(key, ()))
            if count != (key in rows):
                yield f"{name}: {key} stands {count} times instead of {int(key in rows)}"


def order_faults(name, rows):
    """Find neighbours that stand the wrong way round, going by what they say themselves."""
    keys = [
        (row["manager"], row["quarter"], row["position"] == "OTHER", -Decimal(row["value_usd"]), row["position"])
        if name == "positions.csv"
        else (row["manager"], row["position"])
        for row in rows
    ]
    for number, pair in enumerate(pairwise(keys), start=1):
        if pair[0] > pair[1]:
            yield f"{name}: row {number + 1} should stand before row {number}"


def differences(given, expected, managers, tolerance):
    """Compare all that is said of some managers, missing and additional rows included."""
    for name, rows in expected.items():
        for key in sorted(key for key in rows.keys() | given[name].keys() if key[0] in managers):
            found = given[name].get(key, ())
            if key not in rows or not found:
                yield f"{name}: {key} {'is not asked for' if found else 'is missing'}"
                continue
            for row, (column, right) in product(found, rows[key].items()):
                if not agrees(row[column], right, tolerance):
                    yield f"{name}: {key} {column} {row[column]} instead of {right}"


def agrees(got, right, tolerance):
    """Compare a cell or number with what it should be."""
    return got == right if isinstance(right, str) else close(float(got), right, tolerance)


class Line(NamedTuple):
    """A line of a report as it counts; all three amounts are whole multiples of one small unit."""

    reported: str
    position: tuple
    shares: int
    later: int
    """Shares, after splits."""
    value: int


class Report(NamedTuple):
    """A report or an amendment of one."""

    whose: tuple
    filed: str
    kind: str
    lines: tuple


def reference(inputs, conventions):
    """Give the right rows of each file by their keys."""
    scale = Scale(inputs["splits.csv"], conventions)
    labels, standing = {}, defaultdict(list)
    for report in read_reports(inputs, scale):
        for line in report.lines:
            labels[line.position] = min(labels.get(line.position, line.reported), line.reported)
        standing[report.whose].append(report)
    right = {name: {} for name in (*KEYS, HELD)}
    later = defaultdict(lambda: [0, 0])
    for whose, filed in standing.items():
        totals = defaultdict(lambda: [0, 0])
        for line in still_valid(filed, conventions["amendments"]):
            label = labels[line.position]
            totals[label][0] += line.shares
            totals[label][1] += line.value
            later[whose[0], label][QUARTERS.index(whose[1])] += line.later if whose[1] == FIRST else line.shares
        rows = weighed(totals, conventions["small_positions"])
        whole = sum(value for _, value in rows.values())
        for label, (shares, value) in rows.items():
            right["positions.csv"][*whose, label] = {
                "shares": half_up(shares, scale.unit, 2),
                "value_usd": half_up(value, scale.unit, 2),
                "weight_pct": half_up(100 * value, whole, 4),
            }
        squares = sum(value * value for _, value in rows.values())
        right[HELD][whose] = {INDEX: half_up(10000 * squares, whole * whole, 4)}
    for key, (before, after) in later.items():
        if before or after:
            right["changes.csv"][key] = change(before, after, Fraction(str(conventions["status"])))
    return right


class Scale:
    """What lines count, times a unit that makes all of it whole."""

    def __init__(self, splits, conventions):
        """Find the unit and the whole factors."""
        self.conventions = conventions
        rows = (text.split(",") for text in splits.split()[1:])
        self.splits = {cusip: Fraction(int(new), int(old)) for cusip, new, old, _ in rows}
        shared = {"SOLE": Fraction(1), "DFND": Fraction(str(conventions["discretion"]))}
        by_option = {"": Fraction(1)} | {
            option.upper(): Fraction(str(factor)) for option, factor in conventions["options"].items()
        }
        groups = (shared, by_option, self.splits)
        self.unit = math.prod(math.lcm(*(part.denominator for part in group.values())) for group in groups)
        self.factors = {
            (one, other): int(by_option[one] * shared[other] * self.unit) for one in by_option for other in shared
        }

    def line(self, cells):
        """Read one line by the conventions."""
        cusip = self.conventions["successors"].get(cells["cusip"], cells["cusip"])
        rule = self.conventions["position_key"]
        issuer = cusip if rule.startswith("all nine") else cusip[:6]
        position = issuer, rule.endswith("whether the class is PFD") and cells["class"] == "PFD"
        factor = self.factors[cells["option"], cells["discretion"]]
        shares = 0 if cells["option"] else int(cells["shares"]) * factor
        later = int(shares * self.splits[cusip]) if cusip in self.splits else shares
        return Line(cells["cusip"], position, shares, later, int(cells["value"]) * factor)


def read_reports(inputs, scale):
    """Read every report with its lines as they count."""
    for name in sorted(inputs):
        if name.endswith(".xml"):
            root = ElementTree.fromstring(inputs[name])
            head = {part.tag: part.text for part in root if part.tag != "line"}
            lines = tuple(scale.line(part.attrib) for part in root.iter("line"))
            yield Report((head["manager"], head["quarter"]), head["filed"], head["type"], lines)


def still_valid(reports, rules):
    """Give the lines that no later amendment takes away, from the last filing back."""
    taken = set()
    for report in sorted(reports, key=lambda one: (one.kind != "ORIGINAL", one.filed), reverse=True):
        yield from (line for line in report.lines if line.position not in taken)
        rule = rules.get({"NEW HOLDINGS": "new", "RESTATEMENT": "restatement"}.get(report.kind), "")
        if rule.endswith("everything reported before"):
            return
        if rule.endswith("and of nothing else"):
            taken |= {line.position for line in report.lines}


def weighed(totals, limit):
    """Give shares and value of the rows of a manager in a quarter, small positions put together."""
    held = {label: pair for label, pair in totals.items() if any(pair)}
    share = Fraction(str(limit)) / 100
    bound = share.numerator * sum(value for _, value in held.values())
    rows = {label: pair for label, pair in held.items() if pair[1] * share.denominator >= bound}
    if len(rows) < len(held):
        rows["OTHER"] = [0, sum(held[label][1] for label in held.keys() - rows.keys())]
    return rows


def change(before, after, limit):
    """Tell how the shares of a position have changed."""
    if not before or not after:
        return {"status": "gone", "share_change_pct": -100} if before else {"status": "new", "share_change_pct": 100}
    rise = Fraction(100 * (after - before), before)
    status = "flat" if abs(rise) <= limit else "up" if rise > 0 else "down"
    return {"status": status, "share_change_pct": half_up(100 * (after - before), before, 2)}


def half_up(over, under, places):
    """Divide whole numbers and round, halves away from zero; nothing is 0 of nothing."""
    size = (2 * abs(over) * 10**places + abs(under)) // (2 * abs(under) or 1)
    return (size if over * under >= 0 else -size) / 10**places
