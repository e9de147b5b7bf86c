"""Findings into HTML."""

import base64
import hashlib
import json
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

import altair
import jinja2
import pandas as pd
import vl_convert
from markupsafe import Markup

from kwsuite.analysis import charts, wording
from kwsuite.analysis.findings import Findings
from kwsuite.analysis.frames import Frames
from kwsuite.analysis.page.matrix import Matrix, matrices
from kwsuite.analysis.rows import rows
from kwsuite.analysis.story import takeaways
from kwsuite.verdicts import TIERS

MOST_FINGERPRINTS = 8
"""Pictures of single candidates; the table under them has all."""
MOST_ROWS = 15
"""Rows of the failure tables on the page; the other formats have all."""

_LONGEST_PART = 24
"""Characters of a name after which it may break anywhere."""

SHOWN = frozenset({"gate", "score", "all_pass", "reward", "fraction", "f1", "graded", *TIERS})
"""Parts of a score that the headline and the tables of tiers show already."""


@dataclass(frozen=True)
class Figure:
    """A chart with what stands around it."""

    id: str
    """Unique within the page."""
    spec: charts.Spec
    """Vega-Lite."""
    alternative: str
    """What the picture shows, for those who cannot see it."""
    title: str = ""
    """Heading above small pictures; empty where the section has one."""


@dataclass(frozen=True)
class Section:
    """One benchmark on the page."""

    findings: Findings
    """Its tables."""
    takeaways: list[str]
    """Its sentences."""
    figures: dict[str, Figure] = field(default_factory=dict)
    """Charts by name; absent where there is nothing to draw."""
    fingerprints: list[Figure] = field(default_factory=list)
    """One chart a candidate."""
    values: pd.DataFrame = field(default_factory=pd.DataFrame)
    """Parts of the score that stand nowhere else on the page."""
    matrices: dict[str, Matrix] = field(default_factory=dict)
    """The criteria of the items on which candidates differ most, by item; without items that have none."""
    top: float = 1.0
    """Upper end of the scale of the interval pictures in the headline table."""


def render_page(findings: Sequence[Findings], frames: Frames, title: str, made: str) -> str:
    """Write the report.

    The page carries its script, style and data, and forbids itself any request by its content security policy, under
    which no script can run but the two that were written here. What logs say is escaped.

    Args:
        findings: One a benchmark.
        frames: For the logs read and left out.
        title: Heading of the page.
        made: When it was made, as text; it is not read from the clock, so that a page can be made twice alike.

    Returns:
        A whole HTML document.
    """
    sections = [_section(own, f"b{place}") for place, own in enumerate(findings)]
    scripts = [_vega(), _asset("boot.js")]
    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(_asset),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= _filters()
    return environment.get_template("report.html.j2").render(
        title=title,
        made=made,
        sections=sections,
        runs=frames.runs,
        left_out=frames.left_out,
        style=Markup(_asset("report.css")),
        scripts=[Markup(script) for script in scripts],
        policy=" ".join(f"'sha256-{_hash(script)}'" for script in scripts),
        most=MOST_ROWS,
    )


def _section(findings: Findings, prefix: str) -> Section:
    figures: dict[str, Figure] = {}

    def draw(name: str, table: pd.DataFrame, chart: Callable[[], charts.Spec], alternative: str) -> None:
        if not table.empty:
            figures[name] = Figure(f"{prefix}-{name}", chart(), alternative)

    several = len(findings.passes) > 0 and len(findings.passes.columns) > 1
    curve = findings.coverage if several else findings.coverage.iloc[:0]
    draw("coverage", curve, lambda: charts.coverage_chart(curve), _say_coverage(curve))
    measure = "items passed" if findings.metric == "rate" else "mean score"
    choices = findings.routers
    draw("routers", choices, lambda: charts.router_chart(choices, measure), _say_routers(choices, measure))
    overlap = findings.overlap[findings.overlap["n"] > 0]
    draw("overlap", overlap, lambda: charts.overlap_chart(overlap, findings.passes), _say_overlap(overlap))
    counts = findings.difficulty if several else findings.difficulty.iloc[:0]
    draw("difficulty", counts, lambda: charts.difficulty_chart(counts), _say_difficulty(counts))
    upper = findings.headline[[column for column in ("rate_high", "rate_all") if column in findings.headline]]
    highest = float(upper.max().max()) if len(upper) else 1.0
    top = 1.0 if math.isnan(highest) else min(1.0, math.ceil(highest * 10) / 10)
    values = findings.values[~findings.values["value"].isin(SHOWN)]
    listed = findings.contrasts["item"].tolist()[:MOST_ROWS]
    return Section(
        findings,
        takeaways(findings),
        figures,
        _fingerprints(findings, prefix),
        values,
        matrices(findings.criteria, listed, findings.contrasted),
        top,
    )


def _fingerprints(findings: Findings, prefix: str) -> list[Figure]:
    table = findings.fingerprints
    if table["category"].nunique() < 2:
        return []
    means = table.groupby("category", observed=True)["rate"].mean()
    order = list(means.sort_values(ascending=False, kind="stable").index)
    pictures = []
    for place, candidate in enumerate(list(findings.passes.columns)[:MOST_FINGERPRINTS]):
        own = table[table["candidate"] == candidate].set_index("category").loc[order]
        said = "; ".join(
            f"{category} {wording.percent(row.rate)}" for category, row in zip(order, rows(own), strict=True)
        )
        spec = charts.fingerprint_chart(table, candidate, order)
        pictures.append(Figure(f"{prefix}-f{place}", spec, f"Pass rate by category of {candidate}: {said}.", candidate))
    return pictures


def _say_coverage(curve: pd.DataFrame) -> str:
    steps = "; ".join(f"{row.candidate} adds {row.gain} to reach {row.total}" for row in rows(curve))
    return f"Items passed by at least one candidate: {steps}."


def _say_routers(routers: pd.DataFrame, measure: str) -> str:
    return (
        f"{measure.capitalize()}: "
        + "; ".join(
            f"{row.router} {wording.percent(row.rate)}, interval {wording.span(row.low, row.high)}"
            for row in rows(routers)
        )
        + "."
    )


def _say_overlap(overlap: pd.DataFrame) -> str:
    if overlap.empty:
        return ""
    ranked = overlap.sort_values("jaccard", kind="stable")
    low, high = ranked.iloc[0], ranked.iloc[-1]
    average = wording.percent(overlap["jaccard"].mean())
    return (
        f"Jaccard overlap of {wording.counted(len(overlap), 'pair')}, on average {average}: least "
        f"{wording.percent(low['jaccard'])} for {low['first']} and {low['second']}, most "
        f"{wording.percent(high['jaccard'])} for {high['first']} and {high['second']}."
    )


def _say_difficulty(counts: pd.DataFrame) -> str:
    return (
        "Items by number of candidates that pass: "
        + "; ".join(f"{row.passing}: {row.items}" for row in rows(counts))
        + "."
    )


@cache
def _vega() -> str:
    major, minor = re.findall(r"\d+", altair.SCHEMA_VERSION)[:2]
    script: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", vl_version=f"{major}.{minor}")
    if "</script" in script:
        raise ValueError("the Vega bundle would end its own script element; report this with your vl-convert version")
    return script


def _asset(name: str) -> str:
    return (files("kwsuite.analysis.page") / name).read_text(encoding="utf-8")


def _breakable(name: object) -> Markup:
    """Let a long name break after its own joints, and in a part without any only where it would widen a table."""
    parts = re.findall(rf".{{1,{_LONGEST_PART}}}", str(name), re.DOTALL)
    joints = [piece for part in parts for piece in re.findall(r"[^/:@-]*[/:@-]+|[^/:@-]+", part)]
    return Markup("<wbr>").join(joints)


def _hash(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _filters() -> dict[str, Callable[..., Any]]:
    def specification(spec: charts.Spec) -> Markup:
        text = json.dumps(spec, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        # JSON inside a script element must not be able to end it.
        return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))

    return {
        "breakable": _breakable,
        "percent": wording.percent,
        "points": wording.points,
        "span": wording.span,
        "points_span": wording.points_span,
        "change": wording.change,
        "change_span": wording.change_span,
        "level_of": wording.level_of,
        "span_of": wording.span_of,
        "number": wording.number,
        "probability": wording.probability,
        "money": wording.money,
        "words": lambda text: str(text).replace("_", " "),
        "known": lambda value: not (isinstance(value, float) and math.isnan(value)),
        "counted": wording.counted,
        "rows": lambda table: list(rows(table)),
        "spec": specification,
    }
