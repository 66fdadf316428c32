"""Pages that load real interface libraries, driven by the page scripts in a world of their own."""

import json
import mimetypes
from pathlib import Path
from typing import Any

from playwright.async_api import CDPSession, Page, Route

from tests.browser import page_harness as harness

LIBRARIES = Path(__file__).resolve().parents[1] / "pages" / "node_modules"
ORIGIN = "http://app.test"  # answered by the test itself, never looked up
LOOKS = 60  # for a control, 20 ms apart
REACT = "react/umd/react.production.min.js", "react-dom/umd/react-dom.production.min.js"


def head(*files: str) -> str:
    """Script and style tags for files of installed libraries."""
    tags = []
    for name in files:
        link = f'<link rel="stylesheet" href="/lib/{name}">'
        tags.append(link if name.endswith(".css") else f'<script src="/lib/{name}"></script>')
    return "".join(tags)


class App:
    """A page and the isolated world the scripts work in, as an extension's do."""

    def __init__(self, page: Page, cdp: CDPSession) -> None:
        self.page = page
        self._cdp = cdp
        self._html = ""
        self._world = 0
        self._taken = 0

    async def answer(self, route: Route) -> None:
        """The page itself, or a file of a library."""
        path = route.request.url.removeprefix(ORIGIN)
        file = LIBRARIES / path.removeprefix("/lib/").split("?")[0]
        if not path.startswith("/lib/"):
            await route.fulfill(body=self._html, content_type="text/html; charset=utf-8")
        elif file.is_file():
            kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
            await route.fulfill(body=file.read_bytes(), content_type=kind)
        else:
            await route.fulfill(status=404)

    async def show(self, body: str, *files: str) -> None:
        """Loads a page with these libraries and puts the scripts into a new isolated world."""
        self._html = f"<!doctype html><html><head>{head(*files)}</head><body>{body}</body></html>"
        self._taken += 1
        await self.page.goto(f"{ORIGIN}/{self._taken}")
        await self.install()

    async def install(self) -> None:
        """The scripts in an isolated world of the document that is loaded now."""
        tree = await self._cdp.send("Page.getFrameTree")
        frame = tree["frameTree"]["frame"]["id"]
        world = await self._cdp.send("Page.createIsolatedWorld", {"frameId": frame})
        self._world = world["executionContextId"]
        await self.world(harness.page_source())
        await self.page.evaluate(harness.main_source())
        await self.world("__tabwright.sideEffects.connect('t'); __tabwright.sideEffects.arm(null)")

    async def world(self, expression: str) -> Any:
        """The value of an expression in the world of the scripts."""
        reply = await self._cdp.send(
            "Runtime.evaluate",
            {
                "expression": expression,
                "contextId": self._world,
                "awaitPromise": True,
                "returnByValue": True,
            },
        )
        assert "exceptionDetails" not in reply, reply["exceptionDetails"]
        return reply["result"].get("value")

    async def request(self, kind: str, **fields: Any) -> dict[str, Any]:
        """One request as the runner makes it."""
        text = json.dumps(json.dumps({"id": 1, "kind": kind, **fields}))
        reply = await self.world(f"globalThis.__tabwright.answer(JSON.parse({text}))")
        assert reply["ok"], reply
        return dict(reply["result"])

    async def nodes(self) -> list[dict[str, Any]]:
        """What the backend would be sent now."""
        observation = await self.request("observe", taskKey="task", nextId=self._taken * 1000)
        return list(observation["tree"])

    async def node(self, name: str, role: str | None = None) -> dict[str, Any]:
        """The only control of that name (and role), once it is there: the runner waits too."""
        for _ in range(LOOKS):
            try:
                return harness.find({"tree": await self.nodes()}, name, role)
            except AssertionError:
                await self.world("__tabwright.pause(20)")
        return harness.find({"tree": await self.nodes()}, name, role)

    async def do(self, action: str, name: str, role: str | None = None, **args: Any) -> Any:
        """Finds a control by its name, as the backend does, and acts on its id."""
        node = await self.node(name, role)
        return await self.act(action, id=node["i"], **args)

    async def act(self, action: str, **args: Any) -> dict[str, Any]:
        """One action with its arguments."""
        return await self.request("act", actionId="a", name=action, args=args)

    async def works(self, action: str, name: str, role: str | None = None, **args: Any) -> None:
        """The same as `do`, where it has to succeed."""
        result = await self.do(action, name, role, **args)
        assert result["status"] == "success", result

    async def key(self, key: str) -> None:
        """A key on what has the focus."""
        result = await self.act("pressKey", key=key)
        assert result["status"] == "success", result

    async def drag(self, source: str, goal: str) -> dict[str, Any]:
        """From one control to another, both by name."""
        tree = {"tree": await self.nodes()}
        ids = [harness.find(tree, name)["i"] for name in (source, goal)]
        return await self.act("dragTo", id=ids[0], targetId=ids[1])

    async def state(self, expression: str) -> Any:
        """What the application itself holds."""
        return await self.page.evaluate(expression)

    async def until(self, expression: str) -> None:
        """Waits for the application to say so."""
        await self.page.wait_for_function(expression, timeout=30_000)


async def app_on(page: Page) -> App:
    """An `App` in that page."""
    app = App(page, await page.context.new_cdp_session(page))
    await page.route(f"{ORIGIN}/**", app.answer)
    return app
