"""Multilateral indexes over a window of months."""

import math


def between(one, other):
    """Give the geometric mean of the relatives from one month to another, over what has a price in both.

    Args:
        one: Price by series in the month to start from.
        other: The same in the month to get to.
    """
    both = sorted(one.keys() & other.keys())
    return math.exp(math.fsum(math.log(other[key] / one[key]) for key in both) / len(both))


def geks(months):
    """Give the level of each month of a window, the first being 1.

    Args:
        months: Prices by series, one mapping for each month of the window.
    """
    levels = []
    for month in months:
        ways = [math.log(between(months[0], middle) * between(middle, month)) for middle in months]
        levels.append(math.exp(math.fsum(ways) / len(ways)))
    return levels


def splice(known, window, how):
    """Give the level that the last month of a window adds to the levels known so far.

    Args:
        known: Levels of all months before it, the last being that of the month just before.
        window: Levels of the window, its last month being the new one.
        how: "mean" over all months that the two have in common, or "movement" from the month before alone.
    """
    shared = len(window) - 1 if how == "mean" else 1
    ways = [math.log(known[-back] * window[-1] / window[-1 - back]) for back in range(1, shared + 1)]
    return math.exp(math.fsum(ways) / len(ways))
