"""Observe many pages: tokens for the model, controls found, time taken.

Run: `python -m bench.observation [--site DIR] [--json FILE]`. Without a folder it observes third-party
interfaces (Ant Design, Shoelace, Swagger UI, jQuery UI, a Bootstrap admin template) and some
generated pages. The tree is what the real extension posts, all frames included; its lines are those of
`app.page.render`, counted in o200k_base tokens. Found: the share of on-screen controls by `controls.js`,
which is independent of the extension. Unreached: offered, but a click does not arrive. Time: in the
page, median of 15 observations, each after a small change. Last: what observing adds to a page's own work.
"""

import argparse
import asyncio
import json
import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import bpe_openai
from playwright.async_api import Page

from app.api.routes.interact.request import InteractRequest
from app.cli.browser import EXTENSION_DIR, Browser, open_browser
from app.cli.chromium import find_chromium
from app.domain.page import Observation, Tree
from app.page.difference import page_update
from app.page.render import render_lines
from bench.observation.backend import Body, Listener, serve_listener
from bench.observation.latency import measure_observation
from bench.observation.overhead import ObservationCost, measure_overhead
from bench.observation.site import serve_site

ACCOUNT = Path(__file__).with_name("controls.js").read_text("utf-8")
NEAR = 6  # px by which two measurements of a box may differ
SETTLE_MS = 900  # for pages that render after loading


@dataclass(frozen=True, slots=True)
class Row:
    """The result of one page. `missed` and `unreached` name controls."""

    path: str
    nodes: int
    tokens: int
    again: int
    json_tokens: int
    summary_tokens: int
    controls: int
    missed: tuple[str, ...]
    unreached: tuple[str, ...]
    ms: float
    still_ms: float


async def observed(browser: Browser, listener: Listener, page: Page) -> Body:
    """What the extension posts when a task starts on that page."""
    panel = await browser.open_panel(page)
    await page.bring_to_front()
    await panel.get_by_test_id("goal-input").fill("Look at this page")
    await panel.get_by_test_id("run-button").click()
    body = await listener.next_body()
    await panel.close()
    return body


def missed(body: Body, controls: Sequence[Body]) -> tuple[str, ...]:
    """The controls of `controls.js` without a node whose box contains or nearly contains their centre."""
    boxes = [node["box"] for node in body["interactiveTree"] if not node.get("occ")]

    def stands_for(box: Sequence[float], control: Sequence[float]) -> bool:
        (x, y, w, h), (cx, cy, cw, ch) = box, control
        same = max(abs(x - cx), abs(y - cy), abs(w - cw), abs(h - ch)) <= NEAR
        mid_x, mid_y = cx + cw / 2, cy + ch / 2
        around = x <= mid_x <= x + w and y <= mid_y <= y + h and w * h <= 9 * cw * ch + 400
        return same or around or (cx <= x + w / 2 <= cx + cw and cy <= y + h / 2 <= cy + ch)

    return tuple(
        str(one["what"]) for one in controls if not any(stands_for(b, one["box"]) for b in boxes)
    )


async def observe_page(browser: Browser, listener: Listener, url: str, path: str) -> Row:
    """Observe one page in its own tab."""
    page = await browser.context.new_page()
    try:
        await page.goto(f"{url}/{path}")
        await page.wait_for_timeout(SETTLE_MS)
        body = await observed(browser, listener, page)
        controls: list[Body] = await page.evaluate(ACCOUNT)
        timing = await measure_observation(page)
    finally:
        await page.close()
    observation = InteractRequest.model_validate(body).observation()
    count = bpe_openai.get_encoding("o200k_base").encode_ordinary
    return Row(
        path=path,
        nodes=len(observation.tree),
        tokens=len(count(render_lines(observation))),
        again=len(count(told_again(observation))),
        json_tokens=len(count(json.dumps(body["interactiveTree"], separators=(",", ":")))),
        summary_tokens=len(count(observation.summary)),
        controls=len(controls),
        missed=missed(body, controls),
        unreached=timing.unreached,
        ms=timing.median_ms,
        still_ms=timing.still_ms,
    )


def told_again(observation: Observation) -> str:
    """The lines of the page after one of its fields, or else its first control, was used."""
    nodes = [node for node in observation.tree if node.enabled and not node.scrolled_out]
    found = next((node for node in nodes if node.role == "inp"), nodes[0] if nodes else None)
    if found is None:
        return render_lines(observation)
    done = replace(found, value="Jas", states=found.states | {"focused"})
    tree = Tree.of(done if node is found else node for node in observation.tree)
    after = replace(observation, tree=tree)
    told = page_update(after, observation, about=f"Enter 'Jas' in {found.name}")
    return render_lines(after) if told is None else render_lines(told.page, marks=told.marks)


def show(rows: Sequence[Row]) -> None:
    """Print the table and its totals."""
    print(f"{'page':<52}{'nodes':>6}{'tokens':>8}{'JSON':>8}{'text':>7}{'found':>11}{'ms':>7}")
    for row in rows:
        found = f"{row.controls - len(row.missed)}/{row.controls}"
        print(
            f"{row.path[-50:]:<52}{row.nodes:>6}{row.tokens:>8}{row.json_tokens:>8}"
            f"{row.summary_tokens:>7}{found:>11}{row.ms:>7.1f}"
        )
        for kind, names in (("missed", row.missed), ("unreached", row.unreached)):
            if names:
                print(f"    {kind}: {'; '.join(names[:6])}")
    tokens, times = [row.tokens for row in rows], [row.ms for row in rows]
    still = [row.still_ms for row in rows]
    again = [row.again for row in rows]
    shares = [row.again / max(1, row.tokens) for row in rows]
    controls, lost = sum(row.controls for row in rows), sum(len(row.missed) for row in rows)
    print(
        f"\n{len(rows)} pages: tokens median {statistics.median(tokens):.0f}, p90 {_p90(tokens):.0f}; "
        f"ms median {statistics.median(times):.1f}, p90 {_p90(times):.1f} "
        f"(unchanged pages {statistics.median(still):.1f}, {_p90(still):.1f}); "
        f"controls on screen found {controls - lost} of {controls} "
        f"({100 * (controls - lost) / max(1, controls):.2f} %); "
        f"unreached {sum(len(row.unreached) for row in rows)}; "
        f"told again after one entry: tokens median {statistics.median(again):.0f}, "
        f"{100 * statistics.median(shares):.0f} % of the first look"
    )


def _p90(values: Sequence[float]) -> float:
    return sorted(values)[round(0.9 * (len(values) - 1))]


async def main(folder: Path | None) -> tuple[list[Row], ObservationCost]:
    """Observe every page in turn in one browser."""
    chromium = find_chromium(None).path
    rows: list[Row] = []
    with serve_site(folder) as site:
        async with open_browser(
            chromium=chromium, extension=EXTENSION_DIR, headless=True
        ) as browser:
            origin = browser.url("").rstrip("/")
            async with serve_listener(origin) as listener:
                await browser.configure(listener.url, "bench")
                for path in site.paths:
                    rows.append(await observe_page(browser, listener, site.url, path))
            cost = await measure_overhead(browser.context)
    return rows, cost


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--site", type=Path, help="folder of HTML pages to observe instead")
    parser.add_argument("--json", type=Path, help="file for the rows")
    arguments = parser.parse_args()
    result, cost = asyncio.run(main(arguments.site))
    show(result)
    print(cost.lines())
    if arguments.json:
        arguments.json.write_text(json.dumps([asdict(row) for row in result], indent=1), "utf-8")
