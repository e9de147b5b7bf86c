"""Loans with the escrow bills of a year; amounts in cents. Standard library only."""

from math import floor

CUSHION = 38
EARLY = 5
LIMIT = 6250
RISE = {"tax": 1026, "insurance": 1041}


def generate(rng):
    """Make the files and name the planted loans of each convention."""
    names = iter(rng.sample(range(10000, 99999), 60))
    roles = ("cushion", "projection", "payment_month", "balance_moment", "spread", "surplus_limit")
    planted = {role: [] for role in roles}
    loans, lines = [], []

    def add(role, bills, settle):
        """Open an account whose low point lies above the cushion by what settle makes of the deposit."""
        name = f"LN{next(names)}"
        deposit = round(sum(bill[3] for bill in bills) / 12 * rng.uniform(0.93, 1.05))
        year, first = rng.choice([2025, 2026]), rng.randrange(12)
        start = start_balance(bills, deposit, settle(deposit))
        loans.append(f"{name},{money(start)},{money(deposit)},{year}-{first + 1:02d}")
        for kind, index, day, cents in bills:
            month = first + index - 12
            lines.append(f"{name},{kind},{year + month // 12}-{month % 12 + 1:02d}-{day:02d},{money(cents)}")
        if role:
            planted[role].append(name)

    def series(kind, times, low, high, days=(11, 28)):
        """Give the bills of one payee, evenly over the year."""
        first, day, cents = rng.randrange(12), rng.randint(*days), rng.randrange(low * 100, high * 100)
        return [(kind, (first + at * 12 // times) % 12, day, cents) for at in range(times)]

    def flat():
        """Give bills whose amounts stay the same, due late in the month."""
        chosen = [
            series("association", 4, 190, 520),
            series("sewer", rng.choice([2, 4]), 70, 190),
            series("ground_rent", 1, 240, 900),
        ]
        return [bill for one in rng.sample(chosen, rng.choice([2, 3])) for bill in one]

    def calm(_deposit):
        """Leave a clear surplus."""
        return rng.randrange(9000, 60000)

    for _ in range(2):
        add("cushion", flat(), calm)
        add("balance_moment", flat(), calm)
    add("projection", series("tax", 2, 900, 2400), calm)
    add("projection", series("insurance", 1, 700, 2200), calm)
    add("projection", series("tax", 1, 1500, 3900) + series("insurance", 1, 700, 2200) + flat()[:2], calm)
    for day in (EARLY, rng.randint(1, 4), EARLY + 1, rng.randint(8, 10)):
        large = ("ground_rent", rng.randrange(2, 7), day, rng.randrange(150000, 260000))
        add("payment_month", [large, *series("sewer", 4, 50, 100)], calm)
    for low, high in ((0.75, 0.9), (1.0, 1.0), (2.2, 2.9), (3.7, 4.4)):
        add("spread", flat(), lambda deposit, low=low, high=high: -round(deposit * rng.uniform(low, high)))
    for surplus in (rng.randrange(5050, 6200), rng.randrange(1500, 4500), LIMIT, rng.randrange(6600, 7900)):
        add("surplus_limit", flat(), lambda _deposit, surplus=surplus: surplus)
    while len(loans) < 40:
        bills = series("tax", rng.choice([1, 2]), 900, 2900, (1, 28)) if rng.random() < 0.8 else []
        bills += series("insurance", 1, 700, 2400, (1, 28)) if rng.random() < 0.8 else []
        bills += series("sewer", rng.choice([2, 4]), 70, 190, (1, 28)) if rng.random() < 0.5 or not bills else []
        bills += series("ground_rent", 1, 240, 2400, (1, 28)) if rng.random() < 0.3 else []
        add("", bills, lambda _deposit: rng.randrange(-90000, 90000))

    rng.shuffle(loans)
    rng.shuffle(lines)
    return {
        "files": {
            "loans.csv": "\n".join(["loan_id,start_balance,monthly_deposit,analysis_month", *loans]) + "\n",
            "bills.csv": "\n".join(["loan_id,kind,due_date,amount_last", *lines]) + "\n",
        },
        "planted": planted,
    }


def start_balance(bills, deposit, above):
    """Find the balance from which the low point comes to lie above the cushion by an amount."""
    paid = [0] * 12
    for kind, index, day, cents in bills:
        paid[(index - (day <= EARLY)) % 12] += (cents * RISE.get(kind, 1000) + 500) // 1000
    lowest = min(month * deposit - sum(paid[: month + 1]) for month in range(12))
    cushion = floor(sum(paid) * CUSHION / 360 + 0.5)
    return above + cushion - lowest


def money(cents):
    """Write cents as an amount."""
    return f"{'-' if cents < 0 else ''}{abs(cents) // 100}.{abs(cents) % 100:02d}"
