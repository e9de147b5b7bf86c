"""Plain data to a frozen model, with errors that point into the file."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.document import Document, Key

M = TypeVar("M", bound=BaseModel)


def load_model(model: type[M], document: Document, item: str) -> M:
    """Validate a document as `model`.

    Raises:
        DataError: Lists every fault in the order of the file, each with file:line:column, the item, and the nearest
            known field for a misspelt one.
    """
    try:
        return model.model_validate(document.data)
    except ValidationError as error:
        faults = sorted(error.errors(), key=lambda fault: document.mark(fault["loc"]))
        lines = dict.fromkeys(_line(fault, document, item, model) for fault in faults)
        raise DataError("\n".join(lines)) from error


def _line(fault: Any, document: Document, item: str, model: type[BaseModel]) -> str:
    location = tuple(fault["loc"])
    place = document.place(location)
    named = (*place, location[-1]) if fault["type"] == "missing" else place
    name = ".".join(str(part) for part in named) or "file"
    return f"{document.where(location)}: item {item}: {name}: {_message(fault, document, model)}"


def _message(fault: Any, document: Document, model: type[BaseModel]) -> str:
    location = tuple(fault["loc"])
    match fault["type"]:
        case "extra_forbidden":
            known = _field_names(model, location[:-1])
            near = get_close_matches(str(location[-1]), known, n=1)
            advice = f"Did you mean {near[0]!r}?" if near else f"Known fields: {', '.join(known)}."
            return f"unknown field. {advice}"
        case "missing":
            return "this field is required. Add it."
        case "model_type" | "model_attributes_type" | "dict_type":
            return "must be a mapping (lines of 'name: value')."
    message = fault["msg"].removeprefix("Value error, ").removesuffix(".")
    return f"{message}.{_quoting(fault, document.raw.get(document.place(location)))}"


def _quoting(fault: Any, raw: str | None) -> str:
    """Gives the hint to quote a scalar that was not read as text where text is due, spelt as it stands in the file."""
    if raw is None:
        return ""
    choices = str(fault.get("ctx", {}).get("expected", ""))
    if fault["type"] != "string_type" and f"'{raw}'" not in choices:
        return ""
    return f" Quote it: '{raw}'." if raw else " Write the text, or delete the field."


def _field_names(model: type[BaseModel], location: Sequence[Key]) -> list[str]:
    """Names the fields of the models that can stand at `location`; pydantic puts union members' names into it."""
    current = [model]
    for part in location:
        named = [candidate for candidate in current if candidate.__name__ == part]
        fields = [field for candidate in current for field in _fields_called(candidate, part)]
        if named:
            current = named
        elif fields:
            current = [found for field in fields for found in _models_in(field.annotation)]
    return sorted({field.alias or name for found in current for name, field in found.model_fields.items()})


def _fields_called(model: type[BaseModel], part: Key) -> Iterable[Any]:
    return (field for name, field in model.model_fields.items() if part in (name, field.alias))


def _models_in(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [found for part in getattr(annotation, "__args__", ()) for found in _models_in(part)]
