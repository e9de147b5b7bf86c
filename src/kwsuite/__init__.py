"""Evaluations of AI models in knowledge work, for Inspect AI."""

from kwsuite.tasks.kwbench import kwbench

__all__ = ["kwbench"]
