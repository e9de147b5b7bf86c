"""Verifier, written from instruction, artefact and data."""

import json
import re
from collections import defaultdict
from decimal import ROUND_HALF_EVEN, Decimal
from statistics import fmean

from kwsuite.checking import close, read_number, read_table

COLUMNS = ("contract_id", "n_clauses", "score", "band")
PHRASES = {"discretion": "sole discretion", "unlimited": "unlimited", "notice": "without notice"}
LONDON, GENEVA = ("E&W", "Engl. courts", "London seat"), ("Geneva", "GE (Swiss)", "CH-GE")


def verify(case):
    """Decide every criterion."""
    checks = case.checks()
    expected = reference(case.inputs, case.conventions)
    rows = read_table(case.outputs["risk.csv"], COLUMNS)
    faults = []
    for number, row in enumerate(rows, start=1):
        if read_number(row["score"]) is None or not re.fullmatch(r"-?\d+\.\d\d", row["score"]):
            faults.append(f"row {number}: score {row['score']!r} is no number with two decimals")
        if not re.fullmatch(r"\d+", row["n_clauses"]):
            faults.append(f"row {number}: n_clauses {row['n_clauses']!r} is no whole number")
        if row["band"] not in ("low", "mid", "high"):
            faults.append(f"row {number}: band {row['band']!r} is none of low, mid, high")
    if not checks.decide("schema", faults):
        return checks.report()
    names = [row["contract_id"] for row in rows]
    off = [f"{name} is missing" for name in expected if name not in names]
    off += [
        f"{name} is not asked for or stands twice"
        for name in set(names)
        if names.count(name) != 1 or name not in expected
    ]
    if not checks.decide("row_set", sorted(off)):
        return checks.report()
    keys = [(-Decimal(row["score"]), row["contract_id"]) for row in rows]
    checks.decide(
        "order", [f"{b[1]} should not stand after {a[1]}" for a, b in zip(keys, keys[1:], strict=False) if a > b]
    )
    got = {row["contract_id"]: row for row in rows}

    def differences(chosen, with_band=True):
        for name in chosen:
            score, label, count = expected[name]
            row = got[name]
            if not close(float(row["score"]), float(score), case.tolerance):
                yield f"{name}: score {row['score']} instead of {score}"
            elif with_band and row["band"] != label:
                yield f"{name}: band {row['band']} instead of {label}"
            elif row["n_clauses"] != str(count):
                yield f"{name}: n_clauses {row['n_clauses']} instead of {count}"

    checks.decide("all_values", differences(sorted(expected)))
    for name, planted in case.planted.items():
        checks.decide(name, differences(planted, with_band=name == "band_edges"))
    return checks.report()


def reference(inputs, conventions):
    """Give (score, band, clauses) of each contract."""
    texts = defaultdict(list)
    for line in filter(None, inputs["clauses.jsonl"].split("\n")):
        record = json.loads(line)
        texts[record["contract_id"]].append(" " + re.sub(r"[^a-z]+", " ", record["text"].casefold()).strip() + " ")
    owner = {}
    for contract, clauses in texts.items():
        for text in clauses:
            owner[text] = min(owner.get(text, contract), contract)
    result = {}
    for line in inputs["contracts.csv"].strip().split("\n")[1:]:
        contract, forum, _ = line.split(",")
        values = [
            worth(text, conventions) * (conventions["repeat_factor"] if owner[text] < contract else 1)
            for text in texts[contract]
        ]
        total = combined(values, conventions["aggregation"])
        places = conventions["forum_factor"]
        total *= places["london"] if forum in LONDON else places["geneva"] if forum in GENEVA else 1
        score = Decimal(repr(total)).quantize(Decimal("0.01"), ROUND_HALF_EVEN)
        result[contract] = score, label_of(score, conventions["band_edges"]), len(values)
    return result


def worth(text, conventions):
    """Give the points of a clause, written as words with single spaces around them."""
    points = 0
    for key, phrase in PHRASES.items():
        for match in re.finditer(rf"(?<= ){phrase}(?= )", text):
            before = text[: match.start()].split()[-5:]
            factor = conventions["negation"] if any(word in ("not", "no", "never") for word in before) else 1
            points += conventions["phrase_points"][key] * factor
    return points


def combined(values, rule):
    """Apply the rule of aggregation."""
    return {"sum": sum(values), "mean": fmean(values), "root mean square": fmean(v * v for v in values) ** 0.5}[rule]


def label_of(score, edges):
    """Place a score between the edges."""
    cuts = [Decimal(str(edges["first"])), Decimal(str(edges["second"]))]
    above = sum(score > cut if edges["side"] == "lower" else score >= cut for cut in cuts)
    return ("low", "mid", "high")[above]
