"""Opening stock and a ledger of moves around one period, in pieces and cents. Standard library only."""

import json
from datetime import date, datetime, timedelta
from fractions import Fraction

GOODS = ["BRK", "CLP", "DRM", "FLT", "GSK", "HNG", "LVR", "NUT", "PLG", "RNG", "SPR", "VLV"]
PLAIN_SITES = ["BRIN", "MELV", "TOSK", "ARDE"]
SHRINKING = ["KALV", "KORR"]
COLUMNS = ("move", "ts", "sku", "site", "kind", "qty", "unit", "unit_cost", "terms", "ref")
UNITS = {"pc": 1, "box": 12, "crate": 40}


class Ledger:
    """The stock lines and moves so far."""

    def __init__(self, rng):
        self.rng = rng
        self.start = date(2031, rng.randint(2, 11), 1)
        self.end = (self.start + timedelta(days=32)).replace(day=1) - timedelta(days=1)
        self.skus = iter(rng.sample([f"{one}-{number}" for one in GOODS for number in range(100, 999)], 200))
        self.opening, self.moves = [], []

    def day(self, number):
        """Give a day of the period; 1 is the first."""
        return self.start + timedelta(days=number - 1)

    def add(self, day, place, kind, pieces, cents=0, terms="", ref="", hour=None):
        """Enter a move and give it back."""
        clock = timedelta(hours=self.rng.randrange(7, 19) if hour is None else hour, minutes=self.rng.randrange(60))
        unit = self.rng.choice([one for one, size in UNITS.items() if pieces % size == 0])
        cost = f"{cents * UNITS[unit] / 100:.2f}" if cents else ""
        stamp = datetime.combine(day, datetime.min.time()) + clock
        values = ("", stamp, *place, kind, pieces // UNITS[unit], unit, cost, terms, ref)
        self.moves.append(dict(zip(COLUMNS, values, strict=True)))
        return self.moves[-1]

    def reverse(self, issued, day):
        """Enter the reversal of an issue."""
        self.add(day, (issued["sku"], issued["site"]), "V", issued["qty"] * UNITS[issued["unit"]], ref=issued)

    def open(self, pieces, cents, sites=PLAIN_SITES, sku=None):
        """Open a stock line and give its place."""
        place = (sku or next(self.skus), self.rng.choice(sites))
        self.opening.append((*place, pieces, "pc", f"{cents / 100:.2f}"))
        return place


class Line:
    """A planted stock line, whose average stays in whole cents: each receipt equals the stock that it finds."""

    def __init__(self, ledger, sites=PLAIN_SITES):
        self.ledger, self.rng = ledger, ledger.rng
        self.pieces, self.cents = 4 * self.rng.randint(20, 60), 2 * self.rng.randint(60, 900)
        self.place = ledger.open(self.pieces, self.cents, sites)

    def receive(self, day, kind="R", counted=True, **more):
        """Receive as much as there is, at a cost that differs from the average by an even number of cents."""
        cents = self.cents + 2 * self.rng.randint(9, 25)
        self.ledger.add(day, self.place, kind, self.pieces, cents, **more)
        if counted:
            self.pieces, self.cents = 2 * self.pieces, (self.cents + cents) // 2

    def issue(self, day, share=0.3, kind="I", **more):
        """Issue about a share of the stock, an even number of pieces."""
        pieces = 2 * round(self.pieces * share * self.rng.uniform(0.8, 1.2) / 2)
        self.pieces -= pieces
        return self.ledger.add(day, self.place, kind, pieces, **more), pieces

    def quiet(self, *numbers):
        """Pass days with ordinary moves that no convention but its own would read otherwise."""
        for number in numbers:
            if self.rng.random() < 0.6:
                self.issue(self.ledger.day(number), 0.2)
            else:
                self.receive(self.ledger.day(number))


def generate(rng):
    """Make the files and name the planted skus of each convention."""
    ledger = Ledger(rng)
    planted = {
        "cut_off": list(cut_off(ledger)),
        "reversal": list(reversals(ledger)),
        "day_order": list(day_order(ledger)),
        "rounding": [chain(ledger) for _ in range(3)],
        "negative": [hole(ledger) for _ in range(3)],
        "shrink": list(shrink(ledger)),
    }
    ordinary(ledger)
    moves = ledger.moves
    rng.shuffle(moves)
    enter_late(moves, planted["day_order"])
    for number, move in enumerate(moves, start=40001):
        move["move"] = f"M{number}"
    for move in moves:
        move["ref"] = move["ref"]["move"] if move["ref"] else ""
        move["ts"] = move["ts"].strftime("%Y-%m-%dT%H:%M")
    rng.shuffle(ledger.opening)
    return {
        "files": {
            "period.json": json.dumps({"start": str(ledger.start), "end": str(ledger.end)}) + "\n",
            "units.csv": table("unit,pieces", UNITS.items()),
            "opening.csv": table("sku,site,qty,unit,cost", ledger.opening),
            "moves.csv": table(",".join(COLUMNS), (move.values() for move in moves)),
        },
        "planted": {name: sorted(keys) for name, keys in planted.items()},
    }


def cut_off(ledger):
    """Plant receipts on terms whose day decides whether they count: (terms, days from the start or end, counted)."""
    rng = ledger.rng
    for terms, edge, days, counted in (
        ("FCA", ledger.end, -rng.randint(0, 3), False),
        ("FCA", ledger.end, -rng.randint(4, 6), True),
        ("FCA", ledger.start, -rng.randint(1, 4), True),
        ("DAP", ledger.start, 0, False),
        ("DAP", ledger.end, 1, True),
        ("EXW", ledger.end, -rng.randint(0, 1), False),
        ("EXW", ledger.end, -rng.randint(2, 6), True),
    ):
        line, day = Line(ledger), edge + timedelta(days=days)
        before, after = ((), (8, 12, 16)) if edge == ledger.start else ((8, 12, 16), ())
        line.quiet(*before)
        line.receive(day, terms=terms, counted=counted)
        line.quiet(*after)
        yield line.place[0]


def reversals(ledger):
    """Plant reversals entered after the period, of issues before it, and of issues before a receipt."""
    rng = ledger.rng
    for case in ("late", "late", "old", "old", "between"):
        line = Line(ledger)
        line.quiet(3)
        if case == "old":
            issued = ledger.add(ledger.day(-rng.randint(2, 12)), line.place, "I", 2 * rng.randint(5, 15))
            ledger.reverse(issued, ledger.day(rng.randint(4, 9)))
        else:
            issued, pieces = line.issue(ledger.day(6))
            ledger.reverse(issued, ledger.day(rng.randint(40, 46) if case == "late" else rng.randint(14, 18)))
            line.pieces += pieces
        line.receive(ledger.day(11))
        line.quiet(21, 24)
        yield line.place[0]


def day_order(ledger):
    """Plant days on which pieces leave before others come in, by time stamp and by number."""
    for arrives, leaves in (("R", "I"), ("TI", "I"), ("R", "TO")):
        line = Line(ledger)
        line.quiet(4, 8)
        line.receive(ledger.day(13), arrives, hour=ledger.rng.randint(13, 18))
        line.issue(ledger.day(13), 0.25, leaves, hour=ledger.rng.randint(7, 11))
        line.quiet(19, 23)
        yield line.place[0]


def enter_late(moves, skus):
    """Swap what was entered on the day with two moves, so that what comes in has the higher number."""
    for sku in skus:
        busy = [at for at, move in enumerate(moves) if move["sku"] == sku]
        days = [moves[at]["ts"].date() for at in busy]
        first, second = (at for at, day in zip(busy, days, strict=True) if days.count(day) == 2)
        if moves[first]["kind"] in ("R", "TI"):
            moves[first], moves[second] = moves[second], moves[first]


def chain(ledger):
    """Plant a chain of receipts on which rounding each average shows in the last printed decimal."""
    rng = ledger.rng
    exact = cut = total = 0
    while rounded(exact, 4) == cut or abs(exact - cut) * total < Fraction(1, 5):
        pieces, cents = 2 * rng.randint(1200, 2400) + 1, rng.randint(150, 900)
        receipts = [(2 * rng.randint(80, 400), cents + rng.randint(5, 60)) for _ in range(8)]
        exact, cut, total = Fraction(cents, 100), Fraction(cents, 100), pieces
        for more, cost in receipts:
            exact, cut = ((total * one + Fraction(more * cost, 100)) / (total + more) for one in (exact, cut))
            cut, total = rounded(cut, 4), total + more
    place = ledger.open(pieces, cents)
    for number, (more, cost) in enumerate(receipts):
        ledger.add(ledger.day(2 + 3 * number), place, "R", more, cost)
    ledger.add(ledger.day(26), place, "I", 2 * rng.randint(20, 60))
    return place[0]


def rounded(value, decimals):
    """Round a positive fraction, halves up."""
    return Fraction(int(value * 10**decimals + Fraction(1, 2)), 10**decimals)


def hole(ledger):
    """Plant a stock line that goes below zero before the next receipt."""
    rng, line = ledger.rng, Line(ledger)
    line.quiet(3, 6)
    missing = 2 * rng.randint(8, 20)
    ledger.add(ledger.day(10), line.place, "I", line.pieces + missing)
    more = missing + 4 * rng.randint(15, 40)
    ledger.add(ledger.day(13), line.place, rng.choice(["R", "TI"]), more, line.cents + 2 * rng.randint(12, 40))
    line.pieces = more - missing
    line.quiet(18, 22)
    return line.place[0]


def shrink(ledger):
    """Plant stock lines at the shrinking sites, which issue much and keep another quantity."""
    for share in (0.55, 0.6, 0.2):
        line = Line(ledger, SHRINKING)
        for number in (3, 9, 20):
            line.receive(ledger.day(number))
            line.issue(ledger.day(number + 2), share)
        yield line.place[0]


def ordinary(ledger):
    """Fill up with stock lines that do everything; odd stocks and even moves, so that no average ends in a half."""
    rng = ledger.rng
    for _ in range(18):
        sku, cents, sites = next(ledger.skus), rng.randint(120, 2400), rng.sample(PLAIN_SITES + SHRINKING, 2)
        pair = [ledger.open(2 * rng.randint(400, 900) + 1, cents + rng.randint(-20, 20), [site], sku) for site in sites]
        for place in pair:
            for _ in range(rng.randint(3, 6)):
                terms = rng.choice(["", "", "FCA", "DAP", "EXW"])
                ledger.add(somewhere(ledger, 6), place, "R", bulk(rng), cents + rng.randint(-40, 60), terms)
            for _ in range(rng.randint(3, 5)):
                issued = ledger.add(somewhere(ledger, 4), place, "I", bulk(rng))
                if rng.random() < 0.15:
                    ledger.reverse(issued, issued["ts"].date() + timedelta(days=rng.randint(1, 20)))
            if rng.random() < 0.5:
                ledger.add(somewhere(ledger, 0), place, "A", 2 * rng.choice([-4, -3, -2, -1, 1, 2]))
        day, moved = somewhere(ledger, 0), bulk(rng)
        ledger.add(day, pair[0], "TO", moved, hour=9)
        ledger.add(day, pair[1], "TI", moved, cents + rng.randint(0, 30), hour=15)


def somewhere(ledger, around):
    """Draw a day in the period or a little around it."""
    return ledger.day(ledger.rng.randint(1 - around, (ledger.end - ledger.start).days + 1 + around))


def bulk(rng):
    """Draw an even quantity, often whole boxes."""
    return rng.choice([12 * rng.randint(1, 8), 40 * rng.randint(1, 3), 2 * rng.randint(5, 60)])


def table(header, rows):
    """Write a table."""
    return "\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n"
