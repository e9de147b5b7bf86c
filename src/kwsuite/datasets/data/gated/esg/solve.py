"""Reference solution: reads its conventions from the artefact it is given, else uses the common ones."""

import csv
import json
import re
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from statistics import mean, median

COLUMNS = ("kwh", "kwh_certified", "gas_m3", "diesel_l")
COMMON = {
    "operated": "in full",
    "others": "not at all",
    "gap_factor": Decimal(1),
    "gap_of": "the mean of the readings in the year",
    "certified": Decimal(0),
    "certified_country": "does not apply to it",
    "grid": None,
    "warming": {"methane": Decimal("29.8"), "R-410A": Decimal(2256), "SF6": Decimal(25200)},
    "limit": Decimal(5),
    "sold_share": "the days of the year after its last day with us, over 365",
    "intensity_factor": Decimal(1),
    "intensity_of": "the revenue in millions",
}


def solve(root, artefact=None):
    """Write outputs/site_table.csv and outputs/metrics.json."""
    rules = read_rules((artefact / "conventions.md").read_text(encoding="utf-8")) if artefact else COMMON
    data = root / "data"
    tables = {name: read(data / f"{name}.csv") for name in ("sites", "energy", "leaks", "fuels", "grid", "group")}
    tonnes = {row["site"]: site_tonnes(row, tables, rules) for row in tables["sites"]}
    before = json.loads((data / "last_year.json").read_text(encoding="utf-8"))
    rows = [(name, share, *printed(one, two, one + two)) for name, (share, one, two) in tonnes.items()]
    rows.sort(key=lambda row: (-Decimal(row[4]), row[0]))
    (root / "outputs").mkdir(exist_ok=True)
    with open(root / "outputs" / "site_table.csv", "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["site", "share_pct", "scope1_t", "scope2_t", "total_t"])
        writer.writerows(rows)
    scope1, scope2 = (sum(row[at] for row in tonnes.values()) for at in (1, 2))
    below = denominator(tables["group"], rules)
    cells = [row[column] for row in tables["energy"] for column in COLUMNS]
    metrics = {
        "scope1_t": rounded(scope1, 3),
        "scope2_t": rounded(scope2, 3),
        "denominator": rounded(below, 4),
        "intensity": rounded((scope1 + scope2) / below, 4),
        "restated_base": rounded(base(before, tables["sites"], rules), 3),
        "coverage_pct": rounded(Decimal(100) * sum(cell != "" for cell in cells) / len(cells), 2),
    }
    text = json.dumps({name: float(value) for name, value in metrics.items()}, indent=1)
    (root / "outputs" / "metrics.json").write_text(text + "\n", encoding="utf-8")


def read_rules(text):
    """Take the values out of the prose and its tables."""
    flat = " ".join(text.split())
    table = dict(re.findall(r"^\| ([\w-]+) \| ([\d.]+) \|$", text, re.MULTILINE))

    def find(pattern):
        return re.search(pattern, flat)[1]

    gases = ("methane", "R-410A", "SF6")
    return {
        "operated": find(r"that we operate counts (.+?)\. A site"),
        "others": find(r"somebody else operates counts (.+?)\. All tonnes"),
        "gap_factor": Decimal(find(r"multiplied, by ([\d.]+) times")),
        "gap_of": find(r"multiplied, by [\d.]+ times (.+?), always"),
        "certified": Decimal(find(r"Certified power counts at ([\d.]+) kg")),
        "certified_country": find(r"the factor of its country (.+?)\. All other"),
        "grid": {name: Decimal(value) for name, value in table.items() if name not in gases},
        "warming": {name: Decimal(table[name]) for name in gases},
        "limit": Decimal(find(r"is above ([\d.]+) per cent of all tonnes")),
        "sold_share": find(r"each site's times (.+?)\. When"),
        "intensity_factor": Decimal(find(r"denominator is ([\d.]+) times")),
        "intensity_of": find(r"denominator is [\d.]+ times (.+?) of the year"),
    }


def site_tonnes(site, tables, rules):
    """Give the share of a site, and its scope 1 and 2 at that share."""
    share = counted_share(site, rules)
    months = {int(row["month"][5:]): row for row in tables["energy"] if row["site"] == site["site"]}
    total = {column: sum(filled({at: row[column] for at, row in months.items()}, rules)) for column in COLUMNS}
    grid = rules["grid"] or {row["country"]: Decimal(row["kg_per_kwh"]) for row in tables["grid"]}
    country = grid[site["country"]]
    own = rules["certified"] + (country if rules["certified_country"].startswith("applies") else 0)
    power = total["kwh_certified"] * own + (total["kwh"] - total["kwh_certified"]) * country
    burnt = sum(total[row["column"]] * Decimal(row["kg_per_unit"]) for row in tables["fuels"])
    lost = sum(
        Decimal(row["kg"]) * rules["warming"][row["gas"]] for row in tables["leaks"] if row["site"] == site["site"]
    )
    return share, (burnt + lost) * share / 100000, power * share / 100000


def counted_share(site, rules):
    """Give the share, in per cent, at which a site counts."""
    rule = rules["operated" if site["operated"] == "y" else "others"]
    if rule in ("in full", "not at all"):
        return 100 if rule == "in full" else 0
    limit = re.search(r"above (\d+) per cent", rule)
    return int(site["owner_share"]) if not limit or int(site["owner_share"]) > int(limit[1]) else 0


def filled(cells, rules):
    """Give the readings of a column by month, with estimates where they are missing."""
    known = {month: Decimal(cell) for month, cell in cells.items() if cell != ""}
    for month in sorted(cells):
        if month in known:
            yield known[month]
            continue
        quarter = [value for other, value in known.items() if (other - 1) // 3 == (month - 1) // 3]
        guess = {
            "the median of the readings in its quarter": median(quarter or known.values()),
            "the mean of the readings in the year": mean(known.values()),
            "the last reading before it": known[max(other for other in known if other < month)],
        }[rules["gap_of"]]
        yield guess * rules["gap_factor"]


def denominator(group, rules):
    """Give what the total is divided by."""
    row = next(row for row in group if row["year"] == "2025")
    plain = {
        "the revenue in millions": Decimal(row["revenue_eur"]) / 1000000,
        "the average heads": Decimal(row["average_heads"]),
    }
    return rules["intensity_factor"] * plain[rules["intensity_of"]]


def base(before, sites, rules):
    """Restate the total of the year before, if sites sold have changed it by enough."""
    total, change = Decimal(str(before["total_t"])), Decimal(0)
    sold_on = {row["site"]: row["sold_on"] for row in sites}
    for name, tonnes in before["sold_since"].items():
        days = (date(2025, 12, 31) - date.fromisoformat(sold_on[name])).days
        change += Decimal(str(tonnes)) * (1 if rules["sold_share"] == "1" else Decimal(days) / 365)
    return total - change if change * 100 > rules["limit"] * total else total


def rounded(value, decimals):
    """Round halves away from zero."""
    return value.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)


def printed(*values):
    """Write tonnes with three decimals."""
    return [str(rounded(Decimal(value), 3)) for value in values]


def read(path):
    """Read a table."""
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
