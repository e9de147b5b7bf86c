"""Lock files of five applications and advisories on what they hold. Standard library only."""

import json
from datetime import date, timedelta

FIRST = [
    *("quillow", "brassen", "tindrel", "morvane", "ostrick", "pelbar", "vintook", "harrowel", "cindle", "dapprin"),
    *("elvork", "fennimo", "gristal", "jorvey", "kestlo", "lummet", "nordrin", "ruskell", "sablet", "wexlin"),
]
SECOND = ["codec", "queue", "router", "parse", "store", "trace", "forms", "sched"]
APPLICATIONS = ["orchard-desk", "ferry-portal", "ledger-mill", "harbour-log", "kiln-planner"]
ABOVE = {"runtime": ["runtime"], "optional": ["runtime", "optional"], "build": ["runtime", "build"], "dev": ["dev"]}
SHAPE = [
    *(("runtime", depth) for depth, count in enumerate((7, 8, 5, 3, 2)) for _ in range(count)),
    *(("dev", 0), ("dev", 0), ("dev", 1), ("build", 0), ("build", 1), ("optional", 0), ("optional", 1)),
]


class Market:
    """What is installed where, and what is known about it."""

    def __init__(self, rng):
        self.rng = rng
        self.names = iter(rng.sample([f"{one}-{two}" for one in FIRST for two in SECOND], 150))
        self.numbers = iter(rng.sample(range(1000, 9999), 120))
        self.locks = [{} for _ in APPLICATIONS]
        self.advisories = []

    def install(self, name, version, scope="runtime", depths=(0,)):
        """Put a package into as many lock files as depths are given."""
        free = [lock for lock in self.locks if name not in lock]
        for lock, depth in zip(self.rng.sample(free, len(depths)), depths, strict=True):
            lock[name] = {"version": version, "scope": scope, "depth": depth, "requires": []}

    def warn(self, name, severity, introduced, fixed, published=None):
        """Publish an advisory and give its identifier."""
        number = f"PW-{next(self.numbers)}"
        day = published or date(2030, 9, 2) + timedelta(days=self.rng.randrange(270))
        versions = [dotted(one) for one in fixed]
        self.rng.shuffle(versions)
        self.advisories.append(
            {
                "advisory": number,
                "package": name,
                "severity": severity,
                "published": day.isoformat(),
                "introduced": dotted(introduced),
                "fixed": versions,
            }
        )
        return number

    def version(self):
        """Draw an even minor number of at least 4, so that there is room on both sides."""
        return self.rng.randint(1, 4), 2 * self.rng.randint(2, 6), self.rng.randint(1, 6)

    def plain(self, severity="critical", published=None, **place):
        """Install a package with an advisory of which only place, severity and date matter; give the names of both."""
        name, (major, minor, patch) = next(self.names), self.version()
        self.install(name, dotted((major, minor, patch)), **place)
        fixed = [(major, minor + self.rng.choice([0, 2]), patch + self.rng.randint(1, 4))]
        return name, self.warn(name, severity, (major, minor - self.rng.randint(1, 3), 0), fixed, published)


def generate(rng):
    """Make the files and name the planted packages (advisories, for the due days) of each convention."""
    market = Market(rng)
    planted = {
        "severity_base": [market.plain(severity)[0] for severity in ("low", "low", "moderate", "high")],
        "decay": [market.plain(depths=depths)[0] for depths in ((3,), (1,), (4, 2), (2,))],
        "prerelease": prereleases(market),
        "scope_weight": [market.plain(scope=scope)[0] for scope in ("dev", "dev", "optional", "build")],
        "fix_choice": fixes(market),
        "due_days": due(market),
    }
    both = market.plain(scope="dev")[0]
    version = next(lock[both]["version"] for lock in market.locks if both in lock)
    market.install(both, version, "optional")
    planted["scope_weight"].append(both)
    fill(market)
    locks = zip(APPLICATIONS, market.locks, strict=True)
    files = {f"lock-{name}.json": written(name, lock, rng) for name, lock in locks}
    rng.shuffle(market.advisories)
    files["advisories.json"] = listed(market.advisories)
    return {"files": files, "planted": {name: sorted(keys) for name, keys in planted.items()}}


def prereleases(market):
    """Install pre-releases of the fixed version, of the introduced one and of one between them."""
    names = []
    for place in ("fixed", "fixed", "introduced", "introduced", "between"):
        name, (major, minor, patch) = next(market.names), market.version()
        low, high = (major, minor - 2, 0), (major, minor, 0)
        triple = {"fixed": high, "introduced": low, "between": (major, minor - 1, patch)}[place]
        market.install(name, dotted(triple) + suffix(market.rng))
        market.warn(name, "critical", low, [high])
        names.append(name)
    return names


def fixes(market):
    """Install packages whose fixed versions are several."""
    names = []
    for step in (2, 2, 3):
        name, (major, minor, patch) = next(market.names), market.version()
        market.install(name, dotted((major, minor, patch)))
        first, second = (major, minor + 1, patch), (major, minor + step, market.rng.randint(0, 2))
        fixed = [first, second, (major + 1, market.rng.choice([1, 3]), 0), (major + 2, 0, 1)]
        market.warn(name, "critical", (major, minor - 1, 0), fixed)
        names.append(name)
    return names


def due(market):
    """Publish advisories before and in the last days of the year, and on ordinary days."""
    rng = market.rng
    days = [
        ("critical", date(2030, 12, rng.randint(19, 23))),
        ("high", date(2030, 12, rng.randint(13, 20))),
        ("moderate", date(2030, 11, rng.randint(12, 28))),
        ("low", date(2030, 10, rng.randint(2, 28))),
        ("critical", date(2031, 3, rng.randint(3, 6))),
        ("high", date(2031, 2, rng.randint(3, 24))),
        ("critical", date(2030, 12, rng.randint(25, 31))),
    ]
    return [market.plain(severity, day)[1] for severity, day in days]


def fill(market):
    """Fill up the lock files with packages of two versions each, and publish advisories on some."""
    rng = market.rng
    pool = [(next(market.names), market.version()) for _ in range(60)]
    for lock in market.locks:
        chosen = rng.sample(pool, len(SHAPE))
        for (name, (major, minor, patch)), (scope, depth) in zip(chosen, SHAPE, strict=True):
            text = dotted((major, minor, patch + rng.choice([0, 0, 3])))
            text += suffix(rng) if rng.random() < 0.12 else ""
            lock[name] = {"version": text, "scope": scope, "depth": depth, "requires": []}
    for name, (major, minor, patch) in rng.sample(pool, 24):
        up, kind = rng.randint(0, 2), rng.random()
        first = (major, minor + up, patch + 4)
        low = (major, minor - rng.randint(1, 3), 0)
        if kind < 0.15:
            first = (major, minor - 1, 2)
            low = (major, minor - 3, 0)
        elif kind < 0.3:
            low = (major, minor, patch + 1)
        more = [(major, minor + up + 1, 0)] if rng.random() < 0.6 else []
        fixed = [first, *more, (major + 1, rng.randint(0, 3), 0)]
        market.warn(name, rng.choice(["low", "moderate", "high", "critical"]), low, fixed)
    for _ in range(5):
        major, minor, patch = market.version()
        market.warn(next(market.names), "high", (major, 0, 0), [(major, minor, patch)])


def written(application, lock, rng):
    """Join the packages of a lock file by what they require, so that each lies as deep as planned."""
    names = sorted(lock)
    rng.shuffle(names)
    for name in names:
        one = lock[name]
        above = [lock[other] for other in names if fits(lock[other], one) and lock[other]["depth"] == one["depth"] - 1]
        if one["depth"]:
            rng.choice(above)["requires"].append(name)
        for other in rng.sample(names, 3):
            if other != name and fits(lock[other], one) and lock[other]["depth"] >= one["depth"]:
                lock[other]["requires"].append(name)
    direct = sorted(name for name in names if not lock[name]["depth"])
    packages = [
        {key: sorted(set(one[key])) if key == "requires" else one[key] for key in ("version", "scope", "requires")}
        for one in (lock[name] for name in names)
    ]
    rows = [{"name": name, **one} for name, one in zip(names, packages, strict=True)]
    head = json.dumps({"application": application, "requires": direct})[:-1]
    return head + ', "packages": ' + listed(rows).rstrip() + "}\n"


def fits(above, below):
    """Tell whether a package may require another without changing that one's scope."""
    return above["scope"] in ABOVE[below["scope"]]


def suffix(rng):
    """Draw the suffix of a pre-release."""
    return f"-{rng.choice(['alpha', 'beta', 'rc'])}.{rng.randint(1, 5)}"


def dotted(numbers):
    """Write a version."""
    return ".".join(map(str, numbers))


def listed(rows):
    """Write a list with one object a line."""
    return "[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n"
