"""The names after `reference/` that are no benchmark's own."""

GRADER = "labels"
"""Answers for the grader with the labels that items ship."""

ENGINE = "engine"
"""Answers for the world model with what the engine makes of a call."""
