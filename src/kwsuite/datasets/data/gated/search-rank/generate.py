"""A knowledge base with queries: each convention has queries whose documents it alone moves."""

import json
from datetime import date, timedelta

TEAMS = ("facilities", "finance", "people", "systems", "legal", "sales")
GROUPS = ("employees", "leads", "board", "north", "south", "contractors")
SHIP, AGE = ("owner", "member", "partner"), ("cover", "leak", "post")
NICKNAMES = (("heron", "expense"), ("quarry", "archive"), ("tiller", "payroll"))
TOPICS = (
    "laptop projector visa pension canteen shuttle invoice voucher firewall router printer helmet forklift tenant "
    "warranty courier audit newsletter webinar mentor seminar password keyboard headset locker elevator generator "
    "overtime sabbatical budget tender insurance permit vaccine allergy carpool scanner whiteboard barcode pallet"
).split()
OTHERS = "training parking tickets contract supplier calendar holiday survey bicycle reception meter hotline".split()
ABOUT = (
    "Questions about {w} go to the desk on the second floor.",
    "The form for {w} is kept in the blue folder of the office.",
    "Requests for {w} are answered within a few working days.",
    "What applies to {w} was agreed with the works council last spring.",
    "Changes that touch {w} need a word with the person in charge first.",
)
PLAIN = (
    "Please read the whole page before you start and keep a copy of the form.",
    "The office is open from morning to late afternoon on every working day.",
    "Send the signed form by mail and wait until someone confirms it.",
    "If something is unclear, call the desk and leave your name and number.",
    "New colleagues learn this in their first week from the person next to them.",
    "The old way of doing it is no longer in use at any of our sites.",
    "We look at the rules once a year and change them when the law does.",
    "A short list of contacts stands at the end of this page.",
    "Urgent cases are dealt with on the same day.",
    "The steps below are the same for every site and every department.",
    "Managers approve the request in the portal, and nobody else has to.",
    "Keep the receipt until the end of the year.",
    "Nothing of this replaces what your own agreement says.",
    "The team meets on the first Monday of the month to go through open points.",
    "Your data is stored for as long as the law asks for it and then deleted.",
    "Colleagues abroad follow the rules of the country they work in.",
    "There is a waiting list when demand is high in summer.",
    "Ask early, since the people in charge are away in August.",
)
OPEN = ("This is {n} page of the {t} team and not a legal text.", "The {t} team wrote {n} page for daily work.")
TITLES = (
    "Short guide", "Notes for daily work", "How we do it here", "First steps for new colleagues",
    "What to know before you ask us", "Rules and forms in one single place", "Good to know",
    "Guide to the most common requests",
)  # fmt: skip
TAGS = ("howto", "office", "forms", "rules", "contacts", "onboarding", "site")
TODAY = date(2026, 3, 16)


def generate(rng):
    """Make the files and name the planted queries of each convention."""
    base = Base(rng)
    for make in (folding, synonyms, field_weights, age, access, versions, ties, scoring):
        make(base, rng)
    background(base, rng)
    rng.shuffle(base.queries)
    rng.shuffle(base.docs)
    planted = {}
    for number, (role, query) in enumerate(base.queries, start=1):
        query["id"] = f"Q{number:02d}"
        planted.setdefault(role, []).append(query["id"])
    planted.pop("")
    queries = [{"id": query["id"], "user": query["user"], "text": query["text"]} for _, query in base.queries]
    return {
        "files": {
            "docs.jsonl": "".join(json.dumps(one) + "\n" for one in base.docs),
            "queries.json": json.dumps(queries, indent=1) + "\n",
            "users.json": json.dumps(list(base.users.values()), indent=1) + "\n",
            "today.txt": f"{TODAY}\n",
        },
        "planted": planted,
    }


class Base:
    """Documents, users and queries so far."""

    def __init__(self, rng):
        self.rng, self.docs, self.queries = rng, [], []
        self.user = None
        self.numbers = iter(rng.sample(range(1000, 9999), 300))
        self.topics = iter(rng.sample(TOPICS, len(TOPICS)))
        groups, teams = rng.sample(GROUPS, 6), rng.sample(TEAMS, 6)
        self.users = {
            f"u{number}": {
                "id": f"u{number}", "team": teams[number], "groups": [groups[number], groups[(number + 2) % 6]],
            }
            for number in range(6)
        }  # fmt: skip

    def query(self, role, text):
        """Add a query, and give a function that adds documents for it, visible to its user unless told otherwise."""
        user = self.user = self.users[self.rng.choice(list(self.users))]
        self.queries.append((role, {"user": user["id"], "text": text}))
        lengths = set()

        def add(word, times=1, seen=True, **fields):
            """Add a document whose body has a word; no two of a query are equally long, so that none tie by chance."""
            groups = [one for one in GROUPS if (one in user["groups"]) == seen]
            fields = {"acl": self.rng.sample(groups, 1 if seen else 2)} | fields
            while True:
                body = self.body([word] * times, self.rng.randint(3, 6))
                if len(body.split()) not in lengths:
                    lengths.add(len(body.split()))
                    return self.doc(body, **fields)

        return add

    def body(self, words, plain, near=0.94):
        """Write a body of plain sentences and one for each word."""
        told = [one.format(w=word) for one, word in zip(self.rng.sample(ABOUT, len(words)), words, strict=True)]
        sentences = [*told, *self.rng.sample(PLAIN, plain)]
        self.rng.shuffle(sentences)
        note = "an internal" if self.rng.random() < near else "a helpful"
        return " ".join([self.rng.choice(OPEN).format(n=note, t=self.rng.choice(TEAMS)), *sentences])

    def doc(self, body, title=None, tags=(), days=None, team=None, acl=(), replaces="", number=None):
        """Add a document and give its identifier; without days it is a recent one."""
        rng = self.rng
        days = rng.randint(0, 29) if days is None else days
        name = f"K{number or next(self.numbers)}"
        own = rng.sample(TAGS, rng.randint(1, 3))
        self.docs.append(
            {
                "id": name, "title": title or rng.choice(TITLES), "body": body, "tags": [*tags, *own],
                "team": team or rng.choice(TEAMS), "updated": str(TODAY - timedelta(days=days)), "acl": list(acl),
                "replaces": replaces,
            }
        )  # fmt: skip
        return name


def folding(base, rng):
    """Plant forms of one word with and without endings."""
    for family, ending in ((rng.choice(SHIP), "ship"), (rng.choice(AGE), "age")):
        forms = [family, f"{family}{ending}", f"{family}s", f"{family}{ending}"]
        add = base.query("folding", rng.choice(forms[:2]))
        for form in forms:
            add(form, rng.randint(1, 2))


def synonyms(base, rng):
    """Plant nicknames beside what they stand for, in different documents."""
    for nickname, word in rng.sample(NICKNAMES, 2):
        add = base.query("synonyms", rng.choice([nickname, word]))
        for one in (nickname, word, nickname, word):
            add(one, rng.randint(1, 2))


def field_weights(base, rng):
    """Plant one word in each of the fields."""
    for _ in range(2):
        word, filler = next(base.topics), next(base.topics)
        add = base.query("field_weights", word)
        add(word, 2)
        add(word)
        add(filler, title=f"{rng.choice(TITLES)}: {word}")
        add(filler, tags=[word])
        add(word, tags=[word])


def age(base, rng):
    """Plant documents of all ages."""
    word = next(base.topics)
    add = base.query("age", word)
    for days in (rng.randint(3, 29), rng.randint(80, 120), rng.randint(180, 260), rng.randint(380, 460), 640):
        add(word, rng.randint(1, 2), days=days)


def access(base, rng):
    """Plant documents without groups, of the user's own team and of others."""
    for _ in range(2):
        word = next(base.topics)
        add = base.query("access", word)
        other = rng.choice([team for team in TEAMS if team != base.user["team"]])
        add(word, 2, acl=[], team=base.user["team"])
        add(word, 3, acl=[], team=other)
        add(word, 1, acl=[], team=other)
        add(word)
        add(word, 2, seen=False, team=base.user["team"])


def versions(base, rng):
    """Plant older versions: of what the user may see, of what the user may not, and of both in a row."""
    for _ in range(2):
        word = next(base.topics)
        add = base.query("versions", word)
        old, middle, new = (rng.randint(start, start + 9) for start in (20, 10, 0))
        add(word, 2, days=new, replaces=add(word, 2, days=old))
        add(word, 3, seen=False, days=new, replaces=add(word, 2, days=old))
        add(word, 1, days=new, replaces=add(word, 3, seen=False, days=middle, replaces=add(word, 3, days=old)))


def ties(base, rng):
    """Plant three documents with equal scores, whose titles, identifiers and dates say different things."""
    word = next(base.topics)
    add = base.query("ties", word)
    plain, told = rng.sample(PLAIN, 4), rng.sample(ABOUT, 2)
    start, lines = rng.choice(OPEN), [one.format(w=word) for one in told]
    by_length = {len(one.split()): one for one in TITLES}
    titles = [by_length[length] for length in sorted(rng.sample(sorted(by_length), 3), reverse=True)]
    numbers = sorted(next(base.numbers) for _ in range(3))
    days = sorted(rng.sample(range(1, 29), 3))
    for title, number, ago in zip(titles, numbers, (days[1], days[0], days[2]), strict=True):
        sentences = [*plain, *lines]
        rng.shuffle(sentences)
        body = " ".join([start.format(n="an internal", t=rng.choice(TEAMS)), *sentences])
        base.doc(body, title, days=ago, acl=rng.sample(base.user["groups"], 1), number=number)
    add(word)
    add(word, 3)


def scoring(base, rng):
    """Plant a query with a word that nearly every document has."""
    word, other = next(base.topics), next(base.topics)
    add = base.query("scoring", f"internal {word}")
    for times in (1, 1, 2, 2, 3, 3):
        add(word, times)
    add = base.query("scoring", f"{other} internal")
    for times in (1, 1, 2, 2, 3, 3):
        add(other, times)


def background(base, rng):
    """Add documents and queries in which everything happens at once."""
    earlier = []
    for _ in range(70):
        chosen = rng.sample(OTHERS, rng.randint(1, 3))
        groups = rng.sample(GROUPS, rng.randint(0, 3))
        title = f"{rng.choice(TITLES)}: {rng.choice(chosen)}" if rng.random() < 0.3 else None
        tags = [rng.choice(chosen)] if rng.random() < 0.3 else []
        replaces, latest = earlier.pop() if earlier and rng.random() < 0.2 else ("", 700)
        days = rng.randint(0, latest)
        body = base.body(chosen, rng.randint(3, 6))
        earlier.append((base.doc(body, title, tags, days, acl=groups, replaces=replaces), days))
    for text in ("train parking", "ticket hotline", "supplier contract calendar", "internal survey"):
        base.query("", text)
