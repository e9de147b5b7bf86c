"""Verifier, written from instruction, artefact and data; gains by word over the whole base, then sums per query."""

import json
import math
import re
from collections import Counter, defaultdict
from datetime import date
from statistics import fmean

from kwsuite.checking import close, read_number, read_table

COLUMNS = ("query_id", "rank", "doc_id", "score")
FIELDS = ("title", "tags", "body")
ENDINGS = {
    "every word is left as it is": (),
    "a final s is cut off": ("s",),
    "the first of the endings ing and s that a word has is cut off": ("ing", "s"),
    "the first of the endings ship, age, ing and s that a word has is cut off": ("ship", "age", "ing", "s"),
}


def verify(case):
    """Decide every criterion."""
    checks = case.checks()
    right = reference(case.inputs, case.conventions)
    rows = read_table(case.outputs["results.csv"], COLUMNS)
    if not checks.decide("schema", form_faults(rows)):
        return checks.report()
    got = defaultdict(list)
    for row in rows:
        got[row["query_id"]].append((int(row["rank"]), row["doc_id"], float(row["score"])))
    checks.decide("row_set", set_faults(rows, right, {one["id"] for one in records(case.inputs["docs.jsonl"])}))
    keys = [(row["query_id"], int(row["rank"])) for row in rows]
    misplaced = [f"{two} stands after {one}" for one, two in zip(keys, keys[1:], strict=False) if two <= one]
    gaps = [
        f"{query}: the ranks do not run from 1 to {len(found)}"
        for query, found in sorted(got.items())
        if sorted(rank for rank, _, _ in found) != list(range(1, len(found) + 1))
    ]
    checks.decide("order", misplaced + gaps)

    def differences(chosen):
        for query in chosen:
            found, wanted = sorted(got.get(query, [])), right.get(query, [])
            if len(found) != len(wanted):
                yield f"{query}: {len(found)} documents instead of {len(wanted)}"
            for (rank, name, score), (place, (document, value)) in zip(found, enumerate(wanted, start=1), strict=False):
                if (rank, name) != (place, document):
                    yield f"{query}: {name} at rank {rank} instead of {document} at {place}"
                elif not close(score, value, case.tolerance):
                    yield f"{query}: {name} has the score {score:.4f} instead of {value:.4f}"

    checks.decide("all_values", differences(sorted(right.keys() | got.keys())))
    for name, planted in case.planted.items():
        checks.decide(name, differences(planted))
    return checks.report()


def form_faults(rows):
    """List the cells that are not of their kind."""
    for number, row in enumerate(rows, start=1):
        if not re.fullmatch(r"[1-9][0-9]{0,5}", row["rank"]):
            yield f"row {number}: rank {row['rank']!r} is no whole number from 1"
        if read_number(row["score"]) is None or not re.fullmatch(r"[0-9]+\.[0-9]{4}", row["score"]):
            yield f"row {number}: score {row['score']!r} is no number with four decimals"


def set_faults(rows, right, documents):
    """List pairs that stand twice or name what there is not, and queries with too few or too many rows."""
    pairs = Counter((row["query_id"], row["doc_id"]) for row in rows)
    sizes = Counter(row["query_id"] for row in rows)
    faults = [f"{query}: {name} stands {count} times" for (query, name), count in pairs.items() if count > 1]
    faults += [f"{query}: {name!r} is no document" for query, name in pairs if name not in documents]
    faults += [
        f"{query!r} has {sizes[query]} rows instead of {len(right.get(query, ()))}"
        for query in sizes.keys() | right.keys()
        if sizes[query] != len(right.get(query, ()))
    ]
    return sorted(faults)


def records(text):
    """Read a JSON object from each line."""
    return [json.loads(line) for line in text.split("\n") if line.strip()]


def reference(inputs, conventions):
    """Give the best documents of each query in order, with their scores; queries without any are left out."""
    base = {record["id"]: record for record in records(inputs["docs.jsonl"])}
    users = {user["id"]: user for user in json.loads(inputs["users.json"])}
    today = date.fromisoformat(inputs["today.txt"].strip())
    reader = word_reader(conventions)
    worth = gains(base, reader, conventions)
    aging = {name: freshness(record, today, conventions["age"]) for name, record in base.items()}
    open_to = {name: frozenset(visible(base, user, conventions)) for name, user in users.items()}
    result = {}
    for query in json.loads(inputs["queries.json"]):
        sums = defaultdict(list)
        for word in sorted(set(reader(query["text"]))):
            for name, gain in worth[word].items():
                sums[name].append(gain)
        scores = {name: math.fsum(sums[name]) * aging[name] for name in sums.keys() & open_to[query["user"]]}
        ties = {name: tie(base[name], conventions["ties"]) for name in scores}
        ranked = sorted((-round(score, 6), ties[name], name) for name, score in scores.items())
        if ranked:
            result[query["id"]] = [(name, scores[name]) for _, _, name in ranked[:5]]
    return result


def plain_words(text):
    """Split into runs of letters."""
    return re.findall(r"[^\W\d_]+", text.lower())


def word_reader(conventions):
    """Give a function from a text to its words as they are compared."""
    pattern = re.compile(rf"(?<=\w{{4}})(?:{'|'.join(ENDINGS[conventions['folding']]) or '(?!)'})$")
    nicknames, known = conventions["synonyms"], {}

    def read(text):
        for word in (found := plain_words(text)):
            if word not in known:
                known[word] = pattern.sub("", nicknames.get(word, word))
        return [known[word] for word in found]

    return read


def gains(base, reader, conventions):
    """Give what each word adds to the match of each document that holds it."""
    texts = {name: {**record, "tags": " ".join(record["tags"])} for name, record in base.items()}
    words = {field: {name: reader(texts[name][field]) for name in base} for field in FIELDS}
    settings, boosts = conventions["scoring"], conventions["field_weights"]
    weights = defaultdict(lambda: defaultdict(float))
    for field, by_name in words.items():
        average = fmean(len(found) for found in by_name.values())
        for name, found in by_name.items():
            stretch = 1 + settings[field] * (len(found) / average - 1)
            for word, count in Counter(found).items():
                weights[word][name] += boosts[field] * count / stretch
    result = defaultdict(dict)
    for word, by_name in weights.items():
        rare = math.log1p((len(base) - len(by_name) + 0.5) / (len(by_name) + 0.5))
        rare = rare if rare > settings["floor"] else settings["floor"]
        result[word] = {name: rare * value / (settings["k1"] + value) for name, value in by_name.items()}
    return result


def freshness(record, today, rule):
    """Give the factor for the age of a document."""
    days = (today - date.fromisoformat(record["updated"])).days - 30
    return rule["floor"] + (1 - rule["floor"]) * 2.0 ** -(max(days, 0) / rule["half_life"])


def visible(base, user, conventions):
    """List the documents that a user finds."""
    unlisted = {"everyone": True, "nobody": False}.get(conventions["access"])
    allowed = set()
    for name, record in base.items():
        own = record["team"] == user["team"] if unlisted is None else unlisted
        if not set(record["acl"]).isdisjoint(user["groups"]) if record["acl"] else own:
            allowed.add(name)
    if conventions["versions"] == "shown like any other":
        return allowed
    hidden = set()
    for newest in base if conventions["versions"] == "hidden from everyone" else allowed:
        older = base[newest]["replaces"]
        while older:
            hidden.add(older)
            older = base[older]["replaces"]
    return allowed - hidden


def tie(record, rule):
    """Tell where a document stands among those of equal score, before its identifier decides."""
    if rule == "the latest update":
        return -date.fromisoformat(record["updated"]).toordinal()
    return len(plain_words(record["title"])) if rule == "the fewest words in its title" else 0
