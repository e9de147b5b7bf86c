"""Small looks into the XML of a Word document, whatever the namespaces."""

from typing import Any

from kwsuite.datasets.file_fault import FileFault


def local_name(node: Any) -> str:
    """Give an element's name without its namespace; "" for a comment or processing instruction."""
    return node.tag.rpartition("}")[2] if isinstance(node.tag, str) else ""


def attribute(node: Any, name: str) -> str | None:
    """Give the attribute of that local name; None where it or the element is missing."""
    pairs = () if node is None else node.attrib.items()
    return next((str(value) for key, value in pairs if key.rpartition("}")[2] == name), None)


def child(node: Any, *path: str) -> Any:
    """Give the first element down a path of local names, or None."""
    for name in path:
        node = next((part for part in (() if node is None else node) if local_name(part) == name), None)
    return node


def whole_number(node: Any, default: int, most: int, name: str = "val") -> int:
    """Give an element's attribute as a number from 0 to `most`, or the default where it is missing.

    Raises:
        FileFault: The value is no such number, so the file is damaged or made to do harm.
    """
    text = attribute(node, name)
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and len(text) < 9 and int(text) <= most):
        raise FileFault(f"has the value {text[:20]!r} where a number up to {most} is due. Save it again.")
    return int(text)
