"""Evaluations of AI models in knowledge work, for Inspect AI."""

from kwsuite.tasks.knowledge_gated import knowledge_gated
from kwsuite.tasks.kwbench import kwbench
from kwsuite.tasks.recitation_probe import recitation_probe

__all__ = ["knowledge_gated", "kwbench", "recitation_probe"]
