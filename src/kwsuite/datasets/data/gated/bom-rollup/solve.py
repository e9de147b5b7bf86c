"""Reference solution: reads its conventions from the artefact it is given, else uses the common ones."""

import csv
import re
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from pathlib import Path
from statistics import mean, median

COMMON = {
    "scrap": "quantity * (1 + scrap)",
    "loop": "makes the cost of its parent 0",
    "rates": {"EUR": 1.0, "SEK": 1.0, "USD": 1.0},
    "decimals": 4,
    "break": "smallest quantity listed",
    "missing": (0.0, "median"),
    "handling": 0.0,
    "phantom": "the same handling",
}


def solve(root, artefact=None):
    """Write outputs/rollup.csv."""
    rules = read_rules((artefact / "conventions.md").read_text(encoding="utf-8")) if artefact else COMMON
    book = Book(root / "data", rules)
    rows = sorted((level, name) for name, level in book.levels.items())
    (root / "outputs").mkdir(exist_ok=True)
    with open(root / "outputs" / "rollup.csv", "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["item", "level", "unit_cost", "flag"])
        writer.writerows((name, level, f"{book.cost(name):.4f}", book.flag(name)) for level, name in rows)


def read_rules(text):
    """Take the values out of the prose."""
    flat = " ".join(text.split())

    def find(pattern):
        return re.search(pattern, flat)[1]

    return {
        "scrap": find(r"needs of a child is (.+?), with scrap"),
        "loop": find(r"leads back to an ancestor (.+?)\. It is"),
        "rates": {"EUR": 1.0, "SEK": float(find(r"SEK times ([\d.]+),")), "USD": float(find(r"USD times ([\d.]+)\. "))},
        "decimals": int(find(r"rounded to (\d+) decimals")),
        "break": find(r"reached by the (.+?); that is"),
        "missing": (float(find(r"without any price costs ([\d.]+) times")), find(r"times the (\w+) of its class")),
        "handling": float(find(r"plus ([\d.]+) per cent of that sum")) / 100,
        "phantom": find(r"same way but with (.+?)\. Nothing"),
    }


class Book:
    """The tables, and what follows from them."""

    def __init__(self, data, rules):
        self.rules = rules
        self.kinds = {row["item"]: row["kind"] for row in read(data / "items.csv")}
        self.classes = {row["item"]: row["class"] for row in read(data / "items.csv")}
        self.plan = {row["item"]: float(row["qty"]) for row in read(data / "plan.csv")}
        self.children, self.tiers, self.largest = {}, {}, {}
        for row in read(data / "lines.csv"):
            line = (row["child"], float(row["qty"]), float(row["scrap_pct"]) / 100)
            self.children.setdefault(row["parent"], []).append(line)
            self.largest[row["child"]] = max(self.largest.get(row["child"], 0), line[1])
        for row in read(data / "prices.csv"):
            self.tiers.setdefault(row["item"], []).append((float(row["min_qty"]), self.euro(row)))
        for tiers in self.tiers.values():
            tiers.sort()
        self.closing = set()
        for top in self.plan:
            self.find_loops(top, [])
        self.levels = self.breadth_first()
        self.cost = lru_cache(maxsize=None)(self.cost)
        self.demand = lru_cache(maxsize=None)(self.demand)

    def euro(self, row):
        """Convert and round one price."""
        exact = Decimal(row["price"]) * Decimal(str(self.rules["rates"][row["currency"]]))
        return float(exact.quantize(Decimal(1).scaleb(-self.rules["decimals"]), ROUND_HALF_UP))

    def find_loops(self, name, path):
        """Note every line that leads back into the path above it."""
        for child, _, _ in self.children.get(name, []):
            if child in [*path, name]:
                self.closing.add((name, child))
            else:
                self.find_loops(child, [*path, name])

    def breadth_first(self):
        """Give the level of every item that is reached."""
        levels, front = dict.fromkeys(self.plan, 0), list(self.plan)
        while front:
            name = front.pop(0)
            for child, _, _ in self.children.get(name, []):
                if child not in levels:
                    levels[child] = levels[name] + 1
                    front.append(child)
        return levels

    def open_lines(self, name):
        """Give the lines of an item that close no loop, with what one piece needs."""
        return [
            (child, self.need(quantity, share))
            for child, quantity, share in self.children.get(name, [])
            if (name, child) not in self.closing
        ]

    def need(self, quantity, share):
        """Apply the rule for scrap."""
        return {
            "quantity": quantity,
            "quantity * (1 + scrap)": quantity * (1 + share),
            "quantity / (1 - scrap)": quantity / (1 - share),
        }[self.rules["scrap"]]

    def demand(self, name):
        """Give the pieces that the plan needs."""
        total = self.plan.get(name, 0.0)
        for parent in self.levels:
            for child, need in self.open_lines(parent):
                if child == name:
                    total += self.demand(parent) * need
        return total

    def cost(self, name):
        """Give the unit cost."""
        if self.kinds[name] == "buy":
            return self.price(name)
        if any(parent == name for parent, _ in self.closing) and self.rules["loop"].startswith("makes"):
            return float(self.rules["loop"].rsplit(" ", 1)[1])
        total = sum(need * self.cost(child) for child, need in self.open_lines(name))
        shares = {"no handling": 0, "half the handling": 0.5, "the same handling": 1}
        share = shares[self.rules["phantom"]] if self.kinds[name] == "phantom" else 1
        return total * (1 + self.rules["handling"] * share)

    def price(self, name):
        """Choose the price of a bought item."""
        if name not in self.tiers:
            factor, middle = self.rules["missing"]
            known = [tiers[0][1] for other, tiers in self.tiers.items() if self.classes[other] == self.classes[name]]
            return factor * (median(known) if middle == "median" else mean(known))
        reached = {"smallest quantity listed": 0, "largest quantity on a single line": self.largest.get(name, 0)}.get(
            self.rules["break"]
        )
        if reached is None:
            reached = self.demand(name)
        return [price for quantity, price in self.tiers[name] if quantity <= max(reached, self.tiers[name][0][0])][-1]

    def flag(self, name):
        """Give P, L or nothing."""
        if self.kinds[name] == "buy" and name not in self.tiers:
            return "P"
        return "L" if any(parent == name for parent, _ in self.closing) else ""


def read(path):
    """Read a table."""
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
