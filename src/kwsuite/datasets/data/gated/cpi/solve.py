"""Reference solution: reads its conventions from the artefact it is given, else uses the common ones."""

import csv
import math
import re
from decimal import ROUND_HALF_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from functools import cache
from statistics import median

CALENDAR = "January February March April May June July August September October November December".split()
COMMON = {
    "limit": 0.7,
    "aside": "neither quote is",
    "carry": "left without a price",
    "carried": 2,
    "season": "has no price",
    "share": 0.9,
    "window": 2,
    "splice": "movement",
    "takeover": "January",
    "linked": "linked over the month before",
    "base": "January",
    "rounding": "away from zero",
    "span": "that month alone",
}
HALVES = {"towards zero": ROUND_HALF_DOWN, "away from zero": ROUND_HALF_UP, "to the even digit": ROUND_HALF_EVEN}
SPANS = {"that month alone": 1, "the two months that end with it": 2, "the three months that end with it": 3}


class Month(dict):
    """Prices by series in a month; the same only as itself, so that each pair of months is worked out once."""

    __hash__ = object.__hash__
    __eq__ = object.__eq__


def solve(root, artefact=None):
    """Write outputs/index.csv and outputs/changes.csv."""
    rules = read_rules((artefact / "conventions.md").read_text(encoding="utf-8")) if artefact else COMMON
    operator = load_operator(artefact)
    data = root / "data"
    items = {row["item"]: row for row in read(data / "items.csv")}
    quotes = read(data / "quotes.csv")
    months = sorted({row["month"] for row in quotes})
    panels = {}
    for row in quotes:
        series = panels.setdefault(items[row["item"]]["group"], {}).setdefault((row["item"], row["outlet"]), {})
        series[months.index(row["month"])] = row["price"] and float(row["price"])
    levels = {}
    for group, panel in panels.items():
        priced = to_prices(panel, items, months, rules)
        by_month = [Month((key, path[at]) for key, path in priced.items() if at in path) for at in range(len(months))]
        levels[group] = operator(by_month, rules)
    levels |= aggregates(levels, data, months, rules)
    published = {name: publish(path, rules) for name, path in levels.items()}
    write(
        root / "outputs" / "index.csv",
        "index",
        [(name, month, path[at]) for name, path in published.items() for at, month in enumerate(months)],
    )
    span = SPANS[rules["span"]]
    late = [at for at, month in enumerate(months) if "2024-07" <= month <= "2024-12"]
    write(
        root / "outputs" / "changes.csv",
        "rate",
        [(name, months[at], rate(path, at, span, rules)) for name, path in published.items() for at in late],
    )


def read_rules(text):
    """Take the values out of the prose."""
    flat = " ".join(text.split())

    def find(pattern):
        return re.search(pattern, flat)[1]

    return {
        "limit": float(find(r"is beyond ([\d.]+) either way")),
        "aside": find(r"either way, (.+?) set aside"),
        "carry": find(r"as not available is (.+?) in each of"),
        "carried": int(find(r"of the first (\d+) months of the gap")),
        "season": find(r"out of its season a series (.+?)\. The last"),
        "share": float(find(r"share for seasons is (\d+(?:\.\d+)?)\.")),
        "window": int(find(r"in windows of (\d+) months")),
        "splice": find(r"by the (\w+) splice"),
        "takeover": find(r"take over in (\w+) of that year"),
        "linked": find(r"of that year and are (.+?)\. Up to"),
        "base": find(r"levels in (.+?) of the first year is 100"),
        "rounding": find(r"Halves are rounded (.+?), in"),
        "span": find(r"mean published index of (.+?) with that"),
    }


def read(path):
    """Read a table."""
    with open(path, encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    return [dict(zip(header, row, strict=True)) for row in rows]


def load_operator(artefact):
    """Give the function from months of prices to levels: with the artefact's operator, else chained Jevons."""
    if artefact is None:
        return chained
    module = {}
    exec(compile((artefact / "ops.py").read_text(encoding="utf-8"), "ops.py", "exec"), module)

    module["between"] = cache(module["between"])

    def multilateral(by_month, rules):
        width = rules["window"]
        levels = module["geks"](by_month[:width])
        for at in range(width, len(by_month)):
            window = module["geks"](by_month[at - width + 1 : at + 1])
            levels.append(module["splice"](levels, window, rules["splice"]))
        return levels

    return multilateral


def chained(by_month, rules):
    """Chain the geometric means of successive months."""
    levels = [1.0]
    for before, now in zip(by_month, by_month[1:], strict=False):
        logs = [math.log(price / before[key]) for key, price in now.items() if key in before]
        levels.append(levels[-1] * math.exp(sum(logs) / len(logs)))
    return levels


def to_prices(panel, items, months, rules):
    """Set outliers aside, fill gaps, and fill what is out of season."""
    quoted = {key: {at: price for at, price in path.items() if price} for key, path in panel.items()}
    for path in quoted.values():
        for at in outliers(path, rules):
            del path[at]
    priced = {key: dict(path) for key, path in quoted.items()}
    for at in range(1, len(months)):
        moved = [path[at] / path[at - 1] for path in quoted.values() if at in path and at - 1 in path]
        for key, path in panel.items():
            if path.get(at) == "" and at - 1 in priced[key] and in_gap(path, at) <= rules["carried"]:
                if rules["carry"].startswith("moved on"):
                    priced[key][at] = priced[key][at - 1] * median(moved)
                elif rules["carry"].startswith("kept"):
                    priced[key][at] = priced[key][at - 1]
    if rules["season"] != "has no price":
        for (item, _), path in priced.items():
            fill_season(path, items[item], months, rules["share"])
    return priced


def outliers(path, rules):
    """Give the months whose quotes are set aside."""
    found = set()
    for at in path:
        if at + 1 in path and abs(math.log(path[at + 1] / path[at])) > rules["limit"]:
            found |= {"both quotes are": {at, at + 1}, "the later quote is": {at + 1}}.get(rules["aside"], set())
    return found


def in_gap(path, at):
    """Count the months of a gap up to this one."""
    return 1 + in_gap(path, at - 1) if path.get(at) == "" else 0


def fill_season(path, item, months, share):
    """Let a series stand at a share of its last price wherever it is out of season."""
    first, last = int(item["season_from"]), int(item["season_to"])
    price = None
    for at, month in enumerate(months):
        number = int(month[5:])
        if first <= number <= last if first <= last else number >= first or number <= last:
            price = path.get(at, price)
        elif price is not None:
            path[at] = price * share


def aggregates(levels, data, months, rules):
    """Give the levels of the divisions and of all items."""
    members = {"ALL": list(levels)}
    for row in read(data / "groups.csv"):
        members.setdefault(row["division"], []).append(row["group"])
    weights = {}
    for row in read(data / "weights.csv"):
        weights.setdefault(row["year"], {})[row["group"]] = float(row["weight"])
    old, new = (weights[year] for year in sorted(weights))
    start = months.index(f"{max(weights)}-{CALENDAR.index(rules['takeover']) + 1:02d}")
    since = 0 if rules["linked"] == "not linked" else start - 1

    def mean(groups, weight, at, reference):
        total = sum(weight[group] * levels[group][at] / levels[group][reference] for group in groups)
        return total / sum(weight[group] for group in groups)

    found = {}
    for name, groups in members.items():
        path = [mean(groups, old, at, 0) for at in range(start)]
        path += [path[since] * mean(groups, new, at, since) for at in range(start, len(months))]
        found[name] = path
    return found


def publish(path, rules):
    """Rebase and round."""
    first, *last = (CALENDAR.index(name) for name in rules["base"].split(" to "))
    base = path[first : (last or [first])[0] + 1]
    mean = sum(base) / len(base)
    return [rounded(Decimal(100 * level / mean), rules) for level in path]


def rate(path, at, span, rules):
    """Compare the months that end with this one with those a year earlier."""
    now, then = (sum(path[end - span + 1 : end + 1]) for end in (at, at - 12))
    return rounded(100 * now / then - 100, rules)


def rounded(value, rules):
    """Round to eight decimals, then to one; without a negative zero."""
    return value.quantize(Decimal("1e-8")).quantize(Decimal("0.1"), HALVES[rules["rounding"]]) + Decimal("0.0")


def write(path, column, rows):
    """Write a table of series and months."""
    path.parent.mkdir(exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["series", "month", column])
        writer.writerows(sorted(rows))
