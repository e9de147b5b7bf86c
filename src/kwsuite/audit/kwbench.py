"""Checks of kwbench items: schema, answers, labels, declared proofs, purity."""

from pathlib import Path

from kwsuite.audit.finding import AuditFinding
from kwsuite.audit.purity import purity_findings
from kwsuite.datasets.answers import ANSWERS, AnswerName, read_answer, read_labels
from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.item_set import LoadedItem, load_items, read_item
from kwsuite.datasets.label import Label
from kwsuite.verdicts import Outcome, Verdict, gate_score

DECLARED: dict[AnswerName, str] = {
    "expert": "passes the gate",
    "surface": "fails the gate",
    "null": "fails the gate",
    "near_miss": "fails exactly one mandatory criterion",
}
"""What the labels of an item must amount to. Labels declare it; nothing here computes it from the answers."""


def kwbench_findings(*places: Path, complete: bool = False) -> list[AuditFinding]:
    """Check every item of some folders (or the one item that a folder is), or rows as they are published.

    Args:
        places: The items; or a `.jsonl` file, or a folder with a `dataset.jsonl`, whose rows are only loaded,
            since they have neither answers nor labels. A neighbour may have its sibling in another place.
        complete: Insist on every answer with labels, as the items that ship have; else check those that are there.

    Returns:
        All faults, in the order of items; empty if there are none.
    """
    items: list[LoadedItem] = []
    findings: list[AuditFinding] = []
    for place in places:
        if holds_rows(place):
            findings += _row_findings(place)
            continue
        folders = item_folders(place)
        if not folders:
            message = "holds no items. An item is a folder with a task.yaml."
            findings.append(AuditFinding(str(place), "", message, "schema"))
        for path in folders:
            try:
                items.append(read_item(path))
            except DataError as error:
                findings += schema_findings(error, path.name, path / "task.yaml")
    known = {loaded.item.id: loaded for loaded in items}
    for loaded in items:
        findings += [*_kin(loaded, known), *_labels(loaded, complete), *purity_findings(loaded)]
    return findings


def holds_rows(place: Path) -> bool:
    """Say whether a place is taken for published rows, and not for items in folders."""
    return place.is_file() or (place / "dataset.jsonl").is_file()


def item_folders(place: Path) -> list[Path]:
    """Give the folders of items: the place itself, or those in it; empty if there are none."""
    if (place / "task.yaml").is_file():
        return [place]
    return sorted(child for child in place.iterdir() if child.is_dir() and not child.name.startswith((".", "_")))


def _row_findings(path: Path) -> list[AuditFinding]:
    try:
        load_items(str(path))
    except DataError as error:
        return schema_findings(error, "")
    return []


def schema_findings(error: DataError, item: str, file: Path | None = None) -> list[AuditFinding]:
    """Turn a load error into findings, one a line; `file` is the place of a line that names only the item."""
    findings = []
    for line in str(error).splitlines():
        place, _, message = line.partition(": ")
        if file and place == f"item {item}":
            place = str(file)
        findings.append(AuditFinding(place, item, message.removeprefix(f"item {item}: "), "schema"))
    return findings


def _kin(loaded: LoadedItem, known: dict[str, LoadedItem]) -> list[AuditFinding]:
    sibling = loaded.item.neighbour_of
    if sibling is None or (sibling in known and known[sibling].item.polarity == "positive"):
        return []
    place = f"{loaded.folder}/task.yaml"
    return [
        AuditFinding(
            place, loaded.item.id, f"neighbour_of names {sibling!r}, which is no positive item here.", "schema"
        )
    ]


def _labels(loaded: LoadedItem, complete: bool) -> list[AuditFinding]:
    """Every answer is there and labelled on every criterion, and the labels amount to what is declared."""
    if loaded.folder is None or not (complete or (loaded.folder / "labels" / "final.yaml").exists()):
        return []
    item = loaded.item
    try:
        labels = read_labels(loaded.folder)
    except DataError as error:
        return schema_findings(error, item.id)
    place = str(loaded.folder / "labels" / "final.yaml")
    findings: list[AuditFinding] = []
    wanted = [criterion.id for criterion in item.to_rubric().criteria]
    for name in ANSWERS if complete else labels:
        try:
            read_answer(loaded.folder, name)
        except DataError as error:
            findings += schema_findings(error, item.id)
        given = labels.get(name, {})
        missing = [criterion for criterion in wanted if criterion not in given]
        strangers = [criterion for criterion in given if criterion not in wanted]
        if missing:
            findings.append(
                AuditFinding(place, item.id, f"{name}: no label for {', '.join(missing)}. Add one each.", "labels")
            )
        if strangers:
            findings.append(
                AuditFinding(place, item.id, f"{name}: no such criterion: {', '.join(strangers)}.", "labels")
            )
        if not missing and not strangers:
            findings += _declared(loaded, name, given, place)
    return findings


def _declared(loaded: LoadedItem, name: AnswerName, given: dict[str, Label], place: str) -> list[AuditFinding]:
    if name not in DECLARED:
        return []
    rubric = loaded.item.to_rubric()
    outcomes: dict[str, Outcome] = {key: Verdict(state=label.state, source="label") for key, label in given.items()}
    result = gate_score(rubric, outcomes)
    missed = [criterion.id for criterion in rubric.tier("mandatory") if given[criterion.id].state == "not_met"]
    match name:
        case "expert":
            holds = result.gate is True
        case "near_miss":
            holds = len(missed) == 1
        case _:
            holds = result.gate is False
    if holds:
        return []
    found = f"its labels miss {', '.join(missed)}" if missed else "its labels miss no mandatory criterion"
    message = f"declared: the {name} answer {DECLARED[name]}, but {found}."
    return [AuditFinding(place, loaded.item.id, message, "proof")]
