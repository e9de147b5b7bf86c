"""Evaluations of AI models in knowledge work, for Inspect AI."""
