"""Playing gated tasks: the reference solution, run by tool calls inside the sandbox."""

import json

from inspect_ai.model import ChatMessageAssistant, ModelOutput

from kwsuite.reference.gated_labels_grader import labelled_hand_in
from kwsuite.reference.loaded_gated import find_gated
from kwsuite.reference.names import GRADER
from kwsuite.reference.prompt import ReferencePrompt

_CANDIDATES = ("expert", "surface", "null")
_TRACE = "Traceback (most recent call last)"
_LOOK = "find . -type f | sort | head -100; cat specification/*.md 2>/dev/null"


def play_gated(prompt: ReferencePrompt) -> ModelOutput:
    """Make the next call: look around, run the reference solution, submit; or for the grader give the shipped label.

    `expert` gives the solution whatever artefact stands in the sandbox or the prompt, `surface` none, so that it uses
    the common conventions; `null` submits at once.

    Raises:
        ValueError: There is no such candidate, a tool it needs is not offered, the solution broke, or there is no
            label.
    """
    name = f"reference/{prompt.name}"
    if prompt.name == GRADER and "criterion" in prompt.ids:
        seed = int(prompt.ids["seed"])
        return ModelOutput.from_content(name, labelled_hand_in(prompt.item, prompt.ids["criterion"], seed, prompt.text))
    if prompt.name not in _CANDIDATES or "criterion" in prompt.ids:
        offered = ", ".join(f"reference/{one}" for one in _CANDIDATES)
        raise ValueError(f"{name} plays no part in knowledge_gated; choose one of {offered}.")
    made = sum(bool(m.tool_calls) for m in prompt.messages if isinstance(m, ChatMessageAssistant))
    broken = prompt.messages[-1].text.strip() if made >= 2 else ""
    if _TRACE in broken:
        # A reference run that failed to play is no result: scored, it would look like a candidate that cannot do it.
        raise ValueError(f"item {prompt.item!r}: its solve.py broke in the sandbox: {broken.splitlines()[-1]}")
    if prompt.name == "null" or made >= 2:
        return _call(prompt, "submit", {"answer": "Nothing was done." if prompt.name == "null" else "Done."})
    if made == 0:
        if prompt.name == "expert" and "skill" in prompt.tools:
            return _call(prompt, "skill", {"command": "in-house-specification"})
        return _call(prompt, "bash", {"command": _LOOK})
    return _call(prompt, "python", {"code": _program(prompt)})


def _program(prompt: ReferencePrompt) -> str:
    """Write the program that the candidate runs: it finds the artefact itself, as any candidate would have to."""
    source = (find_gated(prompt.item).folder / "solve.py").read_text(encoding="utf-8")
    inline = prompt.text if prompt.ids.get("delivery") == "inline" and prompt.name == "expert" else ""
    return "\n".join(
        [
            source,
            "import json as _json",
            "from pathlib import Path as _Path",
            f"_prompt = _json.loads({json.dumps(json.dumps(inline))})",
            "for _part in _prompt.split('\\n===== specification/')[1:]:",
            "    _name, _, _text = _part.partition(' =====\\n')",
            "    _Path('from_prompt').mkdir(exist_ok=True)",
            "    (_Path('from_prompt') / _name).write_text(_text, encoding='utf-8')",
            f"_found = sorted(_Path('.').rglob('conventions.md')) if {prompt.name == 'expert'} else []",
            "solve(_Path('.'), _found[0].parent if _found else None)",
            "",
        ]
    )


def _call(prompt: ReferencePrompt, tool: str, arguments: dict[str, str]) -> ModelOutput:
    if tool not in prompt.tools:
        raise ValueError(f"item {prompt.item!r}: reference/{prompt.name} needs the tool {tool}, which is not offered.")
    return ModelOutput.for_tool_call(f"reference/{prompt.name}", tool, arguments)
