"""What Inspect discovers as `kwsuite`. Imports only, and light ones: a fault here hides every task."""

from kwsuite.reference.provider import reference
from kwsuite.sandbox.provider import BwrapSandboxEnvironment
from kwsuite.scorers.all_pass import all_pass
from kwsuite.scorers.best_epoch import best_epoch
from kwsuite.scorers.conjunctive_gate import conjunctive_gate
from kwsuite.scorers.fidelity import fidelity
from kwsuite.scorers.recitation import recitation
from kwsuite.scorers.spotted import spotted
from kwsuite.scorers.verified import verified
from kwsuite.solvers.gated_agent import gated_agent
from kwsuite.solvers.gated_setup import gated_setup
from kwsuite.solvers.neutral_prompt import neutral_prompt
from kwsuite.solvers.recite import recite
from kwsuite.solvers.simulate_script import simulate_script
from kwsuite.solvers.spot_problems import spot_problems
from kwsuite.solvers.world_agent import world_agent
from kwsuite.solvers.world_setup import world_setup
from kwsuite.tasks.implicit_worlds import implicit_worlds
from kwsuite.tasks.knowledge_gated import knowledge_gated
from kwsuite.tasks.kwbench import kwbench
from kwsuite.tasks.problem_spotting import problem_spotting
from kwsuite.tasks.recitation_probe import recitation_probe
from kwsuite.tasks.world_fidelity import world_fidelity

__all__ = [
    "BwrapSandboxEnvironment",
    "all_pass",
    "best_epoch",
    "conjunctive_gate",
    "fidelity",
    "gated_agent",
    "gated_setup",
    "implicit_worlds",
    "knowledge_gated",
    "kwbench",
    "neutral_prompt",
    "problem_spotting",
    "recitation",
    "recitation_probe",
    "recite",
    "reference",
    "simulate_script",
    "spot_problems",
    "spotted",
    "verified",
    "world_agent",
    "world_fidelity",
    "world_setup",
]
