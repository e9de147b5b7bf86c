"""Checks of authored data: `kwsuite check`."""
