"""Evaluations of AI models in knowledge work, for Inspect AI."""

from kwsuite.tasks.implicit_worlds import implicit_worlds
from kwsuite.tasks.kwbench import kwbench
from kwsuite.tasks.problem_spotting import problem_spotting
from kwsuite.tasks.world_fidelity import world_fidelity

__all__ = ["implicit_worlds", "kwbench", "problem_spotting", "world_fidelity"]
