"""The report in a real browser, with the network off."""

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
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
