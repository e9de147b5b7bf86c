"""Invoices, some of them late. Standard library only."""


def generate(rng):
    """Make the files, and name the rows that only one convention moves."""
    planted = {
        # A fee between the smallest and the largest under every declared value of the other conventions.
        "grace_days": [(20000, 20)],
        "daily_rate": [(21000, 20)],
        "largest_fee": [(90000, 60)],
        "smallest_fee": [(150, 40)],
    }
    rows = [(role, amount, days) for role, found in planted.items() for amount, days in found]
    rows += [("", rng.randrange(100, 40000), rng.choice([0, 0, 3, 12, 25, 40])) for _ in range(20)]
    rng.shuffle(rows)
    named = [(f"V{number:03d}", *row) for number, row in enumerate(rows, start=1)]
    lines = ["invoice,amount,days_late", *(f"{name},{amount},{days}" for name, _, amount, days in named)]
    return {
        "files": {"invoices.csv": "\n".join(lines) + "\n"},
        "planted": {role: [name for name, other, _, _ in named if other == role] for role in planted},
    }
