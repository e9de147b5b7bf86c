"""Levels of made items over bought ones. Standard library only."""

CLASSES = ["fastener", "sheet", "drive", "sensor", "casting"]


def generate(rng):
    """Make the files and name the planted items of each convention."""
    numbers = iter(rng.sample(range(1000, 9999), 300))
    items, lines, prices = {}, [], []

    def item(kind, group=None):
        name = f"I{next(numbers)}"
        items[name] = (kind, group or rng.choice(CLASSES))
        return name

    def line(parent, child, quantity, scrap=0):
        lines.append((parent, child, quantity, scrap))

    def price(name, tiers, currency="EUR"):
        prices.extend((name, quantity, f"{amount:.2f}", currency) for quantity, amount in tiers)

    def bought(group=None, currency="EUR"):
        name = item("buy", group)
        base = rng.randrange(80, 4000) / 100
        price(name, [(1, base), (500000, round(base * 0.8, 2))], currency)
        return name

    tops = [item("make") for _ in range(6)]
    plan = [(name, rng.randrange(5, 30)) for name in tops]
    middles = [item("make") for _ in range(14)]
    lows = [item("make") for _ in range(12)]
    parts = [bought(group) for group in CLASSES for _ in range(7)]
    for above, below in ((tops, middles), (middles, lows)):
        for position, child in enumerate(below):
            line(above[position % len(above)], child, rng.randrange(1, 4))
        for parent in above:
            for child in rng.sample(below, 2):
                if (parent, child) not in {(one[0], one[1]) for one in lines}:
                    line(parent, child, rng.randrange(1, 4))
    for parent in middles + lows:
        for child in rng.sample(parts, 3):
            line(parent, child, rng.randrange(1, 9))

    # Each gadget hangs on the plan by a made item of its own; only its convention moves the planted rows.
    def gadget():
        root = item("make")
        line(rng.choice(tops), root, 1)
        return root

    scrapped = gadget()
    for share in (12, 7):
        line(scrapped, bought(), rng.randrange(2, 6), share)
    # Two plan items need 60 each: below the tier of 100 alone, above it together.
    broken = item("buy")
    price(broken, [(1, 9.6), (100, 7.1), (1000, 4.3)])
    pairs = []
    for top, pieces in rng.sample(plan, 2):
        holder = item("make")
        line(top, holder, 1)
        line(holder, broken, -(-60 // pieces))
        pairs.append(holder)
    phantom, over = item("phantom"), gadget()
    line(over, phantom, 2)
    for _ in range(2):
        line(phantom, bought(), rng.randrange(1, 5))
    # A class of its own, in EUR, so that rates do not move its median and a mean differs from it.
    priceless = item("buy", "optics")
    line(gadget(), priceless, 3)
    for amount in (4.0, 6.0, 7.0 + rng.randrange(1, 40) / 10, 31.0):
        known = item("buy", "optics")
        price(known, [(1, amount)])
        line(gadget(), known, 1)
    first, second, third = gadget(), item("make"), item("make")
    line(first, second, 1)
    line(second, third, 2)
    line(third, first, 1)
    line(third, bought(), 3)
    foreign = item("buy")
    # 0.0875 times an amount ending in 1, 3, 7 or 9 hundredths has more than four decimals.
    price(foreign, [(1, rng.randrange(100, 400) + 0.01 * rng.choice([1, 3, 7, 9]))], "SEK")
    dollar = item("buy")
    price(dollar, [(1, rng.randrange(100, 400) + 0.01 * rng.choice([1, 3, 7, 9]))], "USD")
    many = gadget()
    line(many, foreign, 1000)
    line(many, dollar, 2)
    handled = gadget()
    line(handled, bought(), 4)
    unreached = item("make")
    line(unreached, bought(), 2)

    rows = list(items.items())
    for table in (rows, lines, prices, plan):
        rng.shuffle(table)
    return {
        "files": {
            "plan.csv": _csv("item,qty", plan),
            "lines.csv": _csv("parent,child,qty,scrap_pct", lines),
            "items.csv": _csv("item,kind,class", [(name, *rest) for name, rest in rows]),
            "prices.csv": _csv("item,min_qty,price,currency", prices),
        },
        "planted": {
            "scrap": [scrapped],
            "price_break": [broken],
            "handling": [handled],
            "phantom": [phantom],
            "missing_price": [priceless],
            "loop": [third],
            "rates": [foreign, dollar, many],
        },
    }


def _csv(header, rows):
    return "\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n"
