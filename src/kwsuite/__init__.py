"""Evaluations of AI models in knowledge work, for Inspect AI."""

from kwsuite.tasks.knowledge_gated import knowledge_gated
from kwsuite.tasks.kwbench import kwbench

__all__ = ["knowledge_gated", "kwbench"]
