"""Reference solution: reads its conventions from the artefact it is given, else uses the common ones."""

import importlib.util
import json
import math
import re
import unicodedata
from collections import Counter, defaultdict
from itertools import combinations
from pathlib import Path

COMMON = {
    "kinds": ["article", "letter", "review", "erratum"],
    "years": 99,
    "key": "name exactly as printed",
    "renamed": {},
    "limit": 999,
    "length": "1",
    "scaling": "the whole graph",
    "order": "name as printed",
}
PARTICLES = {"van", "de", "der", "al"}


def solve(root, artefact=None):
    """Write outputs/index.json."""
    rules = read_rules((artefact / "conventions.md").read_text(encoding="utf-8")) if artefact else COMMON
    papers = [read_paper(path) for path in sorted((root / "data").glob("paper-*.html"))]
    newest = sorted({paper["year"] for paper in papers})[-rules["years"] :]
    counted = [paper for paper in papers if paper["kind"] in rules["kinds"] and paper["year"] in newest]
    counted.sort(key=lambda paper: (paper["year"], paper["page"]))
    shown, total, first, joint = {}, Counter(), {}, Counter()
    for paper in counted:
        keys = []
        for printed in paper["authors"]:
            key = person(printed, rules)
            keys.append(key)
            shown.setdefault(key, printed)
            first.setdefault(key, paper["year"])
            total[key] += 1
        if len(keys) <= rules["limit"]:
            joint.update(combinations(sorted(set(keys)), 2))
    edges = {pair: length(count, rules["length"]) for pair, count in joint.items()}
    sums = load_betweenness(artefact)(list(shown), edges)
    sizes = component_sizes(shown, edges) if "component" in rules["scaling"] else dict.fromkeys(shown, len(shown))
    rows = []
    for key, printed in shown.items():
        pairs = (sizes[key] - 1) * (sizes[key] - 2) / 2
        value = round(sums[key] / pairs, 6) if pairs else 0.0
        rows.append({"author": printed, "papers": total[key], "first_year": first[key], "betweenness": value})
    rows.sort(key=lambda row: sort_key(row, rules["order"]))
    (root / "outputs").mkdir(exist_ok=True)
    (root / "outputs" / "index.json").write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


def read_rules(text):
    """Take the values out of the prose."""
    flat = " ".join(text.split())

    def find(pattern):
        return re.search(pattern, flat)[1]

    return {
        "kinds": find(r"of the kinds (.+?) from the newest").split(", "),
        "years": int(find(r"from the newest (\d+) publication")),
        "key": find(r"identified by the (.+?)\. Particles"),
        "renamed": {"Lindqvist": find(r"Lindqvist is read as (\w+)"), "Okafor": find(r"Okafor as (\w+)")},
        "limit": int(find(r"more than (\d+) authors")),
        "length": find(r"has the length (.+?)\. Betweenness"),
        "scaling": find(r"number of people in (.+?); "),
        "order": find(r"ordered by (.+?)\.$"),
    }


def read_paper(path):
    """Read a page."""
    html = path.read_text(encoding="utf-8")
    return {
        "page": path.name,
        "authors": re.findall(r"<li>(.*?)</li>", html),
        "year": int(re.search(r'class="year">(\d+)', html)[1]),
        "kind": re.search(r'class="kind">(\w+)', html)[1],
    }


def folded(name):
    """Fold to ASCII words in lower case."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.findall(r"[a-z]+", plain)


def person(printed, rules):
    """Give the key of a person."""
    name = printed
    for old, new in rules["renamed"].items():
        name = re.sub(rf"\b{old}\b", new, name)
    if rules["key"] == "name exactly as printed":
        return name
    words = folded(name)
    if rules["key"].startswith("full name"):
        return " ".join(words)
    return f"{words[-1]} {words[0][0]}"


def length(count, formula):
    """Give the length of an edge."""
    return {"1": 1.0, "1 / k": 1 / count}.get(formula, 1 / (1 + math.log2(count)))


def load_betweenness(artefact):
    """Take the operator from the artefact, else count paths with the means at hand."""
    if artefact and (artefact / "ops.py").is_file():
        spec = importlib.util.spec_from_file_location("ops", artefact / "ops.py")
        module = importlib.util.module_from_spec(spec)
        exec(compile((artefact / "ops.py").read_text(encoding="utf-8"), "ops.py", "exec"), module.__dict__)
        return module.betweenness
    return count_paths


def count_paths(nodes, edges):
    """Sum the shares of shortest paths, from distances grown by relaxing every edge until nothing changes."""
    near = defaultdict(dict)
    for (one, other), step in edges.items():
        near[one][other] = near[other][one] = step
    far, ways = {}, {}
    for source in nodes:
        reached = {source: 0.0}
        changed = [source]
        while changed:
            node = changed.pop(0)
            for other, step in near[node].items():
                if reached[node] + step < reached.get(other, math.inf) - 1e-9:
                    reached[other] = reached[node] + step
                    changed.append(other)
        paths = {source: 1}
        for node in sorted(reached, key=reached.get)[1:]:
            paths[node] = sum(
                paths[other]
                for other, step in near[node].items()
                if other in paths and abs(reached[other] + step - reached[node]) <= 1e-9
            )
        far[source], ways[source] = reached, paths
    sums = dict.fromkeys(nodes, 0.0)
    for one, other in combinations(nodes, 2):
        if other in far[one]:
            for node in nodes:
                if node not in (one, other) and node in far[one] and node in far[other]:
                    if abs(far[one][node] + far[other][node] - far[one][other]) <= 1e-9:
                        sums[node] += ways[one][node] * ways[other][node] / ways[one][other]
    return sums


def component_sizes(nodes, edges):
    """Give the size of the component of each node."""
    leader = {node: node for node in nodes}

    def lead(node):
        while leader[node] != node:
            node = leader[node]
        return node

    for one, other in edges:
        leader[lead(one)] = lead(other)
    count = Counter(lead(node) for node in nodes)
    return {node: count[lead(node)] for node in nodes}


def sort_key(row, order):
    """Give the place of a row in the index."""
    if order == "name as printed":
        return (row["author"],)
    if order.startswith("betweenness"):
        return (-row["betweenness"], row["author"])
    words = folded(row["author"])
    return (words[-1], words[0][0], row["first_year"], row["author"])
