"""The one error for authored data."""


class DataError(ValueError):
    """Authored data that cannot be used; the message says where and what to do."""
