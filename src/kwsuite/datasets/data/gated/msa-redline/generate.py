"""A supplier's draft of a services agreement, from worded alternatives, and the deal sheet. Standard library only."""

import json
import re

CUSTOMERS = {"Finland": "Tampere", "Austria": "Graz", "Portugal": "Porto", "Denmark": "Aarhus", "Belgium": "Ghent"}
SUPPLIERS = {"Sweden": "Gothenburg", "Netherlands": "Rotterdam", "Germany": "Hamburg", "Poland": "Gdansk"}
NAMES = ["Alderby", "Brask", "Corvane", "Dunmore", "Elvik", "Ferrow", "Glenholt", "Harken", "Isolde", "Jarrow"]
CUSTOMER_TRADES, SUPPLIER_TRADES = ["Yarns", "Ceramics", "Bearings", "Seeds"], ["Datahouse", "Systems", "Hosting"]
# Agreed on the deal sheet, and what the draft says where it is in error.
AGREED = {
    "invoice_currency": (["EUR"], ["USD", "GBP", "CHF"]),
    "payment_days": ([28, 35, 45], [21, 50, 55]),
    "audit_log_months": ([13, 16, 26], [4, 6, 8]),
    "export_days": ([21, 25, 28], [5, 7, 10]),
    "service_hours": (["07:00 to 19:00", "06:30 to 20:00"], ["09:00 to 16:00", "08:00 to 16:30"]),
    "availability_pct": ([99.7, 99.8], [98.5, 98.9]),
}
PROTECTED = ("invoice_currency", "audit_log_months", "export_days")
DRAFTED = {
    "cap_eur": [55_000, 70_000, 85_000, 110_000],
    "cure_days": [21, 28, 45],
    "leave_days": [120, 150, 180],
    "confidentiality_months": [8, 12, 15],
    "personal_data_months": [6, 10, 16],
    "affiliate_pct": [51, 55, 80],
    "business_day_place": ["London", "Zurich", "Milan"],
    "renewal_agreement": [35, 45, 100],
    "renewal_hosting": [35, 45, 100],
}
# The field that a clause settles, its title, and its wording with alternatives. Groups keep their order.
CLAUSES = """
# affiliate_pct|Affiliates| [In this Agreement "Affiliate" means|"Affiliate" is|The word "Affiliate" stands for] any
legal entity that a party controls, that controls it or that is under common control with it. Control [means holding|is
given by holding|lies in] more than {v} per cent of the votes, directly or through others. [Affiliates of Customer may
use the Services|Customer may let its Affiliates use the Services] as if they were Customer.
# business_day_place|Business Days| ["Business Day" means|A Business Day is|As a Business Day counts] a day other than a
Saturday or Sunday on which banks in {v} are open for general business. A time limit that ends on another day is
[extended to|met on] the next Business Day, and a message that arrives after office hours counts as received then.
# |Documents| The Agreement consists of these clauses, the statement of work, the hosting annex and the price list. [If
they contradict each other|In case of contradiction], these clauses come first and the price list last. General terms of
either party [do not apply|form no part of it], even where an order or an invoice refers to them.
# |Notices| Notices under the Agreement are sent by registered letter or by e-mail to the contacts in the statement of
work. [Each party tells the other|The parties tell each other] without delay when a contact changes. Invoices and
everyday messages need no particular form.
---
# |Services| Supplier hosts and maintains the order system described in the statement of work and [supports|assists] its
users. It does so with the skill and care of an experienced provider and keeps to the [law that applies|rules that
apply] to its own business. A new release may not take away a function that Customer uses.
# service_hours|Service hours| [The service desk is staffed|Supplier staffs the service desk|Support is given] on
Business Days from {v}. Outside these hours incidents can be reported by e-mail, and Supplier [begins work on|takes up]
those of the highest priority without waiting for the next Business Day.
# availability_pct|Availability| [The system is available|Supplier keeps the system available|Availability is at least]
{v} per cent of each calendar month, planned maintenance not counted. Supplier reports availability every month. Where
it falls short the fee of that month is [reduced|lowered] as the price list says.
# |Acceptance| Customer tests each delivery within [eleven|thirteen|fourteen] Business Days and accepts it if it [does
what|works as] the statement of work says. Minor defects do not stand in the way of acceptance and are mended within a
reasonable time. Use in production counts as acceptance.
# |Cooperation| Customer gives Supplier the access and the information that it needs, and names one person who can take
decisions. [Where this comes late|If Customer is late with it], dates move by as much, and Supplier says so in writing
as soon as it [sees|notices] the delay.
# |Personnel| Supplier chooses its people with care and keeps key persons on the work as far as it can. [A key person is
replaced|It replaces a key person] by somebody of the same experience, after telling Customer. Nothing here makes anyone
an employee of the other party.
# |Subcontractors| Supplier may use subcontractors for parts of the work and stays [answerable|responsible] for them as
for its own people. It keeps a list of those that handle data of Customer, tells Customer of a change [in good
time|beforehand] and hears its objections.
---
# |Fees| Customer pays the fees in the price list. They cover everything that is needed for the Services, travel
included unless the statement of work says otherwise. Supplier may [propose|ask for] a change of fees once a year, and
it takes effect only when both parties have signed it.
# invoice_currency|Invoicing currency| [Supplier invoices|Invoices are made out|All amounts are invoiced] in {v}.
Amounts that arise in another currency are converted at the rate of the day before the invoice, and the invoice
[shows|states] that rate. Costs of conversion are borne by the party that causes them.
# payment_days|Payment| [An invoice is due|Customer pays an invoice|Each invoice is payable] within {v} days of its
receipt. Customer may withhold an amount that it disputes in good faith and pays the rest. The parties [settle|clear up]
the disputed part between their contacts first.
# payment_days|Late payment| [Where an invoice remains unpaid after|Where an invoice is not paid after|If an
invoice is still open after] the {v} days allowed for payment, interest is owed at the rate set by law. Supplier sends
two reminders before it [restricts|limits] any Service, and never does so while a dispute is open.
# |Taxes| Fees are stated without value added tax, which is added where the law asks for it. Each party bears its own
other taxes. Tax withheld at source is [credited|set off] against the invoice if Customer [hands over|provides] the
certificate of the tax office.
---
# |Customer data| All data that Customer or its users put into the system belong to Customer. Supplier uses them [only
to provide the Services|for the Services and nothing else], keeps them apart from those of others and acquires no rights
in them, whether as they are or in aggregated form.
# personal_data_months|Personal data| Supplier handles personal data on the instructions of Customer and as the data
annex says. [The duties in this clause survive|This clause survives|What this clause asks for outlasts] the end of the
Agreement by {v} months. A breach of personal data is reported to Customer without undue delay, together with [what is
known|the known facts].
# |Security| Supplier keeps technical and organisational measures in place that suit the risk, and [reviews|tests] them
every year. Customer may ask for the summary of the latest review. Access to the system is granted by role, logged and
withdrawn as soon as [it is no longer needed|the need has ended].
# audit_log_months|Audit log| [Supplier keeps the audit log for|Supplier holds the audit log for|Supplier stores the audit log
for] {v} months and protects it against later changes. It shows who did what and when. Customer can read it at any
time and may hand it to its auditors and to [authorities|public bodies].
# export_days|Data export| [Supplier hands over all data of Customer within|On request all data of Customer are exported
within|Customer receives an export of its data within] {v} days, in a common format that can be read without the system.
There is no charge for [one export a year|the first export of a year] and for the one at the end.
# |Confidentiality| Each party keeps secret what it learns about the business of the other, and uses it for the
Agreement alone. This does not cover what is public, what it knew [before|already] or what it has to disclose by law.
Advisers bound to secrecy may be told.
# confidentiality_months|Duration of secrecy| [The duty to keep secrets continues for|Secrets are kept for|The duty of
secrecy ends] {v} months after the end of the Agreement. Documents are returned or destroyed on request, except for
copies that the law [requires|obliges] a party to retain; these remain secret as long as they are kept.
---
# |Licence| For the term of the Agreement Customer may use the system and its documents in its own business. Supplier
keeps all rights in them. What is made for Customer alone and paid for by it [passes to|belongs to] Customer on payment,
with the right to change it.
# |Third-party rights| If a third party claims that the system infringes its rights, Supplier defends Customer and
[bears the cost|pays what is awarded]. Customer tells it of the claim early and leaves the defence to it. Supplier may
change the system so that it no longer infringes.
# |Warranty| Supplier warrants that the system does what the statement of work says. It mends defects within a
reasonable time. If it fails [twice|two times], Customer may lower the fee or, where the defect is serious, end the part
of the Agreement that is affected.
# cap_eur|Limit of liability| [The liability of Supplier is limited to|Supplier is liable up to|Supplier owes damages of
no more than] EUR {v} in each contract year, whatever the legal ground. The limit does not apply to intent, gross
negligence, injury to persons or [breach of secrecy|a breach of the duty of secrecy].
# |Losses left out| Neither party is liable for loss of profit or for loss that it could not [foresee|expect] when
signing. The cost of restoring data, of a replacement service and of telling persons whose data are affected [is direct
loss|counts as direct loss] and can be claimed.
# |Insurance| Supplier has insurance for its professional and general liability with an insurer of good standing and
shows the certificate on request. The cover is not [reduced|lowered] while the Agreement runs, and Supplier tells
Customer if it is cancelled.
---
# |Term| The Agreement begins on signature. It runs for the term in the deal sheet, and the hosting annex for its own
term in the deal sheet. When it ends Supplier helps for [a reasonable time|as long as needed] to move the Services to
Customer or to somebody that Customer names.
# renewal_agreement|Renewal of the Agreement| [When its term ends the Agreement is prolonged|After its term the
Agreement is renewed|At the end of its term the Agreement goes on] for periods of a year each, unless a party objects at
least {v} days before the end of the term or period. Fees of a new period are those of the price list then in force.
# renewal_hosting|Renewal of the hosting annex| [When its term ends the hosting annex is prolonged|After its term the
hosting annex is renewed|At the end of its term the hosting annex goes on] by the same term, unless a party objects at
least {v} days before its end. Capacity that was ordered on top is prolonged with it.
# leave_days|Leaving| Customer may end the Agreement [at any time|without giving a reason] by giving {v} days' notice to
the end of a month. It then pays the fees up to that day and [nothing more|no compensation beyond them]. Parts of the
Services can be ended in the same way.
# cure_days|Ending for breach| A party may end the Agreement at once if the other commits a serious breach and has not
[cured|remedied] it within {v} days of a written notice. The notice says what the breach is. Insolvency of a party has
the same effect as far as the law allows.
---
# governing_law|Governing law| [The Agreement is governed by|To the Agreement applies|The Agreement is subject to] the
law of {v}, without its rules on conflict of laws. The convention on the international sale of goods [does not apply|is
left out]. Mandatory law for the protection of data stays unaffected.
# arbitration_seat|Arbitration| Disputes are settled by three arbitrators [under the rules of a recognised
institution|under institutional rules]. The seat of the arbitration is {v} and its language is English. Either party may
ask a court for interim measures, and talks between the managers come first.
# |Assignment| A party may assign the Agreement with the written consent of the other, which is not withheld without
good reason. [No consent is needed|Consent is not needed] for an assignment to a legal successor of the whole business.
Claims for money may be assigned freely.
# |Changes| Changes of the Agreement need writing and the signature of both parties; this goes for the present clause
too. [A clause that turns out invalid|An invalid clause] is replaced by a valid one that comes closest to it, and the
others stay in force.
"""


def generate(rng):
    """Make the files and name the planted clauses of each convention."""
    customer, supplier = rng.choice(sorted(CUSTOMERS)), rng.choice(["Sweden", *sorted(SUPPLIERS)])
    names = rng.sample(NAMES, 2)
    agreed = {field: rng.choice(right) for field, (right, _) in AGREED.items()}
    errors = {*rng.sample(PROTECTED, 2), rng.choice(["service_hours", "availability_pct"])}
    late = rng.choice(["Payment", "Late payment"])
    clauses, places = [], {}
    for group in CLAUSES.split("---"):
        parts = group.strip().removeprefix("# ").split("\n# ")
        for part in rng.sample(parts, len(parts)):
            field, title, text = part.split("|", 2)
            if field in AGREED:
                wrong = field in errors or title == late
                value = rng.choice(AGREED[field][1]) if wrong else agreed[field]
            else:
                law = {"governing_law": supplier, "arbitration_seat": SUPPLIERS[supplier]}
                value = law.get(field) or rng.choice(DRAFTED.get(field, [""]))
            places[field] = str(len(clauses) + 1)
            shown = f"{value:,}" if field == "cap_eur" else str(value).replace("Netherlands", "the Netherlands")
            clauses.append((title, _worded(rng, text).replace("{v}", shown)))
    terms = [rng.choice([12, 15]), rng.choice([24, 36])]
    rng.shuffle(terms)
    text = "# Master services agreement\n\nDraft of Supplier.\n" + "".join(
        f"\n## {number}. {title}\n\n{body}\n" for number, (title, body) in enumerate(clauses, start=1)
    )
    deal = {
        "we_are": "customer",
        "customer": _party(rng, names[0], CUSTOMER_TRADES, customer, CUSTOMERS),
        "supplier": _party(rng, names[1], SUPPLIER_TRADES, supplier, SUPPLIERS),
        "terms_months": {"agreement": terms[0], "hosting_annex": terms[1]},
        "agreed": agreed,
        "fees_invoiced_eur": _fees(rng),
    }
    slips = sorted((places[field] for field in errors if field in PROTECTED), key=int)
    fields = {
        "cap": ["cap_eur"],
        "periods": ["cure_days", "leave_days"],
        "survival": ["confidentiality_months", "personal_data_months"],
        "law": ["governing_law", "arbitration_seat"],
        "terms": ["affiliate_pct", "business_day_place"],
        "renewal": ["renewal_agreement", "renewal_hosting"],
    }
    planted = {name: [places[field] for field in some] for name, some in fields.items()}
    return {
        "files": {"msa.md": text, "deal.json": json.dumps(deal, indent=1) + "\n"},
        "planted": planted | {"never_touch": [*slips, "38A", "38B"]},
    }


def _party(rng, name, trades, country, seats):
    """Describe a party."""
    return {"name": f"{name} {rng.choice(trades)}", "country": country, "seat": seats[country]}


def _worded(rng, text):
    """Choose among worded alternatives."""
    return re.sub(r"\[([^\]]*)\]", lambda found: rng.choice(found[1].split("|")), " ".join(text.split()))


def _fees(rng):
    """Give the fees of the last two years by month, which end with the month before signing."""
    level, start = rng.randrange(38_000, 66_000), rng.randrange(12)
    months = [f"{2024 + (start + at) // 12}-{(start + at) % 12 + 1:02d}" for at in range(24)]
    return {month: round(level * rng.uniform(0.85, 1.2)) for month in months}
