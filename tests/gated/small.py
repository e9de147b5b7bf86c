"""A small gated task to break in one way each."""

import json
import subprocess
from importlib.resources import files
from pathlib import Path

from kwsuite.datasets.gated import read_gated
from kwsuite.datasets.gated_labels import hand_in_digest, hand_ins
from kwsuite.datasets.gated_outputs import CollectedOutputs
from kwsuite.new_gated import write_new_gated


def small_task(folder: Path, **changes: tuple[str, str]) -> Path:
    """Write the template's task and replace text in its files: `task_yaml=("old", "new")`."""
    made = write_new_gated("small-fees", folder)
    names = {"task_yaml": "task.yaml", "instruction_md": "instruction.md", "conventions_md": "artefact/conventions.md"}
    for key, (old, new) in changes.items():
        path = made / names.get(key, key.replace("_py", ".py"))
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")
    return made


def delivered(task: Path, command: str) -> CollectedOutputs:
    """What the program that collects outputs sees after a command, here without the sandbox around both."""
    work = task.parent / "work"
    work.mkdir()
    subprocess.run(["bash", "-c", command], cwd=work, check=True)
    limits = {output.path: output.max_bytes for output in read_gated(task).task.outputs}
    question = json.dumps({"folder": "outputs", "outputs": limits})
    program = ["python3", "-I", str(files("kwsuite.sandbox") / "looking" / "collect.py")]
    seen = subprocess.run(
        program, input=question, cwd=work, check=True, capture_output=True, text=True, encoding="utf-8"
    )
    return CollectedOutputs.from_record(json.loads(seen.stdout))


MEMO = """    (root / "outputs" / "memo.md").write_text(
        f"The grace period is {int(rules['grace'])} days, and the cap is {rules['largest']:.2f}.\\n", encoding="utf-8"
    )


def read_rules"""
JUDGED = """  - path: memo.md
    max_bytes: 200
    judged:
      - {id: r1, text: "Does the memo say how many days are free?"}
      - {id: r2, text: "Does the memo say what the cap is?"}
tolerance"""


def judged_task(folder: Path, **changes: tuple[str, str]) -> Path:
    """Write the template's task with a memo that is judged by r1 and r2, and label every play."""
    made = small_task(
        folder, **{"task_yaml": ("tolerance", JUDGED), "solve_py": ("\n\ndef read_rules", MEMO), **changes}
    )
    write_labels(made)
    return made


def write_labels(task: Path) -> None:
    """Label what solve.py delivers now: r2 of the play without an artefact is not met, all else is met."""
    plays = {
        one.play: {
            "digest": hand_in_digest(one.text),
            "criteria": {
                name: {
                    "state": "not_met" if (one.play, name) == ("without", "r2") else "met",
                    "why": f"{one.play} {name}",
                }
                for name in ("r1", "r2")
            },
        }
        for one in hand_ins(read_gated(task))
    }
    (task / "labels.yaml").write_text(json.dumps(plays), encoding="utf-8")
