"""The proof, from inside the sandbox, that an artefact is there or is not."""

import logging
from collections.abc import Mapping
from typing import Any, NamedTuple

from kwsuite.datasets.gated import GatedItem
from kwsuite.sandbox.look import look, shares_host_files

logger = logging.getLogger(__name__)

PROBE_KEY = "kwsuite:artefact_probe"
"""Key of the store under which the probes are kept."""

_ROOTS = (
    ".",
    "/home",
    "/root",
    "/tmp",
    "/var/tmp",
    "/dev/shm",
    "/opt",
    "/srv",
    "/mnt",
    "/media",
    "/workspace",
    "/usr/local",
)
_PROSE_WORDS = 6
_PROSE_LENGTH = 40


class Probe(NamedTuple):
    """What a search of the sandbox for an artefact found."""

    found: int
    """Needles that stand somewhere."""
    needles: int
    """Needles that were looked for: lines of prose and whole files."""
    paths: list[str]
    """Files that hold one."""
    files: int
    """Files that were looked at."""
    skipped: int
    """Files that were not searched, for whatever reason."""
    cut_off: int
    """Those of them that the search gave up on: beyond its number of files, or too large and writable here."""

    def record(self) -> dict[str, Any]:
        """Write it for the log; an absence is proven only where the search is `complete`."""
        return {**self._asdict(), "complete": not self.cut_off}


class ProbeSurprise(RuntimeError):
    """The artefact is where it must not be, or is not where it must be; the run means nothing."""


def needles_of(artefact: Mapping[str, str]) -> list[str]:
    """Choose what to search for: every line of prose, which nobody would write by chance, and every file as a whole."""
    prose = {
        line.strip()
        for name, text in artefact.items()
        if name.endswith(".md")
        for line in text.splitlines()
        if len(line.strip()) >= _PROSE_LENGTH and len(line.split()) >= _PROSE_WORDS
    }
    return [*sorted(prose), *(text for _, text in sorted(artefact.items()))]


async def probe_artefact(item: GatedItem, condition: str) -> Probe:
    """Search the sandbox for the condition's artefact; without one, for both the true and the perturbed one.

    On a sandbox that shares the host's files only the working directory is searched, since the suite itself holds the
    artefact elsewhere.
    """
    match condition:
        case "without":
            needles = sorted({*needles_of(item.artefact_in("with")), *needles_of(item.artefact_in("perturbed"))})
        case "perturbed":
            needles = needles_of(item.artefact_in("perturbed"))
        case _:
            needles = needles_of(item.artefact_in("with"))
    roots = ["."] if await shares_host_files() else list(_ROOTS)
    answer = await look("probe", {"needles": needles, "roots": roots})
    return Probe(
        len(answer["found"]), len(needles), answer["paths"], answer["files"], answer["skipped"], answer["cut_off"]
    )


def insist_absent(probe: Probe, when: str) -> None:
    """Raise if anything of the artefact was found; warn if the search was cut off, which proves nothing.

    That raises no error, for a candidate could void a failed run by writing many files.

    Raises:
        ProbeSurprise: It was.
    """
    if probe.found:
        raise ProbeSurprise(
            f"the artefact stands in a sandbox that must not have it, at the {when}: {', '.join(probe.paths)}. "
            "The run is void: find out how it got there."
        )
    if probe.cut_off:
        logger.warning(
            f"that the artefact is absent is not proven at the {when}: files were left unsearched, as too many or too "
            f"large ({probe.cut_off}). The log says so (artefact_probe, complete: false)."
        )


def insist_present(probe: Probe, when: str) -> None:
    """Raise unless all of the artefact was found: the positive control of the probe.

    Raises:
        ProbeSurprise: Something is missing.
    """
    if probe.found < probe.needles:
        raise ProbeSurprise(
            f"only {probe.found} of {probe.needles} parts of the artefact are in the sandbox at the {when}. "
            "The run is void: either the artefact was not placed or the probe does not see what is there."
        )
