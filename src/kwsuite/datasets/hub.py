"""Datasets on the Hugging Face Hub, fetched whole at one commit."""

import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.extras import import_extra

DATASET_FILE = "dataset.jsonl"
"""The file of rows, at the top of the repository."""

_REPOSITORY = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*(/[A-Za-z0-9][A-Za-z0-9_.-]*)?")
_COMMIT = re.compile(r"[0-9a-f]{40}")
_PURPOSE = "loading a dataset from the Hub"


@dataclass(frozen=True)
class Snapshot:
    """A dataset repository at one commit, on this machine.

    Attributes:
        folder: Holds `dataset.jsonl` and the reference files as plain files, so that none leads out of the folder.
        revision: The commit, 40 hex digits, to be recorded in the log.
    """

    folder: Path
    revision: str


def fetch_snapshot(repo_id: str, revision: str | None = None) -> Snapshot:
    """Fetch `dataset.jsonl` and every reference file of a dataset together.

    Files land in `kwsuite/` of the Hugging Face home (`HF_HOME`), a folder a commit; a commit that is already there is
    used without asking the Hub. The token is the one huggingface_hub finds: `HF_TOKEN`, or the stored login.

    Args:
        repo_id: As in "clio-ai/kwbench".
        revision: A commit, branch or tag; the default branch where None.

    Raises:
        DataError: The repository or revision is not there or not open to this token, its terms are not accepted, the
            Hub cannot be reached, there is no `dataset.jsonl`, or the extra `hf` is not installed.
    """
    if not _REPOSITORY.fullmatch(repo_id):
        raise DataError(f"Hub dataset {repo_id!r}: this is no name of a repository. Write it as owner/name.")
    hub = import_extra("huggingface_hub", "hf", _PURPOSE)
    errors = import_extra("huggingface_hub.errors", "hf", _PURPOSE)
    home = Path(import_extra("huggingface_hub.constants", "hf", _PURPOSE).HF_HOME)
    # The base of the Hub's HTTP errors is that of the HTTP library below it, which changed twice between its versions.
    transport = errors.HfHubHTTPError.__bases__[0]
    try:
        return _fetch(hub, home / "kwsuite" / repo_id.replace("/", "--"), repo_id, revision)
    except (OSError, errors.HFValidationError, transport) as error:
        advice = _advice(error, errors, repo_id, revision, has_token=hub.get_token() is not None)
        raise DataError(f"Hub dataset {repo_id}: {advice}") from error


def _fetch(hub: Any, shelf: Path, repo_id: str, revision: str | None) -> Snapshot:
    if revision and _COMMIT.fullmatch(revision) and (shelf / revision).is_dir():
        return Snapshot(shelf / revision, revision)
    commit = str(hub.dataset_info(repo_id, revision=revision).sha)
    folder = shelf / commit
    if folder.is_dir():
        return Snapshot(folder, commit)
    shelf.mkdir(parents=True, exist_ok=True)
    # Beside its place and then renamed: a folder under its commit's name is complete, whenever a fetch was stopped.
    with tempfile.TemporaryDirectory(dir=shelf) as scratch:
        files = Path(scratch, "files")
        hub.snapshot_download(repo_id, repo_type="dataset", revision=commit, local_dir=files)
        if not (files / DATASET_FILE).is_file():
            message = f"has no {DATASET_FILE} at its top (revision {commit}). Name a dataset in the KWBench layout."
            raise DataError(f"Hub dataset {repo_id}: {message}")
        _place(files, folder)
    return Snapshot(folder, commit)


def _place(files: Path, folder: Path) -> None:
    try:
        files.rename(folder)
    except OSError:
        if not folder.is_dir():  # else another process was faster, with the same commit
            raise


def _advice(error: Exception, errors: Any, repo_id: str, revision: str | None, *, has_token: bool) -> str:
    page = f"https://huggingface.co/datasets/{repo_id}"
    if isinstance(error, errors.GatedRepoError):
        if has_token:
            return f"gated, and the account of your token has not accepted its terms. Accept them at {page}."
        return (
            f"gated, and there is no token. Accept the terms at {page}, then set HF_TOKEN to a token of that account."
        )
    if isinstance(error, errors.RevisionNotFoundError):
        return f"has no revision {revision!r}. Name a commit, branch or tag listed at {page}/commits."
    if isinstance(error, errors.RepositoryNotFoundError):
        token = (
            "Your token does not open it." if has_token else "If it is private, set HF_TOKEN to a token that opens it."
        )
        return f"not found. Check the name at {page}. {token}"
    told = str(error).splitlines()[0] if str(error) else type(error).__name__
    return f"cannot be fetched ({told}). Check the connection and HF_TOKEN, or give the path of a downloaded copy."
