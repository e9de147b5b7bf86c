"""Read the declared outputs once, following no link. Runs inside a sandbox."""

import base64
import hashlib
import json
import os
import stat
import sys


def one(path: str, limit: int) -> dict[str, object]:
    """Describe one output; its content is given if it is a regular file within the limit."""
    try:
        status = os.lstat(path)
    except FileNotFoundError:
        return {"kind": "missing"}
    except OSError as error:
        return {"kind": "unreadable", "why": str(error.strerror)}
    if not stat.S_ISREG(status.st_mode):
        return {"kind": "symlink" if stat.S_ISLNK(status.st_mode) else "not_a_file"}
    try:
        return opened(path, limit)
    except OSError as error:
        return {"kind": "unreadable", "why": str(error.strerror)}


def opened(path: str, limit: int) -> dict[str, object]:
    """Read a regular file; the flags refuse a link or a pipe that has taken its place since."""
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
        data = file.read(limit + 1)
    if len(data) > limit:
        return {"kind": "too_large"}
    return {"kind": "file", "sha256": hashlib.sha256(data).hexdigest(), "content": base64.b64encode(data).decode()}


def listed(folder: str) -> list[str]:
    """Give the names in a folder; none where the candidate has left it unreadable."""
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


question = json.load(sys.stdin)
folder = question["folder"]
if os.path.islink(folder):
    answer = {"folder": "symlink", "files": {name: {"kind": "symlink"} for name in question["outputs"]}, "extra": []}
else:
    names = listed(folder) if os.path.isdir(folder) else []
    answer = {
        "folder": "there" if os.path.isdir(folder) else "missing",
        "files": {name: one(os.path.join(folder, name), limit) for name, limit in question["outputs"].items()},
        "extra": [name[:100] for name in names if name not in question["outputs"]][:50],
    }
sys.stdout.write(json.dumps(answer))
