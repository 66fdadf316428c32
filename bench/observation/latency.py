"""Run the page scripts alone, in an isolated world of a page: observation time, and whether clicks arrive."""

import json
import statistics
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.async_api import CDPSession, Page

from tests.browser.page_harness import page_scripts

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

# Before each observation a small element is added and removed, so that nothing cached from the previous one
# is valid. The frame in between lets the page lay itself out again.
_LOOKS = """(async (repeats, changes) => {
  const look = () => globalThis.__tabwright.answer({id: 1, kind: "observe", taskKey: "bench", nextId: 1});
  const frame = () => new Promise((done) => {
    requestAnimationFrame(() => setTimeout(done));
    setTimeout(done, 100);
  });
  const taken = [];
  for (let n = 0; n < repeats; n++) {
    if (changes) {
      const added = document.createElement("i");
      (document.body ?? document.documentElement).append(added);
      added.remove();
      await frame();
    }
    const {ok, result, error} = await look();
    if (!ok) throw new Error(error.message);
    taken.push(result.extractMs);
  }
  return taken;
})"""


@dataclass(frozen=True, slots=True)
class Timing:
    """`median_ms` of an observation after a change, `still_ms` of one of an unchanged page. `unreached`
    names the controls that no click reaches.
    """

    median_ms: float
    still_ms: float
    unreached: tuple[str, ...]


def _source() -> str:
    return _PORT + page_scripts()


async def measure_observation(page: Page) -> Timing:
    """Observe the current document."""
    session = await page.context.new_cdp_session(page)
    try:
        context = await install_scripts(session)
        taken, still = [
            await evaluate(session, context, f"{_LOOKS}({REPEATS}, {json.dumps(changes)})")
            for changes in (True, False)
        ]
        unreached = await evaluate(session, context, _UNREACHED)
    finally:
        await session.detach()
    return Timing(statistics.median(taken), statistics.median(still), tuple(unreached))


async def install_scripts(session: CDPSession) -> int:
    """Install the page scripts in a new isolated world of the page; returns its context id."""
    frame = (await session.send("Page.getFrameTree"))["frameTree"]["frame"]["id"]
    named = {"frameId": frame, "worldName": "bench"}
    context: int = (await session.send("Page.createIsolatedWorld", named))["executionContextId"]
    await evaluate(session, context, _source() + "\n;0")
    return context


async def evaluate(session: CDPSession, context: int, expression: str) -> Any:
    """The value of an expression in that world. Raises `RuntimeError` with what it threw."""
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
    return reply["result"].get("value")
