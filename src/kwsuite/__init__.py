"""Evaluations of AI models in knowledge work, for Inspect AI."""

from kwsuite.tasks.implicit_worlds import implicit_worlds
from kwsuite.tasks.knowledge_gated import knowledge_gated
from kwsuite.tasks.kwbench import kwbench
from kwsuite.tasks.problem_spotting import problem_spotting
from kwsuite.tasks.recitation_probe import recitation_probe
from kwsuite.tasks.world_fidelity import world_fidelity

__all__ = [
    "implicit_worlds",
    "knowledge_gated",
    "kwbench",
    "problem_spotting",
    "recitation_probe",
    "world_fidelity",
]
