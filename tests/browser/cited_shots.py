"""Pictures of answers and of what they cite: `python -m tests.browser.cited_shots FOLDER [scene ...]`."""

import asyncio
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Literal

from playwright.async_api import expect

from app.settings import Settings
from app.store.server.embedded_server import hold_server
from tests.browser.cited_files import CASES, TEXT
from tests.browser.cited_stage import Room, opened_room, served_documents
from tests.browser.panel.test_comparison import (
    LONDON,
    NEW,
    NIGHTS,
    OLD,
    TWO,
    audited,
    change,
    compared,
)

SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
WIDTHS = (360, 500)
HEIGHT = 720
CITED = [CASES[kind] for kind in ("pdf", "xlsx", "docx")]


async def answered(room: Room) -> None:
    await room.fresh()
    room.claims([case.quote for case in CITED])
    await room.ask("What do the papers say?")


async def opened(room: Room, number: int) -> None:
    await answered(room)
    await room.panel.get_by_test_id("chat-citation").nth(number).click()
    await expect(room.panel.locator("mark").first).to_be_in_viewport()


async def superseded(room: Room, number: int) -> None:
    """An answer to a document that is another by now, and where it was cited."""
    await room.fresh()
    await room.add("keys.txt", TEXT.encode())
    room.claims(["A key that is lost is told to the caretaker", "A new lock costs 240 euros."])
    await room.ask("What is to be done about a lost key?")
    await room.add("keys.txt", TEXT.replace("240", f"26{number}").encode())
    await room.panel.reload()
    await expect(room.panel.get_by_test_id("chat-source-current").first).to_be_visible()
    if number:
        await room.panel.get_by_test_id("chat-citation").nth(1).click()
        await expect(room.panel.get_by_test_id("source-current")).to_be_visible()


async def beside(room: Room) -> None:
    answer = await compared(room, *TWO)
    await answer.get_by_test_id("chat-beside").locator("summary").click()
    await answer.get_by_test_id("chat-beside").evaluate("one => one.scrollIntoView()")


async def matrix(room: Room) -> None:
    told = change("changed", "A night costs 120, 140 or 180 euros at most.", *NIGHTS)
    answer = await compared(room, told, third=True)
    await answer.get_by_test_id("chat-beside").locator("summary").click()
    await answer.get_by_test_id("chat-beside").evaluate("one => one.scrollIntoView()")


SCENES: dict[str, Callable[[Room], Awaitable[object]]] = {
    "answer": answered,
    "pdf": lambda room: opened(room, 0),
    "xlsx": lambda room: opened(room, 1),
    "superseded": lambda room: superseded(room, 0),
    "version": lambda room: superseded(room, 1),
    "compared": lambda room: compared(room, *TWO),
    "beside": beside,
    "matrix": matrix,
    "audit": audited,
}


async def shoot(folder: Path, wanted: set[str]) -> None:
    with tempfile.TemporaryDirectory() as made:
        settings = Settings(_env_file=None, data_dir=Path(made))
        with hold_server(settings) as uri, served_documents(uri, Path(made) / "server") as served:
            async with opened_room(served) as room:
                for case in CITED:
                    await room.add(case.name, case.body)
                for name, text in (("old.md", OLD), ("new.md", NEW), ("london.md", LONDON)):
                    await room.add(name, text.encode())
                for name, scene in SCENES.items():
                    if wanted and name not in wanted:
                        continue
                    for width in WIDTHS:
                        await room.panel.set_viewport_size({"width": width, "height": HEIGHT})
                        await scene(room)
                        for scheme in SCHEMES:
                            await room.panel.emulate_media(
                                color_scheme=scheme, reduced_motion="reduce"
                            )
                            path = folder / f"cited-{name}-{width}-{scheme}.png"
                            await room.panel.screenshot(path=path, caret="hide")


if __name__ == "__main__":
    Path(sys.argv[1]).mkdir(parents=True, exist_ok=True)
    asyncio.run(shoot(Path(sys.argv[1]), set(sys.argv[2:])))
