"""Reference solution: reads its conventions from the artefact it is given, else uses the common ones."""

import json
import math
import re
from fractions import Fraction

LADDER = "becomes that of the first country on the ladder that is not the supplier's"
KEEP = "stays as drafted"
COMMON = {
    "cap": (Fraction(1), 12, 1),
    "cure_days": 30,
    "leave_days": 90,
    "confidentiality_months": 60,
    "personal_data_months": 60,
    "law": KEEP,
    "ladder": [],
    "errors": "is corrected in that clause, as elsewhere",
    "affiliate_pct": 50,
    "place": "our seat",
    "renewal": (12, KEEP, KEEP, 30),
}
CAPITALS = {
    "Sweden": "Stockholm",
    "Netherlands": "Amsterdam",
    "Ireland": "Dublin",
    "Finland": "Helsinki",
    "Austria": "Vienna",
    "Portugal": "Lisbon",
    "Denmark": "Copenhagen",
    "Belgium": "Brussels",
}
POSITIONS = {
    "Affiliates": "affiliate_pct",
    "Duration of secrecy": "confidentiality_months",
    "Personal data": "personal_data_months",
    "Leaving": "leave_days",
    "Ending for breach": "cure_days",
}
SETTLED = {
    "Service hours": ("service_hours", r"\d\d:\d\d to \d\d:\d\d"),
    "Availability": ("availability_pct", r"\d+\.\d+"),
    "Invoicing currency": ("invoice_currency", r"\b[A-Z]{3}\b"),
    "Payment": ("payment_days", r"\d+"),
    "Late payment": ("payment_days", r"\d+"),
    "Audit log": ("audit_log_months", r"\d+"),
    "Data export": ("export_days", r"\d+"),
}
SHARED = ("Invoicing currency", "Audit log", "Data export")
WORDS = {
    "service_hours": "service hours from {}",
    "availability_pct": "availability of {} per cent",
    "payment_days": "payment within {} days",
    "invoice_currency": "invoices in {}",
    "audit_log_months": "an audit log kept for {} months",
    "export_days": "an export of our data within {} days",
}

HEAD = "To: the deal owner  \nFrom: Legal  \nRe: our redline of the draft from {supplier}\n\n"
MEMO = """The redline is attached. Of the {clauses} clauses of the draft we replace wording in {replaced}, delete
{deleted} and leave the others as they are; {inserted} at the end.

**What will cost them most**

*The limit of liability, clause {limit_at}, becomes {limit}.* It is the figure that decides what one bad year can
cost {supplier}. Expect resistance on two grounds: their insurer prices that figure, so the change costs them
premium even if nothing ever happens, and what they grant to us the next customer will ask for.

*Our right to leave, clause {leaving_at}, is on {leaving} days of notice.* They plan staff and capacity on the
assumption that the revenue stays. The shorter our notice, the more of that idle cost is theirs, and their finance
people will say that they can no longer count the contract as committed.

**What to give up first**

Affiliates, clause {affiliates_at}, where control now begins above {affiliates} per cent of the votes. It widens the
circle of companies that may use the services, which is handy and no more. Go back to their wording if, in return,
they accept the {limit} in clause {limit_at} unchanged. Hold on to clause {leaving_at}: the right to leave gives us
weight in every later talk about price.

**The rest**

{rest}

Please call me before you answer their first reaction, so that we trade in this order."""


def solve(root, artefact=None):
    """Write outputs/redline.json and outputs/memo.md."""
    rules = read_rules((artefact / "conventions.md").read_text(encoding="utf-8")) if artefact else COMMON
    deal = json.loads((root / "data" / "deal.json").read_text(encoding="utf-8"))
    draft = (root / "data" / "msa.md").read_text(encoding="utf-8")
    clauses = re.findall(r"^## (\d+)\. (.+)\n\n(.+)$", draft, re.MULTILINE)
    redline, inserted, raised = {}, [], []
    for number, title, body in clauses:
        field, value = SETTLED[title][0] if title in SETTLED else "", None
        if title in SETTLED and str(deal["agreed"][field]) not in re.findall(SETTLED[title][1], body):
            value = deal["agreed"][field]
        elif title not in SETTLED:
            field, value = position(title, deal, rules)
        if value is not None and title in SHARED and not rules["errors"].startswith("is corrected"):
            (inserted if "inserted" in rules["errors"] else raised).append((number, title, field, value))
            value = None
        action = "keep" if value is None else "replace" if field else "delete"
        redline[title] = entry(number, action, *((field, value) if action == "replace" else ("", "")))
    extra = [entry(f"{len(clauses)}{letter}", "insert", *one[2:]) for letter, one in zip("ABC", inserted, strict=False)]
    rows = [*redline.values(), *extra]
    (root / "outputs").mkdir(exist_ok=True)
    lines = ",\n".join(json.dumps(row) for row in rows)
    (root / "outputs" / "redline.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    text = memo(redline, extra, [one[0] for one in inserted], raised, deal["supplier"]["name"])
    (root / "outputs" / "memo.md").write_text(text, encoding="utf-8")


def read_rules(text):
    """Take the values out of the prose."""
    flat = " ".join(text.split())

    def find(pattern):
        return re.search(pattern, flat)[1]

    return {
        "cap": (
            Fraction(find(r"liable up to ([\d.]+) times")),
            int(find(r"fees of the last (\d+) months")),
            int(find(r"full multiple of (\d+) euro")),
        ),
        "cure_days": int(find(r"cured within (\d+) days")),
        "leave_days": int(find(r"leave with (\d+) days")),
        "confidentiality_months": int(find(r"kept for (\d+) months after")),
        "personal_data_months": int(find(r"personal data last for (\d+) months")),
        "law": find(r"Governing law (.+?)\. The seat"),
        "ladder": find(r"ladder is (.+?), in this order").split(", "),
        "errors": find(r"error in one of them (.+?)\. \*\*"),
        "affiliate_pct": int(find(r"begins above (\d+) per cent")),
        "place": find(r"of the banks at (.+?)\. \*\*"),
        "renewal": (
            int(find(r"term of at most (\d+) months")),
            find(r"term of at most \d+ months (.+?); a renewal"),
            find(r"after a longer one (.+?)\. An opt-in"),
            int(find(r"is declared (\d+) days before")),
        ),
    }


def entry(clause, action, field, value):
    """Make an object of the redline."""
    return {"clause": clause, "action": action, "field": field, "value": value}


def position(title, deal, rules):
    """Give the field and value that our position puts into a clause: None to keep it, no field to delete it."""
    if title in POSITIONS:
        return POSITIONS[title], rules[POSITIONS[title]]
    if title == "Business Days":
        places = {"our seat": deal["customer"]["seat"], "the supplier's seat": deal["supplier"]["seat"]}
        return "business_day_place", places.get(rules["place"])
    if title == "Limit of liability":
        factor, months, step = rules["cap"]
        fees = [fee for _, fee in sorted(deal["fees_invoiced_eur"].items())][-months:]
        return "cap_eur", math.ceil(factor * sum(fees) / step) * step
    if title in ("Governing law", "Arbitration"):
        if rules["law"] == KEEP:
            return "", None
        others = [country for country in rules["ladder"] if country != deal["supplier"]["country"]]
        country = others[0] if rules["law"] == LADDER else deal["customer"]["country"]
        return ("governing_law", country) if title == "Governing law" else ("arbitration_seat", CAPITALS[country])
    if title.startswith("Renewal of"):
        limit, short, long, days = rules["renewal"]
        term = deal["terms_months"]["agreement" if title.endswith("Agreement") else "hosting_annex"]
        rule = short if term <= limit else long
        return {"is deleted": ("", ""), KEEP: ("", None)}.get(rule, ("renewal", f"opt-in {days}"))
    return "", None


def memo(redline, extra, mended, raised, supplier):
    """Write the cover memo from what the redline says."""
    at = {title: row["clause"] for title, row in redline.items()}
    new = {title: row["value"] for title, row in redline.items() if row["action"] == "replace"}
    facts = {
        "supplier": supplier,
        "clauses": len(redline),
        "replaced": len(new),
        "deleted": sum(row["action"] == "delete" for row in redline.values()) or "none",
        "inserted": f"{len(extra)} are inserted" if extra else "nothing is inserted",
        "limit_at": at["Limit of liability"],
        "limit": f"EUR {new['Limit of liability']:,}",
        "leaving_at": at["Leaving"],
        "leaving": new["Leaving"],
        "affiliates_at": at["Affiliates"],
        "affiliates": new["Affiliates"],
        "rest": " ".join(rest(at, new, redline, extra, mended, raised)),
    }
    paragraphs = [" ".join(part.split()) for part in MEMO.split("\n\n")]
    return (HEAD + "\n\n".join(paragraphs)).format(**facts) + "\n"


def rest(at, new, redline, extra, mended, raised):
    """Say the smaller changes, one sentence each."""
    yield f"A serious breach must be cured within {new['Ending for breach']} days (clause {at['Ending for breach']})."
    yield (
        f"Secrets are kept for {new['Duration of secrecy']} months after the end (clause {at['Duration of secrecy']}) "
        f"and the duties on personal data last {new['Personal data']} months (clause {at['Personal data']})."
    )
    if "Business Days" in new:
        yield f"Business Days follow the banks in {new['Business Days']} (clause {at['Business Days']})."
    if "Governing law" in new:
        yield (
            f"The law is that of {new['Governing law'].replace('Netherlands', 'the Netherlands')} "
            f"(clause {at['Governing law']}) and arbitration sits in {new['Arbitration']} (clause {at['Arbitration']})."
        )
    else:
        yield f"Governing law and seat, clauses {at['Governing law']} and {at['Arbitration']}, stay as drafted."
    for title in ("Renewal of the Agreement", "Renewal of the hosting annex"):
        clause = f"{title}, clause {at[title]},"
        if title in new:
            yield f"{clause} becomes an opt-in that we declare {new[title].split()[1]} days before the term ends."
        else:
            yield f"{clause} {'is deleted' if redline[title]['action'] == 'delete' else 'stays as drafted'}."
    for title in SETTLED:
        if title in new:
            yield f"Clause {at[title]} now says what was agreed: {WORDS[SETTLED[title][0]].format(new[title])}."
    for row, number in zip(extra, mended, strict=True):
        words = WORDS[row["field"]].format(row["value"])
        yield f"Clause {number} stays untouched; inserted clause {row['clause']} puts right what was agreed: {words}."
    for number, title, _, _ in raised:
        yield f"Clause {number}, {title.lower()}, departs from the deal sheet and is left as it is; raise it with them."
