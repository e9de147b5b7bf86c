"""Whether a verifier was written on its own, and whether the artefact leaves the work to the agent."""

import ast
from collections.abc import Iterator
from pathlib import Path

from rapidfuzz import fuzz

from kwsuite.audit.finding import AuditFinding
from kwsuite.datasets.gated import GatedItem
from kwsuite.datasets.gated_artefact import slots

_ALIKE = 80.0
_STATEMENTS = 3


def independence_findings(item: GatedItem) -> Iterator[AuditFinding]:
    """Compare the functions of `solve.py` and `verify.py`, names of variables set aside; and look at the artefact."""
    solve, verify = (_functions(item.folder / name) for name in ("solve.py", "verify.py"))
    for name, one in solve.items():
        for other, two in verify.items():
            score = fuzz.ratio(one, two)
            if score >= _ALIKE:
                message = (
                    f"{other} is built like {name} of solve.py ({score:.0f} of 100). Write it from the instruction."
                )
                yield AuditFinding(str(item.folder / "verify.py"), item.task.id, message, "independence")
    used = set().union(*(slots(text) for text in item.templates.values()))
    for name in sorted(set(item.task.conventions) - used):
        message = f"convention {name} has no slot, so no artefact tells it. Write {{{{ {name} }}}} where it is told."
        yield AuditFinding(str(item.folder / "artefact"), item.task.id, message, "artefact")
    for name, text in item.templates.items():
        for output in item.task.outputs:
            if output.path in text:
                message = f"names the output {output.path}. An artefact serves other instances and tells no solution."
                yield AuditFinding(str(item.folder / "artefact" / name), item.task.id, message, "artefact")
        if name.endswith(".py"):
            for word in ("open(", "import csv", "import json", "Path(", "print("):
                if word in text:
                    message = f"has {word!r}: an operator reads and writes no files. Leave that to the agent."
                    yield AuditFinding(str(item.folder / "artefact" / name), item.task.id, message, "artefact")


def _functions(program: Path) -> dict[str, str]:
    """Give each function of some length as the dump of its tree without names."""
    try:
        tree = ast.parse(program.read_text(encoding="utf-8"), str(program))
    except SyntaxError:
        return {}  # the proofs, which run it, say what is wrong
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and len(node.body) >= _STATEMENTS:
            found[node.name] = " ".join(_shape(child) for child in node.body)
    return found


def _shape(node: ast.AST) -> str:
    """Write a tree by the kinds of its nodes, with what it calls and the constants it holds."""
    if isinstance(node, ast.Constant):
        return repr(node.value)
    if isinstance(node, ast.Attribute):
        return f"{_shape(node.value)}.{node.attr}"
    return f"{type(node).__name__}({' '.join(_shape(child) for child in ast.iter_child_nodes(node))})"
