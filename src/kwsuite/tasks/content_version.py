"""A version that changes with every word of data or prompt."""

import hashlib
from collections.abc import Iterable


def content_version(version: str, digest: str, prompts: Iterable[str]) -> str:
    """Give `version.hash`, so that eval sets refuse to mix runs over different content.

    Args:
        version: `N-X`: N rises when results are no longer comparable, X when only the interface changed.
        digest: The hash of the data.
        prompts: The prompt texts that results depend on.
    """
    sha = hashlib.sha256(digest.encode())
    for text in prompts:
        sha.update(b"\0" + text.encode())
    return f"{version}.{sha.hexdigest()[:12]}"
