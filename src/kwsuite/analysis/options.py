"""Checks of what a user gives on the command line."""

import math

import click


class Unusable(click.ClickException):
    """Nothing could be said. Its exit code is not that of a failed gate, so that a pipeline can tell them apart."""

    exit_code = 2


def level_of_confidence(_: click.Context, __: click.Parameter, value: float) -> float:
    """Refuse a level that no interval is drawn at."""
    if not 0.5 <= value < 1:
        raise click.BadParameter("give a share from 0.5 to below 1, like 0.95")
    return value


def finite(_: click.Context, __: click.Parameter, value: float | None) -> float | None:
    """Refuse NaN and infinity, which every comparison would let through."""
    if value is not None and not math.isfinite(value):
        raise click.BadParameter("give a finite number, like 0.5")
    return value
