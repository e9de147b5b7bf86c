"""A router that could be built, beside the oracle that cannot."""

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pandas as pd

from kwsuite.analysis.intervals import SEED, Floats, bootstrap, bounds_of
from kwsuite.analysis.similarity import similarities

ROUTER_COLUMNS = ["router", "rate", "low", "high", "gain", "gain_low", "gain_high", "cost", "tokens", "items"]
FOLDS = 5
PRIOR = 4.0
"""Weight, in items, of a candidate's overall rate in each category or neighbourhood: few items must not decide."""
NEIGHBOURS = 10
FEWEST = 10
"""Below so many items, folds are too small to learn anything from."""

Choice = npt.NDArray[np.intp]
_Chooser = Callable[[Choice, Choice], Choice]


def routers(
    rates: pd.DataFrame,
    categories: pd.Series,
    texts: pd.Series,
    spent: dict[str, pd.DataFrame],
    *,
    level: float = 0.95,
    rounds: int = 20,
    seed: int = SEED,
) -> pd.DataFrame:
    """Estimate what choosing a candidate per item would have passed, each item judged by a router that never saw it.

    Every router learns on four fifths of the items and chooses for the rest, `rounds` times over with other folds:
    `by category` takes the candidate that was best in the item's category, `by nearest item` the one best on the most
    similar items (TF-IDF cosine of the prompts), both shrunk towards overall rates. `best single` always takes the
    candidate that is best on all items. It was chosen with the outcomes known, which flatters it and so understates
    the gains; choosing it within the folds would do the opposite, since a candidate that shines on four fifths of a
    fixed set has less left for the last. `oracle` knows every outcome: it is the union, not a router.

    Args:
        rates: Items by candidates (`item_means`); items that some candidate lacks are left out.
        categories: Category by item.
        texts: Prompt by item.
        spent: `cost` and `tokens` by item and candidate, for the mean cost of the choices.
        level: Confidence; intervals are bootstrapped over items.
        rounds: Repeats of the cross-validation.
        seed: Of the folds.

    Returns:
        One row a router: `rate` and its interval, `gain` over `best single` on the same items with a paired interval,
        mean `cost` and `tokens` an item (NaN when unknown), and `items`. Empty with fewer than two candidates or
        `FEWEST` complete items.
    """
    whole = rates.dropna()
    if len(whole.columns) < 2 or len(whole) < FEWEST:
        return pd.DataFrame(columns=ROUTER_COLUMNS)
    values = whole.to_numpy()
    groups = pd.factorize(categories.reindex(whole.index).fillna("all"))[0]
    near = similarities(texts.reindex(whole.index).fillna("").tolist())
    choosers: dict[str, _Chooser] = {
        "by category": lambda train, test: _by_category(values, groups, train, test),
        "by nearest item": lambda train, test: _by_nearest(values, near, train, test),
    }
    best = np.full((1, len(whole)), int(values.mean(axis=0).argmax()))
    picks = {"best single": best} | {
        name: _cross_validated(chooser, len(whole), rounds, seed) for name, chooser in choosers.items()
    }
    outcomes = {name: _taken(values, chosen) for name, chosen in picks.items()}
    outcomes["oracle"] = values.max(axis=1)
    prices = {kind: _prices(frame, whole) for kind, frame in spent.items()}
    bounds = bounds_of(values.ravel())
    rows = []
    for name, outcome in outcomes.items():
        found = bootstrap(outcome, level=level, seed=seed, bounds=bounds)
        # Best single gains nothing over itself by definition: there is no doubt to give an interval for.
        change = (-1.0, 1.0) if bounds and name != "best single" else None
        gain = bootstrap(outcome - outcomes["best single"], level=level, seed=seed, bounds=change)
        costs = {
            kind: float(_taken(price, picks[name]).mean()) if name in picks else float(price.sum(axis=1).mean())
            for kind, price in prices.items()
        }
        rows.append(
            {
                "router": name,
                "rate": found.value,
                "low": found.low,
                "high": found.high,
                "gain": gain.value,
                "gain_low": gain.low,
                "gain_high": gain.high,
                **{kind: costs.get(kind, math.nan) for kind in ("cost", "tokens")},
                "items": len(whole),
            }
        )
    return pd.DataFrame(rows, columns=ROUTER_COLUMNS)


def _cross_validated(chooser: _Chooser, n: int, rounds: int, seed: int) -> Choice:
    """Give the chosen candidate of every item in every round: rounds x items."""
    random = np.random.default_rng(seed)
    chosen = np.zeros((rounds, n), dtype=np.intp)
    for row in chosen:
        order = random.permutation(n)
        for fold in range(FOLDS):
            test = order[fold::FOLDS]
            row[test] = chooser(np.setdiff1d(order, test), test)
    return chosen


def _by_category(values: Floats, groups: Choice, train: Choice, test: Choice) -> Choice:
    overall = values[train].mean(axis=0)
    best: dict[int, int] = {}
    for group in np.unique(groups[test]):
        members = values[train[groups[train] == group]]
        best[int(group)] = int(((members.sum(axis=0) + PRIOR * overall) / (len(members) + PRIOR)).argmax())
    return np.array([best[int(group)] for group in groups[test]], dtype=np.intp)


def _by_nearest(values: Floats, near: Floats, train: Choice, test: Choice) -> Choice:
    overall = values[train].mean(axis=0)
    chosen = np.empty(len(test), dtype=np.intp)
    for place, item in enumerate(test):
        closest = train[np.argsort(-near[item, train], kind="stable")[:NEIGHBOURS]]
        weights = near[item, closest]
        # Similarities are relative: the closest item weighs one, so that the prior keeps its meaning.
        weights = weights / weights.max() if weights.max() > 0 else weights
        chosen[place] = int(((weights @ values[closest] + PRIOR * overall) / (weights.sum() + PRIOR)).argmax())
    return chosen


def _taken(values: Floats, chosen: Choice) -> Floats:
    items = np.arange(len(values))
    return np.asarray(np.mean([values[items, row] for row in chosen], axis=0), dtype=float)


def _prices(frame: pd.DataFrame, whole: pd.DataFrame) -> Floats:
    return frame.reindex(index=whole.index, columns=whole.columns).to_numpy(dtype=float)
