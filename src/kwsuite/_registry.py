"""What Inspect discovers as `kwsuite`. Imports only, and light ones: a fault here hides every task."""

from kwsuite.reference.provider import reference
from kwsuite.sandbox.provider import BwrapSandboxEnvironment
from kwsuite.scorers.best_epoch import best_epoch
from kwsuite.scorers.conjunctive_gate import conjunctive_gate
from kwsuite.solvers.neutral_prompt import neutral_prompt
from kwsuite.tasks.kwbench import kwbench

__all__ = ["BwrapSandboxEnvironment", "best_epoch", "conjunctive_gate", "kwbench", "neutral_prompt", "reference"]
