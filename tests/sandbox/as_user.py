"""Run tests, or one program, as an ordinary user, from root.

`python tests/sandbox/as_user.py UID PYTEST-ARGUMENT...`, or `... UID --program FILE`.

The interpreter may lie where that user cannot go, so this process keeps one capability, that of reading. Programs it
starts keep none: bubblewrap, and all that matters here, runs as any user's program does.
"""

import ctypes
import os
import runpy
import sys

import pytest

PR_SET_DUMPABLE, PR_SET_KEEPCAPS = 4, 8
CAP_DAC_READ_SEARCH = 2
CAPABILITY_VERSION_3 = 0x20080522


def become(uid: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0)
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    kept = 1 << CAP_DAC_READ_SEARCH
    if libc.capset(header, (ctypes.c_uint32 * 6)(kept, kept, 0, 0, 0, 0)) != 0:
        raise OSError(ctypes.get_errno(), "capset")
    # Changing ids made this process closed to its own user, which no ordinary process is.
    libc.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)


if __name__ == "__main__":
    become(int(sys.argv[1]))
    if sys.argv[2] == "--program":
        runpy.run_path(sys.argv[3], run_name="__main__")
    else:
        sys.exit(pytest.main(sys.argv[2:]))
