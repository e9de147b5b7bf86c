"""Reference solution: reads its conventions from the artefact it is given, else uses the common ones."""

import csv
import json
import math
import re
from collections import Counter
from datetime import date

FIELDS = ("title", "tags", "body")
NICKNAMES = ("heron", "quarry", "tiller")
COMMON = {
    "folding": "every word is left as it is",
    "synonyms": {},
    "weights": {"title": 1.0, "tags": 1.0, "body": 1.0},
    "b": {"title": 0.75, "tags": 0.75, "body": 0.75},
    "k1": 1.2,
    "floor": 0.0,
    "access": "everyone",
    "versions": "hidden from everyone",
    "ties": "the smallest identifier",
    "age": (1.0, 180.0),
}


def solve(root, artefact=None):
    """Write outputs/results.csv."""
    rules = read_rules((artefact / "conventions.md").read_text(encoding="utf-8")) if artefact else COMMON
    data = root / "data"
    docs = [json.loads(line) for line in (data / "docs.jsonl").read_text(encoding="utf-8").splitlines()]
    users = {user["id"]: user for user in json.loads((data / "users.json").read_text(encoding="utf-8"))}
    today = date.fromisoformat((data / "today.txt").read_text(encoding="utf-8").strip())
    index = Index(docs, today, rules, load_operator(artefact))
    rows = []
    for query in sorted(json.loads((data / "queries.json").read_text(encoding="utf-8")), key=lambda one: one["id"]):
        found = index.ranking(query["text"], users[query["user"]])
        rows += [(query["id"], rank, name, f"{score:.4f}") for rank, (name, score) in enumerate(found[:5], start=1)]
    (root / "outputs").mkdir(exist_ok=True)
    with open(root / "outputs" / "results.csv", "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["query_id", "rank", "doc_id", "score"])
        writer.writerows(rows)


def read_rules(text):
    """Take the values out of the prose and its tables."""
    flat = " ".join(text.split())
    table = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|"):
            table[cells[0]] = cells[1:]

    def find(pattern):
        return re.search(pattern, flat)[1]

    return {
        "folding": find(r"After that (.+?); it is cut"),
        "synonyms": {word: table[word][0] for word in NICKNAMES},
        "weights": {field: float(table[field][0]) for field in FIELDS},
        "b": {field: float(table[field][1]) for field in FIELDS},
        "k1": float(find(r"k1 is (\d+(?:\.\d+)?)\.")),
        "floor": float(find(r"A rarity below (\d+(?:\.\d+)?) counts")),
        "access": find(r"without an access list is visible to (.+?)\. A document"),
        "versions": find(r"has been replaced is (.+?)\. Newer"),
        "ties": find(r"equal scores the one with (.+?) comes first"),
        "age": (float(find(r"where a is (\d+(?:\.\d+)?),")), float(find(r"h is (\d+(?:\.\d+)?),"))),
    }


def load_operator(artefact):
    """Take the three functions from the artefact, else write them as they stand in the literature."""
    if artefact is None:
        return {"rarity": plain_rarity, "weight": plain_weight, "saturation": lambda weight, k1: weight / (k1 + weight)}
    module = {}
    exec(compile((artefact / "ops.py").read_text(encoding="utf-8"), "ops.py", "exec"), module)
    return module


def plain_rarity(documents, holding, floor):
    """Give the usual inverse document frequency."""
    return max(floor, math.log(1 + (documents - holding + 0.5) / (holding + 0.5)))


def plain_weight(counts, lengths, averages, weights, b):
    """Give the weighted count of a word, each field by its length."""
    total = 0.0
    for field, count in counts.items():
        total += weights[field] * count / (1 - b[field] + b[field] * lengths[field] / averages[field]) if count else 0.0
    return total


class Index:
    """The documents, split into words."""

    def __init__(self, docs, today, rules, operator):
        self.docs, self.today, self.rules, self.operator = docs, today, rules, operator
        self.known, self.held = {}, {}
        self.by_id = {doc["id"]: doc for doc in docs}
        self.newer = {doc["replaces"]: doc["id"] for doc in docs if doc["replaces"]}
        self.counts, self.lengths, self.holding = {}, {}, Counter()
        for doc in docs:
            fields = {"title": doc["title"], "tags": " ".join(doc["tags"]), "body": doc["body"]}
            words = {field: self.words(text) for field, text in fields.items()}
            self.counts[doc["id"]] = {field: Counter(found) for field, found in words.items()}
            self.lengths[doc["id"]] = {field: len(found) for field, found in words.items()}
            self.held[doc["id"]] = set().union(*words.values())
            self.holding.update(self.held[doc["id"]])
        self.averages = {field: sum(one[field] for one in self.lengths.values()) / len(docs) for field in FIELDS}

    def words(self, text):
        """Split into words that can be compared."""
        found = re.findall(r"[a-z]+", text.lower())
        for word in set(found) - self.known.keys():
            self.known[word] = self.folded(self.rules["synonyms"].get(word, word))
        return [self.known[word] for word in found]

    def folded(self, word):
        """Cut off an ending."""
        how = self.rules["folding"]
        endings = ["s"] if how.startswith("a final s") else []
        if how.startswith("the first"):
            endings = re.findall(r"\w+", re.search(r"the endings (.+?) that a word", how)[1].replace(" and ", ", "))
        for ending in endings:
            if word.endswith(ending) and len(word) - len(ending) >= 4:
                return word[: -len(ending)]
        return word

    def ranking(self, text, user):
        """Give identifier and score of what the user may see, in order."""
        words = list(dict.fromkeys(self.words(text)))
        rows = []
        for doc in self.docs:
            match = self.match(doc["id"], words)
            if match and self.shown(doc, user):
                rows.append((-round(match * self.fresh(doc), 6), self.tie(doc), doc["id"]))
        return [(name, -score) for score, _, name in sorted(rows)]

    def match(self, name, words):
        """Add up the words of a query."""
        total = 0.0
        for word in words:
            if word in self.held[name]:
                counts = {field: found[word] for field, found in self.counts[name].items()}
                rare = self.operator["rarity"](len(self.docs), self.holding[word], self.rules["floor"])
                weight = self.operator["weight"](
                    counts, self.lengths[name], self.averages, self.rules["weights"], self.rules["b"]
                )
                total += rare * self.operator["saturation"](weight, self.rules["k1"])
        return total

    def fresh(self, doc):
        """Give the factor for age."""
        least, half = self.rules["age"]
        days = max(0, (self.today - date.fromisoformat(doc["updated"])).days - 30)
        return least + (1 - least) * 0.5 ** (days / half)

    def tie(self, doc):
        """Give what decides between equal scores."""
        if self.rules["ties"].endswith("title"):
            return self.lengths[doc["id"]]["title"]
        return -date.fromisoformat(doc["updated"]).toordinal() if self.rules["ties"].endswith("update") else 0

    def visible(self, doc, user):
        """Tell whether the user may see a document, whatever its version."""
        if doc["acl"]:
            return bool(set(doc["acl"]) & set(user["groups"]))
        rule = self.rules["access"]
        return rule == "everyone" or (rule.startswith("the members") and doc["team"] == user["team"])

    def shown(self, doc, user):
        """Tell whether the user finds a document."""
        if not self.visible(doc, user):
            return False
        later, rule = [], self.rules["versions"]
        name = self.newer.get(doc["id"])
        while name:
            later.append(self.by_id[name])
            name = self.newer.get(name)
        if rule == "hidden from everyone":
            return not later
        return rule.startswith("shown") or not any(self.visible(one, user) for one in later)
