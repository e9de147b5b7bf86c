"""Reference solution: reads its conventions from the artefact it is given, else uses the common ones."""

import csv
import re
from collections import Counter, defaultdict
from decimal import Decimal
from pathlib import Path

COMMON = {
    "transcript": "the one listed first",
    "clinical": set(),
    "points": {
        "truncating on that transcript": Decimal(8),
        "silent on that transcript": Decimal(-1),
        "rare": Decimal(1),
        "common": Decimal(-4),
        "assay abnormal": Decimal(4),
        "assay normal": Decimal(-4),
        "each meiosis of segregation": Decimal(1),
        "most that segregation can give": Decimal(4),
        "label pathogenic or likely pathogenic": Decimal(1),
    },
    "mixed": (Decimal(0), Decimal(0)),
    "rare": {"AD": Decimal("0.01"), "AR": Decimal("0.01")},
    "alleles": 0,
    "priors": "the side with the most labels",
    "edges": (Decimal(-7), Decimal(-1), Decimal(6), Decimal(10)),
    "side": "farther from",
}
SIDES = {"P": 1, "LP": 1, "VUS": 0, "LB": -1, "B": -1}
CLASSES = ("benign", "likely benign", "uncertain", "likely pathogenic", "pathogenic")


def solve(root, artefact=None):
    """Write outputs/calls.csv."""
    rules = read_rules((artefact / "conventions.md").read_text(encoding="utf-8")) if artefact else COMMON
    shift = load_shift(artefact)
    modes = {row["gene"]: row["mode"] for row in read(root / "data" / "genes.csv")}
    transcripts, labels = defaultdict(list), defaultdict(list)
    for row in read(root / "data" / "transcripts.csv"):
        transcripts[row["id"]].append(row)
    for row in read(root / "data" / "labels.csv"):
        labels[row["id"]].append(row)
    calls = []
    for row in read(root / "data" / "variants.csv"):
        chosen = choose(transcripts[row["id"]], rules)
        found = evidence(row, chosen, modes[row["gene"]], labels[row["id"]], rules)
        total = sum(found.values(), Decimal(0))
        position = shift(row["context"], int(row["context_start"]), int(row["pos"]), row["ref"], row["alt"])
        reasons = "+".join(kind for kind, points in found.items() if points) or "none"
        cells = (row["id"], chosen["transcript"], position, f"{total:.1f}", class_of(total, rules), reasons)
        calls.append(((row["gene"], position, row["id"]), cells))
    (root / "outputs").mkdir(exist_ok=True)
    with open(root / "outputs" / "calls.csv", "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["id", "transcript", "norm_pos", "points", "class", "reasons"])
        writer.writerows(cells for _, cells in sorted(calls))


def read(path):
    """Read a table."""
    with open(Path(path), encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def read_rules(text):
    """Take the values out of the prose and its table."""
    flat = " ".join(text.split())

    def find(pattern):
        return re.search(pattern, flat)[1]

    def number(pattern):
        return Decimal(find(pattern.replace("#", r"(-?\d+(?:\.\d+)?)")))

    cells = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("|") and "---" not in line]
    return {
        "transcript": find(r"on one transcript: (.+?)\. Equal"),
        "clinical": set(re.findall(r"XT_\d+", flat)),
        "points": {name.strip(): Decimal(points.strip()) for name, points in cells[1:]},
        "mixed": (number("assay counts # where there is at"), number("segregation, and # where there is none")),
        "rare": {"AD": number("at most # per cent in a dominant"), "AR": number("at most # per cent in a recessive")},
        "alleles": int(number("only if at least # alleles")),
        "priors": find(r"earlier labels of a variant (.+?) counts\. The sides"),
        "edges": (
            number(r"lie at # \(benign"),
            number(r"# \(likely benign and"),
            number(r"# \(uncertain and"),
            number(r"# \(likely pathogenic and"),
        ),
        "side": find(r"goes to the class that is (.+?) uncertain"),
    }


def load_shift(artefact):
    """Take the operator from the artefact, else shift as nomenclature does."""
    if artefact and (artefact / "ops.py").is_file():
        space = {}
        exec(compile((artefact / "ops.py").read_text(encoding="utf-8"), "ops.py", "exec"), space)
        return space["shift"]
    return rightmost


def rightmost(context, start, pos, ref, alt):
    """Give the first base concerned once an insertion or deletion stands as far right as it can."""
    if "-" not in (ref, alt):
        return pos
    offset, width = pos - start, len(ref.strip("-"))
    cut = offset + (1 if ref == "-" else 0)
    wanted = context[:cut] + alt.strip("-") + context[cut + width :]

    def same(at):
        if width:
            return context[:at] + context[at + width :] == wanted
        return wanted.startswith(context[: at + 1]) and wanted.endswith(context[at + 1 :])

    return start + max(at for at in range(offset, len(context)) if same(at))


def choose(found, rules):
    """Choose the transcript."""
    if rules["transcript"] == "the one listed first":
        return found[0]
    if rules["transcript"] == "the longest":
        return min(found, key=lambda row: (-int(row["length"]), row["transcript"]))
    clinical = [row for row in found if row["transcript"] in rules["clinical"]]
    column = "length" if clinical else "version"
    return min(clinical or found, key=lambda row: (-int(row[column]), row["transcript"]))


def evidence(row, chosen, mode, labels, rules):
    """Give the points of each kind of evidence, in the order of the report."""
    points, meioses = rules["points"], int(row["meioses"])
    share = Decimal(row["af_max_pct"])
    rare = share <= rules["rare"][mode] and int(row["alleles"]) >= rules["alleles"]
    assays = {
        "abnormal": points["assay abnormal"],
        "normal": points["assay normal"],
        "mixed": rules["mixed"][0 if meioses else 1],
    }
    segregation = min(meioses * points["each meiosis of segregation"], points["most that segregation can give"])
    return {
        "effect": points.get(f"{chosen['effect']} on that transcript", Decimal(0)),
        "rare": points["rare"] if rare else Decimal(0),
        "common": points["common"] if share > 5 else Decimal(0),
        "assay": assays.get(row["assay"], Decimal(0)),
        "segregation": segregation,
        "label": points["label pathogenic or likely pathogenic"] * side_of(labels, rules["priors"]),
    }


def side_of(labels, rule):
    """Tell on which side the earlier labels are: 1 for pathogenic, -1 for benign."""
    if rule == "the side with the most labels":
        ranked = Counter(SIDES[row["label"]] for row in labels).most_common(2)
        return 0 if not ranked or (len(ranked) == 2 and ranked[0][1] == ranked[1][1]) else ranked[0][0]
    fit = labels
    if rule == "the newest label with at least two stars":
        fit = [row for row in labels if int(row["stars"]) >= 2]
    elif labels:
        most = max(int(row["stars"]) for row in labels)
        fit = [row for row in labels if int(row["stars"]) == most]
    return SIDES[max(fit, key=lambda row: row["date"])["label"]] if fit else 0


def class_of(total, rules):
    """Place a sum between the edges."""
    strict = rules["side"] == "nearer to"
    benign, likely_benign, likely_pathogenic, pathogenic = rules["edges"]
    if total >= likely_pathogenic:
        above = [total > edge if strict else total >= edge for edge in (likely_pathogenic, pathogenic)]
        return CLASSES[2 + sum(above)]
    below = [total < edge if strict else total <= edge for edge in (likely_benign, benign)]
    return CLASSES[2 - sum(below)]
