"""Writing where the user said, which may be no place to write to."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kwsuite.datasets.data_error import DataError


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn what the file system refuses inside into one line with the place.

    Raises:
        DataError: Something cannot be made, looked at or written.
    """
    try:
        yield
    except OSError as error:
        raise DataError(f"{path}: cannot be written ({error.strerror or error}). Choose another folder.") from error
