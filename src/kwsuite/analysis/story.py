"""The findings in a few sentences."""

import math
from collections.abc import Hashable, Iterator, Mapping
from typing import Any

import pandas as pd

from kwsuite.analysis.findings import Findings
from kwsuite.analysis.wording import (
    change,
    change_span,
    counted,
    number,
    percent,
    points,
    points_span,
    probability,
    span,
)


def takeaways(findings: Findings) -> list[str]:
    """Say what the findings of one benchmark come to, each claim with its n and its interval.

    Empty when nothing was scored.
    """
    return [
        *_leader(findings),
        *_conditions(findings),
        *_runner_up(findings),
        *_together(findings),
        *_failures(findings),
        *_alarms(findings),
    ]


def _leader(findings: Findings) -> Iterator[str]:
    known = _contenders(findings)
    known = known[known[findings.metric].notna()]
    if known.empty:
        return
    best = known.iloc[0]
    under = f" under {best['condition']}" if best["condition"] else ""
    sure = f"{100 * findings.level:.0f}% interval"
    if findings.metric == "rate":
        yield (
            f"{best['subject']} passes {percent(best['rate'])} of {counted(int(best['items']), 'item')}{under} "
            f"({sure} {span(best['rate_low'], best['rate_high'])})."
        )
    else:
        yield (
            f"{best['subject']} scores {number(best['score'])} on average over "
            f"{counted(int(best['items']), 'item')}{under} "
            f"({sure} {number(best['score_low'])} to {number(best['score_high'])})."
        )


def _runner_up(findings: Findings) -> Iterator[str]:
    pairs = findings.differences
    if pairs.empty or not pairs.iloc[0]["n"]:
        return
    leader = pairs.iloc[0]["first"]
    against = pairs[pairs["first"] == leader]
    nearest = against.iloc[0]
    shares = findings.metric == "rate"
    unit = " points" if shares else ""
    settled = bool(nearest["p_holm"] < 1 - findings.level)
    verdict = "more than chance explains" if settled else _unsettled(nearest)
    called = dict(zip(findings.headline["candidate"], findings.headline["subject"], strict=True))
    leader, second = called[leader], called[nearest["second"]]
    under = f"Under {findings.conditions.base}, " if findings.conditions.names else ""
    same = f"on the same {counted(int(nearest['n']), 'item')} ({_sure(nearest, len(pairs), 'pair', shares)})"
    apart = change(nearest["difference"], shares)
    if apart.lstrip("±0.") == "":
        yield f"{under}{second} is level with {leader} {same}."
    else:
        # The mean over common items can put the second of the ranking ahead.
        side = "ahead" if nearest["difference"] < 0 else "behind"
        yield f"{under}{second} is {apart.lstrip('+−')}{unit} {side} {same}, {verdict}."
    alike = against[~(against["p_holm"] < 1 - findings.level)]
    if len(against) > 1:
        # Pairs that do differ disagree on many items, and would say that nothing smaller could have been seen.
        detectable = alike["detectable"].median()
        if math.isnan(detectable):
            power = ""
        elif shares and detectable >= 1:
            power = " So few items can show no difference at all with 80% power."
        else:
            least = change(detectable, shares).lstrip("+")
            power = f" With this many items a difference shows from about {least}{unit}."
        if alike.empty:
            every = "Both" if len(against) == 2 else f"All {len(against)}"
            yield f"{every} others fall behind {leader} by more than chance explains."
        elif len(alike) == len(against):
            none = "Neither of the two" if len(against) == 2 else f"None of the {len(against)}"
            yield f"{none} others can be told apart from {leader}.{power}"
        else:
            yield f"{len(alike)} of {len(against)} others cannot be told apart from {leader}.{power}"


def _conditions(findings: Findings) -> Iterator[str]:
    shares = findings.metric == "rate"
    told = findings.condition_effects[findings.condition_effects["n"] > 0]
    # The others' contrasts stand in the table: in words they would bury the rest.
    for effect in told[told["subject"].isin(_contenders(findings)["subject"].head(1))].to_dict("records"):
        apart = change(effect["difference"], shares)
        level = apart.lstrip("±0.") == ""
        said = "no change" if level else f"{apart}{' points' if shares else ''}"
        settled = bool(effect["p_holm"] < 1 - findings.level)
        verdict = "" if level else ", more than chance explains" if settled else f", {_unsettled(effect)}"
        sure = _sure(effect, len(findings.condition_effects), "contrast", shares)
        yield (
            f"{effect['subject']} under {effect['second']} against {effect['first']}: {said} on the same "
            f"{counted(int(effect['n']), 'item')} ({sure}){verdict}."
        )


def _together(findings: Findings) -> Iterator[str]:
    curve = findings.coverage
    if len(curve) < 2 or not curve.iloc[-1]["items"]:
        return
    last, first = curve.iloc[-1], curve.iloc[0]
    alone = int(findings.difficulty.loc[findings.difficulty["passing"] == 1, "items"].sum())
    nobody = int(findings.difficulty.loc[findings.difficulty["passing"] == 0, "items"].sum())
    yield (
        f"Together the {len(curve)} pass {int(last['total'])} of {int(last['items'])} ({percent(last['share'])}), "
        f"{int(last['total'] - first['total']) or 'no'} more than the best alone; "
        f"{_passed_by(int(last['items']), alone, nobody)}."
    )
    built = findings.routers[~findings.routers["router"].isin(["oracle", "best single"])]
    if len(built) and last["total"] > first["total"]:
        best = built.sort_values("rate", ascending=False, kind="stable").iloc[0]
        yield (
            f"That union is an oracle. Routing {best['router']}, judged on items it never saw, reaches "
            f"{percent(best['rate'])}: {points(best['gain'])} points over always taking the best "
            f"({points_span(best['gain_low'], best['gain_high'])})."
        )


def _passed_by(items: int, alone: int, nobody: int) -> str:
    if nobody == items:
        return "nobody passes any"
    if alone == items:
        return "each is passed by exactly one"
    if not alone and not nobody:
        return "each is passed by several"
    by_one = f"{counted(alone, 'item')} {'is' if alone == 1 else 'are'} passed by exactly one"
    if alone and nobody:
        return f"{by_one}, {nobody} by nobody"
    by_nobody = f"{counted(nobody, 'item')} {'is' if nobody == 1 else 'are'} passed by nobody"
    return f"{by_one if alone else by_nobody}, the rest by several"


def _failures(findings: Findings) -> Iterator[str]:
    kinds = findings.kinds
    if kinds.empty or kinds["group"].nunique() < 2:
        return
    kinds = kinds[kinds["candidate"].isin(list(findings.passes.columns))]
    shares = kinds.groupby("group", observed=True)["failed"].mean().dropna().sort_values(kind="stable")
    if len(shares) < 2:
        return
    if shares.iloc[-1] == 0:
        yield "No criterion of any kind fails."
        return
    if percent(shares.iloc[0]) == percent(shares.iloc[-1]):
        yield f"Of the kinds of criteria, all fail alike ({percent(shares.iloc[-1])} on average)."
        return
    yield (
        f"Of the kinds of criteria, {str(shares.index[-1]).replace('_', ' ')} fails most "
        f"({percent(shares.iloc[-1])} on average), {str(shares.index[0]).replace('_', ' ')} least "
        f"({percent(shares.iloc[0])})."
    )


def _alarms(findings: Findings) -> Iterator[str]:
    known = _contenders(findings)
    known = known[known["neighbours"] > 0].sort_values("alarm", kind="stable")
    if known.empty:
        return
    least, most = known.iloc[0], known.iloc[-1]
    between = (
        f"{percent(least['alarm'])} of {counted(int(least['neighbours']), 'neighbour')}"
        if least["alarm"] == most["alarm"]
        else f"between {percent(least['alarm'])} ({least['candidate']}) and {percent(most['alarm'])} "
        f"({most['candidate']}) of {counted(int(most['neighbours']), 'neighbour')}"
    )
    passed = known["neighbour_rate"]
    lowest, highest = percent(passed.min()), percent(passed.max())
    right = (
        "" if passed.isna().all() else f"; {lowest if lowest == highest else f'{lowest} to {highest}'} pass the gate"
    )
    yield f"False alarms, where nothing is wrong: {between}{right}."


def _contenders(findings: Findings) -> pd.DataFrame:
    return findings.headline[findings.headline["candidate"].isin(list(findings.passes.columns))]


def _unsettled(row: Mapping[Hashable, Any] | pd.Series) -> str:
    # A test over few items cannot reach its level even where the interval is clear of no difference.
    beyond = row["low"] > 0 or row["high"] < 0
    return "too few items to say more" if beyond else "which chance can explain"


def _sure(row: Mapping[Hashable, Any] | pd.Series, tests: int, noun: str, shares: bool) -> str:
    corrected = f", {probability(row['p_holm'])} after Holm over {counted(tests, noun)}" if tests > 1 else ""
    return f"{change_span(row['low'], row['high'], shares)}; {probability(row['p'], 'p = ')}{corrected}"
