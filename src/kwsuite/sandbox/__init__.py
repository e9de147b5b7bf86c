"""An Inspect sandbox on bubblewrap: `--sandbox bwrap`, for Linux without a container daemon.

One sandbox is one bubblewrap process tree for a sample. Its first process is `supervisor.py`, which starts every
command and does every file read and write from inside, so the host never opens a path that model-written code chose.
It is namespaces on the host's own kernel: weaker than a virtual machine. `docs/sandbox.md` says what it holds against.
"""
