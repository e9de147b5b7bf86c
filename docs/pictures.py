"""Make the pictures in docs/pictures/ from runs of the reference candidates.

    python docs/pictures.py [LOGS]

Runs that LOGS holds are not made again.
Needs the extras `dev` and a Chromium (`KWSUITE_CHROMIUM`, by default /usr/bin/chromium); asks no network.
"""

import os
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from inspect_ai import eval as inspect_eval
from inspect_ai.log import list_eval_logs, read_eval_log, read_eval_log_sample
from playwright.sync_api import sync_playwright

from kwsuite.analysis import find, read_frames
from kwsuite.analysis.page import render_page
from kwsuite.tasks.kwbench import kwbench

PICTURES = Path(__file__).parent / "pictures"
CHROMIUM = os.environ.get("KWSUITE_CHROMIUM", "/usr/bin/chromium")
SAMPLE = "sig-mall-early-renewal"
CANDIDATES = ("expert", "cold", "near_miss", "surface")


def main() -> None:
    """Run, serve, and take each picture at the width that its name says."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        folder = sys.argv[1] if len(sys.argv) > 1 else scratch
        there = {read_eval_log(info, header_only=True).eval.model: info.name for info in list_eval_logs(folder)}
        logs = [there.get(f"reference/{name}") or _run(name, folder) for name in CANDIDATES]
        frames = read_frames(folder)
        report = Path(scratch, "report.html")
        report.write_text(render_page(find(frames, view=None), frames, "Reference candidates", "for the docs"), "utf-8")
        with sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
            for name, width, height in (("report-desktop", 1200, 1150), ("report-phone", 390, 1500)):
                page = _open(browser, report.as_uri(), width, height)
                page.locator("html[data-charts]").wait_for(state="attached", timeout=60_000)
                page.locator(".takeaways").first.evaluate("part => window.scrollTo(0, part.offsetTop - 20)")
                page.screenshot(path=PICTURES / f"{name}.png")
                curve = page.locator("figure.panel").first
                curve.screenshot(path=PICTURES / f"{name.replace('report', 'curve')}.png")
                item = page.locator("details.item").first
                item.locator("summary").click()
                item.evaluate("part => { part.scrollIntoView({behavior: 'instant'}) }")
                page.screenshot(path=PICTURES / f"{name.replace('report', 'criteria')}.png")
            _view(browser, folder, logs[CANDIDATES.index("near_miss")])
            browser.close()


def _run(name: str, folder: str) -> str:
    log = inspect_eval(
        kwbench(),
        model=f"reference/{name}",
        model_roles={"grader": "reference/labels"},
        log_dir=folder,
        display="none",
    )[0]
    if log.status != "success":
        raise SystemExit(f"the run of reference/{name} ended as {log.status}")
    return log.location


def _view(browser: Any, folder: str, location: str) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "inspect_ai", "view", "start", "--log-dir", folder, "--port", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while True:
            with socket.socket() as probe:
                if server.poll() is not None or probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.2)
        address = f"http://127.0.0.1:{port}/#/logs/{Path(location).name}/samples"
        page = _open(browser, address, 1200, 700)
        page.get_by_role("columnheader").first.wait_for(timeout=60_000)
        page.wait_for_timeout(1000)
        page.screenshot(path=PICTURES / "view-samples.png", clip=_below_the_path(1200, 700))
        page = _open(browser, f"{address}/sample/{SAMPLE}/1/scoring", 1200, 900)
        page.get_by_role("table").filter(has_text="criterion").first.wait_for(timeout=60_000)
        page.wait_for_timeout(1000)
        page.screenshot(path=PICTURES / "view-scoring.png", clip=_below_the_path(1200, 900))
        _phone(browser, f"{address}/sample/{SAMPLE}/1/transcript?event={_score_event(location)}")
    finally:
        server.terminate()
        server.wait(timeout=20)


def _phone(browser: Any, address: str) -> None:
    # Too narrow for the Scoring tab: the score's event in the transcript has the same table.
    page = _open(browser, address, 390, 1000)
    page.get_by_label("Hide outline").click(timeout=60_000)
    page.get_by_role("table").filter(has_text="criterion").last.wait_for(timeout=60_000)
    outcome = page.get_by_text("Gate failed").last
    outcome.evaluate("part => { part.style.scrollMarginTop = '15rem'; part.scrollIntoView() }")
    page.wait_for_timeout(1000)
    page.screenshot(path=PICTURES / "view-phone.png", clip=_below_the_path(390, 1000))


def _score_event(location: str) -> str:
    events = read_eval_log_sample(location, id=SAMPLE, epoch=1).events
    return next(str(event.uuid) for event in events if event.event == "score")


def _below_the_path(width: int, height: int) -> Any:
    # The first line shows where the logs lie on this machine.
    return {"x": 0, "y": 29, "width": width, "height": height - 29}


def _open(browser: Any, address: str, width: int, height: int) -> Any:
    page = browser.new_page(viewport={"width": width, "height": height})
    page.goto(address)
    return page


if __name__ == "__main__":
    main()
