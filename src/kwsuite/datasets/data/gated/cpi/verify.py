"""Verifier, written from instruction, artefact and data; prices as logarithms, rounding in whole numbers."""

import re
from collections import Counter, defaultdict
from fractions import Fraction
from math import exp, log
from statistics import fmean, median

from kwsuite.checking import close, read_table

CALENDAR = "January February March April May June July August September October November December".split()
SPANS = {"that month alone": 1, "the two months that end with it": 2, "the three months that end with it": 3}
FORMS = {"index": r"[0-9]+\.[0-9]", "rate": r"[+-]?[0-9]+\.[0-9]"}
FILES = {"index": "index.csv", "rate": "changes.csv"}


def verify(case):
    """Decide every criterion."""
    checks = case.checks()
    right = reference(case.inputs, case.conventions)
    known = {month for _, month in right["index"]}
    tables = {kind: read_table(case.outputs[file], ("series", "month", kind)) for kind, file in FILES.items()}
    if not checks.decide("schema", (fault for kind in FILES for fault in form_faults(kind, tables[kind], known))):
        return checks.report()
    keys = {kind: [(row["series"], row["month"]) for row in rows] for kind, rows in tables.items()}
    if not checks.decide("row_set", (f for kind in FILES for f in set_faults(FILES[kind], keys[kind], right[kind]))):
        return checks.report()
    checks.decide("order", (fault for kind, file in FILES.items() for fault in order_faults(file, keys[kind])))
    got = {kind: {(row["series"], row["month"]): row[kind] for row in rows} for kind, rows in tables.items()}

    wrong = [
        (kind, key[0], f"{key[0]} in {key[1]}: {kind} {got[kind][key]} instead of {value / 10:.1f}")
        for kind in FILES
        for key, value in sorted(right[kind].items())
        if not close(float(got[kind][key]), value / 10, case.tolerance)
    ]
    checks.decide("all_values", (text for _, _, text in wrong))
    for name, planted in case.planted.items():
        looked_at = "rate" if name == "rate_span" else "index"
        checks.decide(name, (text for kind, series, text in wrong if kind == looked_at and series in planted))
    return checks.report()


def form_faults(kind, rows, known):
    """List the cells of a file that are not of their kind."""
    for number, row in enumerate(rows, start=1):
        if not re.fullmatch(FORMS[kind], row[kind]):
            yield f"{FILES[kind]}, row {number}: {kind} {row[kind]!r} is no number with one decimal"
        if row["month"] not in known:
            yield f"{FILES[kind]}, row {number}: {row['month']!r} is no month of the data"


def set_faults(file, keys, wanted):
    """List the series and months that do not stand exactly once."""
    counted = Counter(keys)
    for key in sorted(counted.keys() | wanted.keys()):
        if counted[key] != (key in wanted):
            yield f"{file}: {key[0]} in {key[1]} stands {counted[key]} times"


def order_faults(file, keys):
    """List the rows that stand elsewhere than when sorted."""
    pairs = zip(keys, sorted(keys), strict=True)
    return [f"{file}: {' '.join(one)} where {' '.join(other)} belongs" for one, other in pairs if one != other]


def reference(inputs, conventions):
    """Give the right indexes and rates, each by series and month, in tenths."""
    quotes, missing, months = collected(inputs["quotes.csv"])
    items = {item: rest for item, *rest in cells(inputs["items.csv"])}
    members = defaultdict(list)
    for series in sorted(quotes.keys() | missing.keys()):
        members[items[series[1]][0]].append(series)
    kept = {series: without_outliers(found, conventions["outlier"]) for series, found in quotes.items()}
    paths = {}
    for group, belonging in members.items():
        prices = {}
        for series in belonging:
            peers = [kept.get(one, {}) for one in belonging]
            filled = bridged(kept.get(series, {}), missing[series], conventions["carry"], peers)
            season = [int(month) for month in items[series[1]][1:]]
            prices[series] = rested(filled, season, months, conventions["season"])
        paths[group] = chained(list(prices.values()), len(months), conventions["elementary"])
    paths |= aggregates(paths, inputs, months, conventions["link"])
    return published(paths, months, conventions)


def cells(text):
    """Give the lines of a plain table below its header, split."""
    return [line.split(",") for line in text.split("\n")[1:] if line]


def collected(text):
    """Give prices and reported gaps of each series by the month's place, and the months."""
    lines = cells(text)
    months = sorted({line[0] for line in lines})
    place = {month: at for at, month in enumerate(months)}
    quotes, missing = defaultdict(dict), defaultdict(set)
    for month, outlet, item, price, flag in lines:
        if flag == "N":
            missing[outlet, item].add(place[month])
        else:
            quotes[outlet, item][place[month]] = float(price)
    return quotes, missing, months


def without_outliers(found, rule):
    """Leave out the quotes that are set aside."""
    later = {at for at in found if at - 1 in found and abs(log(found[at]) - log(found[at - 1])) > rule["limit"]}
    gone = {
        "both quotes are": later | {at - 1 for at in later},
        "the later quote is": later,
        "neither quote is": set(),
    }[rule["what"]]
    return {at: price for at, price in found.items() if at not in gone}


def bridged(found, gaps, rule, peers):
    """Add prices for the months of gaps that get one."""
    result = dict(found)
    for at in sorted(gaps):
        begun = next(back for back in range(at + 2) if at - back not in gaps)
        if begun > rule["months"] or at - 1 not in result:
            continue
        if rule["how"] == "kept at its last price":
            result[at] = result[at - 1]
        elif rule["how"] == "moved on by the median relative of its group":
            moves = [one[at] / one[at - 1] for one in peers if at in one and at - 1 in one]
            if moves:
                result[at] = result[at - 1] * median(moves)
    return result


def rested(found, season, months, rule):
    """Settle the prices of the months out of season."""
    first, last = season
    length = (last - first) % 12 + 1
    result, latest = {}, None
    for at, month in enumerate(months):
        if (int(month[5:]) - first) % 12 < length:
            latest = found.get(at, latest)
            if at in found:
                result[at] = found[at]
        elif latest is not None and rule["how"] == "stands at that share of its last price":
            result[at] = latest * rule["share"]
    return result


def chained(prices, size, rule):
    """Give the levels of a group, from mean differences of logarithms between every two months."""
    window = rule["window"]
    logs = [{at: log(price) for at, price in one.items()} for one in prices]
    ahead = [[0.0] * size for _ in range(size)]
    for one in range(size):
        for other in range(one + 1, min(size, one + window)):
            moves = [series[other] - series[one] for series in logs if one in series and other in series]
            ahead[one][other] = fmean(moves)
            ahead[other][one] = -ahead[one][other]
    heights = [(sum(ahead[0][:window]) - sum(ahead[at][:window])) / window for at in range(window)]
    for at in range(window, size):
        sums = [sum(row[at - window + 1 : at + 1]) for row in ahead]
        starts = range(at - window + 1 if rule["splice"] == "mean" else at - 1, at)
        heights.append(fmean([heights[one] + (sums[one] - sums[at]) / window for one in starts]))
    return [exp(height) for height in heights]


def aggregates(paths, inputs, months, rule):
    """Give the levels of divisions and of all items."""
    parts = defaultdict(list)
    for group, division in cells(inputs["groups.csv"]):
        parts[division].append(group)
        parts["ALL"].append(group)
    weights = {(year, group): float(weight) for year, group, weight in cells(inputs["weights.csv"])}
    old, new = sorted({year for year, _ in weights})
    turn = months.index(f"{new}-{CALENDAR.index(rule['month']) + 1:02d}")

    def mean_move(year, groups, at, since):
        total = sum(weights[year, group] for group in groups)
        return sum(weights[year, group] * paths[group][at] / paths[group][since] for group in groups) / total

    result = {}
    for name, groups in parts.items():
        levels = [mean_move(old, groups, at, 0) for at in range(turn)]
        since, scale = (turn - 1, levels[-1]) if rule["how"] == "linked over the month before" else (0, 1.0)
        result[name] = levels + [scale * mean_move(new, groups, at, since) for at in range(turn, len(months))]
    return result


def published(paths, months, conventions):
    """Give indexes, and the rates of the last six months."""
    named = [CALENDAR.index(word) for word in conventions["base"].split() if word in CALENDAR]
    base = slice(named[0], named[-1] + 1)
    span, rule = SPANS[conventions["rate_span"]], conventions["rounding"]
    result = {"index": {}, "rate": {}}
    for name, levels in paths.items():
        hundred = fmean(levels[base])
        shown = [in_tenths(round(level / hundred * 10**10), rule) for level in levels]
        for at, month in enumerate(months):
            result["index"][name, month] = shown[at]
            if at >= len(months) - 6:
                now, before = (sum(shown[end - span : end]) for end in (at + 1, at - 11))
                result["rate"][name, month] = in_tenths(round(Fraction(10**10 * (now - before), before)), rule)
    return result


def in_tenths(value, rule):
    """Round what is given in whole units of the eighth decimal."""
    tenths, rest = divmod(abs(value), 10**7)
    up = {"towards zero": False, "away from zero": True, "to the even digit": tenths % 2 == 1}[rule]
    tenths += rest > 5 * 10**6 or (rest == 5 * 10**6 and up)
    return tenths if value > 0 else -tenths
