"""What a candidate is told about a document: as little as the arguments ask for."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from kwsuite.matching.findings import ReplyFormat
from kwsuite.matching.problem_types import WORDINGS, Language

Types = Literal["none", "named", "defined"]
"""How much of the taxonomy the instruction gives away."""
Stance = Literal["neutral", "thorough", "certain"]
"""What the instruction stresses: nothing, that nothing be missed, or that nothing be reported in doubt."""


@dataclass(frozen=True)
class Instruction:
    """The choices that make an instruction."""

    output: ReplyFormat = "xml"
    """The form of the reply."""
    types: Types = "none"
    """What is said about types of problem: nothing, their names, or names with definitions."""
    stance: Stance = "neutral"
    """What is stressed."""
    max_problems: int | None = None
    """Most findings to report; None says nothing about it."""

    def text(self, language: Language) -> str:
        """Write it in the document's language."""
        return "\n\n".join(self._parts(language))

    def _parts(self, language: Language) -> Iterator[str]:
        yield spotting_text(language, "read")
        if self.stance != "neutral":
            yield spotting_text(language, f"stance_{self.stance}")
        if self.types != "none":
            yield _types(language, defined=self.types == "defined")
        if self.max_problems is not None:
            yield spotting_text(language, "limit").replace("MAX_PROBLEMS", str(self.max_problems))
        yield spotting_text(language, f"output_{self.output}")


@cache
def spotting_text(language: Language, name: str) -> str:
    """Read a prompt text that ships beside this module."""
    folder = files("kwsuite.solvers") / "prompts" / "spotting" / language
    return (folder / f"{name}.md").read_text(encoding="utf-8").strip()


def spotting_texts() -> list[str]:
    """Give every prompt text that a candidate can be shown, for the version of the task."""
    folder = files("kwsuite.solvers") / "prompts" / "spotting"
    languages: tuple[Language, ...] = ("en", "zh")
    names = [
        (language, file.name.removesuffix(".md"))
        for language in languages
        for file in sorted((folder / language).iterdir(), key=lambda file: file.name)
    ]
    texts = [spotting_text(language, name) for language, name in names]
    return [*texts, *(_types(language, defined=True) for language in languages)]


def _types(language: Language, *, defined: bool) -> str:
    colon = ": " if language == "en" else "："
    lines = [
        f"- {wording.label}{colon}{wording.definition}" if defined else f"- {wording.label}"
        for wording in WORDINGS[language].values()
    ]
    return "\n".join([spotting_text(language, "types_named"), *lines])
