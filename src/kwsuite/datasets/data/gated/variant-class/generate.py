"""Made-up variants with transcripts, labels and repeats. Standard library only."""

from datetime import date, timedelta

GENES = {
    "BRIXA3": ["XT_4021", "XT_4187", "XT_4090", "XT_4255"],
    "DELNI2": ["XT_2764", "XT_2910", "XT_2701", "XT_2833"],
    "GORMA2": ["XT_7305", "XT_7318", "XT_7411", "XT_7260"],
    "HILTO6": ["XT_5546", "XT_5502", "XT_5618", "XT_5590"],
    "KORVA1": ["XT_1893", "XT_1840", "XT_1922", "XT_1977"],
    "MURTI5": ["XT_6620", "XT_6601", "XT_6688", "XT_6645"],
    "OLPHE1": ["XT_3471", "XT_3409", "XT_3436", "XT_3498"],
    "PYNDE3": ["XT_8052", "XT_8011", "XT_8077", "XT_8096"],
    "SALKO1": ["XT_9134", "XT_9107", "XT_9166", "XT_9185"],
    "TASMO4": ["XT_1212", "XT_1256", "XT_1239", "XT_1281"],
    "VENDA2": ["XT_6017", "XT_6043", "XT_6085", "XT_6072"],
    "ZEFRA1": ["XT_3720", "XT_3751", "XT_3705", "XT_3788"],
}
CLINICAL = set(
    "XT_4021 XT_4187 XT_2764 XT_2910 XT_7305 XT_7318 XT_5546 XT_1893 XT_6620 XT_3471 XT_8052 XT_9134".split()
)
ASSAYS = ["abnormal", "normal", "mixed", "not done", "not done"]
LABELS = {1: ["P", "LP"], 0: ["VUS"], -1: ["LB", "B"]}
HEADS = {
    "variants.csv": "id,gene,pos,ref,alt,context_start,context,af_max_pct,alleles,meioses,assay",
    "genes.csv": "gene,chromosome,mode",
    "transcripts.csv": "id,transcript,version,length,effect",
    "labels.csv": "id,date,stars,label",
}


def generate(rng):
    """Make the files and name the planted variants of each convention."""
    modes = dict(zip(rng.sample(sorted(GENES), 12), ["AD", "AR"] * 6, strict=True))
    book = Book(rng)
    variants = []

    def add(role="", **given):
        gene = given.pop("gene", None) or rng.choice(list(GENES))
        plain = {"place": exchange(rng), "frequency": seen(rng, "neither"), "meioses": 0}
        plain |= {"assay": "not done", "labels": []}
        effect = given.pop("effect", "missense")
        read = given.pop("read", None) or [(one, effect) for one in book.clear(gene)]
        variants.append({"role": role, "gene": gene, "read": read, **plain, **given})

    rare = {"frequency": seen(rng, "absent")}
    plus, minus = ({"labels": labels(rng, [(side, 2)])} for side in (1, -1))
    add("points", effect="truncating", assay="normal")
    add("points", assay="abnormal", **rare)
    add("points", meioses=rng.randint(5, 8), **rare)
    add("points", effect="silent", assay="abnormal")
    add("points", effect="truncating", frequency=seen(rng, "common"))
    add("points", meioses=2, **plus)
    for mode, low, high in (("AD", 0.0046, 0.0094), ("AR", 0.013, 0.14), ("AD", 0.0046, 0.0094), ("AR", 0.013, 0.14)):
        gene = rng.choice([one for one, held in modes.items() if held == mode])
        add("frequency", gene=gene, frequency=(f"{rng.uniform(low, high):.5f}", many(rng)))
    for meioses in (0, 1):
        add("frequency", meioses=meioses, frequency=("0", rng.randint(11000, 17700)))
    add("edges", effect="truncating", meioses=3)
    add("edges", assay="abnormal", meioses=1, **rare)
    add("edges", assay="normal", meioses=1, **plus)
    add("edges", assay="normal", effect="silent")
    add("edges", effect="truncating", meioses=rng.randint(4, 7))
    add("edges", effect="truncating")
    add("edges", **minus)
    add("edges", frequency=seen(rng, "common"))
    for meioses in (1, 2, 0, 0):
        add("mixed_assay", assay="mixed", meioses=meioses)
    for clinical in (True, True, False, False):
        gene, found = book.contested(clinical)
        effects = rng.sample(["missense", "silent"], 2)
        read = [(one, effects[one != book.choice(found)]) for one in found]
        add("transcript", gene=gene, read=read, **rare)
    for side in (1, -1):
        add("priors", labels=labels(rng, [(-side, 3), (side, 2), (-side, 1)]), **rare)
        add("priors", labels=labels(rng, [(side, 1), (side, 1), (-side, 0)]), **rare)
    for unit in (2, 3, 4):
        for inserted in (True, False):
            add("norm_pos", place=indel(rng, unit, inserted), effect="inframe" if unit == 3 else "intronic")
    while len(variants) < 120:
        gene = rng.choice(list(GENES))
        place, effects = exchange(rng), ["missense", "missense", "silent", "truncating", "intronic"]
        if rng.random() < 0.3:
            unit = rng.randint(1, 4)
            place = indel(rng, unit, rng.random() < 0.5)
            effects = ["inframe" if unit == 3 else "truncating", "intronic"]
        add(
            gene=gene,
            place=place,
            read=[(one, rng.choice(effects)) for one in rng.sample(book.of[gene], rng.randint(1, 4))],
            frequency=seen(rng, rng.choice(["absent", "low", "low", "neither", "common"])),
            meioses=rng.choice([0, 0, 1, 2, 3, 5]),
            assay=rng.choice(ASSAYS),
            labels=labels(rng, [(rng.choice([1, 0, -1]), rng.randint(0, 3)) for _ in range(rng.choice([0, 1, 2, 3]))]),
        )
    rng.shuffle(variants)
    return written(rng, variants, modes)


def written(rng, variants, modes):
    """Bring the variants into tables."""
    names = iter(rng.sample(range(1000, 9999), len(variants)))
    starts = {gene: rng.randrange(20, 90) * 100000 for gene in GENES}
    tables = {name: [head] for name, head in HEADS.items()}
    planted = {}
    for gene in GENES:
        tables["genes.csv"].append(f"{gene},{rng.randint(1, 22)},{modes[gene]}")
    for one in variants:
        name = f"V{next(names)}"
        planted.setdefault(one["role"], []).append(name)
        context, offset, ref, alt = one["place"]
        start = starts[one["gene"]] + rng.randrange(90000)
        cells = [name, one["gene"], start + offset, ref, alt, start, context]
        cells += [*one["frequency"], one["meioses"], one["assay"]]
        tables["variants.csv"].append(",".join(map(str, cells)))
        for (transcript, version, length), effect in one["read"]:
            tables["transcripts.csv"].append(f"{name},{transcript},{version},{length},{effect}")
        tables["labels.csv"] += [f"{name},{day},{stars},{label}" for day, stars, label in one["labels"]]
    planted.pop("")
    return {"files": {name: "\n".join(lines) + "\n" for name, lines in tables.items()}, "planted": planted}


class Book:
    """The transcripts of the genes, each with name, version and length."""

    def __init__(self, rng):
        self.rng = rng
        self.of = {}
        for gene, names in GENES.items():
            lengths, versions = rng.sample(range(600, 4200, 3), 4), rng.sample(range(1, 10), 4)
            if names[0] in CLINICAL and gene < "L":
                lengths = [*sorted(lengths[:3]), max(lengths) + 120]
            elif names[0] not in CLINICAL:
                lengths, versions = sorted(lengths), sorted(versions, reverse=True)
            self.of[gene] = rng.sample(list(zip(names, versions, lengths, strict=True)), 4)

    def choice(self, found):
        """Give the transcript that the house reads."""
        clinical = [one for one in found if one[0] in CLINICAL]
        return max(clinical, key=lambda one: one[2]) if clinical else max(found, key=lambda one: one[1])

    def clear(self, gene):
        """List some transcripts of a gene of which every rule takes the first."""
        while True:
            found = self.rng.sample(self.of[gene], self.rng.randint(1, 3))
            if found[0] == self.choice(found) == max(found, key=lambda one: one[2]):
                return found

    def contested(self, clinical):
        """List transcripts of a gene of which the house takes neither the first nor the longest."""
        while True:
            gene = self.rng.choice(list(GENES))
            found = self.rng.sample(self.of[gene], self.rng.randint(3, 4))
            chosen = self.choice(found)
            if (chosen[0] in CLINICAL) == clinical and chosen not in (found[0], max(found, key=lambda one: one[2])):
                return gene, found


def many(rng):
    """Give a number of alleles that satisfies everybody."""
    return rng.randint(21000, 152000)


def seen(rng, kind):
    """Give a frequency in per cent and the alleles read for it."""
    if kind == "absent":
        return "0", many(rng)
    low, high = rng.choice([(0.0006, 0.0037), (0.0046, 0.0094), (0.013, 0.14)]) if kind == "low" else (0.3, 3.9)
    if kind == "common":
        low, high = 6, 31
    return f"{rng.uniform(low, high):.5f}", many(rng) if rng.random() < 0.7 else rng.randint(9000, 17700)


def labels(rng, wanted):
    """Give earlier labels from the oldest to the newest, in any order."""
    day, found = date(2014, 1, 1), []
    for side, stars in wanted:
        day += timedelta(rng.randint(60, 900))
        found.append((day, stars, rng.choice(LABELS[side])))
    return rng.sample(found, len(found))


def sequence(rng, length):
    """Give bases."""
    return "".join(rng.choices("ACGT", k=length))


def exchange(rng):
    """Give a context with the exchange of one base."""
    context = sequence(rng, 21)
    offset = rng.randrange(5, 16)
    return context, offset, context[offset], rng.choice([base for base in "ACGT" if base != context[offset]])


def indel(rng, unit, inserted):
    """Give a context with a repeat, of which one unit is inserted or deleted somewhere."""
    bases = "".join(rng.sample("ACGT", unit))
    left, right = sequence(rng, rng.randint(6, 9)), sequence(rng, rng.randint(6, 9))
    count = rng.randint(4, 6)
    context = left + bases * count + right
    at = len(left) + rng.randrange(0, unit * (count - 1) + 1)
    moved = context[at : at + unit]
    return (context, at - 1, "-", moved) if inserted else (context, at, moved, "-")
