"""Bookings with their flights, some of which break a rule. Standard library only."""

import datetime as dt
import re

CITIES = {
    "London": ["LHR", "LGW", "STN", "LCY"],
    "Stockholm": ["ARN", "BMA"],
    "Danube": ["VIE", "BTS"],
    "Sound": ["CPH", "MMX"],
    **{code: [code] for code in ("OSL", "HEL", "TLL", "AMS", "BRU", "ZRH", "LIS", "MAD", "PRG", "WAW", "DUB", "NCE")},
}
ZONE = {"LHR": 0, "LGW": 0, "STN": 0, "LCY": 0, "DUB": 0, "LIS": 0, "HEL": 2, "TLL": 2}
# Chains of cities, with the connection that is the stay.
SHAPES = {"AB": None, "AHB": None, "AHGB": None, "ABA": 0, "AHBHA": 1, "AHBA": 1}
FARES = [
    *((0, 0, "Y"), (0, 0, "N"), (3, 0, "N"), (3, 2, "N"), (7, 0, "Y"), (7, 0, "N"), (7, 3, "N")),
    *((10, 2, "N"), (10, 5, "Y"), (14, 0, "N"), (14, 3, "N"), (14, 7, "Y"), (21, 0, "N"), (21, 5, "N")),
]
STEMS = ["Annal", "Bergg", "Hollm", "Sunn", "Varr", "Tamm", "Osk", "Pell", "Marv", "Lindk", "Krog", "Elb"]
ENDS = ["a", "ek", "ander", "ila", "ov", "ester", "in", "ard"]
MEN = ["KAARLO", "MATS", "JONAS", "OLAF", "HUGO", "SVEN"]
WOMEN = ["ELIN", "IRIS", "TOVE", "PETRA", "NINA", "RITA"]
OFFICES = ["Quay", "Harbour", "Old Town", "North"]
DAY = 1440
MON_TO_THU = (0, 1, 2, 3)


def generate(rng):
    """Make the files and name the planted bookings of each convention."""
    names = iter({"".join(rng.choices("BCDFGHJKLMPQRSTVWXZ", k=6)): None for _ in range(400)})
    flights = iter(rng.sample(range(2000, 9999), 1200))
    codes = rng.sample([f"{letter}{kind}X" for letter in "BHKLMQSTVW" for kind in "ENRZ"], len(FARES))
    fares = dict(zip(codes, FARES, strict=True))
    roles = ("day_count", "connection_table", "metro_alias", "void_window", "duplicate_key", "one_finding")
    planted, bookings, taken = {role: [] for role in roles}, [], set()

    def route(shape, doors):
        """Choose airports for a chain of cities; doors give arrival and departure where these differ."""
        used = {city for pair in doors.values() for city in CITIES if set(pair) & set(CITIES[city])}
        letters = sorted(set(shape))
        chosen = rng.sample([city for city in CITIES if city not in used], len(letters))
        place = {letter: rng.choice(CITIES[city]) for letter, city in zip(letters, chosen, strict=True)}
        hops = [[place[one], place[other]] for one, other in zip(shape, shape[1:])]
        for at, (arrive, depart) in doors.items():
            hops[at][1], hops[at + 1][0] = arrive, depart
        return hops

    def fly(shape, doors, waits, stay, start):
        """Give the flights; waits are (minutes, same terminal) by connection, calm where none is given."""
        rows, clock, terminal = [], start, rng.choice("123")
        for at, (origin, target) in enumerate(route(shape, doors)):
            arrival = clock + dt.timedelta(minutes=rng.randrange(65, 190) + 60 * (_zone(target) - _zone(origin)))
            arrived = rng.choice("123")
            rows.append((f"NV{next(flights)}", origin, f"T{terminal}", clock, target, f"T{arrived}", arrival))
            calm = rng.randrange(200, 500) + (stay * DAY if at == SHAPES[shape] else 0)
            wait, same = waits.get(at, (calm, rng.random() < 0.5))
            clock = arrival + dt.timedelta(minutes=wait)
            terminal = arrived if same else rng.choice([one for one in "123" if one != arrived])
        return rows

    def traveller():
        """Invent a passenger and a date of birth."""
        given, titles = rng.choice([(MEN, ["", "", " MR", " DR"]), (WOMEN, ["", "", " MRS", " MS", " DR"])])
        family = (rng.choice(STEMS) + rng.choice(ENDS)).upper()
        born = dt.date(rng.randrange(1944, 2004), rng.randint(1, 12), rng.randint(1, 28))
        return f"{family}/{rng.choice(given)}{rng.choice(titles)}", born

    def add(role, shape=None, **fixed):
        """Book a trip that offends in nothing but what is fixed."""
        shape = shape or rng.choice(list(SHAPES))
        day = fixed.get("day") or dt.date(2026, 4, 1) + dt.timedelta(days=rng.randrange(170))
        passenger, born = fixed.get("who") or traveller()
        while "who" not in fixed and (_folded(passenger), born.year, day) in taken:
            passenger, born = traveller()
        taken.add((_folded(passenger), born.year, day))
        fit = [
            code
            for code, (advance, stay, refundable) in fares.items()
            if (SHAPES[shape] is not None or not stay)
            and advance >= fixed.get("advance", 0)
            and refundable in fixed.get("refundable", "YN")
        ]
        fare = rng.choice(fit)
        advance, stay, _ = fares[fare]
        stay += rng.randint(1, 8) if fixed.get("stay") is None else fixed["stay"]
        start = dt.datetime.combine(day, dt.time(rng.randint(6, 20), rng.randrange(60)))
        lead = fixed.get("lead") or max(1, advance + fixed.get("ahead", rng.randint(3, 40)))
        while (day - dt.timedelta(days=lead)).weekday() not in fixed.get("issued_on", range(7)):
            lead += 1
        midnight = dt.datetime.combine(day - dt.timedelta(days=lead), dt.time())
        issue = midnight + dt.timedelta(minutes=fixed.get("minute", rng.randrange(8 * 60, 20 * 60)))
        rows = fly(shape, fixed.get("doors", {}), fixed.get("waits", {}), max(1, stay), start)
        refund = midnight + dt.timedelta(minutes=fixed["refund"]) if "refund" in fixed else None
        pnr = next(names)
        bookings.append([pnr, issue, rng.choice(OFFICES), passenger, born, fare, refund, fixed.get("rows", rows)])
        if role:
            planted[role].append(pnr)
        return bookings[-1]

    _plant_duplicates(rng, add)
    _plant(rng, add)
    while len(bookings) < 160:
        shape = rng.choice(list(SHAPES))
        extra = {"ahead": rng.randint(-2, 30)} if rng.random() < 0.5 else {}
        if rng.random() < 0.25:
            extra["refund"] = rng.randrange(20 * 60, 5 * DAY)
        links = [at for at in range(len(shape) - 2) if at != SHAPES[shape]]
        if links and rng.random() < 0.6:
            extra["waits"] = {at: (rng.randrange(20, 320), rng.random() < 0.5) for at in links}
        if len(shape) > 2 and rng.random() < 0.12:
            extra["doors"] = {rng.randrange(len(shape) - 2): _doors(rng)}
        if SHAPES[shape] is not None and rng.random() < 0.2:
            extra["stay"] = -rng.randint(0, 3)
        add("", shape, **extra)
    rng.shuffle(bookings)
    return {"files": _files(bookings, fares), "planted": planted}


def _plant(rng, add):
    """Add the bookings that one convention each moves, and a few that none moves."""
    for _ in range(3):
        add("day_count", ahead=0, advance=3, minute=rng.randrange(9 * 60, 17 * 60))
    add("", ahead=0, advance=3, minute=0)
    for wait, same in ((rng.randint(36, 44), True), (rng.randint(35, 43), True), (rng.randint(55, 59), False)):
        add("connection_table", rng.choice(["AHB", "AHBHA"]), waits={0: (wait, same)})
    add("connection_table", "AHB", waits={0: (rng.randint(46, 54), False)})
    for pair in (("LHR", "STN"), ("ARN", "BMA"), ("BTS", "VIE"), ("MMX", "CPH"), ("LGW", "LCY")):
        add("metro_alias", "AHB", doors={0: tuple(rng.sample(pair, 2))})
    add("metro_alias", "ABA", doors={0: ("VIE", "BTS")})
    for pair in (("STN", "LGW"), ("CPH", "MMX")):
        add("metro_alias", "AHB", doors={0: pair}, waits={0: (rng.randint(36, 59), False)})
    for days, minute, refund in (
        (MON_TO_THU, (540, 900), (DAY + 1260, DAY + 1350)),
        (MON_TO_THU, (1395, 1438), (DAY + 1355, DAY + 1390)),
        ((4,), (500, 1200), (3 * DAY + 600, 3 * DAY + 1345)),
        ((5,), (500, 1200), (2 * DAY + 500, 2 * DAY + 1340)),
    ):
        dates = {"issued_on": days, "ahead": 6, "refundable": "N"}
        add("void_window", **dates, minute=rng.randrange(*minute), refund=rng.randrange(*refund))
    tight = [(rng.randint(18, 33), rng.random() < 0.5) for _ in range(4)]
    add("one_finding", "AHGB", waits={0: tight[0], 1: tight[1]})
    add("one_finding", "AHBHA", waits={0: tight[2], 2: tight[3]})
    add("one_finding", "AHBHA", doors={0: ("AMS", "BRU"), 2: ("WAW", "PRG")})


def _plant_duplicates(rng, add):
    """Add trips that are booked twice: under the house's rule alone, and under any."""
    families = [f"{stem}{end}".upper() for stem in rng.sample(STEMS[:6], 3) for end in rng.sample(ENDS, 1)]
    men, women = rng.sample(MEN, 2), rng.sample(WOMEN, 2)
    year = rng.randrange(1950, 2000)
    born, other = (dt.date(year, month, rng.randint(1, 28)) for month in rng.sample(range(1, 13), 2))
    trips = [
        ((f"{families[0]}/{men[0]} MR", born), (f"{_folded(families[0])}/{men[0]}", other)),
        ((f"{families[1]}/{women[0]} MRS", born), (f"{families[1]}/{men[1]} MR", other)),
        ((f"{families[2]}/{women[1]}", other), (f"{families[2]}/{women[1]} DR", other)),
    ]
    for first, second in trips:
        start = add("", lead=rng.randint(46, 60), who=first)[7][0][3].date()
        add("duplicate_key", lead=rng.randint(26, 44), who=second, day=start)
    for _ in range(2):
        original = add("", lead=rng.randint(46, 60))
        who, rows = tuple(original[3:5]), original[7]
        copy = add("", lead=rng.randint(26, 44), who=who, day=rows[0][3].date(), rows=rows)
        copy[5] = original[5]


def _doors(rng):
    """Choose an airport to arrive at and another to leave from."""
    city = rng.choice(list(CITIES))
    if len(CITIES[city]) > 1 and rng.random() < 0.8:
        return tuple(rng.sample(CITIES[city], 2))
    other = rng.choice([one for one in CITIES if one != city])
    return rng.choice(CITIES[city]), rng.choice(CITIES[other])


def _zone(airport):
    return ZONE.get(airport, 1)


def _folded(passenger):
    return re.sub(r"(.)\1", r"\1", passenger.split("/")[0])


def _files(bookings, fares):
    stamp = "%Y-%m-%d %H%M"
    head = ["pnr,issue_ts,office,passenger,born,fare_code,refund_ts"]
    lines = ["pnr,seq,flight,from,dep_terminal,dep_local,to,arr_terminal,arr_local"]
    for pnr, issue, office, passenger, born, fare, refund, rows in bookings:
        refunded = refund.strftime(stamp) if refund else ""
        head.append(f"{pnr},{issue:{stamp}},{office},{passenger},{born},{fare},{refunded}")
        for seq, (flight, origin, gate, clock, target, door, arrival) in enumerate(rows, start=1):
            lines.append(f"{pnr},{seq},{flight},{origin},{gate},{clock:{stamp}},{target},{door},{arrival:{stamp}}")
    table = ["fare_code,adv_days,min_stay,refundable"]
    table += [f"{code},{advance},{stay},{refundable}" for code, (advance, stay, refundable) in sorted(fares.items())]
    texts = {"bookings.csv": head, "segments.csv": lines, "fares.csv": table}
    return {name: "\n".join(text) + "\n" for name, text in texts.items()} | {"codes.md": CODES}


CODES = """# Finding codes

| code | finding | segment named |
|---|---|---|
| A | advance purchase: issued fewer days before the first departure than the fare's adv_days | the first |
| B | minimum stay: the date of the last departure is fewer than min_stay days after that of the first | the last |
| C | short connection: less time between arrival and next departure than the minimum connecting time | the later one |
| D | late refund: a ticket on a fare that is not refundable was refunded, and it was too late to void it | the first |
| E | duplicate: the traveller's trip had already been booked by a booking issued earlier | the first |
| F | broken journey: a segment departs from another place than the one before it arrives at | the later one |

C looks at two segments that follow each other only if the second departs less than 24 hours after the first arrives and
the two are no case of F. F looks at all segments but the first, whatever the time between.

Of two bookings issued in the same minute the one with the smaller pnr counts as issued earlier. Several bookings of one
trip are all duplicates but the earliest.
"""
