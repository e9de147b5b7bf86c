"""Marks around untrusted text that its author cannot know."""

import hashlib
from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True)
class Fence:
    """A pair of marks with a token in them.

    The token is derived, not drawn: the same evidence always has the same fence, so that prompts repeat to the byte
    over criteria, re-asks and re-scores, and caches hold. An author of one part would have to know a hash over all
    parts, their own included, to forge it.
    """

    token: str
    """16 hex digits that stand in none of the fenced texts."""

    @classmethod
    def around(cls, *parts: str) -> Self:
        """Derive the fence for `parts`: SHA-256 over all of them, drawn again while a part holds the token."""
        joined = "\0".join(f"{len(part)}:{part}" for part in parts)
        for turn in range(1_000):
            token = hashlib.sha256(f"{turn}\0{joined}".encode(errors="surrogatepass")).hexdigest()[:16]
            if not any(token in part.casefold() for part in parts):
                return cls(token)
        raise ValueError("no fence token was free of the fenced text")

    def wrap(self, label: str, text: str) -> str:
        """Put `text` between an opening and a closing mark, each on its own line."""
        return f"<{label} {self.token}>\n{text}\n</{label} {self.token}>"


def unwrap(label: str, prompt: str) -> str | None:
    """Give the text that some fence wrapped as `label` in `prompt`, byte for byte; None if there is none."""
    opening = f"<{label} "
    start = prompt.find(opening)
    if start < 0:
        return None
    token, _, rest = prompt[start + len(opening) :].partition(">\n")
    text, closing, _ = rest.partition(f"\n</{label} {token}>")
    return text if closing else None
