"""The report in a real browser, with the network off."""

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from kwsuite.analysis import find, read_frames
from kwsuite.analysis.page import render_page
from tests.analysis.making import gate_record, write_log

pytestmark = pytest.mark.browser
playwright = pytest.importorskip("playwright.sync_api")

CHROMIUM = os.environ.get("KWSUITE_CHROMIUM", "/usr/bin/chromium")
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
ATTACK = "</script><img src=http://127.0.0.1:9/x onerror=window.hit=1>"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    if not Path(CHROMIUM).exists():
        pytest.skip(f"there is no Chromium at {CHROMIUM}; name one in KWSUITE_CHROMIUM")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield opened
        opened.close()


class Visit:
    """A page that was opened, with all it asked for and complained of."""

    def __init__(self, browser: Any, file: Path, width: int) -> None:
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.page = browser.new_context(viewport={"width": width, "height": 900}, offline=True).new_page()
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("requestfailed", lambda request: self.complaints.append(f"failed {request.url}"))
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.goto(file.as_uri())
        # Waiting for an expression would need the eval that the page forbids itself.
        self.page.locator("html[data-charts]").wait_for(state="attached", timeout=30_000)


@pytest.fixture(scope="module")
def report(published: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    frames = read_frames(published)
    file = tmp_path_factory.mktemp("page") / "report.html"
    file.write_text(render_page(find(frames), frames, "Published figures", "then"), encoding="utf-8")
    return file


@pytest.mark.parametrize("width", [375, 1200])
def test_the_page_asks_for_nothing_and_complains_of_nothing(browser: Any, report: Path, width: int) -> None:
    visit = Visit(browser, report, width)
    assert visit.requests == [report.as_uri()]
    assert visit.complaints == []


@pytest.mark.parametrize("width", [375, 1200])
def test_every_chart_is_drawn(browser: Any, report: Path, width: int) -> None:
    page = Visit(browser, report, width).page
    drawn = page.locator(".chart[data-drawn=yes] svg")
    assert drawn.count() == page.locator(".chart").count() == 12
    assert all(box["width"] > 150 and box["height"] > 100 for box in (svg.bounding_box() for svg in drawn.all()))
    assert page.locator("svg", has_text="+21 → 82").count() == 1


def test_nothing_is_wider_than_a_phone(browser: Any, report: Path) -> None:
    page = Visit(browser, report, 375).page
    assert page.evaluate("document.documentElement.scrollWidth") == 375
    wide = page.evaluate(
        "[...document.querySelectorAll('.chart svg')].filter(s => !s.closest('.scroll')"
        " && s.getBoundingClientRect().right > innerWidth).length"
    )
    assert wide == 0


def test_a_long_item_id_without_joints_does_not_widen_the_page(browser: Any, tmp_path: Path) -> None:
    record = gate_record({"m1": "met", "m2": "not_met"})
    write_log(tmp_path, "x/a", {("i" * 300, 1): record}, {"i" * 300: {}})
    frames = read_frames(tmp_path)
    file = tmp_path / "r.html"
    file.write_text(render_page(find(frames), frames, "Long id", "then"), encoding="utf-8")
    assert Visit(browser, file, 1200).page.evaluate("document.documentElement.scrollWidth") == 1200


LONG = ["reference/near_miss", f"provider/{'a-very-long-model-name-' * 3}2026", "x" * 70]


@pytest.mark.parametrize("width", [375, 1000, 1200])
def test_long_names_neither_break_their_words_nor_run_into_the_tag(browser: Any, tmp_path: Path, width: int) -> None:
    samples = {f"i{place}": {"polarity": "neighbour" if place > 8 else "positive"} for place in range(12)}
    for number, model in enumerate(LONG):
        scores = {(name, 1): gate_record({"m1": "met", "m2": "not_met" if number else "met"}) for name in samples}
        write_log(tmp_path, model, scores, samples, number=number)
    frames = read_frames(tmp_path)
    found = find(frames)
    found[0].headline["reference"] = True
    file = tmp_path / "r.html"
    file.write_text(render_page(found, frames, "Long names", "then"), encoding="utf-8")
    page = Visit(browser, file, width).page
    crossed = page.evaluate(
        """[...document.querySelectorAll('.headline td.name')].filter(cell => {
          const name = document.createRange(); name.selectNodeContents(cell);
          name.setEndBefore(cell.querySelector('.tag'));
          const tag = cell.querySelector('.tag').getBoundingClientRect();
          return [...name.getClientRects()].some(r => r.right > tag.left + 1 && r.left < tag.right - 1
            && r.bottom > tag.top + 3 && r.top < tag.bottom - 3)
            || [...name.getClientRects()].some(r => r.right > cell.getBoundingClientRect().right + 1);
        }).length"""
    )
    assert crossed == 0
    assert page.evaluate("document.documentElement.scrollWidth") == width
    lines = page.evaluate(
        """(() => { const cell = [...document.querySelectorAll('.headline td.name')]
          .find(c => c.textContent.includes('near_miss'));
          const walk = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT), tops = []; let node;
          while ((node = walk.nextNode())) if (node.textContent === 'near_miss') {
            const r = document.createRange(); r.selectNodeContents(node); tops.push(r.getClientRects().length); }
          return tops; })()"""
    )
    assert lines == [1]


MANY = 16


@pytest.fixture(scope="module")
def matrices(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of many candidates with several epochs, long criteria and links, in which every item differs."""
    folder = tmp_path_factory.mktemp("matrices")
    for number in range(MANY):
        verdicts = {"m1": "met", "m2": "met" if number % 2 else "not_met", "g1": "unscored:refusal"}
        text = [{"id": key, "text": f"Does the answer say {key} {'at some length ' * 9}?"} for key in verdicts]
        samples = {f"an-item-{place}": {"rubric": {"criteria": text}} for place in range(3)}
        scores = {(name, epoch): gate_record(verdicts) for name in samples for epoch in (1, 2)}
        write_log(folder, f"lab/model-{number:02d}", scores, samples, number=number)
    frames = read_frames(folder)
    file = folder / "report.html"
    file.write_text(render_page(find(frames, view="http://127.0.0.1:1"), frames, "Matrices", "then"), encoding="utf-8")
    return file


@pytest.mark.parametrize("width", [390, 1200])
def test_an_opened_item_shows_its_criteria_within_the_screen(browser: Any, matrices: Path, width: int) -> None:
    page = Visit(browser, matrices, width).page
    item = page.locator("details.item").first
    assert not item.locator(".matrix").is_visible()
    item.locator(".which").click()
    assert page.evaluate("document.documentElement.scrollWidth") == width
    inside = item.locator(".matrix th[scope=row], .matrix .mark").all()
    boxes = [part.bounding_box() for part in inside]
    assert len(boxes) == 3 * (1 + MANY)
    assert all(box and box["x"] >= 0 and box["x"] + box["width"] <= width for box in boxes)


def test_a_mark_says_in_words_what_its_sign_shows(browser: Any, matrices: Path) -> None:
    page = Visit(browser, matrices, 1200).page
    item = page.locator("details.item").first
    item.locator(".which").click()
    row = item.get_by_role("row").filter(has_text="m2")
    assert row.get_by_role("img", name="met in 0 of 2", exact=True).count() == MANY // 2
    assert row.get_by_role("img", name="met in 2 of 2", exact=True).all_inner_texts() == ["2/2"] * (MANY // 2)
    assert item.get_by_role("img", name="unscored", exact=True).count() == MANY


def test_at_phone_width_each_criterion_stands_above_its_marks(browser: Any, matrices: Path) -> None:
    page = Visit(browser, matrices, 390).page
    item = page.locator("details.item").first
    item.locator(".which").click()
    text = item.locator(".matrix th[scope=row]").first.bounding_box()
    marks = [mark.bounding_box() for mark in item.locator(".matrix tbody tr").first.locator(".mark").all()]
    assert all(mark["y"] >= text["y"] + text["height"] for mark in marks)
    assert all(
        one["x"] + one["width"] <= two["x"] or two["y"] >= one["y"] + one["height"] for one, two in pairwise(marks)
    )


def test_a_link_in_an_item_leads_away_and_does_not_need_it_open(browser: Any, matrices: Path) -> None:
    page = Visit(browser, matrices, 1200).page
    assert page.locator("details.item .line a").first.is_visible()


def test_paper_gets_every_item_opened(browser: Any, matrices: Path) -> None:
    page = Visit(browser, matrices, 1200).page
    page.emulate_media(media="print")
    heights = [row.bounding_box()["height"] for row in page.locator(".matrix tbody tr").all()]
    assert len(heights) == 9
    assert all(height > 10 for height in heights)


def test_paper_gets_all_charts(browser: Any, report: Path) -> None:
    page = Visit(browser, report, 1200).page
    assert len(page.pdf(format="A4")) > 50_000
    page.emulate_media(media="print")
    assert page.locator("nav").count() == 0 or not page.locator("nav").is_visible()


def test_hostile_names_neither_run_nor_load(browser: Any, tmp_path: Path) -> None:
    samples = {f"i{place}{ATTACK}": {"category": f"{ATTACK}{place % 2}"} for place in range(12)}
    states = {"m1": "met", "m2": "not_met"}
    for number, model in enumerate(["x/a", f"y/b{ATTACK}"]):
        scores = {(name, 1): gate_record({**states, "m2": "met"} if number else states) for name in samples}
        write_log(tmp_path, model, scores, samples, task=ATTACK, number=number)
    frames = read_frames(tmp_path)
    file = tmp_path / "r.html"
    file.write_text(render_page(find(frames), frames, ATTACK, "then"), encoding="utf-8")
    visit = Visit(browser, file, 1200)
    assert visit.page.evaluate("window.hit") is None
    assert visit.requests == [file.as_uri()]


@pytest.fixture(scope="module")
def view(published: Path) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "inspect_ai", "view", "start", "--log-dir", str(published), "--port", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(150):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.2)
    yield f"http://127.0.0.1:{port}"
    server.terminate()
    server.wait(timeout=20)


def test_a_mark_opens_its_sample_in_inspect_view(browser: Any, published: Path, view: str) -> None:
    first = find(read_frames(published), view=view)[0].contrasts.iloc[0]
    page = browser.new_context(viewport={"width": 1400, "height": 900}).new_page()
    page.goto(first["links"]["opus"])
    page.get_by_role("tab", name="Scoring").wait_for(timeout=60_000)
    shown = re.compile(rf"^{first['item']}_1 - lab0/opus")
    playwright.expect(page).to_have_title(shown, timeout=20_000)
