"""Reference solution: reads its conventions from the artefact it is given, else uses the common ones."""

import csv
import json
import math
import re
from pathlib import Path

COMMON = {
    "points": {"sole discretion": 1.0, "unlimited": 1.0, "without notice": 1.0},
    "negation": 0.0,
    "repeat": 1.0,
    "aggregation": "sum",
    "forums": {},
    "edges": (3.0, 6.0),
    "side": "lower",
}


def solve(root, artefact=None):
    """Write outputs/risk.csv."""
    rules = read_rules((artefact / "conventions.md").read_text(encoding="utf-8")) if artefact else COMMON
    with open(root / "data" / "contracts.csv", encoding="utf-8", newline="") as file:
        forums = {row["contract_id"]: row["forum"] for row in csv.DictReader(file)}
    clauses = {name: [] for name in forums}
    for line in (root / "data" / "clauses.jsonl").read_text(encoding="utf-8").splitlines():
        clause = json.loads(line)
        clauses[clause["contract_id"]].append(words_of(clause["text"]))
    seen, rows = set(), []
    for name in sorted(clauses):
        points = []
        for words in clauses[name]:
            earned = clause_points(words, rules)
            points.append(earned * rules["repeat"] if tuple(words) in seen else earned)
        seen |= {tuple(words) for words in clauses[name]}
        score = round(aggregate(points, rules["aggregation"]) * rules["forums"].get(forums[name], 1.0), 2)
        rows.append((name, len(points), score, band(score, rules)))
    rows.sort(key=lambda row: (-row[2], row[0]))
    (root / "outputs").mkdir(exist_ok=True)
    with open(root / "outputs" / "risk.csv", "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["contract_id", "n_clauses", "score", "band"])
        writer.writerows((name, count, f"{score:.2f}", label) for name, count, score, label in rows)


def read_rules(text):
    """Take the values out of the prose and its tables."""
    flat = " ".join(text.split())
    table = {cells[0]: cells[-1] for cells in table_rows(text)}
    forums = {
        alias.strip(): float(cells[2])
        for cells in table_rows(text)
        if len(cells) == 3
        for alias in cells[1].split(";")
        if alias.strip()
    }
    number = r"(-?[\d.]+\d|-?\d)"
    return {
        "points": {phrase: float(table[phrase]) for phrase in ("sole discretion", "unlimited", "without notice")},
        "negation": float(re.search(rf"multiplied by {number} when one of the words", flat)[1]),
        "repeat": float(re.search(rf"smaller identifier has its points multiplied by {number}\.", flat)[1]),
        "aggregation": re.search(r"score of a contract is the (.+?) of the points", flat)[1],
        "forums": forums,
        "edges": tuple(
            float(re.search(pattern, flat)[1]) for pattern in (rf"low below {number},", rf"from there to {number},")
        ),
        "side": re.search(r"belongs to the (\w+) of the two", flat)[1],
    }


def table_rows(text):
    """Give the cells of every table line."""
    return [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in text.splitlines()
        if line.startswith("|") and "---" not in line and "forum |" not in line
    ]


def words_of(text):
    """Split into words."""
    return re.findall(r"[a-z]+", text.lower())


def clause_points(words, rules):
    """Add up the phrases of a clause."""
    total = 0.0
    for phrase, points in rules["points"].items():
        parts = phrase.split()
        for start in range(len(words) - len(parts) + 1):
            if words[start : start + len(parts)] == parts:
                negated = {"not", "no", "never"} & set(words[max(0, start - 5) : start])
                total += points * (rules["negation"] if negated else 1.0)
    return total


def aggregate(points, how):
    """Bring the clauses of a contract to one number."""
    if how == "root mean square":
        return math.sqrt(sum(one * one for one in points) / len(points))
    return sum(points) / (len(points) if how == "mean" else 1)


def band(score, rules):
    """Name the band of a rounded score."""
    first, second = rules["edges"]
    if rules["side"] == "lower":
        return "low" if score <= first else "mid" if score <= second else "high"
    return "low" if score < first else "mid" if score < second else "high"
