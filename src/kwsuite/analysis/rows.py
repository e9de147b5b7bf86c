"""Rows of frames as objects."""

from collections.abc import Iterator
from typing import Any

import pandas as pd


def rows(table: pd.DataFrame) -> Iterator[Any]:
    """Give each row as a named tuple. Its fields are `Any`: pandas cannot say what a column holds."""
    yield from table.itertuples()
