"""Verifier, written from instruction, artefact and data; distances by matrix closure, in exact path counts."""

import math
import re
from html.parser import HTMLParser

from kwsuite.checking import Unreadable, close, json_faults, read_json

INFINITE = 1e18
KEYS = {"author": "text", "papers": "whole", "first_year": "whole", "betweenness": "number"}


def verify(case):
    """Decide every criterion."""
    checks = case.checks()
    right = reference(case.inputs, case.conventions)
    given = read_json(case.outputs["index.json"])
    if not isinstance(given, list):
        raise Unreadable("index.json is no list")
    faults = [
        fault for number, row in enumerate(given) for fault in json_faults(row, KEYS, f"entry {number}", closed=True)
    ]
    if not checks.decide("schema", faults):
        return checks.report()
    listed = [row["author"] for row in given]
    wanted = {row["author"] for row in right}
    checks.decide(
        "row_set",
        [
            f"{name!r} stands {listed.count(name)} times"
            for name in sorted(wanted | set(listed))
            if listed.count(name) != (name in wanted)
        ],
    )
    by_name = {row["author"]: row for row in given}

    def differences(chosen):
        for row in right:
            if row["author"] in chosen:
                got = by_name.get(row["author"])
                if got is None:
                    yield f"{row['author']} is missing"
                    continue
                for key in ("papers", "first_year"):
                    if got[key] != row[key]:
                        yield f"{row['author']}: {key} {got[key]} instead of {row[key]}"
                if not close(got["betweenness"], row["betweenness"], case.tolerance):
                    yield f"{row['author']}: betweenness {got['betweenness']} instead of {row['betweenness']:.6f}"

    order = [row["author"] for row in right]
    misplaced = [f"{one!r} instead of {other!r}" for one, other in zip(listed, order, strict=False) if one != other]
    checks.decide("all_values", [*differences(wanted), *misplaced])
    for name, planted in case.planted.items():
        if name == "collation":
            expected, found = ([one for one in names if one in planted] for names in (order, listed))
            checks.decide(name, [] if expected == found else [f"{found} instead of {expected}"])
        else:
            checks.decide(name, differences(planted))
    return checks.report()


class Page(HTMLParser):
    """Collects list items and the paragraphs by class."""

    def __init__(self, text):
        super().__init__()
        self.items, self.fields, self.current = [], {}, None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.current = "item" if tag == "li" else dict(attrs).get("class") if tag == "p" else None

    def handle_endtag(self, tag):
        self.current = None

    def handle_data(self, data):
        if self.current == "item":
            self.items.append(data.strip())
        elif self.current:
            self.fields[self.current] = data.strip()


def reference(inputs, conventions):
    """Give the index in order."""
    pages = {name: Page(text) for name, text in inputs.items() if name.startswith("paper")}
    years = sorted({int(page.fields["year"]) for page in pages.values()}, reverse=True)
    oldest = years[: conventions["window"]["years"]][-1]
    kinds = set(conventions["window"]["kinds"].split(", "))
    records = {}
    together = {}
    for name, page in pages.items():
        year = int(page.fields["year"])
        if page.fields["kind"] not in kinds or year < oldest:
            continue
        present = {identity(author, conventions): author for author in page.items}
        for who, author in present.items():
            records.setdefault(who, []).append((year, name, author))
        if len(page.items) <= conventions["author_limit"]:
            for one in present:
                for other in present:
                    if one < other:
                        together[one, other] = together.get((one, other), 0) + 1
    formula = conventions["edge_length"]
    lengths = {
        pair: 1.0 if formula == "1" else 1.0 / k if formula == "1 / k" else 1.0 / (1.0 + math.log(k, 2))
        for pair, k in together.items()
    }
    through, members = passing(sorted(records), lengths)
    rows = []
    for who, found in records.items():
        people = members[who] if conventions["scaling"].endswith("component") else len(records)
        value = 2 * through[who] / ((people - 1) * (people - 2)) if people >= 3 else 0.0
        year, _, label = min(found)
        rows.append({"author": label, "papers": len(found), "first_year": year, "betweenness": value})
    return sorted(rows, key=lambda row: place(row, conventions["collation"]))


def identity(author, conventions):
    """Tell who an author is."""
    renamed = " ".join(conventions["changed_names"].get(word, word) for word in author.split())
    match conventions["person_key"]:
        case "name exactly as printed":
            return renamed
        case "full name without regard to case":
            return re.sub(r"\W+", " ", renamed).strip().casefold()
        case _:
            return renamed.split()[-1].casefold(), renamed[0].casefold()


def place(row, rule):
    """Tell where a row stands."""
    name = row["author"]
    if rule == "name as printed":
        return name
    if rule.startswith("betweenness"):
        return -round(row["betweenness"], 6), name
    return name.rsplit(" ", 1)[-1].casefold(), name[0].casefold(), row["first_year"], name


def passing(people, lengths):
    """Give the paths through each person and the size of each person's component."""
    size = len(people)
    at = {who: number for number, who in enumerate(people)}
    step = [[INFINITE] * size for _ in people]
    for (one, other), length in lengths.items():
        step[at[one]][at[other]] = step[at[other]][at[one]] = length
    distance = [[0.0 if i == j else step[i][j] for j in range(size)] for i in range(size)]
    for k in range(size):
        row_k = distance[k]
        for i in range(size):
            via = distance[i][k]
            if via < INFINITE:
                row = distance[i]
                for j in range(size):
                    if via + row_k[j] < row[j]:
                        row[j] = via + row_k[j]
    paths = [[0] * size for _ in people]
    for i in range(size):
        for j in sorted((j for j in range(size) if distance[i][j] < INFINITE), key=lambda j: distance[i][j]):
            paths[i][j] = (
                1
                if i == j
                else sum(
                    paths[i][m]
                    for m in range(size)
                    if step[m][j] < INFINITE and abs(distance[i][m] + step[m][j] - distance[i][j]) < 1e-9
                )
            )
    sums = {}
    for who, v in at.items():
        sums[who] = sum(
            paths[s][v] * paths[v][t] / paths[s][t]
            for s in range(size)
            for t in range(s + 1, size)
            if v not in (s, t)
            and distance[s][t] < INFINITE
            and abs(distance[s][v] + distance[v][t] - distance[s][t]) < 1e-9
        )
    return sums, {who: sum(d < INFINITE for d in distance[v]) for who, v in at.items()}
