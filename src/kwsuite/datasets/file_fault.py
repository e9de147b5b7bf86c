"""The one reason why a file cannot be used, before anyone knows whose fault that is."""

from collections.abc import Iterator
from contextlib import contextmanager


class FileFault(Exception):
    """A file that cannot be used; the message is the reason and what to do, without the file's name."""


@contextmanager
def parsing(what: str) -> Iterator[None]:
    """Turn whatever a third-party parser raises inside into a `FileFault`; wrap only the parser's own calls.

    Args:
        what: The kind of file, with its article: "a workbook".

    Raises:
        FileFault: The parser failed on the file.
    """
    try:
        yield
    except (FileFault, MemoryError):
        raise
    except Exception as error:  # on a damaged file these parsers raise anything there is
        told = " ".join(str(error).split())[:200]
        reason = f"cannot be read as {what}, it may be damaged ({type(error).__name__}: {told})"
        raise FileFault(f"{reason}. Open it, save it again and check that nothing is lost.") from error
