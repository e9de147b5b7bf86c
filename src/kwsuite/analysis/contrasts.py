"""The items on which candidates differ most."""

from urllib.parse import quote

import pandas as pd

from kwsuite.analysis.rows import rows

CONTRAST_COLUMNS = ["item", "category", "spread", "candidates", "passed_by", "failed_by", "links"]


def contrasts(items: pd.DataFrame, means: pd.DataFrame, view: str | None = None) -> pd.DataFrame:
    """Rank items by the standard deviation of the candidates' item means.

    Args:
        items: The items frame of one benchmark.
        means: Items by candidates (`item_means`).
        view: Address of an Inspect View that serves the logs; None leaves links out.

    Returns:
        One row an item that at least two candidates have and on which they differ, widest first: `passed_by` and
        `failed_by` name candidates with a mean above one half and the others; `links` maps each candidate to its first
        sample of the item in Inspect View.
    """
    known = means[means.notna().sum(axis=1) >= 2]
    spread = known.std(axis=1, ddof=0)
    first = items[items["link"] != ""].sort_values("repeat").drop_duplicates(["item", "candidate"])
    places = {(row.item, row.candidate): str(row.link) for row in rows(first)}
    categories = items.drop_duplicates("item").set_index("item")["category"]
    found = []
    for item, width in spread[spread > 0].items():
        own = pd.Series(known.loc[str(item)]).dropna().sort_values(ascending=False, kind="stable")
        links = {name: view_link(view, places[item, name]) for name in own.index if view and (item, name) in places}
        found.append(
            {
                "item": item,
                "category": categories.get(item, "all"),
                "spread": float(width),
                "candidates": len(own),
                "passed_by": list(own.index[own > 0.5]),
                "failed_by": list(own.index[own <= 0.5]),
                "links": links,
            }
        )
    frame = pd.DataFrame(found, columns=CONTRAST_COLUMNS)
    return frame.sort_values(["spread", "item"], ascending=[False, True]).reset_index(drop=True)


def view_link(view: str, place: str) -> str:
    """Give the address of a log or sample in Inspect View; `place` is as in the `link` columns."""
    return f"{view.rstrip('/')}/#/logs/{quote(place)}"
