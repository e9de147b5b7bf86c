"""No visible text may hold the pattern's name or hint at it."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from kwsuite.audit.finding import AuditFinding
from kwsuite.datasets.item_set import LoadedItem
from kwsuite.datasets.strict_yaml import read_yaml

HINTS: dict[str, str] = {
    "signal": r"signall?(?:s|ed|ing)?",
    "principal-agent": r"principal[- ]agents?",
    "mechanism design": r"mechanism designs?",
    "strategic interdependence": r"interdependen\w*",
    "moral hazard": r"moral hazards?",
    "adverse selection": r"adverse selection",
    "incentive": r"(?:dis)?incentiv\w*",
    "misalign": r"mis-?align\w*",
    "conflict of interest": r"conflicts? of interests?",
    "strategic": r"strateg\w*",
    "game theory": r"game[- ]theor\w*",
    "coalition": r"coalition\w*",
    "collude": r"collu(?:de|des|ded|ding|sion|sive)",
    "suspicious": r"suspicio\w*|suspect\w*",
    "red flag": r"red flags?",
    "mislead": r"mislead\w*|misled",
    "omission": r"omission\w*|omit\w*",
    "trap": r"traps?",
    "caveat": r"caveats?",
    "careful": r"careful\w*",
    "hidden": r"hid(?:e|es|den|ing)|conceal\w*",
    "cheap talk": r"cheap talk",
    "credible": r"(?:in)?credib(?:le|ility|ly)",
    "equilibrium": r"equilibri\w*",
    "winner's curse": r"winner[’']?s[’']? curse",
    "manipulate": r"manipulat\w*",
    "gaming": r"gam(?:ing|ed) the|gaming",
    "loophole": r"loopholes?",
    "perverse": r"perverse\w*",
    "distort": r"distort\w*",
    "bias": r"bias\w*",
    "motive": r"(?:ulterior )?motives?",
    "unintended": r"unintended",
    "pitfall": r"pitfalls?",
    "beware": r"beware|watch out",
    "anything odd": r"anything (?:odd|unusual|strange|wrong)",
    "sanity check": r"sanity[- ]checks?",
}
"""Hint vocabulary: what to call a word, and the pattern that finds its forms (whole words, any case)."""

_HINT = {name: re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE) for name, pattern in HINTS.items()}


def purity_findings(loaded: LoadedItem) -> list[AuditFinding]:
    """Search everything a candidate sees of an authored item for hints; each finding points at its line."""
    if loaded.folder is None:
        return []
    return list(_findings(loaded, loaded.folder))


def _findings(loaded: LoadedItem, folder: Path) -> Iterator[AuditFinding]:
    item = loaded.item
    document = read_yaml(folder / "task.yaml")
    task_line = document.marks[("task",)][0]
    own = {word: re.compile(rf"\b{re.escape(word)}\w*", re.IGNORECASE) for word in item.hidden_words}
    task_lines = list(enumerate(item.task.splitlines(), start=task_line + 1))
    yield from _hits(folder / "task.yaml", task_lines, _HINT, item.id, "the task")
    yield from _hits(folder / "task.yaml", task_lines, own, item.id, "the task, against the item's own hidden_words")
    for name in item.reference_files or ():
        words = Path(name).stem.replace("-", " ").replace("_", " ")
        yield from _hits(folder / name, [(0, words)], _HINT, item.id, "a file name")
    for part in loaded.material:
        lines = list(enumerate(part.text.splitlines(), start=1))
        yield from _hits(folder / part.name, lines, _HINT, item.id, "the material")


def _hits(
    path: Path, lines: Iterable[tuple[int, str]], words: dict[str, re.Pattern[str]], item: str, where: str
) -> Iterator[AuditFinding]:
    for number, line in lines:
        for name, pattern in words.items():
            found = pattern.search(line)
            if found:
                place = f"{path}:{number}" if number else str(path)
                yield AuditFinding(place, item, f"{found[0]!r} ({name}) stands in {where}. Say it neutrally.", "purity")
