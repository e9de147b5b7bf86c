"""Pictures of the findings, as Vega-Lite specifications."""

import json
from collections.abc import Sequence
from typing import Any

import altair as alt
import pandas as pd

from kwsuite.analysis.rows import rows
from kwsuite.analysis.wording import percent, points, points_span, span

# Okabe and Ito's palette: told apart by colour-blind readers, and in grey print by lightness.
BLUE, ORANGE, VERMILLION, SKY = "#0072B2", "#E69F00", "#D55E00", "#56B4E9"
INK, MUTED, RULE, FAINT = "#1b1f24", "#5b6470", "#e4e1da", "#dfe6ec"
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
SEQUENTIAL = ["#f1f6fa", "#cfe1ee", "#93bddb", "#4a93c1", "#0072B2", "#004b78"]

Spec = dict[str, Any]


def coverage_chart(curve: pd.DataFrame) -> Spec:
    """Draw what each candidate adds to those before it: one bar a candidate, the earlier total in pale."""
    data = curve.assign(
        before=curve["total"] - curve["gain"],
        label=[f"{step}. {name}" for step, name in zip(curve["step"], curve["candidate"], strict=True)],
        value=[
            f"+{gain} → {total} ({percent(share)})"
            for gain, total, share in zip(curve["gain"], curve["total"], curve["share"], strict=True)
        ],
    )
    most = int(curve["items"].max())
    base = _rows(data, "step").encode(
        tooltip=[
            alt.Tooltip("candidate", title="Candidate"),
            alt.Tooltip("gain", title="Adds"),
            alt.Tooltip("unique", title="Only this one passes"),
            alt.Tooltip("total", title="Total"),
            alt.Tooltip("items", title="Items"),
        ]
    )
    scale = alt.Scale(domain=[0, most], nice=False)
    axis = _axis(f"items passed by at least one, of {most}")
    pale = base.mark_bar(color=FAINT, height=9, yOffset=8).encode(
        x=alt.X("zero:Q", scale=scale, axis=axis), x2="before"
    )
    gain = base.mark_bar(color=BLUE, height=9, yOffset=8).encode(x=alt.X("before:Q", scale=scale), x2="total")
    return _spec(
        alt.layer(pale.transform_calculate(zero="0"), gain, *_labels(base, "label", "value")), height=42 * len(data)
    )


def router_chart(routers: pd.DataFrame, measure: str = "items passed") -> Spec:
    """Draw what each router would have passed, with its interval; the oracle in orange, since it cannot be built."""
    names = {
        "best single": "Always the best candidate",
        "by category": "Router by category",
        "by nearest item": "Router by most similar items",
        "oracle": "Oracle (the union)",
    }
    data = routers.assign(
        order=range(len(routers)),
        label=[names.get(name, name) for name in routers["router"]],
        value=[
            f"{percent(row.rate)}" + ("" if row.router == "best single" else f"  ({points(row.gain)})")
            for row in rows(routers)
        ],
        interval=[span(row.low, row.high) for row in rows(routers)],
        gained=[points_span(row.gain_low, row.gain_high) for row in rows(routers)],
        colour=[ORANGE if name == "oracle" else BLUE for name in routers["router"]],
    )
    base = _rows(data, "order").encode(
        color=alt.Color("colour:N", scale=None),
        tooltip=[
            alt.Tooltip("label", title="Choice"),
            alt.Tooltip("interval", title="Interval"),
            alt.Tooltip("gained", title="Gain, in points"),
            alt.Tooltip("items", title="Items"),
        ],
    )
    scale = alt.Scale(domain=[0, 1], nice=False)
    line = base.mark_rule(strokeWidth=2.5, yOffset=8).encode(
        x=alt.X("low:Q", scale=scale, axis=_axis(measure, "%")), x2="high"
    )
    dot = base.mark_point(filled=True, size=85, opacity=1, yOffset=8).encode(x=alt.X("rate:Q", scale=scale))
    return _spec(alt.layer(line, dot, *_labels(base, "label", "value")), height=42 * len(data))


def overlap_chart(overlap: pd.DataFrame, passes: pd.DataFrame) -> Spec:
    """Draw the Jaccard overlap of every pair; on the diagonal stands how many items the candidate passes."""
    names = list(passes.columns)
    place = {name: position + 1 for position, name in enumerate(names)}
    pairs = overlap.assign(
        row=overlap["second"].map(place),
        column=overlap["first"].map(place),
        text=[percent(value, 0).rstrip("%") for value in overlap["jaccard"]],
        chance=[percent(value, 0) for value in overlap["independent"]],
        most=[percent(value, 0) for value in overlap["nested"]],
    )
    highest = min(1.0, max(0.5, 1.25 * float(overlap["jaccard"].max())))
    own = pd.DataFrame({"name": names, "row": range(1, len(names) + 1), "count": (passes == 1).sum().to_numpy()})
    labels = {str(position): f"{position}  {name}" for name, position in place.items()}
    named = f"{json.dumps(labels)}[datum.value]"
    y = alt.Y("row:O", axis=alt.Axis(title=None, labelExpr=named, labelLimit=200, domain=False, ticks=False))
    x_axis = alt.Axis(title=None, orient="top", labelAngle=0, domain=False, ticks=False)
    cells = (
        alt.Chart(pairs)
        .mark_rect(stroke="white", strokeWidth=2)
        .encode(
            x=alt.X("column:O", axis=x_axis, scale=alt.Scale(domain=list(range(1, len(names) + 1)))),
            y=y,
            color=alt.Color("jaccard:Q", scale=alt.Scale(domain=[0, highest], range=SEQUENTIAL), legend=None),
            tooltip=[
                alt.Tooltip("first", title="First"),
                alt.Tooltip("second", title="Second"),
                alt.Tooltip("shared", title="Both pass"),
                alt.Tooltip("union", title="At least one"),
                alt.Tooltip("text", title="Overlap in %"),
                alt.Tooltip("chance", title="If unrelated"),
                alt.Tooltip("most", title="At most"),
            ],
        )
    )
    dark = alt.condition(f"datum.jaccard > {0.55 * highest}", alt.value("white"), alt.value(INK))
    text = alt.Chart(pairs).mark_text(fontSize=12).encode(x="column:O", y=y, text="text", color=dark)
    diagonal = (
        alt.Chart(own)
        .mark_text(fontSize=12, color=MUTED, fontStyle="italic")
        .encode(
            x="row:O",
            y=y,
            text="count",
            tooltip=[alt.Tooltip("name", title="Candidate"), alt.Tooltip("count", title="Passes")],
        )
    )
    return _spec(alt.layer(cells, text, diagonal), height=34 * len(names))


def difficulty_chart(counts: pd.DataFrame) -> Spec:
    """Draw how many items are passed by 0, 1, 2, ... candidates; nobody in grey, exactly one in orange."""
    data = counts.assign(colour=["#8a929b" if k == 0 else ORANGE if k == 1 else BLUE for k in counts["passing"]])
    base = alt.Chart(data).encode(
        x=alt.X("passing:O", axis=alt.Axis(title="candidates that pass the item", labelAngle=0, ticks=False)),
        y=alt.Y("items:Q", axis=None),
        tooltip=[alt.Tooltip("passing", title="Candidates"), alt.Tooltip("items", title="Items")],
    )
    bars = base.mark_bar(width={"band": 0.72}).encode(color=alt.Color("colour:N", scale=None))
    return _spec(alt.layer(bars, base.mark_text(dy=-8, fontSize=12, color=INK).encode(text="items")), height=210)


def fingerprint_chart(table: pd.DataFrame, candidate: str, categories: Sequence[str]) -> Spec:
    """Draw one candidate's pass rate in each category with its interval; a tick marks the mean of all candidates."""
    own = table[table["candidate"] == candidate]
    everyone = table.groupby("category", observed=True)["rate"].mean()
    data = own.assign(
        mean=own["category"].map(everyone),
        label=[f"{n}  {category}" for category, n in zip(own["category"], own["items"], strict=True)],
        interval=[span(row.low, row.high) for row in rows(own)],
    )
    label = dict(zip(data["category"], data["label"], strict=True))
    order = [label[category] for category in categories]
    base = alt.Chart(data).encode(
        y=alt.Y(
            "label:N",
            sort=order,
            axis=alt.Axis(title=None, labelLimit=205, labelPadding=8, ticks=False, domain=False, grid=True),
        ),
        tooltip=[
            alt.Tooltip("category", title="Category"),
            alt.Tooltip("rate", title="Passes", format=".1%"),
            alt.Tooltip("interval", title="Interval"),
            alt.Tooltip("items", title="Items"),
            alt.Tooltip("mean", title="Mean of all", format=".1%"),
        ],
    )
    scale = alt.Scale(domain=[0, 1], nice=False)
    x_axis = _axis(None, "%", values=[0, 0.5, 1])
    line = base.mark_rule(color=BLUE, strokeWidth=2).encode(x=alt.X("low:Q", scale=scale, axis=x_axis), x2="high")
    tick = base.mark_tick(color=ORANGE, thickness=2.5, size=11).encode(x=alt.X("mean:Q", scale=scale))
    dot = base.mark_point(filled=True, size=55, color=BLUE, opacity=1).encode(x=alt.X("rate:Q", scale=scale))
    return _spec(alt.layer(line, tick, dot), height=19 * len(data))


def _rows(data: pd.DataFrame, order: str) -> alt.Chart:
    return alt.Chart(data).encode(y=alt.Y(f"{order}:O", axis=None, scale=alt.Scale(paddingInner=0.1)))


def _labels(base: alt.Chart, left: str, right: str) -> list[alt.Chart]:
    # Names stand above their bars, so that long ones fit on a phone.
    name = base.mark_text(align="left", baseline="middle", fontSize=13, yOffset=-8, limit=0).encode(
        x=alt.value(0), text=left, color=alt.value(INK)
    )
    value = base.mark_text(align="right", baseline="middle", fontSize=13, yOffset=-8, fontWeight=600).encode(
        x=alt.value("width"), text=right, color=alt.value(INK)
    )
    return [name, value]


def _axis(title: str | None, form: str | None = None, values: list[float] | None = None) -> alt.Axis:
    options: dict[str, Any] = {"title": title, "grid": True, "ticks": False, "tickCount": 5}
    if form:
        options["format"] = form
    if values:
        options["values"] = values
    return alt.Axis(**options)


def _spec(chart: alt.LayerChart | alt.FacetChart, height: int) -> Spec:
    # A height in steps would make Vega-Lite warn in the reader's console about fitting it.
    made = chart.properties(width="container", height=height).configure(background="transparent", font=FONT)
    made = made.configure_view(stroke=None).configure_axis(
        labelColor=MUTED,
        titleColor=MUTED,
        titleFontWeight="normal",
        titleFontSize=12,
        labelFontSize=12,
        gridColor=RULE,
        domainColor=RULE,
        titlePadding=8,
    )
    spec: Spec = made.to_dict()
    return spec
