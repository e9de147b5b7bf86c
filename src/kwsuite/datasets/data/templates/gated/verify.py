"""Verifier, written from instruction, artefact and data; it shares nothing with solve.py."""

from fractions import Fraction

from kwsuite.checking import close, read_number, read_table


def verify(case):
    """Decide every criterion, in any order; what is not decided comes out as not evaluated."""
    checks = case.checks()
    expected = {}
    for line in case.inputs["invoices.csv"].splitlines()[1:]:
        name, amount, days = line.split(",")
        expected[name] = right_fee(Fraction(amount), int(days), case.conventions)
    rows = read_table(case.outputs["fees.csv"], ("invoice", "fee"))
    if not checks.decide("schema", [f"{row} has no number" for row in rows if read_number(row["fee"]) is None]):
        return checks.report()
    names = [row["invoice"] for row in rows]
    if not checks.decide("row_set", [] if sorted(names) == sorted(expected) else ["other invoices than asked for"]):
        return checks.report()
    checks.decide("order", [] if names == sorted(names) else ["not sorted by invoice"])
    got = {row["invoice"]: float(row["fee"]) for row in rows}

    def differences(chosen):
        return [
            f"{name}: {got[name]} instead of {float(expected[name]):.2f}"
            for name in chosen
            if not close(got[name], float(expected[name]), case.tolerance)
        ]

    checks.decide("all_values", differences(expected))
    for name, planted in case.planted.items():
        checks.decide(name, differences(planted))
    return checks.report()


def right_fee(amount, days, conventions):
    """Give the fee by the conventions."""
    charged = [day for day in range(1, days + 1) if day > conventions["grace_days"]]
    raw = sum((amount * Fraction(str(conventions["daily_rate"])) / 100 for _ in charged), Fraction(0))
    low, high = Fraction(str(conventions["smallest_fee"])), Fraction(str(conventions["largest_fee"]))
    return raw if raw == 0 else sorted((low, raw, high))[1]
