"""Logs built to published KWBench figures (arXiv 2604.15760): an arithmetic fixture, not a replication.

The passes of eight candidates over 223 items were solved for as an integer program whose constraints are the published
figures: passes of each, the 26 items that the first two share, the difficulty histogram, the greedy coverage and its
order, the items that only one passes, no pair above 45 % overlap, and the solved items of each category.
"""

from pathlib import Path

from tests.analysis.making import gate_record, write_log

NAMES = ("opus", "gpt", "gemini-pro", "kimi", "glm", "qwen", "minimax", "flash")
"""In the order in which the curve takes them; bit 0 is the first."""
SETS = {
    0: 110, 1: 14, 2: 10, 4: 7, 8: 3, 9: 12, 16: 4, 18: 5, 19: 3, 32: 2, 36: 5, 52: 1, 55: 4, 64: 2, 81: 1, 85: 1,
    87: 1, 93: 3, 111: 2, 115: 3, 128: 2, 149: 3, 168: 2, 187: 5, 194: 6, 216: 3, 227: 1, 245: 1, 247: 5, 255: 2,
}  # fmt: skip
"""How many items are passed by exactly the candidates whose bits are set."""
CATEGORIES = {
    "Analytical Reasoning": (8, 8),
    "Research & Technical": (16, 12),
    "Financial Analysis": (15, 10),
    "Judgment Under Pressure": (33, 21),
    "Adversarial Prediction": (14, 8),
    "Strategic Planning": (21, 11),
    "Healthcare & Clinical": (4, 2),
    "Creative & Content": (8, 4),
    "Operations & Process": (19, 8),
    "Principal-Agent": (18, 7),
    "Temporal & Commitment": (21, 8),
    "Information & Signaling": (17, 6),
    "Multi-Agent Dynamics": (15, 5),
    "Adversarial Counterparty": (12, 3),
    "Mechanism Design": (2, 0),
}
"""Items of each category, and how many of them at least one of the eight passes."""


def write_published(folder: Path) -> None:
    """Write one log a candidate, all over the same 223 items."""
    sets = [members for members, count in SETS.items() for _ in range(count)]
    solved = [members for members in sets if members]
    unsolved = [members for members in sets if not members]
    samples, passed_by = {}, {}
    for category, (items, passed) in CATEGORIES.items():
        for place in range(items):
            item = f"kw_{len(samples) + 1:03d}"
            samples[item] = {"input": f"{category} {place}", "category": category, "polarity": "positive"}
            passed_by[item] = solved.pop() if place < passed else unsolved.pop()
    for bit, name in enumerate(NAMES):
        scores = {}
        for item, members in passed_by.items():
            state = "met" if members >> bit & 1 else "not_met"
            scores[item, 1] = gate_record({"m1": "met", "m2": state, "g1": "met", "i1": "not_met"})
        write_log(folder, f"lab{bit}/{name}", scores, samples, number=bit)
