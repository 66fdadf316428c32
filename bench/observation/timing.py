"""The page scripts alone, in an isolated world of a page: what a look takes, and whether clicks arrive."""

import json
import statistics
from dataclasses import dataclass
from pathlib import Path

from playwright.async_api import CDPSession, Page

from app.launch.extension import page_scripts

REPEATS = 15
_UNREACHED = Path(__file__).with_name("unreached.js").read_text("utf-8")

_PORT = """
globalThis.chrome ??= {};
chrome.runtime ??= {};
chrome.runtime.connect ??= () => ({
  postMessage() {}, disconnect() {}, onMessage: {addListener() {}}, onDisconnect: {addListener() {}},
});
chrome.runtime.sendMessage ??= async () => undefined;
chrome.runtime.id ??= "bench";
"""

_LOOKS = """(async (repeats) => {
  const look = () => globalThis.__tabwright.answer({id: 1, kind: "observe", taskKey: "bench", nextId: 1});
  const taken = [];
  for (let n = 0; n < repeats; n++) taken.push((await look()).result.extractMs);
  return taken;
})"""


@dataclass(frozen=True, slots=True)
class Timing:
    """`median_ms` of one look over some tens of them; `unreached` names what no click arrives at."""

    median_ms: float
    unreached: tuple[str, ...]


def _source() -> str:
    return _PORT + "\n;".join(Path(file).read_text("utf-8") for file in page_scripts())


async def timed(page: Page) -> Timing:
    """Look at the document that is loaded now."""
    session = await page.context.new_cdp_session(page)
    try:
        frame = (await session.send("Page.getFrameTree"))["frameTree"]["frame"]["id"]
        world = await session.send(
            "Page.createIsolatedWorld", {"frameId": frame, "worldName": "bench"}
        )
        context = world["executionContextId"]
        await _evaluate(session, context, _source() + "\n;0")
        taken = await _evaluate(session, context, f"{_LOOKS}({json.dumps(REPEATS)})")
        unreached = await _evaluate(session, context, _UNREACHED)
    finally:
        await session.detach()
    return Timing(statistics.median(taken), tuple(unreached))


async def _evaluate(session: CDPSession, context: int, expression: str) -> list[str]:
    reply = await session.send(
        "Runtime.evaluate",
        {
            "expression": expression,
            "contextId": context,
            "awaitPromise": True,
            "returnByValue": True,
        },
    )
    if "exceptionDetails" in reply:
        raise RuntimeError(reply["exceptionDetails"]["exception"].get("description", "?"))
    value: list[str] = reply["result"].get("value", [])
    return value
