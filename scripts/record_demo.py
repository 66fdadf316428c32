"""Record the README animation, a real run: `python -m scripts.record_demo docs/images/first-run.gif`."""

import asyncio
import sys
import time
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.async_api import Page

from app.cli.browser import EXTENSION_DIR, open_browser
from app.cli.chromium import find_chromium
from app.cli.run.children import backend, clinic
from app.cli.run.goal import GOAL
from app.settings import Settings

FRAME_S = 0.1
LAST_S = 2.0  # the result can be read
SPEED = 1.7  # taking the pictures makes the run three times as long
HEIGHT = 560  # px of the animation
PAGE = {"width": 1040, "height": 780}
PANEL = {"width": 400, "height": 780}


class Recorder:
    """Takes pictures of page and panel side by side until it is stopped."""

    def __init__(self, page: Page, panel: Page, folder: Path) -> None:
        self._page, self._panel, self._folder = page, panel, folder
        self.frames: list[tuple[Path, Path, float]] = []
        self.stopped = False

    async def run(self) -> None:
        """Record until `stopped`."""
        while not self.stopped:
            started = time.monotonic()
            names = [
                self._folder / f"{len(self.frames):04}-{part}.png" for part in ("page", "panel")
            ]
            await asyncio.gather(
                self._page.screenshot(path=names[0]), self._panel.screenshot(path=names[1])
            )
            self.frames.append((names[0], names[1], started))
            await asyncio.sleep(max(0.0, FRAME_S - (time.monotonic() - started)))

    def save(self, file: Path) -> None:
        """Write the frames as an animation; equal consecutive frames become one."""
        pictures: list[Image.Image] = []
        durations: list[int] = []
        for n, (page, panel, begun) in enumerate(self.frames):
            next_at = self.frames[n + 1][2] if n + 1 < len(self.frames) else begun + LAST_S * SPEED
            picture = _beside(Image.open(page), Image.open(panel))
            if pictures and picture.tobytes() == pictures[-1].tobytes():
                durations[-1] += round((next_at - begun) * 1000 / SPEED)
            else:
                pictures.append(picture)
                durations.append(round((next_at - begun) * 1000 / SPEED))
        palette = pictures[-1].quantize(128)
        small = [one.quantize(128, palette=palette, dither=Image.Dither.NONE) for one in pictures]
        small[0].save(
            file, save_all=True, append_images=small[1:], duration=durations, loop=0, optimize=True
        )
        print(
            f"{file}: {len(small)} frames, {sum(durations) / 1000:.1f} s, {file.stat().st_size:,} bytes"
        )


def _beside(page: Image.Image, panel: Image.Image) -> Image.Image:
    both = Image.new("RGB", (page.width + 1 + panel.width, page.height), "#b8bec6")
    both.paste(page, (0, 0))
    both.paste(panel, (page.width + 1, 0))
    return both.resize((both.width * HEIGHT // both.height, HEIGHT), Image.Resampling.LANCZOS)


async def record(file: Path) -> None:
    """Carry out the first goal and record it."""
    chromium = await asyncio.to_thread(find_chromium, Settings().chromium, install=False)
    with TemporaryDirectory() as name:
        folder = Path(name)
        async with AsyncExitStack() as stack:
            server = stack.enter_context(backend(folder / "data", api_key=None))
            demo = stack.enter_context(clinic(folder / "clinic.log"))
            browser = await stack.enter_async_context(
                open_browser(chromium=chromium.path, extension=EXTENSION_DIR, headless=True)
            )
            await browser.configure(server.url, server.api_key)
            page = browser.context.pages[0]
            await page.set_viewport_size(PAGE)
            await page.goto(demo.url)
            panel = await browser.open_panel(page, window=True)
            await panel.set_viewport_size(PANEL)
            await panel.get_by_test_id("goal-input").wait_for()
            recorder = Recorder(page, panel, folder)
            recording = asyncio.create_task(recorder.run())
            await panel.get_by_test_id("goal-input").press_sequentially(GOAL, delay=15)
            await panel.get_by_test_id("run-button").click()
            await panel.locator("[data-state=completed]").first.wait_for(timeout=60_000)
            await asyncio.sleep(0.6)
            recorder.stopped = True
            await recording
        recorder.save(file)


if __name__ == "__main__":
    asyncio.run(record(Path(sys.argv[1])))
