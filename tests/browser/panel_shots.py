"""Pictures of every state of the panel: `python -m tests.browser.panel_shots docs/panel [state ...]`."""

import asyncio
import sys
from pathlib import Path
from typing import Literal

from tests.browser.panel_stage import HEIGHT, WIDTH, opened_stage
from tests.browser.panel_states import STATES

SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


async def shoot(folder: Path, names: set[str]) -> None:
    async with opened_stage() as stage:
        for state in STATES:
            if names and state.name not in names:
                continue
            page = await stage.show(state)
            await page.bring_to_front()
            tall = 1000 if state.document == "options" else HEIGHT
            await page.set_viewport_size({"width": WIDTH, "height": tall})
            for scheme in SCHEMES:
                await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                await page.screenshot(path=folder / f"{state.name}-{scheme}.png", caret="hide")


if __name__ == "__main__":
    asyncio.run(shoot(Path(sys.argv[1]), set(sys.argv[2:])))
