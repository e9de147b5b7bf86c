"""A small gated task to break in one way each."""

from pathlib import Path

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
