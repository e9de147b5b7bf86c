"""Verifier, written from instruction, artefact and data; sums in exact fractions, in one pass over a sorted order."""

import re
from collections import Counter, defaultdict
from fractions import Fraction
from statistics import mean, median

from kwsuite.checking import close, read_number, read_table


def verify(case):
    """Decide every criterion."""
    checks = case.checks()
    expected = reference({name: table(text) for name, text in case.inputs.items()}, case.conventions)
    rows = read_table(case.outputs["rollup.csv"], ("item", "level", "unit_cost", "flag"))
    faults = [
        f"row {number}: {name} is {row[name]!r}"
        for number, row in enumerate(rows, start=1)
        for name, right in (
            ("level", re.fullmatch(r"\d{1,6}", row["level"])),
            (
                "unit_cost",
                read_number(row["unit_cost"]) is not None and re.fullmatch(r"-?\d+\.\d{4}", row["unit_cost"]),
            ),
            ("flag", row["flag"] in ("", "L", "P")),
        )
        if not right
    ]
    if not checks.decide("schema", faults):
        return checks.report()
    counted = Counter(row["item"] for row in rows)
    off = sorted(
        f"{name} stands {counted[name]} times"
        for name in expected.keys() | counted.keys()
        if counted[name] != (name in expected)
    )
    if not checks.decide("row_set", off):
        return checks.report()
    keys = [(int(row["level"]), row["item"]) for row in rows]
    checks.decide(
        "order", [f"{key[1]} is out of order" for key, right in zip(keys, sorted(keys), strict=True) if key != right]
    )
    got = {row["item"]: row for row in rows}

    def differences(chosen):
        for name in chosen:
            level, cost, flag = expected[name]
            row = got[name]
            if not close(float(row["unit_cost"]), float(cost), case.tolerance):
                yield f"{name}: unit_cost {row['unit_cost']} instead of {float(cost):.4f}"
            if row["level"] != str(level) or row["flag"] != flag:
                yield f"{name}: level {row['level']}, flag {row['flag']!r} instead of {level}, {flag!r}"

    checks.decide("all_values", differences(sorted(expected)))
    for name, planted in case.planted.items():
        checks.decide(name, differences(planted))
    return checks.report()


def table(text):
    """Split a plain table."""
    header, *lines = [line.split(",") for line in text.strip().split("\n")]
    return [dict(zip(header, line, strict=True)) for line in lines]


def reference(tables, conventions):
    """Give (level, cost, flag) of every item that the plan reaches."""
    down = defaultdict(list)
    for row in tables["lines.csv"]:
        scrap = Fraction(row["scrap_pct"]) / 100
        quantity = Fraction(row["qty"])
        need = {"quantity": quantity, "quantity * (1 + scrap)": quantity + quantity * scrap}.get(
            conventions["scrap"], quantity / (1 - scrap)
        )
        down[row["parent"]].append((row["child"], need))
    order, back = sorted_order(down, [row["item"] for row in tables["plan.csv"]])
    level = {row["item"]: 0 for row in tables["plan.csv"]}
    for _ in order:
        for parent in order:
            for child, _need in down[parent]:
                if parent in level:
                    level[child] = min(level.get(child, level[parent] + 1), level[parent] + 1)
    demand = defaultdict(Fraction)
    for row in tables["plan.csv"]:
        demand[row["item"]] += Fraction(row["qty"])
    for parent in order:
        for child, need in down[parent]:
            if (parent, child) not in back:
                demand[child] += demand[parent] * need
    kind = {row["item"]: row["kind"] for row in tables["items.csv"]}
    prices = euro_prices(tables["prices.csv"], conventions["rates"])
    bought = buying(tables, prices, demand, conventions)
    handling = Fraction(str(conventions["handling"])) / 100
    part = {"no handling": Fraction(0), "half the handling": handling / 2}.get(conventions["phantom"], handling)
    looping = {parent for parent, _ in back}
    cost = {}
    for name in reversed(order):
        if kind[name] == "buy":
            cost[name] = bought(name)
        elif name in looping and not conventions["loop"].startswith("is left out"):
            cost[name] = Fraction(-1 if conventions["loop"].endswith("-1") else 0)
        else:
            total = sum((need * cost[child] for child, need in down[name] if (name, child) not in back), Fraction(0))
            cost[name] = total + total * (part if kind[name] == "phantom" else handling)
    flags = {
        name: "P" if kind[name] == "buy" and name not in prices else "L" if name in looping else "" for name in order
    }
    return {name: (level[name], cost[name], flags[name]) for name in order}


def sorted_order(down, tops):
    """Give the reached items, parents before children, and the lines that lead back to an ancestor."""
    state, finished, back = {}, [], set()
    for top in tops:
        stack = [(top, iter(down[top]))] if top not in state else []
        state.setdefault(top, "open")
        while stack:
            name, rest = stack[-1]
            for child, _need in rest:
                if state.get(child) == "open":
                    back.add((name, child))
                elif child not in state:
                    state[child] = "open"
                    stack.append((child, iter(down[child])))
                    break
            else:
                state[name] = "done"
                finished.append(name)
                stack.pop()
    return finished[::-1], back


def euro_prices(rows, rates):
    """Give the prices of each item by quantity, in euro and rounded."""
    scale = 10 ** rates["decimals"]
    result = defaultdict(dict)
    for row in rows:
        exact = Fraction(row["price"]) * Fraction(str(rates.get(row["currency"], 1)))
        result[row["item"]][int(row["min_qty"])] = Fraction((exact * scale + Fraction(1, 2)).__floor__(), scale)
    return result


def buying(tables, prices, demand, conventions):
    """Give a function from a bought item to its price."""
    group = {row["item"]: row["class"] for row in tables["items.csv"]}
    largest = defaultdict(Fraction)
    for row in tables["lines.csv"]:
        largest[row["child"]] = max(largest[row["child"]], Fraction(row["qty"]))
    missing = conventions["missing_price"]

    def price(name):
        if name not in prices:
            peers = [steps[min(steps)] for other, steps in prices.items() if group[other] == group[name]]
            return Fraction(str(missing["factor"])) * (median if missing["of"] == "median" else mean)(peers)
        steps = prices[name]
        lowest = min(steps)
        amount = {"smallest quantity listed": lowest, "largest quantity on a single line": largest[name]}.get(
            conventions["price_break"], demand[name]
        )
        return steps[max((step for step in steps if step <= amount), default=lowest)]

    return price
