"""The answers that ship with an item, and how they are labelled."""

from pathlib import Path
from typing import Literal, get_args

from pydantic import ConfigDict, RootModel

from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.label import Label
from kwsuite.datasets.strict_yaml import load_model, read_yaml

AnswerName = Literal["expert", "surface", "null", "near_miss", "cold"]
Round = Literal["first", "blind", "final"]

ANSWERS: tuple[AnswerName, ...] = get_args(AnswerName)
"""Every answer an item ships, in the order of reports."""


class Labels(RootModel[dict[AnswerName, dict[str, Label]]]):
    """A label for each criterion of each answer."""

    model_config = ConfigDict(frozen=True)


def read_answer(folder: Path, name: AnswerName) -> str:
    """Read `answers/<name>.md` of an item's folder, as written.

    Raises:
        DataError: It is missing, empty or not UTF-8.
    """
    path = folder / "answers" / f"{name}.md"
    if not path.is_file():
        raise DataError(f"{path}: item {folder.name}: the {name} answer is missing. Write it.")
    try:
        text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: item {folder.name}: not UTF-8 (byte {error.start}). Save it as UTF-8.") from error
    if not text.strip():
        raise DataError(f"{path}: item {folder.name}: the {name} answer is empty. Write it.")
    return text


def read_labels(folder: Path, round_: Round = "final") -> dict[AnswerName, dict[str, Label]]:
    """Read `labels/<round>.yaml` of an item's folder.

    Raises:
        DataError: It is missing or broken; file:line:column and the item are named.
    """
    document = read_yaml(folder / "labels" / f"{round_}.yaml")
    return load_model(Labels, document, folder.name).root
