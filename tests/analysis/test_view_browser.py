"""Inspect View over the logs of reference candidates, in a real browser."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog

from kwsuite.tasks.kwbench import kwbench

pytestmark = pytest.mark.browser
playwright = pytest.importorskip("playwright.sync_api")

CHROMIUM = os.environ.get("KWSUITE_CHROMIUM", "/usr/bin/chromium")
ITEMS = 3


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> EvalLog:
    return inspect_eval(
        kwbench(),
        model="reference/near_miss",
        model_roles={"grader": "reference/labels"},
        log_dir=str(tmp_path_factory.mktemp("view")),
        limit=ITEMS,
        display="none",
    )[0]


@pytest.fixture(scope="module")
def view(log: EvalLog) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    folder = str(Path(log.location).parent)
    command = [sys.executable, "-m", "inspect_ai", "view", "start", "--log-dir", folder, "--port", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(300):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.2)
        yield f"http://127.0.0.1:{port}/#/logs/{Path(log.location).name}"
    finally:
        server.terminate()
        server.wait(timeout=20)


@pytest.fixture(scope="module")
def page(view: str) -> Iterator[Any]:
    if not Path(CHROMIUM).exists():
        pytest.skip(f"there is no Chromium at {CHROMIUM}; name one in KWSUITE_CHROMIUM")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield browser.new_page(viewport={"width": 1600, "height": 1000})
        browser.close()


def test_the_sample_list_shows_gate_and_score_as_columns(page: Any, view: str) -> None:
    page.goto(f"{view}/samples")
    headings = page.get_by_role("columnheader")
    headings.first.wait_for(timeout=60_000)
    shown = [text.strip().lower() for text in headings.all_inner_texts()]
    assert {"gate", "score", "mandatory", "good to have", "ideal", "graded"} <= set(shown)
    assert shown.index("gate") < shown.index("score")


def test_the_scoring_tab_begins_with_the_outcome_and_lists_every_criterion(page: Any, view: str, log: EvalLog) -> None:
    assert log.samples
    sample = log.samples[0]
    score = (sample.scores or {})["conjunctive_gate"]
    assert score.metadata
    page.goto(f"{view}/samples/sample/{sample.id}/1/scoring")
    tab = page.get_by_role("tab", name="Scoring")
    tab.wait_for(timeout=60_000)
    tab.click()
    table = page.get_by_role("table").filter(has_text="criterion").first
    table.wait_for(timeout=30_000)
    assert table.locator("tbody tr").count() == len(score.metadata["criteria"])
    text = page.locator("body").inner_text()
    outcome = str(score.explanation).splitlines()[0].split("**")[1]
    assert outcome == "Gate failed, score 0"
    assert -1 < text.find(outcome) < text.find(table.inner_text().strip().splitlines()[0])


def test_the_criteria_table_can_be_read_on_a_phone_in_the_transcript(page: Any, view: str, log: EvalLog) -> None:
    assert log.samples
    sample = log.samples[0]
    event = next(event.uuid for event in sample.events if event.event == "score")
    phone = page.context.browser.new_page(viewport={"width": 390, "height": 844})
    phone.goto(f"{view}/samples/sample/{sample.id}/1/transcript?event={event}")
    phone.get_by_label("Hide outline").click(timeout=60_000)
    table = phone.get_by_role("table").filter(has_text="criterion").last
    table.wait_for(timeout=60_000)
    text = table.locator("tbody tr").first.locator("td").last.bounding_box()
    assert text["width"] > 200
    assert text["x"] + text["width"] < 391
