"""Libraries that only an extra brings."""

from importlib import import_module
from typing import Any, Literal

from kwsuite.datasets.data_error import DataError


def import_extra(module: str, extra: Literal["docs", "hf"], purpose: str) -> Any:
    """Import a library of an extra at the moment it is needed.

    Args:
        module: Full name of the module.
        extra: The extra of kwsuite that installs it.
        purpose: What needs it, as the subject of a sentence: "reading .xlsx files".

    Raises:
        DataError: The library is not installed; says which command installs it.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        advice = f"Run: pip install 'kwsuite[{extra}]'"
        raise DataError(f"{purpose} needs {error.name}, which is not installed. {advice}") from error
