"""Sites with readings by month, gases lost and two years of group figures. Standard library only."""

import json
from datetime import date, timedelta

GRID = {
    "Arvany": 0.412,
    "Belmora": 0.238,
    "Corvia": 0.655,
    "Drenland": 0.087,
    "Estavia": 0.331,
    "Falmark": 0.519,
    "Gorania": 0.174,
    "Hestland": 0.283,
    "Isleria": 0.446,
}
GASES = {"methane": (4000, 60000), "R-410A": (150, 1800), "SF6": (20, 300)}
END = date(2025, 12, 31)


def generate(rng):
    """Make the files and name the planted sites and metrics of each convention."""
    sites = []

    def add(role, kind, share=100, operated="y", sold=None, gaps=(), gases=(), certified="no"):
        sites.append(
            {
                "role": role,
                "kind": kind,
                "country": rng.choice(list(GRID)),
                "share": share,
                "operated": operated,
                "sold": sold,
                "gaps": set(gaps),
                "leaks": [(gas, rng.randrange(*GASES[gas]) / 100) for gas in gases],
                "certified": certified,
            }
        )

    add("boundary", "depot", rng.randrange(24, 34), "n")
    for _ in range(2):
        add("boundary", "depot", rng.randrange(37, 49), "n")
    add("boundary", "depot", rng.randrange(55, 80), "y")
    for gas in GASES:
        add("warming", "depot", gases=[gas] * rng.randrange(2, 5))
    for _ in range(2):
        add("certified", "office", certified="all")
        add("grid", "office")
    for gaps in _patterns(rng):
        add("gaps", "depot", gaps=gaps)
    for first in (date(2025, 3, 10), date(2025, 6, 10)):
        add("sold", "plant", sold=first + timedelta(rng.randrange(80)), gases=["methane"])
    for gaps in (*_patterns(rng), [], []):
        add("", "plant", gaps=gaps, gases=rng.choices(list(GASES), k=9), certified=rng.choice(["no", "part"]))
    add("", "plant", rng.randrange(52, 75), "n", gases=rng.choices(list(GASES), k=3), certified="part")
    add("", "office", rng.randrange(10, 24), "n", certified="part")
    for certified in ("no", "part"):
        add("", "office", gases=["R-410A"], certified=certified)
    for _ in range(2):
        add("", "depot", gases=["R-410A"])

    rng.shuffle(sites)
    names = sorted(rng.sample(range(100, 1000), len(sites)))
    planted = {name: [] for name in ("boundary", "gaps", "certified", "grid", "warming")}
    for site, number in zip(sites, names, strict=True):
        site["name"] = f"ST-{number}"
        planted.get(site["role"], []).append(site["name"])
    head = "site,kind,country,owner_share,operated,sold_on"
    table = [[site[key] or "" for key in ("name", "kind", "country", "share", "operated", "sold")] for site in sites]
    files = {
        "sites.csv": _csv(head, table),
        "energy.csv": _csv(
            "site,month,kwh,kwh_certified,gas_m3,diesel_l", [row for s in sites for row in _year(rng, s)]
        ),
        "leaks.csv": _csv("site,date,gas,kg", _leaks(rng, sites)),
        "fuels.csv": _csv("column,kg_per_unit", [("gas_m3", "2.03"), ("diesel_l", "2.67")]),
        "grid.csv": _csv("country,kg_per_kwh", GRID.items()),
        "group.csv": _csv("year,revenue_eur,average_heads", _group(rng)),
        "last_year.json": json.dumps(_last_year(rng, sites), indent=1) + "\n",
    }
    return {"files": files, "planted": planted | {"restatement": ["restated_base"], "intensity": ["denominator"]}}


def _patterns(rng):
    """Give months without reading: one of a quarter, two of a quarter, and a whole quarter; never the first month."""
    first, second, third = rng.sample(range(1, 4), 3)
    return (
        [3 * first + rng.randrange(1, 4)],
        [3 * second + month for month in rng.sample(range(1, 4), 2)],
        [3 * third + month for month in range(1, 4)],
    )


def _year(rng, site):
    """Give the rows of a site, with the columns that its kind uses."""
    level = rng.uniform(0.7, 1.6)
    for month in range(1, (site["sold"] or END).month + 1):
        cold = 1.5 if month in (1, 2, 3, 11, 12) else 0.8
        power, gas, diesel = {
            "depot": (0, 0, 2600),
            "office": (21000, 0, 0),
            "plant": (96000, 5200, 900),
        }[site["kind"]]
        kwh, fuel = round(power * level * rng.uniform(0.8, 1.25)), round(diesel * level * rng.uniform(0.6, 1.5))
        part = {"no": 0, "part": round(kwh * rng.uniform(0.2, 0.7)), "all": kwh}[site["certified"]]
        cells = [kwh, part, round(gas * cold * level * rng.uniform(0.8, 1.2)), fuel]
        if month in site["gaps"]:
            lost = rng.choice([(0, 1), (2,), (0, 1, 3)]) if site["kind"] == "plant" else (3,)
            cells = ["" if at in lost else cell for at, cell in enumerate(cells)]
        yield [site["name"], f"2025-{month:02d}", *cells]


def _leaks(rng, sites):
    """Give the gases lost, by date."""
    rows = []
    for site in sites:
        days = ((site["sold"] or END) - date(2025, 1, 1)).days
        rows += [(site["name"], date(2025, 1, 1) + timedelta(rng.randrange(days)), *leak) for leak in site["leaks"]]
    return [(name, day, gas, f"{kg:.2f}") for name, day, gas, kg in sorted(rows, key=lambda row: (row[1], row))]


def _group(rng):
    """Give revenue and heads of two years."""
    amount, heads = rng.randrange(180_000, 420_000), rng.randrange(900, 2200)
    before = (round(amount * rng.uniform(0.9, 1.1)), heads + rng.randrange(-60, 60))
    return [(2024, before[0] * 1000, before[1]), (2025, amount * 1000, heads)]


def _last_year(rng, sites):
    """Give figures that owe nothing to this year's readings; the sold part of them is set, the total follows."""
    sold = {site["name"]: rng.randrange(2500, 9000) / 10 for site in sites if site["sold"]}
    removed = sum(sold[site["name"]] * (END - site["sold"]).days / 365 for site in sites if site["sold"])
    return {"year": 2024, "total_t": round(removed / rng.uniform(0.0378, 0.0468), 1), "sold_since": sold}


def _csv(header, rows):
    return "\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n"
