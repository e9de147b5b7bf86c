"""The leak audit: does anything a candidate sees tell what the artefact tells?"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rapidfuzz import fuzz, utils

from kwsuite.audit.finding import AuditFinding
from kwsuite.audit.leak_spellings import any_pattern, pattern, plain, spellings
from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.gated import GatedItem
from kwsuite.datasets.gated_artefact import render

PARAPHRASE = 80.0
"""Token sort ratio, of 100, from which two sentences are held to say the same."""

_COMMON_WHOLE = 20
_NEAR = 40
_WORD = re.compile(r"[a-z]{4,}")


class Constant(NamedTuple):
    """A gated value and what stands around it in the artefact."""

    convention: str
    value: float | str
    words: frozenset[str]
    """Words of four letters or more in the lines of the artefact that tell it."""

    @property
    def spellings(self) -> tuple[str, ...]:
        """Every way to write it, folded."""
        return (plain(self.value),) if isinstance(self.value, str) else spellings(self.value)

    @property
    def telling(self) -> bool:
        """Whether the value alone gives it away; a small whole number or a single word occurs by chance."""
        if isinstance(self.value, str):
            return len(self.value.split()) > 1
        return not (float(self.value).is_integer() and abs(self.value) <= _COMMON_WHOLE)


class Leak(NamedTuple):
    """Something in a text that an artefact tells."""

    file: str
    line: int
    what: str


def gated_leak_findings(item: GatedItem, seeds: Sequence[int]) -> list[AuditFinding]:
    """Audit the instruction, and the data of every seed.

    Cells of generated data hit a constant by chance now and then; that is a finding only if it happens on every seed.
    """
    found = [_finding(item, leak) for leak in leaks(item, {"instruction.md": item.instruction})]
    counted: Counter[str] = Counter()
    first: dict[str, Leak] = {}
    for seed in seeds:
        seen = {f"{leak.file} {leak.what}": leak for leak in leaks(item, dict(item.instance(seed).files))}
        counted.update(seen.keys())
        first = {**seen, **first}
    found += [_finding(item, first[key]) for key, count in counted.items() if count == len(seeds)]
    return found


def folder_leak_findings(item: GatedItem, folder: Path) -> list[AuditFinding]:
    """Audit any folder for what the task's artefact tells: every hit is a finding, chance or not.

    Raises:
        DataError: There is no file to search (links are not followed), or one cannot be read.
    """
    texts = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            try:
                # What is not text is searched as far as it can be read as text.
                texts[str(path.relative_to(folder))] = path.read_bytes()[:2_000_000].decode("utf-8", "replace")
            except OSError as error:
                raise DataError(f"{path}: cannot be read ({error.strerror}), so it was not searched.") from error
    if not texts:
        raise DataError(f"{folder}: holds no files, so nothing was searched. Name the folder that candidates see.")
    return [
        AuditFinding(f"{folder / leak.file}:{leak.line}", item.task.id, leak.what, "leak")
        for leak in leaks(item, texts)
    ]


def leaks(item: GatedItem, texts: Mapping[str, str]) -> Iterator[Leak]:
    """Search texts, by file name, for values, table rows, headings and sentences of the artefact."""
    artefact = item.artefact(item.task.values)
    known = list(constants(item))
    headings = [
        line.strip("# ").strip() for text in artefact.values() for line in text.splitlines() if line.startswith("#")
    ]
    marks = [plain(one) for one in [*artefact, *headings] if len(one.split()) > 2 or "." in one]
    pairs = list(_alias_pairs(artefact))
    sentences = [one for text in artefact.values() for one in _sentences(text)]
    # Most lines hold no value at all, and one search says so for all spellings together.
    telling = any_pattern(spelling for constant in known for spelling in constant.spellings)
    for file, text in texts.items():
        for at, line in enumerate([file, *text.splitlines()]):
            folded = plain(line)
            seen = known if telling.search(folded) else []
            for what in _line_leaks(folded, seen, marks, pairs, prose=at > 0):
                yield Leak(file, at, what)
        if not file.endswith((".csv", ".jsonl")):
            yield from _paraphrases(file, text, sentences)


def constants(item: GatedItem) -> Iterator[Constant]:
    """Give every leaf of the private values that differs from the common one."""
    for name, convention in item.task.conventions.items():
        common = dict(_leaves(convention.common))
        for path, value in _leaves(convention.value):
            if isinstance(value, str | int | float) and not isinstance(value, bool) and common.get(path) != value:
                words = [_WORD.findall(plain(line)) for line in _lines_telling(item, name)]
                yield Constant(name, value, frozenset(word for line in words for word in line))


def _line_leaks(
    line: str, known: Sequence[Constant], marks: Sequence[str], pairs: Sequence[tuple[str, str]], prose: bool
) -> Iterator[str]:
    for constant in known:
        for spelling in constant.spellings:
            if _tells(constant, pattern(spelling).search(line), line, prose):
                yield f"tells {constant.convention}: {spelling!r}"
                break
    for mark in marks:
        if mark in line:
            yield f"names the artefact or a heading of it: {mark!r}"
    for one, other in pairs:
        if one in line and other in line and pattern(one).search(line) and pattern(other).search(line):
            yield f"tells an alias: {one!r} beside {other!r}"


def _tells(constant: Constant, hit: re.Match[str] | None, line: str, prose: bool) -> bool:
    """Tell whether a hit gives a value away: by itself, or by two of the artefact's words close to it."""
    if hit is None:
        return False
    near = line[max(0, hit.start() - _NEAR) : hit.end() + _NEAR]
    return constant.telling or (prose and len(constant.words & set(_WORD.findall(near))) >= 2)


def _paraphrases(file: str, text: str, sentences: Sequence[str]) -> Iterator[Leak]:
    for number, one in enumerate(_sentences(text), start=1):
        for other in sentences:
            score = fuzz.token_sort_ratio(plain(one), plain(other), processor=utils.default_process)
            if score >= PARAPHRASE:
                yield Leak(
                    file, 0, f"sentence {number} says nearly what the artefact says ({score:.0f} of 100): {one!r}"
                )


def _lines_telling(item: GatedItem, name: str) -> list[str]:
    found = []
    for file, text in item.templates.items():
        for paragraph in re.split(r"\n\s*\n", text):
            for sentence in re.split(r"(?<=[.;:])\s+|\n(?=\|)", paragraph):
                if re.search(rf"\{{\{{\s*{name}\b", sentence):
                    found.append(render(sentence, item.task.values, file))
    return found


def _alias_pairs(artefact: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Give the names that stand in one row of a table."""
    for text in artefact.values():
        for line in text.splitlines():
            cells = [plain(cell).strip() for cell in line.strip().strip("|").split("|")] if line.startswith("|") else []
            for other in cells[1:2]:
                for alias in other.split(";"):
                    one, two = cells[0], alias.strip()
                    if (
                        re.search(r"[a-z]{2}", one)
                        and re.search(r"[a-z]{2}", two)
                        and one not in two
                        and two not in one
                    ):
                        yield one, two


def _sentences(text: str) -> list[str]:
    parts = re.split(r"(?<=[.!?])\s+|\n\s*\n|\n\* |\n\|", text)
    return [" ".join(part.split()) for part in parts if len(part.split()) >= 6]


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, part in value.items():
            yield from _leaves(part, f"{path}.{key}")
    elif isinstance(value, list):
        for at, part in enumerate(value):
            yield from _leaves(part, f"{path}.{at}")
    else:
        yield path, value


def _finding(item: GatedItem, leak: Leak) -> AuditFinding:
    place = item.folder / ("instruction.md" if leak.file == "instruction.md" else "generate.py")
    where = "" if leak.file == "instruction.md" else f"{leak.file}: "
    return AuditFinding(f"{place}:{max(1, leak.line)}", item.task.id, f"{where}{leak.what}. Take it out.", "leak")
