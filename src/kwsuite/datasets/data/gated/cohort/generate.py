"""People at eight sites; two of these are such that only the order of drawing matters. Standard library only."""

from datetime import date, timedelta

DRUGS = {
    "alvorine": 6, "bestamol": 9, "corvitane": 14, "delzapin": 20, "emtrosal": 26, "fenodrine": 33, "galtacid": 41,
    "hexoline": 52, "ilvapride": 63, "jontazol": 78, "kerbanol": 95, "lomefex": 120, "mirtalone": 160, "noxaprim": 210,
}  # fmt: skip
# Good and bad values in the protocol's unit, decimals, other unit, its factor and decimals, and whether low is bad.
TESTS = {
    "creatinine": ((58, 98), (125, 170), 1, "mg/dL", 1 / 88.4, 2, False),
    "glucose": ((4.3, 6.9), (8.6, 11), 2, "mg/dL", 18, 0, False),
    "marker": ((3, 6), (0.8, 1.6), 2, "AU", 1 / 0.37, 1, True),
}
UNITS = {"creatinine": "umol/L", "glucose": "mmol/L", "marker": "ng/mL"}
PROTOCOL = """# Protocol {code}, selection

Synthetic.

1. Age: from 18 to 65 full years.
2. Laboratory: creatinine at most 115.0 umol/L, glucose at most 7.80 mmol/L, marker at least 2.00 ng/mL. Values taken
   after the day of screening do not count.
3. Drugs: every drug that is listed for a person must be washed out at screening.
4. Completeness: creatinine, glucose and marker make up the set of tests.

Units: creatinine in umol/L with one decimal (mg/dL times 88.4), glucose in mmol/L with two decimals (mg/dL divided by
18), marker in ng/mL with two decimals. Converted values are rounded to these decimals, halves up, before they are
compared.

Places: {places}. Sites get them in proportion to the people in the list, excluded ones too: first the whole parts of
the shares, then one each by the largest remainder; of equal remainders the site with fewer people comes first, then
the smaller site code. A place that a site cannot fill stays empty.
"""


def generate(rng):
    """Make the files and name the planted people of each convention, and the sites for the draw."""
    sites = [f"S{number}" for number in rng.sample(range(11, 99), 8)]
    calm, busy = sites[:2], sites[2:]
    people = []

    def add(role, **given):
        site = given.pop("site", None) or rng.choice(busy)
        people.append((role, site, Person(rng, **given)))

    add("age_day", age=17, birthday=rng.randint(2, 8))
    add("age_day", age=65, birthday=rng.randint(2, 8))
    add("age_day", age=rng.randint(25, 60), birthday=rng.randint(2, 8))
    add("age_day", age=65, birthday=rng.randint(-2, -1))
    for test in TESTS:
        add("lab_window", series={test: [("good", rng.randint(1, 6)), ("bad", rng.randint(12, 24))]})
    test = rng.choice(list(TESTS))
    add("lab_window", series={test: [("good", rng.randint(1, 12)), ("bad", rng.randint(26, 27))]})
    add("lab_window", series={test: [("better", rng.randint(1, 6)), ("good", 25)]})
    add("washout", drugs=[taken(rng, 52, 95, 5.2, 6.2, 12)])
    add("washout", drugs=[taken(rng, 160, 160, 5.2, 6.2, 35)])
    add("washout", drugs=[taken(rng, 6, 14, 7, 9, 3)])
    add("washout", drugs=[taken(rng, 20, 33, 12, 15, 12)])
    for missing in (1, 1, 2, 2):
        add("missing_tests", series={test: [] for test in rng.sample(list(TESTS), missing)})
    for now in (2.5, 3.2, 1.5, 1.8):
        before = (rng.uniform(3.45, 3.8), rng.randint(5, 20))
        add("units", series={"marker": [(now * rng.uniform(0.95, 1.05), rng.randint(0, 3), "AU"), before]})
    add("reason_order", age=rng.randint(67, 78), drugs=late(rng))
    add("reason_order", series=beyond(rng), drugs=late(rng))
    add("reason_order", age=rng.randint(14, 16), series=beyond(rng))
    add("reason_order", age=71, series={"creatinine": [], "marker": []})
    add("reason_order", age=68, series=beyond(rng), drugs=late(rng))
    for site in calm:
        for number in range(rng.randint(26, 36)):
            flaws = [{}, {}, {}, {"age": rng.randint(67, 78)}, {"series": beyond(rng)}, {"drugs": late(rng)}]
            add("calm", site=site, **(rng.choice(flaws) if number > 11 else {}))
    while len(people) < 260:
        add("", **unruly(rng))
    rng.shuffle(people)
    return written(rng, people, calm)


def unruly(rng):
    """Give somebody on whom several conventions may act."""
    if rng.random() < 0.35:
        return {}
    found = {"age": rng.choice([17, 18, 30, 44, 57, 65, 65]), "birthday": rng.randint(-19, 40), "series": {}}
    if rng.random() < 0.6:
        found["drugs"] = [taken(rng, 6, 210, 3, 12, 2) for _ in range(rng.choice([1, 1, 2]))]
    for test in rng.sample(list(TESTS), rng.choice([0, 1, 2])):
        days = rng.sample(range(0, 60), rng.choice([0, 2, 3, 4]))
        kinds = rng.choices(["good", "better", "bad"], [6, 2, 1], k=len(days))
        found["series"][test] = list(zip(kinds, days, rng.choices([None, TESTS[test][3]], k=len(days)), strict=True))
    return found


def late(rng):
    """Give a drug that is not gone by any rule."""
    return [taken(rng, 52, 210, 0.5, 1.5, 2)]


def beyond(rng):
    """Give a test with a value beyond its limit."""
    return {rng.choice(list(TESTS)): [("bad", rng.randint(0, 9))]}


def taken(rng, shortest, longest, low, high, least):
    """Give a drug and the days since its last dose, as many half-lives as lie between two numbers."""
    name = rng.choice([one for one, hours in DRUGS.items() if shortest <= hours <= longest])
    first, last = -(-low * DRUGS[name] // 24), high * DRUGS[name] // 24
    return name, max(least, rng.randint(int(first), max(int(first), int(last))))


class Person:
    """Somebody who is eligible and on whom no convention acts, but for what is given."""

    def __init__(self, rng, age=None, birthday=None, series=None, drugs=None):
        self.rng = rng
        self.screen = date(2024, 2, 1) + timedelta(rng.randrange(120))
        self.consent = self.screen - timedelta(rng.randint(4, 18))
        # The birthday next after consent, in days from screening; the age is the one at screening.
        offset = rng.randint(20, 320) if birthday is None else birthday
        day = self.screen + timedelta(offset)
        years = (rng.randint(21, 62) if age is None else age) + (1 if offset > 0 else 0)
        self.birth = date(day.year - years, day.month, 28 if (day.month, day.day) == (2, 29) else day.day)
        self.sex = rng.choice("FM")
        self.labs = []
        for test in TESTS:
            for kind, days, *unit in self.calm_series(test) if series is None or test not in series else series[test]:
                self.take(test, kind, days, *unit)
        self.drugs = drugs or []
        if drugs is None and rng.random() < 0.7:
            self.drugs = [taken(rng, 6, 210, 14, 30, 40) for _ in range(rng.choice([1, 1, 2]))]
        elif rng.random() < 0.5:
            self.drugs = [*self.drugs, taken(rng, 6, 210, 14, 30, 40)]

    def calm_series(self, test):
        """Give values of which the latest is the least favourable, and older ones or later ones that never count."""
        found = [("good", self.rng.randint(0, 6))]
        found += [("better", day) for day in self.rng.sample(range(8, 24), self.rng.choice([0, 1, 1]))]
        found += [(self.rng.choice(["good", "bad"]), day) for day in self.rng.sample(range(32, 90), 1)]
        if self.rng.random() < 0.2:
            found.append((self.rng.choice(["good", "bad"]), -self.rng.randint(1, 5)))
        return found

    def take(self, test, kind, days, unit=None):
        """Note a value: of a kind, or as it is."""
        good, bad, decimals, other, factor, places, low = TESTS[test]
        if kind == "better":
            middle = sum(good) / 2
            edge = good[1] * 1.05 if low else good[0] / 1.05
            value = self.rng.uniform(edge, edge + (edge - middle) * 0.2)
        elif kind in ("good", "bad"):
            value = self.rng.uniform(*(good if kind == "good" else bad))
        else:
            value = kind
        if unit is None and test != "marker" and self.rng.random() < 0.3:
            unit = other
        shown = f"{value * factor:.{places}f}" if unit == other else f"{value:.{decimals}f}"
        shown = {"6.5": "6.4", "6.50": "6.51"}.get(shown, shown)
        self.labs.append((test, self.screen - timedelta(days), shown, unit or UNITS[test]))


def written(rng, people, calm):
    """Bring the people into tables."""
    numbers = iter(rng.sample(range(10000, 99999), len(people)))
    rows, labs, drugs, planted = [], [], [], {"draw": calm}
    for role, site, person in people:
        name = f"P{next(numbers)}"
        if role not in ("", "calm"):
            planted.setdefault(role, []).append(name)
        rows.append((name, site, person.birth, person.sex, person.consent, person.screen))
        labs += [(name, *one) for one in person.labs]
        drugs += [(name, drug, person.screen - timedelta(days), DRUGS[drug]) for drug, days in person.drugs]
    rng.shuffle(labs)
    rng.shuffle(drugs)
    protocol = PROTOCOL.format(code=f"{rng.choice('KLNQ')}{rng.choice('XVZ')}-{rng.randint(2, 9)}", places=60)
    return {
        "files": {
            "protocol.md": protocol,
            "people.csv": _csv("id,site,birth,sex,consent_date,screen_date", rows),
            "labs.csv": _csv("id,test,date,value,unit", labs),
            "drugs.csv": _csv("id,drug,last_dose,half_life_h", drugs),
        },
        "planted": planted,
    }


def _csv(header, rows):
    return "\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n"
