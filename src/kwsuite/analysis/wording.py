"""Numbers as people read them."""

import math

NONE = "–"
"""Stands where there is no number."""


def percent(value: float, digits: int = 1) -> str:
    """Write a share in [0, 1] as a percentage; a dash for NaN."""
    return NONE if math.isnan(value) else f"{100 * value:.{digits}f}%"


def points(value: float, digits: int = 1) -> str:
    """Write a difference of shares in percentage points, always signed; a dash for NaN."""
    if math.isnan(value):
        return NONE
    rounded = round(100 * value, digits)
    sign = "+" if rounded > 0 else "−" if rounded < 0 else "±"
    return f"{sign}{abs(rounded):.{digits}f}"


def span(low: float, high: float, digits: int = 1) -> str:
    """Write an interval of shares as `12.3–45.6%`; a dash when it is unknown."""
    if math.isnan(low) or math.isnan(high):
        return NONE
    return f"{100 * low:.{digits}f}–{100 * high:.{digits}f}%"


def points_span(low: float, high: float, digits: int = 1) -> str:
    """Write an interval of differences as `−1.2 to +3.4`; a dash when it is unknown."""
    return NONE if math.isnan(low) or math.isnan(high) else f"{points(low, digits)} to {points(high, digits)}"


def number(value: float, digits: int = 3) -> str:
    """Write a plain number: whole ones without decimals, others with `digits` significant ones; a dash for NaN."""
    if math.isnan(value):
        return NONE
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if value == int(value):
        return f"{int(value):,}".replace("-", "−")
    return (f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.{digits}g}").replace("-", "−")


def change(value: float, shares: bool = True) -> str:
    """Write a difference: in percentage points for shares, else as a signed plain number; a dash for NaN."""
    if shares or math.isnan(value):
        return points(value)
    return f"{'+' if value > 0 else ''}{number(value)}" if value else "±0"


def change_span(low: float, high: float, shares: bool = True) -> str:
    """Write an interval of differences, as `change` writes its ends; a dash when it is unknown."""
    return NONE if math.isnan(low) or math.isnan(high) else f"{change(low, shares)} to {change(high, shares)}"


def level_of(value: float, shares: bool = True) -> str:
    """Write a share as a percentage, or a plain number; a dash for NaN."""
    return percent(value) if shares else number(value)


def span_of(low: float, high: float, shares: bool = True) -> str:
    """Write an interval as `level_of` writes its ends; a dash when it is unknown."""
    return span(low, high) if shares else NONE if math.isnan(low) else f"{number(low)} to {number(high)}"


def probability(p: float, sign: str = "") -> str:
    """Write a p-value with two or three decimals; a dash for NaN.

    Args:
        p: The value, in [0, 1].
        sign: What stands before it in a sentence, such as `p = `; values below 0.001 turn it into `p < `.
    """
    if math.isnan(p):
        return f"{sign}{NONE}"
    if p < 0.001:
        return f"{sign.replace('=', '<') or '< '}0.001"
    return f"{sign}{p:.3f}" if p < 0.1 else f"{sign}{p:.2f}"


def money(value: float) -> str:
    """Write dollars; a dash for NaN."""
    return NONE if math.isnan(value) else f"${value:,.2f}" if value >= 1 else f"${value:.4f}"


def counted(n: int, noun: str, plural: str | None = None) -> str:
    """Write a count with its noun: `1 item`, `1,200 items`."""
    return f"{n:,} {noun if n == 1 else plural or noun + 's'}"
