"""Candidates that need no model: the answers that ship with the items."""
