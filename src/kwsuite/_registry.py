"""What Inspect discovers as `kwsuite`. Imports only, and light ones: a fault here hides every task."""

from kwsuite.reference.provider import reference
from kwsuite.sandbox.provider import BwrapSandboxEnvironment
from kwsuite.scorers.all_pass import all_pass
from kwsuite.scorers.best_epoch import best_epoch
from kwsuite.scorers.conjunctive_gate import conjunctive_gate
from kwsuite.scorers.fidelity import fidelity
from kwsuite.scorers.spotted import spotted
from kwsuite.solvers.neutral_prompt import neutral_prompt
from kwsuite.solvers.simulate_script import simulate_script
from kwsuite.solvers.spot_problems import spot_problems
from kwsuite.solvers.world_agent import world_agent
from kwsuite.solvers.world_setup import world_setup
from kwsuite.tasks.implicit_worlds import implicit_worlds
from kwsuite.tasks.kwbench import kwbench
from kwsuite.tasks.problem_spotting import problem_spotting
from kwsuite.tasks.world_fidelity import world_fidelity

__all__ = [
    "BwrapSandboxEnvironment",
    "all_pass",
    "best_epoch",
    "conjunctive_gate",
    "fidelity",
    "implicit_worlds",
    "kwbench",
    "neutral_prompt",
    "problem_spotting",
    "reference",
    "simulate_script",
    "spot_problems",
    "spotted",
    "world_agent",
    "world_fidelity",
    "world_setup",
]
