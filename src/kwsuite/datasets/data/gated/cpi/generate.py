"""Price quotes of ten groups over two years: each convention has a group, or a division, that it alone moves."""

from decimal import Decimal

MONTHS = [f"{year}-{month:02d}" for year in (2023, 2024) for month in range(1, 13)]
KINDS = ("mixed", "mixed", "mixed", "outlier", "carry", "season", "elementary", "base", "rounding", "rate_span")
PLAIN = ("base", "rounding", "rate_span")
WINTER, SUMMER = (10, 3), (4, 8)


def generate(rng):
    """Make the files and name the planted series of each convention."""
    groups = [{"kind": kind, "items": make(kind, rng)} for kind in KINDS]
    rng.shuffle(groups)
    for number, group in enumerate(groups, start=1):
        group["name"] = f"G{number:02d}"
    names = [f"D{number}" for number in range(1, 5)]
    rng.shuffle(names)
    plain, rest = [one for one in groups if one["kind"] in PLAIN], [one for one in groups if one["kind"] not in PLAIN]
    rng.shuffle(rest)
    for at, group in enumerate(rest):
        group["division"] = names[1 + at % 3]
    for group in plain:
        group["division"] = names[0]
    planted = {
        kind: [one["name"] for one in groups if one["kind"] == kind] for kind in dict.fromkeys(KINDS) if kind != "mixed"
    }
    planted["link"] = [names[0]]
    return {"files": tables(groups, rng), "planted": planted}


def tables(groups, rng):
    """Write the four tables, lines of items and of quotes in no order that tells anything."""
    codes, outlets = rng.sample(range(1000, 9999), 80), [f"K{number}" for number in rng.sample(range(10, 99), 30)]
    items, quotes = [], []
    for group in groups:
        for season, series in group["items"]:
            code = f"A{codes.pop()}"
            items.append((code, group["name"], *(season or (1, 12))))
            for outlet, path in zip(rng.sample(outlets, len(series)), series, strict=True):
                quotes += [(MONTHS[at], outlet, code, price, flag) for at, (price, flag) in path.items()]
    quotes.sort()
    first = {group["name"]: weight(group["kind"], rng, 0) for group in groups}
    second = {group["name"]: weight(group["kind"], rng, 1) for group in groups}
    return {
        "quotes.csv": text("month,outlet,item,price,flag", quotes),
        "items.csv": text("item,group,season_from,season_to", sorted(items)),
        "groups.csv": text("group,division", sorted((group["name"], group["division"]) for group in groups)),
        "weights.csv": text(
            "year,group,weight",
            [(year, *one) for year, weights in ((2023, first), (2024, second)) for one in weights.items()],
        ),
    }


def weight(kind, rng, year):
    """Choose a weight; within the plain division the shares change much from one year to the other."""
    spans = {"base": ((30, 50), (130, 160)), "rounding": ((130, 160), (30, 50))}
    return rng.randint(*spans.get(kind, ((50, 140), (50, 140)))[year])


def make(kind, rng):
    """Make the items of a group: pairs of a season, or None, and paths of prices."""
    if kind == "rounding":
        return tariffs(rng)
    drift = {"base": 0.011, "carry": 0.012, "rate_span": 0.006}.get(kind) or rng.uniform(-0.001, 0.007)
    sizes = {"mixed": (3, 4, 4, 3), "outlier": (2, 3), "carry": (3, 3), "season": (2, 3), "elementary": (4, 4)}
    items = [(None, [walk(drift, rng) for _ in range(size)]) for size in sizes.get(kind, (3, 3, 2))]
    flat = [path for _, series in items for path in series]
    if kind == "outlier":
        jump(flat[0], rng.randint(3, 9), rng)
        step(flat[1], rng.randint(13, 20), rng)
    if kind == "carry":
        gap(flat[0], rng.randint(3, 6), 2)
        start = rng.randint(11, 16)
        gap(flat[4], start, 5)
        rise(flat[2], start, 5)
    if kind == "elementary":
        turn_over(flat, rng)
    if kind in ("season", "mixed"):
        items.append((WINTER, [seasonal(WINTER, drift, rng) for _ in range(2)]))
    if kind == "season":
        items.append((SUMMER, [seasonal(SUMMER, drift, rng)]))
    if kind == "mixed":
        jump(flat[0], rng.randint(3, 20), rng)
        step(flat[5], rng.randint(3, 20), rng)
        gap(flat[1], rng.randint(3, 18), rng.randint(1, 5))
        turn_over(flat[7:], rng)
    rng.shuffle(items)
    return items


def walk(drift, rng, start=None):
    """Give a path of prices with a month's flag S now and then."""
    path, level = {}, start or rng.uniform(6, 60)
    for at in range(len(MONTHS)):
        sale = rng.random() < 0.04
        path[at] = (f"{level * (0.88 if sale else 1):.2f}", "S" if sale else "")
        level *= 1 + drift + rng.gauss(0, 0.012)
    return path


def scaled(path, at, factor):
    """Change one price."""
    price, flag = path[at]
    path[at] = (f"{float(price) * factor:.2f}", flag)


def jump(path, at, rng):
    """Let a price rise by some per cent and leap for the month after, with no sale near it."""
    for near in range(at - 2, at + 3):
        path[near] = (path[at - 2][0], "")
    for later in range(at - 1, len(MONTHS)):
        scaled(path, later, 1.09)
    scaled(path, at, rng.uniform(1.90, 1.97))


def step(path, at, rng):
    """Let a price rise by some per cent and fall for good in the month after, with no sale near it."""
    for near in range(at - 2, at + 3):
        path[near] = (path[at - 2][0], "")
    for later in range(at - 1, len(MONTHS)):
        scaled(path, later, 1.08)
    factor = 1 / rng.uniform(1.90, 1.97)
    for later in range(at, len(MONTHS)):
        scaled(path, later, factor)


def gap(path, at, months):
    """Report a series as not available."""
    for month in range(at, at + months):
        path[month] = ("", "N")


def rise(path, at, months):
    """Let one price of a group run ahead of the others."""
    for month in range(at, len(MONTHS)):
        scaled(path, month, 1.06 ** min(month - at + 1, months))


def turn_over(paths, rng):
    """Let some series leave after falling, and some enter high and fall; every second one stays."""
    for number, path in enumerate(paths):
        if number % 4 == 1:
            last = rng.randint(8, 18)
            for month in range(last - 3, last + 1):
                scaled(path, month, 0.95 ** (month - last + 4))
            for month in range(last + 1, len(MONTHS)):
                del path[month]
        elif number % 4 == 3:
            first = rng.randint(4, 14)
            for month in range(first):
                del path[month]
            for month in range(first, first + 5):
                scaled(path, month, 1.04 ** (first + 5 - month))


def seasonal(season, drift, rng):
    """Give a path that has prices in the season only."""
    first, last = season
    inside = range(first, last + 1) if first <= last else [*range(first, 13), *range(1, last + 1)]
    return {at: quote for at, quote in walk(drift, rng).items() if at % 12 + 1 in inside}


def tariffs(rng):
    """Make prices in whole units that all move alike: flat in one year, in quarters of a per cent in the next."""
    even, odd = Decimal(rng.randint(1, 4)) + Decimal("0.25"), Decimal(rng.randint(5, 8)) + Decimal("0.75")
    turns = rng.randint(13, 16), rng.randint(18, 21)
    rises = [(Decimal(0), even, odd)[sum(at >= turn for turn in turns)] for at in range(len(MONTHS))]
    items = []
    for _ in range(3):
        series = []
        for _ in range(2):
            price = Decimal(4 * rng.randint(3, 15))
            series.append({at: (f"{price * (100 + percent) / 100:.2f}", "") for at, percent in enumerate(rises)})
        items.append((None, series))
    return items


def text(header, rows):
    """Write a table."""
    return "\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n"
