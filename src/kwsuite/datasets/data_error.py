"""The one error for authored data."""


class DataError(Exception):
    """Authored data that cannot be used; the message says where and what to do.

    Not a ValueError: Inspect takes one, raised while a scorer is made, to mean that there is no such scorer, and the
    message would be lost.
    """
