"""Verifier, written from instruction, artefact and data: the edits that must be there, laid over clauses that stay."""

import json
import re
from collections import Counter
from fractions import Fraction

from kwsuite.checking import Unreadable, read_json, same_value

KEYS = {"clause", "action", "field", "value"}
KEEP = ("keep", "", "")
NUMBERS = set(
    "affiliate_pct availability_pct payment_days audit_log_months export_days personal_data_months"
    " confidentiality_months cap_eur leave_days cure_days".split()
)
TEXTS = set("business_day_place service_hours invoice_currency renewal governing_law arbitration_seat".split())
AGREED = ("Service hours", "Availability", "Payment", "Late payment")
SHARED = ("Invoicing currency", "Audit log", "Data export")
RENEWALS = {"Renewal of the Agreement": "agreement", "Renewal of the hosting annex": "hosting_annex"}
DRAFTED = {
    "Affiliates": ("affiliate_pct", r"([\d.]+) per cent of the votes"),
    "Business Days": ("business_day_place", r"banks in ([A-Z]\w+)"),
    "Service hours": ("service_hours", r"(\d\d:\d\d to \d\d:\d\d)"),
    "Availability": ("availability_pct", r"([\d.]+) per cent"),
    "Invoicing currency": ("invoice_currency", r"\b([A-Z]{3})\b"),
    "Payment": ("payment_days", r"(\d+) days"),
    "Late payment": ("payment_days", r"(\d+) days"),
    "Audit log": ("audit_log_months", r"(\d+) months"),
    "Data export": ("export_days", r"(\d+) days"),
    "Personal data": ("personal_data_months", r"(\d+) months"),
    "Duration of secrecy": ("confidentiality_months", r"(\d+) months"),
    "Limit of liability": ("cap_eur", r"EUR ([\d,]+\d)"),
    "Renewal of the Agreement": ("renewal", r"objects at least (\d+) days"),
    "Renewal of the hosting annex": ("renewal", r"objects at least (\d+) days"),
    "Leaving": ("leave_days", r"(\d+) days' notice"),
    "Ending for breach": ("cure_days", r"(\d+) days"),
    "Governing law": ("governing_law", r"law of (?:the )?([A-Z]\w+)"),
    "Arbitration": ("arbitration_seat", r"seat of the arbitration is ([A-Z]\w+)"),
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


def verify(case):
    """Decide every criterion."""
    checks = case.checks()
    right = reference(case.inputs, case.conventions)
    given = read_json(case.outputs["redline.json"])
    if not isinstance(given, list):
        raise Unreadable("redline.json is no list")
    if not checks.decide("schema", [fault for at, one in enumerate(given) for fault in misshapen(one, at)]):
        return checks.report()
    titles = {number: title for number, title, _ in draft(case.inputs["msa.md"])}
    listed = [one["clause"] for one in given]
    counted = Counter(listed)
    off = [f"{name} stands {counted[name]} times" for name in titles if counted[name] != 1]
    off += [f"{name} is not in the draft" for name in counted if name.isdigit() and name not in titles]
    off += [f"{name} stands {count} times" for name, count in counted.items() if not name.isdigit() and count > 1]
    checks.decide("row_set", off)
    ahead = zip(listed, listed[1:], strict=False)
    checks.decide("order", [f"{b} should not stand behind {a}" for a, b in ahead if position(a) > position(b)])
    got = {one["clause"]: (one["action"], one["field"], one["value"]) for one in given}

    def differences(names):
        for name in names:
            wanted, found = right.get(name), got.get(name)
            if wanted is None or found is None:
                if wanted is not found:
                    yield f"{name} {'is missing' if found is None else 'should not be there'}"
            elif wanted[:2] != found[:2] or not same_value(tidy(found[2]), wanted[2], case.tolerance):
                yield f"{name}: {found} instead of {wanted}"

    checks.decide("agreed_terms", differences(number for number, title in titles.items() if title in AGREED))
    checks.decide("untouched", differences(number for number, title in titles.items() if title not in DRAFTED))
    checks.decide("all_values", differences(sorted(right.keys() | got.keys(), key=position)))
    for name, planted in case.planted.items():
        checks.decide(name, differences(planted))
    return checks.report()


def misshapen(one, at):
    """List what is wrong with the form of an entry."""
    if not isinstance(one, dict) or set(one) != KEYS:
        return [f"entry {at} is no object with the keys {', '.join(sorted(KEYS))}"]
    clause, action, field, value = (one[key] for key in ("clause", "action", "field", "value"))
    if not isinstance(clause, str) or not re.fullmatch(r"[1-9][0-9]{0,3}[A-Z]?", clause):
        return [f"entry {at}: clause is {clause!r}"]
    if not isinstance(action, str) or action not in ("keep", "replace", "delete", "insert"):
        return [f"{clause}: action is {action!r}"]
    if (action == "insert") == clause.isdigit():
        return [f"{clause}: action is {action}, but letters are for inserted clauses, and for these alone"]
    if action in ("keep", "delete"):
        return [] if field == "" and value == "" else [f"{clause}: {action} with {field!r}, {value!r}"]
    if not isinstance(field, str) or field not in NUMBERS | TEXTS:
        return [f"{clause}: field is {field!r}"]
    # The bound also keeps out infinities and whole numbers that no float can hold.
    sound = type(value) in (int, float) and abs(value) < 1e12 if field in NUMBERS else isinstance(value, str)
    return [] if sound else [f"{clause}: {field} is {str(value)[:40]!r}"]


def position(name):
    """Tell where a clause stands."""
    digits = name.rstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    return int(digits), name[len(digits) :]


def tidy(value):
    """Drop spaces around a text and doubled ones in it."""
    return " ".join(value.split()) if isinstance(value, str) else value


def draft(text):
    """Give number, title and text of every clause."""
    return re.findall(r"^## (\d+)\. (.+?)\s*\n\s*(.+)", text, re.MULTILINE)


def reference(inputs, conventions):
    """Give (action, field, value) of every clause, inserted ones last."""
    clauses = draft(inputs["msa.md"])
    demands = demanded(json.loads(inputs["deal.json"]), conventions)
    result = {number: KEEP for number, _, _ in clauses}
    behind = []
    for number, title, text in clauses:
        wish = demands.get(title)
        if wish == "delete":
            result[number] = ("delete", "", "")
        elif wish is not None and not says(title, text, wish):
            if title in SHARED and not conventions["never_touch"].startswith("is corrected in that clause"):
                behind.append((DRAFTED[title][0], wish))
            else:
                result[number] = ("replace", DRAFTED[title][0], wish)
    if "inserted" in conventions["never_touch"]:
        for letter, edit in zip("ABC", behind, strict=False):
            result[clauses[-1][0] + letter] = ("insert", *edit)
    return result


def says(title, text, wish):
    """Tell whether a clause already says what it should."""
    field, pattern = DRAFTED[title]
    found = re.search(pattern, text)[1]
    if field in NUMBERS:
        return Fraction(found.replace(",", "")) == Fraction(str(wish))
    return wish == (f"opt-out {found}" if field == "renewal" else found)


def demanded(deal, conventions):
    """Give by title what clauses are to say: a value, or delete; no entry where the draft stands."""
    agreed, periods, lasts = deal["agreed"], conventions["periods"], conventions["survival"]
    wishes = {title: agreed[DRAFTED[title][0]] for title in (*AGREED, *SHARED)}
    wishes |= {"Leaving": periods["leave"], "Ending for breach": periods["cure"]}
    wishes |= {"Duration of secrecy": lasts["confidentiality"], "Personal data": lasts["data"]}
    wishes["Affiliates"] = conventions["terms"]["affiliate"]
    side = {"the supplier's seat": "supplier", "our seat": "customer"}.get(conventions["terms"]["business_day"])
    if side:
        wishes["Business Days"] = deal[side]["seat"]
    fees = sorted(deal["fees_invoiced_eur"].items())[-conventions["cap"]["months"] :]
    step = conventions["cap"]["step"]
    exact = Fraction(str(conventions["cap"]["factor"])) * sum(amount for _, amount in fees)
    wishes["Limit of liability"] = -(-exact // step) * step
    rule, country = conventions["law"]["rule"], None
    if "own country" in rule:
        country = deal["customer"]["country"]
    elif "ladder" in rule:
        country = next(name for name in conventions["law"]["ladder"] if name != deal["supplier"]["country"])
    if country:
        wishes |= {"Governing law": country, "Arbitration": CAPITALS[country]}
    renewal = conventions["renewal"]
    for title, term in RENEWALS.items():
        fate = renewal["short" if deal["terms_months"][term] <= renewal["limit"] else "long"]
        wishes[title] = {"is deleted": "delete", "becomes an opt-in": f"opt-in {renewal['days']}"}.get(fate)
    return wishes
