"""The plain statement that there is nothing to report."""

import re

_STATEMENT = re.compile(
    r"(?:i |we )?(?:have |did )?(?:found|find|there (?:are|is)|identified|detected)? ?"
    r"(?:no|not any|none)(?: (?:real|clear|obvious|specific|substantive|other))?"
    r"(?: (?:problems?|issues?|errors?|findings?))?(?: (?:were |was )?(?:found|identified|detected|to report))?"
    r"(?: in (?:the|this) (?:document|text))?"
    r"|(?:经过?(?:仔细)?(?:检查|核查|核对|审阅|审查|通读)后?)?[,， ]{0,2}(?:本文|文中|全文|该文档|文档)?[,， ]{0,2}"
    r"(?:未|没有|并未|无)(?:发现|检出|找到)?(?:任何|明显|明显的)?(?:问题|错误)?",
    re.IGNORECASE,
)


def says_nothing_found(text: str, closing: bool = False) -> bool:
    """Tell whether a text is a plain statement that there is nothing to report; False for empty text.

    Args:
        text: A whole reply or one value in it.
        closing: Whether the last line alone may say so. It may not under headings, where it speaks of one part, and
            not of "other" problems, where the lines before it report some.
    """
    if _is_statement(text):
        return True
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not closing or len(lines) < 2 or re.search(r"\bother\b", lines[-1], re.IGNORECASE):
        return False
    return _is_statement(lines[-1]) and not any(_is_heading(line) for line in lines[:-1])


def _is_heading(line: str) -> bool:
    bold = line.startswith("**") and line.endswith("**")
    return bold or line.startswith("#") or line.endswith((":", "："))


def _is_statement(text: str) -> bool:
    plain = re.sub(r"[*_`#>\s]+", " ", text).strip().strip(".。!！-").strip()
    return bool(plain) and _STATEMENT.fullmatch(plain) is not None
