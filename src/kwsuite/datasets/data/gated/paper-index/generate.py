"""An archive of small papers: one large graph, and a small graph of its own for each convention."""

FAMILIES = (
    "Abrahams Becker Castell Dorn Eriksen Falk Gerber Hollis Ivarsson Jansen Keller Lund Moreau Nyberg Olsen Petit Quist "
    "Rossi Steiner Thorne Ulrich Vasko Weiss Yates Zeller Arden Bloch Corsi Dahl Engel Ferro Grau Hahn Isler Jung Krol "
    "Linde Marek Nolte Ostrom"
).split()
INITIALS = "ABCDEFGHIJKLMNOPRST"
WORDS = "adaptive coastal discrete elastic granular harmonic lateral modular nested passive radial sparse tidal".split()
YEARS = range(2019, 2025)


def generate(rng):
    """Make the pages and name the planted authors of each convention."""
    names = iter(f"{rng.choice(INITIALS)}. {family}" for family in rng.sample(FAMILIES, len(FAMILIES)))
    papers = []

    def paper(authors, year=None, kind=None):
        papers.append((list(authors), year or rng.choice(YEARS), kind or rng.choice(["article", "letter"])))

    def people(count):
        return [next(names) for _ in range(count)]

    groups = [people(5) for _ in range(3)]
    for group in groups:
        for position, author in enumerate(group):
            paper([author, group[(position + 1) % len(group)]], 2019 + position)
        paper(rng.sample(group, 3))
    bridges = people(2)
    for bridge, (one, other) in zip(bridges, ((0, 1), (1, 2)), strict=True):
        paper([bridge, rng.choice(groups[one])])
        paper([bridge, rng.choice(groups[other])])
    paper([groups[0][0], groups[0][1]], 2024)

    paper(["J. van der Berg", "S. Muster"], 2019)
    paper(["Jan Berg", "R. Dubois"], 2021)
    paper(["J. BERG", "T. Ekman"], 2022)
    paper(["K. Lindqvist", "U. Prager"], 2019)
    paper(["K. Sandell", "V. Salin"], 2022)
    paper(["M. Okafor", "W. Tamm"], 2020)
    paper(["M. Brandt", "X. Urban"], 2023)
    crowd = people(9)
    for one, other in zip(crowd, crowd[1:], strict=False):
        paper([one, other])
    paper(crowd)
    middles = []
    # Through the middle it is nearer than directly by the private lengths in the second trio only, by 1 / k in both.
    for direct in (2, 1):
        near, middle, far = people(3)
        middles.append(middle)
        for pair, count in (((near, middle), 5), ((middle, far), 5), ((near, far), direct)):
            for _ in range(count):
                paper(pair)
    first, second, third, fourth = people(4)
    paper([first, second], 2020)
    paper([third, fourth], 2021)
    paper([second, third], 2022, "erratum")
    paper([first, third], 2023, "review")
    paper([first, fourth], 2012)
    paper(["P. de Abel", "A. van Zorn"], 2020)
    paper(["B. Adler", "A. van Zorn"], 2021)

    rng.shuffle(papers)
    files, links = {}, [[], [], [], []]
    for number, (authors, year, kind) in enumerate(papers, start=1):
        listed = rng.sample(authors, len(authors))
        title = f"On {' '.join(rng.sample(WORDS, 2))} systems, part {number}"
        name = f"paper-{number:03d}.html"
        files[name] = (
            f'<html><head><title>{title}</title></head><body>\n<h1>{title}</h1>\n<ul class="authors">\n'
            + "".join(f"<li>{author}</li>\n" for author in listed)
            + f'</ul>\n<p class="year">{year}</p>\n<p class="kind">{kind}</p>\n</body></html>\n'
        )
        links[number % 4].append(f'<li><a href="{name}">{title}</a></li>\n')
    for number, some in enumerate(links, start=1):
        files[f"index-{number}.html"] = f"<html><body>\n<ul>\n{''.join(some)}</ul>\n</body></html>\n"
    return {
        "files": files,
        "planted": {
            "person_key": ["J. van der Berg"],
            "changed_names": ["K. Lindqvist", "M. Okafor"],
            "author_limit": crowd[1:-1],
            "edge_length": middles,
            "window": [first, second, third],
            "collation": ["P. de Abel", "B. Adler", "A. van Zorn"],
            "scaling": ["A. van Zorn"],
        },
    }
