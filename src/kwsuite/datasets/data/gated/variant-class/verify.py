"""Verifier, written from instruction, artefact and data; sums in Decimal, positions by common beginnings and ends."""

import csv
import re
from collections import Counter
from decimal import Decimal
from itertools import groupby, pairwise
from os.path import commonprefix

from kwsuite.checking import close, read_table

COLUMNS = ("id", "transcript", "norm_pos", "points", "class", "reasons")
CLASSES = ("benign", "likely benign", "uncertain", "likely pathogenic", "pathogenic")
KINDS = ("effect", "rare", "common", "assay", "segregation", "label")
CLINICAL = set("4021 4187 2764 2910 7305 7318 5546 1893 6620 3471 8052 9134".split())
SIDES = {"P": 1, "LP": 1, "VUS": 0, "LB": -1, "B": -1}
LOOKED_AT = {
    "points": ("points", "reasons"),
    "frequency": ("points", "reasons"),
    "edges": ("class",),
    "mixed_assay": ("points", "reasons"),
    "transcript": ("transcript", "points", "reasons"),
    "priors": ("points", "reasons"),
    "norm_pos": ("norm_pos",),
}


def verify(case):
    """Decide every criterion."""
    checks = case.checks()
    rows = read_table(case.outputs["calls.csv"], COLUMNS)
    if not checks.decide("schema", [fault for at, row in enumerate(rows, 1) for fault in malformed(at, row)]):
        return checks.report()
    right = reference(case.inputs, case.conventions)
    surplus = Counter(row["id"] for row in rows)
    surplus.subtract(list(right))
    if not checks.decide("row_set", [f"{key}: {n:+d} rows" for key, n in sorted(surplus.items()) if n]):
        return checks.report()
    gene = {line["id"]: line["gene"] for line in lines(case.inputs["variants.csv"])}
    keys = [(gene[row["id"]], int(row["norm_pos"]), row["id"]) for row in rows]
    checks.decide("order", [f"{b[2]} should stand before {a[2]}" for a, b in pairwise(keys) if b < a])
    got = {row["id"]: row for row in rows}

    def differences(chosen, columns):
        return [
            f"{key}: {column} {got[key][column]!r} instead of {right[key][column]}"
            for key in chosen
            for column in columns
            if not agrees(column, got[key][column], right[key][column], case.tolerance)
        ]

    checks.decide("all_values", differences(sorted(right), COLUMNS[1:]))
    for name, planted in case.planted.items():
        checks.decide(name, differences(planted, LOOKED_AT[name]))
    return checks.report()


def malformed(at, row):
    """List the cells of a row that cannot be what was asked for."""
    reasons = row["reasons"].split("+")
    sound = {
        "id": row["id"],
        "norm_pos": re.fullmatch(r"[0-9]{1,12}", row["norm_pos"]),
        "points": re.fullmatch(r"-?[0-9]+\.[0-9]", row["points"]),
        "class": row["class"] in CLASSES,
        "reasons": reasons == ["none"] or (set(reasons) <= set(KINDS) and len(set(reasons)) == len(reasons)),
    }
    return [f"row {at}: {column} is {row[column]!r}" for column, fine in sound.items() if not fine]


def agrees(column, cell, expected, tolerance):
    """Compare a cell of the right form."""
    if column == "points":
        return close(float(cell), float(expected), tolerance)
    return int(cell) == expected if column == "norm_pos" else cell == expected


def reference(inputs, conventions):
    """Give the right row of every variant for any values of the conventions."""
    modes = {line["gene"]: line["mode"] for line in lines(inputs["genes.csv"])}
    read_on, labelled = by_variant(inputs["transcripts.csv"]), by_variant(inputs["labels.csv"])
    result = {}
    for variant in lines(inputs["variants.csv"]):
        key = variant["id"]
        name, effect = chosen_transcript(read_on[key], conventions["transcript"])
        evidence = dict.fromkeys(KINDS, Decimal(0)) | found(variant, modes[variant["gene"]], conventions)
        evidence["effect"] = exact(conventions["points"].get(effect, 0) if effect in ("truncating", "silent") else 0)
        evidence["label"] = exact(conventions["points"]["label"]) * side_of(
            labelled.get(key, []), conventions["priors"]
        )
        total = sum(evidence.values())
        result[key] = {
            "transcript": name,
            "norm_pos": reported(variant, **conventions["norm_pos"]),
            "points": total,
            "class": called(total, conventions["edges"]),
            "reasons": "+".join(kind for kind in KINDS if evidence[kind]) or "none",
        }
    return result


def lines(text):
    """Read a table of the data."""
    return list(csv.DictReader(text.splitlines()))


def by_variant(text):
    """Read a table and gather its lines by variant, in their order."""
    table = sorted(lines(text), key=lambda line: line["id"])
    return {key: list(group) for key, group in groupby(table, key=lambda line: line["id"])}


def exact(value):
    """Take a convention's number as it is written."""
    return Decimal(str(value))


def chosen_transcript(candidates, rule):
    """Give name and effect of the transcript that counts."""
    ours = [line for line in candidates if line["transcript"].removeprefix("XT_") in CLINICAL]
    measure = "length"
    if rule == "the one listed first":
        candidates = candidates[:1]
    elif rule != "the longest":
        candidates, measure = (ours, "length") if ours else (candidates, "version")
    best = min(candidates, key=lambda line: (-int(line[measure]), line["transcript"]))
    return best["transcript"], best["effect"]


def found(variant, mode, conventions):
    """Give the points for frequency, assay and segregation."""
    worth = {name: exact(value) for name, value in conventions["points"].items()}
    cuts, share, meioses = conventions["frequency"], Decimal(variant["af_max_pct"]), int(variant["meioses"])
    cut = exact(cuts["dominant" if mode == "AD" else "recessive"])
    enough = int(variant["alleles"]) >= cuts["alleles"]
    mixed = conventions["mixed_assay"]["supported" if meioses else "alone"]
    assays = {"abnormal": worth["abnormal"], "normal": worth["normal"], "mixed": exact(mixed), "not done": Decimal(0)}
    return {
        "rare": worth["rare"] * (share <= cut and enough),
        "common": worth["common"] * (share > 5),
        "assay": assays[variant["assay"]],
        "segregation": min(worth["meiosis"] * meioses, worth["cap"]),
    }


def side_of(labels, rule):
    """Tell whether earlier labels speak for (1) or against (-1) the variant, or for nothing."""
    if rule == "the side with the most labels":
        ranking = Counter(SIDES[one["label"]] for one in labels).most_common()
        level = len(ranking) > 1 and ranking[0][1] == ranking[1][1]
        return 0 if level or not ranking else ranking[0][0]
    if rule == "the label with the most stars":
        most = max((int(one["stars"]) for one in labels), default=0)
        standing = [one for one in labels if int(one["stars"]) == most]
    else:
        standing = [one for one in labels if int(one["stars"]) >= 2]
    newest = sorted(standing, key=lambda one: one["date"])[-1:]
    return sum(SIDES[one["label"]] for one in newest)


def called(total, edges):
    """Give the class: uncertain, moved by one for every edge that the sum has passed."""

    def passed(distance):
        return distance > 0 or (distance == 0 and edges["side"] == "farther from")

    up = sum(passed(total - exact(edges[name])) for name in ("likely_pathogenic", "pathogenic"))
    down = sum(passed(exact(edges[name]) - total) for name in ("likely_benign", "benign"))
    return CLASSES[2 + up - down]


def reported(variant, end, base):
    """Give the position: where the longer of both sequences may be cut so that the shorter one is left."""
    context, start, pos = variant["context"], int(variant["context_start"]), int(variant["pos"])
    offset = pos - start
    if variant["ref"] == "-":
        changed = context[: offset + 1] + variant["alt"] + context[offset + 1 :]
    elif variant["alt"] == "-":
        changed = context[:offset] + context[offset + len(variant["ref"]) :]
    else:
        return pos
    short, long = sorted((context, changed), key=len)
    cut = len(commonprefix([short, long]))
    if end == "5'":
        cut = len(short) - len(commonprefix([short[::-1], long[::-1]]))
    if len(context) == len(short):
        return start + cut - (base == "first")
    return start + cut + (base == "last") * (len(long) - len(short) - 1)
