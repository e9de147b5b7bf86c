"""Fetching a dataset from the Hub, with the Hub's own functions replaced: no network."""

import inspect
import socket
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import huggingface_hub
import pytest
from huggingface_hub import constants, errors

from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.hub import fetch_snapshot

COMMIT = "0123456789abcdef0123456789abcdef01234567"
PAGE = "https://huggingface.co/datasets/clio-ai/kwbench"


@dataclass
class FakeHub:
    """Records what was asked; raises what it is told to."""

    files: dict[str, str] = field(default_factory=lambda: {"dataset.jsonl": "{}\n", "reference_files/a.md": "text\n"})
    info_error: Exception | None = None
    download_error: Exception | None = None
    token: str | None = None
    asked: list[tuple[Any, ...]] = field(default_factory=list)

    def dataset_info(self, repo_id: str, *, revision: str | None = None) -> Any:
        self.asked.append(("info", repo_id, revision))
        if self.info_error:
            raise self.info_error
        return type("Info", (), {"sha": COMMIT})

    def snapshot_download(self, repo_id: str, *, repo_type: str, revision: str, local_dir: Path) -> str:
        self.asked.append(("download", repo_id, repo_type, revision))
        for name, text in self.files.items():
            path = local_dir / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        if self.download_error:
            raise self.download_error
        return str(local_dir)


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> FakeHub:
    fake = FakeHub()
    monkeypatch.setattr(huggingface_hub, "dataset_info", fake.dataset_info)
    monkeypatch.setattr(huggingface_hub, "snapshot_download", fake.snapshot_download)
    monkeypatch.setattr(huggingface_hub, "get_token", lambda: fake.token)
    monkeypatch.setattr(constants, "HF_HOME", str(tmp_path))
    return fake


def made(kind: type[Exception], text: str = "the Hub's words") -> Exception:
    """An error of the Hub without the HTTP response that its constructor wants."""
    error = kind.__new__(kind)
    error.args = (text,)
    return error


def failure(*arguments: Any) -> str:
    with pytest.raises(DataError) as caught:
        fetch_snapshot(*arguments)
    return str(caught.value)


def test_a_branch_is_resolved_and_everything_is_fetched_at_its_commit(hub: FakeHub, tmp_path: Path) -> None:
    snapshot = fetch_snapshot("clio-ai/kwbench", "main")
    assert hub.asked == [
        ("info", "clio-ai/kwbench", "main"),
        ("download", "clio-ai/kwbench", "dataset", COMMIT),
    ]
    assert snapshot.revision == COMMIT
    assert snapshot.folder == tmp_path / "kwsuite" / "clio-ai--kwbench" / COMMIT
    assert (snapshot.folder / "dataset.jsonl").read_text(encoding="utf-8") == "{}\n"
    assert (snapshot.folder / "reference_files" / "a.md").read_text(encoding="utf-8") == "text\n"


def test_without_a_revision_the_default_branch_is_resolved(hub: FakeHub) -> None:
    assert fetch_snapshot("clio-ai/kwbench").revision == COMMIT
    assert hub.asked[0] == ("info", "clio-ai/kwbench", None)


def test_a_pinned_commit_that_is_here_asks_nothing(hub: FakeHub) -> None:
    first = fetch_snapshot("clio-ai/kwbench", COMMIT)
    hub.asked.clear()
    assert fetch_snapshot("clio-ai/kwbench", COMMIT) == first
    assert hub.asked == []


def test_a_branch_whose_commit_is_here_downloads_nothing(hub: FakeHub) -> None:
    fetch_snapshot("clio-ai/kwbench", "main")
    hub.asked.clear()
    fetch_snapshot("clio-ai/kwbench", "main")
    assert hub.asked == [("info", "clio-ai/kwbench", "main")]


def test_a_fetch_that_broke_off_leaves_nothing_that_looks_complete(hub: FakeHub, tmp_path: Path) -> None:
    hub.download_error = OSError("connection reset")
    failure("clio-ai/kwbench", COMMIT)
    assert list((tmp_path / "kwsuite" / "clio-ai--kwbench").iterdir()) == []
    hub.download_error = None
    assert (fetch_snapshot("clio-ai/kwbench", COMMIT).folder / "reference_files" / "a.md").is_file()


@pytest.mark.parametrize("stage", ["info_error", "download_error"])
def test_a_gated_dataset_without_a_token_names_the_page_and_the_variable(hub: FakeHub, stage: str) -> None:
    setattr(hub, stage, made(errors.GatedRepoError))
    assert failure("clio-ai/kwbench") == (
        f"Hub dataset clio-ai/kwbench: gated, and there is no token. Accept the terms at {PAGE}, "
        "then set HF_TOKEN to a token of that account."
    )


def test_a_gated_dataset_with_a_token_asks_to_accept_the_terms(hub: FakeHub) -> None:
    hub.download_error, hub.token = made(errors.GatedRepoError), "hf_secret"
    message = failure("clio-ai/kwbench")
    assert message == (
        "Hub dataset clio-ai/kwbench: gated, and the account of your token has not accepted its terms. "
        f"Accept them at {PAGE}."
    )


@pytest.mark.parametrize(
    ("error", "token", "message"),
    [
        (
            made(errors.RepositoryNotFoundError),
            None,
            f"not found. Check the name at {PAGE}. If it is private, set HF_TOKEN to a token that opens it.",
        ),
        (
            made(errors.RepositoryNotFoundError),
            "hf_secret",
            f"not found. Check the name at {PAGE}. Your token does not open it.",
        ),
        (
            made(errors.RevisionNotFoundError),
            None,
            f"has no revision 'v9'. Name a commit, branch or tag listed at {PAGE}/commits.",
        ),
        (
            made(errors.LocalEntryNotFoundError, "no connection\nand more"),
            None,
            "cannot be fetched (no connection). Check the connection and HF_TOKEN, "
            "or give the path of a downloaded copy.",
        ),
        (
            made(errors.OfflineModeIsEnabled, "offline mode is enabled"),
            None,
            "cannot be fetched (offline mode is enabled). Check the connection and HF_TOKEN, "
            "or give the path of a downloaded copy.",
        ),
        (
            made(errors.HfHubHTTPError, "401 Client Error"),
            None,
            "cannot be fetched (401 Client Error). Check the connection and HF_TOKEN, "
            "or give the path of a downloaded copy.",
        ),
    ],
    ids=["no repository", "closed repository", "no revision", "no connection", "offline", "http"],
)
def test_a_refusal_of_the_hub_is_told_in_these_words(
    hub: FakeHub, error: Exception, token: str | None, message: str
) -> None:
    hub.info_error, hub.token = error, token
    assert failure("clio-ai/kwbench", "v9") == f"Hub dataset clio-ai/kwbench: {message}"


def test_a_connection_that_fails_below_the_hub_is_told_too(hub: FakeHub, monkeypatch: pytest.MonkeyPatch) -> None:
    """The real library against a closed port of this machine: its HTTP library's errors are not all OSErrors."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    real = huggingface_hub.HfApi(endpoint=f"http://127.0.0.1:{port}")
    monkeypatch.setattr(huggingface_hub, "dataset_info", real.dataset_info)
    assert "Check the connection and HF_TOKEN, or give the path of a downloaded copy." in failure("clio-ai/kwbench")


def test_a_repository_without_rows_is_refused(hub: FakeHub) -> None:
    del hub.files["dataset.jsonl"]
    assert failure("clio-ai/kwbench") == (
        f"Hub dataset clio-ai/kwbench: has no dataset.jsonl at its top (revision {COMMIT}). "
        "Name a dataset in the KWBench layout."
    )


@pytest.mark.parametrize("name", ["", "..", "a/b/c", "a/../b", "/etc", "own er/x", "https://huggingface.co/a/b"])
def test_a_name_that_is_no_repository_is_refused_before_anything_is_asked(hub: FakeHub, name: str) -> None:
    assert failure(name) == f"Hub dataset {name!r}: this is no name of a repository. Write it as owner/name."
    assert hub.asked == []


def test_a_fault_of_ours_is_not_taken_for_the_hubs(hub: FakeHub) -> None:
    hub.info_error = TypeError("a bug")
    with pytest.raises(TypeError):
        fetch_snapshot("clio-ai/kwbench")


def test_without_the_extra_the_command_that_installs_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    assert failure("clio-ai/kwbench") == (
        "loading a dataset from the Hub needs huggingface_hub, which is not installed. Run: pip install 'kwsuite[hf]'"
    )


def test_the_functions_asked_for_exist_with_these_arguments() -> None:
    """The fake stands for the real signatures; this holds them to the installed library."""

    def accepts(function: Callable[..., Any], *names: str) -> bool:
        return set(names) <= set(inspect.signature(function).parameters)

    assert accepts(huggingface_hub.dataset_info, "repo_id", "revision")
    assert accepts(huggingface_hub.snapshot_download, "repo_id", "repo_type", "revision", "local_dir")
