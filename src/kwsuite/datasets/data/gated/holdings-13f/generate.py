"""Reports of two quarters. Each convention has managers of its own, and some managers have everything."""

FIRST = (
    "Halden Norvik Orlan Tessar Quillon Brayde Calder Dunmore Estrel Fallow Garrick Hexley Iverna Jorrold Kestrin "
    "Lomard Merrow Nashel Ostrel Pellan Rennard Sorrel Tarvin Ulmer Vandry Wexal Yarrow Zellin Ambrel Corvane"
).split()
KINDS = "Pumps Foods Systems Freight Optics Textiles Energy Media Paper Motors Labs Marine".split()
PEOPLE = "Abbott Birch Corran Dell Eastlake Farrow Glenn Harrow Inver Jessop Kirk Lowell Marsh Noble Oakes".split()
PEOPLE += "Pryor Quayle Ridge".split()
SEATS = ["Port Elwin", "Garrowby", "Lake Torrin", "Saltmere", "Northwick"]
OLD, LATER = "528ZT4106 629ZK8104 332QK4101 366XK3107".split(), "759QM9102 328ZP7105 774ZT9106 357XM6109".split()
QUARTERS = ("2031Q1", "2031Q2")
COLUMNS = ("issuer", "class", "cusip", "value", "shares", "option", "discretion")


def generate(rng):
    """Make the files and name the planted managers of each convention."""
    market = Market(rng)
    roles = [*FILL, "mixed"] * 2 + ["mixed"] * 2
    rng.shuffle(roles)
    planted = {role: [] for role in FILL}
    files, table = {}, ["manager,name,seat"]
    people = rng.sample(PEOPLE, len(roles))
    for number, role in enumerate(roles):
        name, person = f"M{number + 1:02d}", people[number]
        table.append(f"{name},{person} {rng.choice(['Capital', 'Partners', 'Advisers'])},{rng.choice(SEATS)}")
        book = Book(market, rng)
        FILL.get(role, fill_mixed)(book, role in roles[:number])
        if role in planted:
            planted[role].append(name)
        files |= book.files(name)
    splits = []
    for one in rng.sample(market.split, len(market.split)):
        new, old = one["ratio"]
        splits.append(f"{one['cusip']},{new},{old},2031-0{rng.randint(4, 6)}-{rng.randint(10, 28)}")
    files["splits.csv"] = "\n".join(["cusip,new,old,effective", *splits]) + "\n"
    files["managers.csv"] = "\n".join(table) + "\n"
    return {"files": files, "planted": planted}


def fill_plain(book, count=9, steady=0):
    """Give shares of single securities, one of them split, changed by nothing or much; the first ones by nothing."""
    chosen = book.rng.sample(book.market.single, count - 1) + [book.rng.choice(book.market.split)]
    for at, security in enumerate(chosen):
        book.hold([security], 1 if at < steady else book.move())
    return chosen


def fill_key(book, _again):
    """Give both classes of issuers that have two."""
    fill_plain(book, 7)
    for pair in (*book.rng.sample(book.market.twins, 2), *book.rng.sample(book.market.preferred, 2)):
        book.hold(pair, book.move())


def fill_successors(book, _again):
    """Give old and new securities side by side."""
    fill_plain(book, 8)
    for pair in book.rng.sample(book.market.successors, 2):
        book.hold(pair, book.move())


def fill_amendments(book, again):
    """Give a restatement of some positions, or new holdings."""
    listed = fill_plain(book, 11, 3)[:3]
    if again:
        late = {one["cusip"] for one in listed}
        book.amended.append((0, "NEW HOLDINGS", [line for line in book.lines[0] if line["cusip"] in late]))
        book.lines[0] = [line for line in book.lines[0] if line["cusip"] not in late]
    else:
        book.restate(1, listed)


def fill_options(book, _again):
    """Give a call and a put on shares held, and calls alone."""
    book.options(fill_plain(book, 9, 2)[:2])


def fill_small(book, _again):
    """Give positions of less than one per cent of the first quarter's total, unchanged."""
    rng = book.rng
    fill_plain(book, 8)
    spans = ((0.1, 0.3), (0.2, 0.45), (0.52, 0.63), (0.52, 0.63), (0.7, 0.85), (0.8, 0.95))
    shares = [rng.uniform(*span) for span in spans]
    total = sum(line["value"] for line in book.lines[0]) / (1 - sum(shares) / 100)
    for security, share in zip(book.unused(len(shares)), shares, strict=True):
        book.hold([security], 1, total * share / 100)


def fill_status(book, again):
    """Give changes of every size."""
    fill_plain(book, 4)
    spans = ((0.01, 0.045), (0.054, 0.071), (0.079, 0.096), (0.11, 0.2))
    for at, security in enumerate(book.unused(8)):
        change = book.rng.uniform(*spans[at // 2])
        book.hold([security], 1 + change if (at + again) % 2 else 1 - change)


def fill_discretion(book, _again):
    """Give lines under shared discretion, in one quarter or both."""
    chosen = fill_plain(book, 9, 5)
    for security, quarters in zip(chosen, ((0, 1), (0, 1), (book.rng.randrange(2),), (book.rng.randrange(2),))):
        for at in quarters:
            for line in book.own(at, security):
                line["discretion"] = "DFND"
    for at in (0, 1):
        book.lines[at] += [{**line, "discretion": "DFND"} for line in book.own(at, chosen[4])]


def fill_mixed(book, again):
    """Give some of everything."""
    rng = book.rng
    fill_status(book, again)
    fill_key(book, again)
    fill_successors(book, again)
    plain = rng.sample([one for one in book.market.single if book.own(0, one) and book.own(1, one)], 5)
    book.options(plain[:2])
    for line in book.own(0, plain[2]) + book.own(1, plain[2]):
        line["discretion"] = "DFND"
    for security in book.unused(3):
        book.hold([security], 1, rng.randint(300_000, 1_500_000))
    if again:
        late = [book.line(1, one, book.shares(one, 5_000_000)) for one in rng.sample(book.market.single, 2)]
        book.amended.append((1, "NEW HOLDINGS", late))
    book.restate(rng.randrange(2), plain[3:])


FILL = {
    "position_key": fill_key,
    "successors": fill_successors,
    "amendments": fill_amendments,
    "options": fill_options,
    "small_positions": fill_small,
    "status": fill_status,
    "discretion": fill_discretion,
}


class Market:
    """The securities."""

    def __init__(self, rng):
        self.rng = rng
        self.prefixes = {cusip[:6] for cusip in OLD + LATER}
        # Names that stand next to each other share no word.
        first, kinds = rng.sample(FIRST, len(FIRST)), rng.sample(KINDS, len(KINDS))
        self.names = iter([f"{first[at % 30]} {kinds[(at + at // 30) % 12]}" for at in range(90)])
        self.single = [self.issue(["COM"])[0] for _ in range(50)]
        self.split = [self.issue(["COM"], ratio)[0] for ratio in ((2, 1), (3, 1), (3, 2))]
        self.twins = [self.issue(["CL A", "CL B"]) for _ in range(5)]
        self.preferred = [self.issue(["COM", "PFD"]) for _ in range(5)]
        self.successors = [
            [self.security(cusip, "COM", next(self.names)) for cusip in pair] for pair in zip(OLD, LATER)
        ]

    def issue(self, classes, ratio=(1, 1)):
        """Make an issuer with its securities."""
        rng, prefix = self.rng, None
        while prefix is None or prefix in self.prefixes:
            prefix = f"{rng.randint(200, 899)}{rng.choice('QXZ')}{rng.choice('KLMPTW')}{rng.randint(2, 9)}"
        self.prefixes.add(prefix)
        name, numbers = next(self.names), (with_check_digit(f"{prefix}{number}0") for number in (1, 2))
        return [self.security(cusip, kind, name, ratio) for cusip, kind in zip(numbers, classes, strict=False)]

    def security(self, cusip, kind, name, ratio=(1, 1)):
        """Make a security with a price for each quarter."""
        price = self.rng.randint(2000, 20000) / 100
        prices = (price, price * self.rng.uniform(0.9, 1.12) * ratio[1] / ratio[0])
        return {"cusip": cusip, "class": kind, "name": name, "ratio": ratio, "prices": prices}


class Book:
    """The reports of a manager."""

    def __init__(self, market, rng):
        self.market, self.rng, self.lines, self.amended = market, rng, [[], []], []

    def own(self, at, security):
        """Give the lines of a security."""
        return [line for line in self.lines[at] if line["cusip"] == security["cusip"]]

    def unused(self, count):
        """Draw securities that are not held."""
        free = [one for one in self.market.single if not self.own(0, one) and not self.own(1, one)]
        return self.rng.sample(free, count)

    def move(self):
        """Draw a factor of change: none or much; None for a position that comes or goes."""
        return self.rng.choice([1, 1, 1, 1, self.rng.uniform(1.15, 1.6), self.rng.uniform(0.55, 0.85), None])

    def shares(self, security, dollars):
        """Give a number of shares for an amount."""
        return max(1, round(dollars / security["prices"][0] / 20)) * 20

    def line(self, at, security, shares, option="", discretion="SOLE"):
        """Write a line."""
        value = round(shares * security["prices"][at])
        cells = (security["name"], security["class"], security["cusip"], value, shares, option, discretion)
        return dict(zip(COLUMNS, cells, strict=True))

    def hold(self, securities, factor, dollars=None):
        """Hold securities in both quarters, their shares changed by a factor; or in one quarter only."""
        only = self.rng.randrange(2) if factor is None else None
        for security in securities:
            shares = self.shares(security, dollars or self.rng.uniform(4e6, 12e6))
            new, old = security["ratio"]
            after = round(shares * new / old * (factor or 1) / 10) * 10
            for at, amount in enumerate((shares, after)):
                if only in (None, at):
                    self.lines[at].append(self.line(at, security, amount))

    def options(self, held):
        """Write a call and a put on shares that are held, and a call on others."""
        for at in (0, 1):
            for security in held:
                shares = self.own(at, security)[0]["shares"]
                for kind, low, high in (("CALL", 0.3, 0.9), ("PUT", 0.15, 0.3)):
                    covered = round(shares * self.rng.uniform(low, high) / 10) * 10
                    self.lines[at].append(self.line(at, security, covered, kind))
        other = self.unused(1)[0]
        self.lines[1].append(self.line(1, other, self.shares(other, self.rng.uniform(12e6, 18e6)), "CALL"))

    def restate(self, at, securities):
        """Amend by a restatement that lists some securities with more shares than the other quarter has."""
        lines = []
        for security in securities:
            shares = self.own(1 - at, security)[0]["shares"] * self.rng.uniform(1.2, 1.6)
            lines.append(self.line(at, security, round(shares / 10) * 10))
        self.amended.append((at, "RESTATEMENT", lines))

    def files(self, name):
        """Write the reports and their amendments."""
        made = {}
        for at, quarter in enumerate(QUARTERS):
            filed = [("ORIGINAL", self.lines[at]), *(one[1:] for one in self.amended if one[0] == at)]
            for number, (kind, lines) in enumerate(filed):
                day = f"2031-{3 * at + 4 + number:02d}-{self.rng.randint(10, 28)}"
                head = {"manager": name, "quarter": quarter, "filed": day, "type": kind}
                rows = [f" <{tag}>{text}</{tag}>" for tag, text in head.items()]
                for line in self.rng.sample(lines, len(lines)):
                    rows.append(f" <line {' '.join(f'{key}={chr(34)}{cell}{chr(34)}' for key, cell in line.items())}/>")
                suffix = f"-A{number}" if number else ""
                made[f"{quarter}-{name}{suffix}.xml"] = "\n".join(["<report>", *rows, "</report>", ""])
        return made


def with_check_digit(base):
    """Add the check digit of a CUSIP to its first eight characters."""
    values = [int(sign, 36) * (1 + at % 2) for at, sign in enumerate(base)]
    return base + str(-sum(value // 10 + value % 10 for value in values) % 10)
