"""Contracts with clauses made from phrase templates. Standard library only."""

import itertools
import json

THINGS = ["pumps", "filters", "valves", "gauges", "hoses", "seals", "rotors", "panels", "cables", "trays"]
PARTIES = ["supplier", "buyer", "carrier", "operator"]
PLACES = ["Vienna", "Oslo", "Porto", "Gdansk", "Lyon", "Turku"]
LONDON = ["E&W", "Engl. courts", "London seat"]
GENEVA = ["Geneva", "GE (Swiss)", "CH-GE"]
PLAIN = [
    "The {a} shall deliver the {t} of lot {n} to the agreed place in good time and the {b} shall confirm receipt in writing.",
    "Invoices for the {t} of lot {n} are payable within the agreed time after the {a} has received them from the {b}.",
    "The {a} keeps records of all {t} in lot {n} and shows them to the {b} during business hours when asked to do so.",
    "Where the {t} of lot {n} arrive damaged, the {a} tells the {b} and both agree on repair or replacement in good faith.",
    "The {b} names a contact for lot {n} and the {a} does not change the {t} before that contact has agreed in writing.",
]
RISKY = {
    "discretion": "The {a} may in its sole discretion replace the {t} of lot {n} by goods of the same kind and quality for the {b}.",
    "unlimited": "The liability of the {a} towards the {b} for the {t} of lot {n} is unlimited and covers all direct losses.",
    "notice": "The {a} may end the order for the {t} of lot {n} without notice and owes the {b} the goods paid for so far.",
}
NEGATED = {
    "discretion": "The {a} may not in its sole discretion replace the {t} of lot {n} and asks the {b} for its agreement first.",
    "unlimited": "The liability of the {a} towards the {b} for the {t} of lot {n} is never unlimited and covers direct losses.",
    "notice": "In no case without notice does the {a} end the order for the {t} of lot {n}, and the {b} may object to it.",
}
FAR = "It is not for the {b} of the {t} in lot {n} to decide on this, as the {a} may in its sole discretion do so."
POINTS = {"discretion": 7, "unlimited": 9, "notice": 4}


def generate(rng):
    """Make the files and name the planted contracts of each convention."""
    lots = iter(rng.sample(["".join(letters) for letters in itertools.product("bcdfghjkmp", repeat=3)], 600))

    def clause(template):
        a, b = rng.sample(PARTIES, 2)
        return template.format(a=a, b=b, t=rng.choice(THINGS), n=next(lots))

    def plain(count):
        return [clause(rng.choice(PLAIN)) for _ in range(count)]

    def mixed(risky):
        chosen = [clause(RISKY[kind]) for kind in risky]
        return chosen + plain(rng.randint(6, 9) - len(chosen))

    contracts = []

    def add(role, clauses, forum=None):
        contracts.append({"role": role, "clauses": clauses, "forum": forum or rng.choice(PLACES)})

    kinds = list(RISKY)
    add("negation", [clause(NEGATED["discretion"]), *plain(6)])
    add("negation", [clause(NEGATED["unlimited"]), clause(RISKY["notice"]), *plain(5)])
    add("negation", [clause(NEGATED["notice"]), *plain(7)])
    twin = clause(RISKY["unlimited"])
    add("first_twin", [twin, *plain(6)])
    add("second_twin", [twin.upper().replace(",", ""), clause(RISKY["notice"]), *plain(5)])
    for name in LONDON + GENEVA:
        add("forum_factor", mixed([rng.choice(kinds)]), name)
    for target in (2.65, 5.5, 2.86, 5.75):
        risky, total = _landing(target, rng)
        add(
            "band_edges",
            [clause(RISKY[kind]) if isinstance(kind, str) else _double(clause, kind) for kind in risky]
            + plain(total - len(risky)),
        )
    add("aggregation", [clause(RISKY["unlimited"]), *plain(5)])
    add("phrase_points", mixed(kinds))
    while len(contracts) < 24:
        clauses = mixed(rng.choices(kinds, k=rng.randint(0, 3)))
        if rng.random() < 0.3:
            clauses[-1] = clause(FAR)
        add("", clauses)

    rng.shuffle(contracts)
    first = next(i for i, one in enumerate(contracts) if one["role"] == "first_twin")
    second = next(i for i, one in enumerate(contracts) if one["role"] == "second_twin")
    if first > second:
        contracts[first], contracts[second] = contracts[second], contracts[first]
    planted = {
        name: [] for name in ("phrase_points", "negation", "aggregation", "repeat_factor", "forum_factor", "band_edges")
    }
    head, lines = ["contract_id,forum,value_eur"], []
    for number, contract in enumerate(contracts, start=1):
        name = f"C-{number:02d}"
        role = "repeat_factor" if contract["role"] == "second_twin" else contract["role"]
        if role in planted:
            planted[role].append(name)
        head.append(f"{name},{contract['forum']},{rng.randrange(20, 900) * 1000}")
        clauses = contract["clauses"]
        rng.shuffle(clauses)
        for at, text in enumerate(clauses, start=1):
            lines.append(json.dumps({"contract_id": name, "clause_no": at, "text": text}))
    return {
        "files": {"contracts.csv": "\n".join(head) + "\n", "clauses.jsonl": "\n".join(lines) + "\n"},
        "planted": planted,
    }


def _double(clause, kinds):
    """Join two risky sentences into one clause."""
    return " ".join(clause(RISKY[kind]) for kind in kinds)


def _landing(target, rng):
    """Find clauses whose root mean square rounds to the target, among one to nine risky ones of up to two phrases."""
    singles = list(RISKY)
    options = singles + [pair for pair in itertools.combinations_with_replacement(singles, 2)]
    found = []
    for total in range(6, 10):
        for count in range(1, 5):
            for chosen in itertools.combinations_with_replacement(options, count):
                squares = sum(_points(one) ** 2 for one in chosen)
                if f"{(squares / total) ** 0.5:.2f}" == f"{target:.2f}":
                    found.append((list(chosen), total))
    return rng.choice(found)


def _points(kind):
    return POINTS[kind] if isinstance(kind, str) else sum(POINTS[one] for one in kind)
