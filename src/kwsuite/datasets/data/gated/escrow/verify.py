"""Verifier, written from instruction, artefact and data; exact, with months counted from the year 0."""

import re
from collections import Counter
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from itertools import accumulate

from kwsuite.checking import close, read_number, read_table

CENT = Decimal("0.01")
AMOUNTS = ("yearly_bills", "low_point", "required_cushion", "shortage", "surplus", "new_monthly")
COLUMNS = ("loan_id", "yearly_bills", "low_month", *AMOUNTS[1:])
LOOKED_AT = {
    "cushion": ("required_cushion",),
    "projection": ("yearly_bills",),
    "payment_month": ("low_month",),
    "balance_moment": ("low_point",),
    "spread": ("shortage", "new_monthly"),
    "surplus_limit": ("surplus",),
}
EARLY = {"the first five days": 5, "the first ten days": 10}
DEPOSITS_SEEN = {
    "after the bills of the month and before its deposit": Decimal(0),
    "as the mean of the balances just before and just after its deposit": Decimal("0.5"),
    "after the bills and the deposit of the month": Decimal(1),
}


def verify(case):
    """Decide every criterion."""
    checks = case.checks()
    right = reference(case.inputs, case.conventions)
    rows = read_table(case.outputs["escrow.csv"], COLUMNS)
    if not checks.decide("schema", (fault for number, row in enumerate(rows, 1) for fault in misshapen(number, row))):
        return checks.report()
    times = Counter(row["loan_id"] for row in rows)
    miscounted = [f"{loan} stands {times[loan]} times" for loan in {**right, **times} if times[loan] != (loan in right)]
    if not checks.decide("row_set", sorted(miscounted)):
        return checks.report()
    loans = [row["loan_id"] for row in rows]
    checks.decide(
        "order", [f"{two} stands after {one}" for one, two in zip(loans, loans[1:], strict=False) if one > two]
    )
    got = {row["loan_id"]: row for row in rows}

    def unlike(chosen, columns):
        for loan in chosen:
            for column in columns:
                value, wanted = got[loan][column], right[loan][column]
                if value != wanted if column == "low_month" else not close(float(value), float(wanted), case.tolerance):
                    shown = wanted if column == "low_month" else f"{float(wanted):.2f}"
                    yield f"{loan}: {column} {value} instead of {shown}"

    checks.decide("all_values", unlike(sorted(right), COLUMNS[1:]))
    for name, planted in case.planted.items():
        checks.decide(name, unlike(planted, LOOKED_AT[name]))
    return checks.report()


def misshapen(number, row):
    """List cells of a row that are not of their kind."""
    if not row["loan_id"]:
        yield f"row {number}: loan_id is blank"
    if not re.fullmatch(r"\d{4}-(0[1-9]|1[0-2])", row["low_month"], re.ASCII):
        yield f"row {number}: low_month {row['low_month']!r} is no month"
    for column in AMOUNTS:
        cell = row[column]
        if read_number(cell) is None or not re.fullmatch(r"-?\d+\.\d\d", cell, re.ASCII):
            yield f"row {number}: {column} {cell!r} is no amount with two decimals"


def reference(inputs, conventions):
    """Give the right columns of every loan."""
    bills = {}
    for loan, kind, due, amount in cells(inputs["bills.csv"]):
        bills.setdefault(loan, []).append((due, expected(kind, amount, conventions["projection"])))
    early = next((days for words, days in EARLY.items() if words in conventions["payment_month"]), 0)
    return {
        loan: analysis(Decimal(balance), Decimal(deposit), ordinal(first), bills.get(loan, []), early, conventions)
        for loan, balance, deposit, first in cells(inputs["loans.csv"])
    }


def cells(text):
    """Split a plain table, without its header."""
    return [line.split(",") for line in text.splitlines()[1:] if line]


def cent(exact):
    """Round a fraction of at least 0 to the cent, a half up."""
    below, rest = divmod(exact, Fraction(CENT))
    return (below + (2 * rest >= Fraction(CENT))) * CENT


def expected(kind, amount, factors):
    """Project a bill."""
    return (Decimal(amount) * Decimal(str(factors.get(kind, 1)))).quantize(CENT, ROUND_HALF_UP)


def ordinal(date):
    """Number the month of a date."""
    year, month = date.split("-")[:2]
    return 12 * int(year) + int(month) - 1


def analysis(balance, deposit, first, bills, early, conventions):
    """Give the columns of a loan."""
    paid = [Decimal(0)] * 12
    for due, amount in bills:
        paid[(ordinal(due) - (int(due[-2:]) <= early) - first) % 12] += amount
    seen = DEPOSITS_SEEN[conventions["balance_moment"]]
    course = [balance + deposit * (n + seen) - spent for n, spent in enumerate(accumulate(paid))]
    year, month = divmod(first + course.index(min(course)), 12)
    row = {
        "yearly_bills": sum(paid),
        "low_month": f"{year:04d}-{month + 1:02d}",
        "low_point": min(course).quantize(CENT, ROUND_HALF_UP),
    }
    row["required_cushion"] = cent(Fraction(sum(paid)) * Fraction(str(conventions["cushion"])) / 360)
    over = row["low_point"] - row["required_cushion"]
    row["shortage"] = max(-over, Decimal(0))
    row["surplus"] = over if over > max(0, Decimal(str(conventions["surplus_limit"]))) else Decimal(0)
    terms = conventions["spread"]
    months = terms["small"] if row["shortage"] < deposit else terms["months"]
    row["new_monthly"] = cent(Fraction(sum(paid)) / 12 + Fraction(row["shortage"]) / months)
    return row
