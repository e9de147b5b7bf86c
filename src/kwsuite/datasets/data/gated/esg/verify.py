"""Verifier, written from instruction, artefact and data: every tonne is an entry of a ledger, in exact fractions."""

import csv
import json
import re
from collections import Counter, defaultdict
from datetime import date
from decimal import Decimal
from fractions import Fraction
from statistics import mean, median

from kwsuite.checking import Tolerance, close, read_json, read_number, read_table

TONNES = ("scope1_t", "scope2_t", "total_t")
METRICS = ("scope1_t", "scope2_t", "denominator", "intensity", "restated_base", "coverage_pct")
KINDS = ("kwh", "kwh_certified", "gas_m3", "diesel_l")
YEAR = 2025


def verify(case):
    """Decide every criterion."""
    checks = case.checks()
    sites, metrics = reference(case.inputs, case.conventions)
    rows = read_table(case.outputs["site_table.csv"], ("site", "share_pct", *TONNES))
    given = read_json(case.outputs["metrics.json"])
    if not checks.decide("schema", [*misshapen_rows(rows), *misshapen_metrics(given)]):
        return checks.report()
    counted = Counter(row["site"] for row in rows)
    names = sorted(sites.keys() | counted.keys())
    checks.decide(
        "row_set", [f"{name} stands {counted[name]} times" for name in names if counted[name] != (name in sites)]
    )
    keys = [(-Fraction(row["total_t"]), row["site"]) for row in rows]
    misplaced = [f"{b[1]} should not stand behind {a[1]}" for a, b in zip(keys, keys[1:], strict=False) if a > b]
    checks.decide("order", misplaced)
    got = {row["site"]: row for row in rows}

    def table_faults(chosen, with_share=True):
        for name in chosen:
            share, tonnes = sites[name]
            row = got.get(name)
            if row is None:
                yield f"{name} is missing"
                continue
            if with_share and Fraction(row["share_pct"]) != share:
                yield f"{name}: share_pct {row['share_pct']} instead of {share}"
            for column, right in zip(TONNES, tonnes, strict=True):
                if not close(float(row[column]), float(right), case.tolerance):
                    yield f"{name}: {column} {row[column]} instead of {float(right):.3f}"

    def metric_faults(chosen):
        for name in chosen:
            allowed = Tolerance(0.0051) if name == "coverage_pct" else case.tolerance
            if not close(float(given[name]), float(metrics[name]), allowed):
                yield f"{name}: {given[name]} instead of {float(metrics[name]):.4f}"

    checks.decide("coverage", metric_faults(["coverage_pct"]))
    checks.decide("all_values", [*table_faults(sorted(sites)), *metric_faults(METRICS)])
    for name, planted in case.planted.items():
        if set(planted) <= set(METRICS):
            checks.decide(name, metric_faults(planted))
        else:
            checks.decide(name, table_faults(planted, with_share=name == "boundary"))
    return checks.report()


def misshapen_rows(rows):
    """List cells that are not what was asked for."""
    for number, row in enumerate(rows, start=1):
        share = row["share_pct"]
        if not re.fullmatch(r"[0-9]{1,3}", share) or int(share) > 100:
            yield f"row {number}: share_pct {share!r} is no whole number from 0 to 100"
        for column in TONNES:
            cell = row[column]
            if read_number(cell) is None or not re.fullmatch(r"-?[0-9]+\.[0-9]{3}", cell):
                yield f"row {number}: {column} {cell!r} is no number with three decimals"


def misshapen_metrics(given):
    """List what is wrong with the form of the metrics."""
    if not isinstance(given, dict):
        return ["metrics.json is no object"]
    faults = [f"metrics.json lacks {name}" for name in METRICS if name not in given]
    faults += [f"metrics.json has {name!r}, which was not asked for" for name in given if name not in METRICS]
    for name, value in given.items():
        # The bound also keeps out infinities and whole numbers that no float can hold.
        if type(value) not in (int, float) or not abs(value) < 1e15:
            faults.append(f"metrics.json: {name} is {str(value)[:40]}, which is no number")
    return faults


def reference(inputs, conventions):
    """Give (share, tonnes) of each site and the metrics, all exact."""
    tables = {
        name[:-4]: list(csv.DictReader(text.splitlines())) for name, text in inputs.items() if name[-4:] == ".csv"
    }
    share = {row["site"]: share_of(row, conventions["boundary"]) for row in tables["sites"]}
    sums = defaultdict(Fraction)
    for site, scope, kilos in ledger(tables, conventions):
        sums[site, scope] += kilos * share[site] / 100_000
    sites = {}
    for site, part in share.items():
        one, two = sums[site, 1], sums[site, 2]
        sites[site] = part, (one, two, one + two)
    first, second, both = (sum(tonnes[at] for _, tonnes in sites.values()) for at in range(3))
    group = next(row for row in tables["group"] if int(row["year"]) == YEAR)
    amount = Fraction(group["average_heads"])
    if "revenue" in conventions["intensity"]["of"]:
        amount = Fraction(group["revenue_eur"]) / 1_000_000
    divisor = number(conventions["intensity"]["factor"]) * amount
    cells = [row[kind] for row in tables["energy"] for kind in KINDS]
    return sites, {
        "scope1_t": first,
        "scope2_t": second,
        "denominator": divisor,
        "intensity": both / divisor,
        "restated_base": base_of(tables["sites"], inputs["last_year.json"], conventions["restatement"]),
        "coverage_pct": Fraction(100 * sum(cell != "" for cell in cells), len(cells)),
    }


def number(value):
    """Take a decimal at its word."""
    return Fraction(str(value))


def share_of(row, rules):
    """Give the per cent at which a site counts."""
    rule = rules["operated" if row["operated"] == "y" else "others"]
    if not rule.startswith("at our share"):
        return Fraction(100 if rule == "in full" else 0)
    owned, floor = Fraction(row["owner_share"]), re.search(r"above (\d+) per cent", rule)
    return owned if floor is None or owned > int(floor[1]) else Fraction(0)


def ledger(tables, conventions):
    """Give (site, scope, kilograms) of everything, before the share."""
    fuel = {row["column"]: Fraction(row["kg_per_unit"]) for row in tables["fuels"]}
    country = {row["site"]: row["country"] for row in tables["sites"]}
    certified = conventions["certified"]
    for (site, kind), months in sorted(readings(tables["energy"]).items()):
        amount = whole_year(months, conventions["gaps"])
        if kind in fuel:
            yield site, 1, amount * fuel[kind]
            continue
        grid = number(conventions["grid"][country[site]])
        if kind == "kwh":
            yield site, 2, amount * grid
        else:
            own = number(certified["kg"]) + (0 if certified["country"].startswith("does not") else grid)
            yield site, 2, amount * (own - grid)
    for row in tables["leaks"]:
        yield row["site"], 1, Fraction(row["kg"]) * number(conventions["warming"][row["gas"]])


def readings(rows):
    """Give what was read by month, None where nothing was, by site and kind."""
    series = defaultdict(dict)
    for row in rows:
        for kind in KINDS:
            series[row["site"], kind][int(row["month"][5:])] = Decimal(row[kind]) if row[kind] else None
    return series


def whole_year(months, rule):
    """Give the amount of all months together, estimated where there is no reading."""
    known = {month: amount for month, amount in months.items() if amount is not None}
    total = Fraction(sum(known.values()))
    for month in months.keys() - known.keys():
        near = [known[other] for other in known if (other - 1) // 3 == (month - 1) // 3]
        if "median" in rule["of"]:
            guess = median(map(Fraction, near or known.values()))
        elif "mean" in rule["of"]:
            guess = mean(map(Fraction, known.values()))
        else:
            guess = Fraction(known[max(other for other in known if other < month)])
        total += guess * number(rule["factor"])
    return total


def base_of(rows, last_year, rule):
    """Give the tonnes of the year before that this year is compared with."""
    last = json.loads(last_year, parse_float=Fraction, parse_int=Fraction)
    change = Fraction(0)
    for row in rows:
        if row["sold_on"]:
            gone = Fraction((date(YEAR, 12, 31) - date.fromisoformat(row["sold_on"])).days, 365)
            change += last["sold_since"][row["site"]] * (gone if "days" in rule["share"] else number(rule["share"]))
    return last["total_t"] - (change if change > last["total_t"] * number(rule["limit"]) / 100 else 0)
