"""The findings in a few sentences."""

import math
from collections.abc import Iterator

from kwsuite.analysis.findings import Findings
from kwsuite.analysis.wording import change, change_span, counted, percent, points, points_span, probability, span


def takeaways(findings: Findings) -> list[str]:
    """Say what the findings of one benchmark come to, each claim with its n and its interval.

    Empty when nothing was scored.
    """
    return [*_leader(findings), *_runner_up(findings), *_together(findings), *_failures(findings), *_alarms(findings)]


def _leader(findings: Findings) -> Iterator[str]:
    known = findings.headline[findings.headline[findings.metric].notna()]
    if known.empty:
        return
    best = known.iloc[0]
    sure = f"{100 * findings.level:.0f}% interval"
    if findings.metric == "rate":
        yield (
            f"{best['candidate']} passes {percent(best['rate'])} of {counted(int(best['items']), 'item')} "
            f"({sure} {span(best['rate_low'], best['rate_high'])})."
        )
    else:
        yield (
            f"{best['candidate']} scores {best['score']:.3f} on average over {counted(int(best['items']), 'item')} "
            f"({sure} {best['score_low']:.3f} to {best['score_high']:.3f})."
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
    corrected = f", {probability(nearest['p_holm'])} after Holm over {len(pairs)} pairs" if len(pairs) > 1 else ""
    verdict = "more than chance explains" if settled else "which chance can explain"
    yield (
        f"{nearest['second']} is {change(abs(nearest['difference']), shares).lstrip('+±')}{unit} behind on the same "
        f"{counted(int(nearest['n']), 'item')} ({change_span(nearest['low'], nearest['high'], shares)}; "
        f"{probability(nearest['p'], 'p = ')}{corrected}), {verdict}."
    )
    alike = against[~(against["p_holm"] < 1 - findings.level)]
    if len(against) > 1:
        detectable = against["detectable"].median()
        if math.isnan(detectable):
            power = ""
        elif shares and detectable >= 1:
            power = " So few items can show no difference at all with 80% power."
        else:
            least = change(detectable, shares).lstrip("+")
            power = f" With this many items a difference shows from about {least}{unit}."
        if alike.empty:
            yield f"All {len(against)} others fall behind {leader} by more than chance explains."
        else:
            yield f"{len(alike)} of {len(against)} others cannot be told apart from {leader}.{power}"


def _together(findings: Findings) -> Iterator[str]:
    curve = findings.coverage
    if len(curve) < 2 or not curve.iloc[-1]["items"]:
        return
    last, first = curve.iloc[-1], curve.iloc[0]
    alone = int(findings.difficulty.loc[findings.difficulty["passing"] == 1, "items"].sum())
    nobody = int(findings.difficulty.loc[findings.difficulty["passing"] == 0, "items"].sum())
    yield (
        f"Together the {len(curve)} pass {int(last['total'])} of {int(last['items'])} ({percent(last['share'])}), "
        f"{int(last['total'] - first['total'])} more than the best alone; {counted(alone, 'item')} "
        f"{'is' if alone == 1 else 'are'} passed by exactly one, {nobody} by nobody."
    )
    built = findings.routers[~findings.routers["router"].isin(["oracle", "best single"])]
    if len(built) and last["total"] > first["total"]:
        best = built.sort_values("rate", ascending=False, kind="stable").iloc[0]
        yield (
            f"That union is an oracle. Routing {best['router']}, judged on items it never saw, reaches "
            f"{percent(best['rate'])}: {points(best['gain'])} points over always taking the best "
            f"({points_span(best['gain_low'], best['gain_high'])})."
        )


def _failures(findings: Findings) -> Iterator[str]:
    kinds = findings.kinds
    if kinds.empty or kinds["group"].nunique() < 2:
        return
    shares = kinds.groupby("group", observed=True)["failed"].mean().sort_values()
    yield (
        f"Of the kinds of criteria, {str(shares.index[-1]).replace('_', ' ')} fails most "
        f"({percent(shares.iloc[-1])} on average), {str(shares.index[0]).replace('_', ' ')} least "
        f"({percent(shares.iloc[0])})."
    )


def _alarms(findings: Findings) -> Iterator[str]:
    known = findings.headline[findings.headline["neighbours"] > 0].sort_values("alarm", kind="stable")
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
