"""Play scenes in a real Chromium with the real extension, and record what it posts with its label."""

import asyncio
import inspect
import socket
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

import uvicorn
from playwright.async_api import Page, expect
from starlette.types import ASGIApp

from app.cli.browser import EXTENSION_DIR, Browser, open_browser
from app.cli.chromium import find_chromium
from app.domain.action import Action, PlannedAction
from bench.transitions.dataset import REPORT, Body, Recorded, Sent, anonymous
from bench.transitions.moves import Move, Scene, Truth
from bench.transitions.server_pages import contacts
from bench.transitions.site import Site
from bench.transitions.wire import Wire, acting, ended
from demo.clinic.patients import Register
from demo.clinic.server import create_clinic

ORIGIN = "http://site.test"
OTHER_ORIGIN = "http://other.test"
ENDS_MS = 15_000


@dataclass
class Take:
    """A scene while it is played: `tab` shows the page, `site` knows what is stored."""

    scene: Scene
    site: Site
    tab: Page
    stage: "Stage"
    kept: list[Recorded] = field(default_factory=list)

    async def asked(self, truth: Truth) -> bool:
        """The current answer of the page's own world, or of its server."""
        if isinstance(truth, str):
            return bool(await self.stage.tab.evaluate(f"async () => !!({truth})"))
        said = truth(self)
        return bool(await said if inspect.isawaitable(said) else said)


class Stage:
    """A browser with the extension, the pages, and the recording backend."""

    def __init__(
        self, browser: Browser, wire: Wire, site: Site, clinic: str, register: Register
    ) -> None:
        self.browser, self.wire, self.site = browser, wire, site
        self.clinic, self.register = clinic, register
        self.tab: Page
        self.panel: Page

    async def open(self) -> None:
        """Open a tab to work on and its panel."""
        self.tab = await self.browser.context.new_page()
        await self.tab.goto(f"{self.site.url}/p/empty")
        self.panel = await self.browser.open_panel(self.tab)

    async def close(self) -> None:
        """Close all tabs but the first empty one."""
        for page in self.browser.context.pages[1:]:
            await page.close()

    async def play(self, scene: Scene) -> list[Recorded]:
        """Play a scene and return its transitions. Raises if it could not be played."""
        self.site.reset(scene.mode)
        self.register.reset()
        self.wire.begin()
        await self.tab.goto(f"{self.site.url}/p/empty")  # so that a new hash reloads too
        await self.tab.goto(self._address(scene.path))
        if scene.ready:
            await self.tab.wait_for_function(scene.ready, timeout=ENDS_MS)
        take = Take(scene, self.site, self.tab, self)
        if scene.arrange:
            await scene.arrange(take)
        await self.panel.get_by_test_id("goal-input").fill(scene.goal)
        await self.panel.get_by_test_id("goal-input").press("Enter")
        await self.tab.bring_to_front()  # hidden tabs render no frames
        body = await self.wire.look()
        try:
            for number, move in enumerate(scene.moves):
                body = await self._move(take, number, move, body)
        finally:
            self.site.released.set()
            self.wire.answer(ended())
            self.wire.answer(ended())
        status = self.panel.get_by_test_id("status")
        await expect(status).to_have_attribute("data-state", "completed", timeout=ENDS_MS)
        for page in self.browser.context.pages[1:]:
            if page not in (self.tab, self.panel):
                await page.close()
        return take.kept

    def _address(self, path: str) -> str:
        here, _, rest = path.partition(":")
        return self.clinic + rest if here == "clinic" else self.site.url + path

    async def _move(self, take: Take, number: int, move: Move, before: Body) -> Body:
        self.site.mode = move.mode or self.site.mode
        if move.first:
            await move.first(take)
        sent = tuple(
            PlannedAction(
                action_id=f"a{index}",
                action=(done := _addressed(act.action(before), self.site.url)),
                description=_described(done, before),
                element=_element(done, before),
                can_fail=act.can_fail,
                dialog=act.dialog,
            )
            for index, act in enumerate(move.acts)
        )
        self.wire.answer(acting(sent))
        if move.meanwhile:
            await move.meanwhile(take)
        after = await self.wire.look()
        report = {key: after[key] for key in REPORT if key in after}
        late = move.again is not None
        self._keep(
            take, number, move, sent, before, after, report, await self._label(take, move, late)
        )
        if move.again is None:
            return after
        self.site.released.set()
        wait = PlannedAction(
            action_id="w", action=Action(name="wait", args={"ms": move.again}), description="wait"
        )
        self.wire.answer(acting((wait,)))
        later = await self.wire.look()
        label = await self._label(take, move, late=False)
        self._keep(take, number, move, sent, before, later, report, label, ", looked at again")
        return later

    async def _label(self, take: Take, move: Move, late: bool) -> tuple[bool | None, bool]:
        truth = await take.asked(move.truth)
        done = move.last and (truth if move.done is None else await take.asked(move.done))
        if late and truth:
            raise AssertionError(
                f"{take.scene.name}: the server held its answer, yet the effect happened"
            )
        return (None if late else truth), done

    def _keep(
        self, take: Take, number: int, move: Move, sent: tuple[PlannedAction, ...],
        before: Body, after: Body, report: Body, label: tuple[bool | None, bool], more: str = "",
    ) -> None:  # fmt: skip
        scene = take.scene
        port = self.site.url.rpartition(":")[2]
        origins = {self.site.url: ORIGIN, f"http://localhost:{port}": OTHER_ORIGIN}
        origins[self.clinic] = "http://clinic.test"
        origins[self.site.url.removeprefix("http://")] = "site.test"
        name = scene.name + (f"/{number + 1}" if len(scene.moves) > 1 else "")
        item = Recorded(
            name=name + ("/again" if more else ""),
            page=scene.page,
            kind=move.kind + more,
            held_out=scene.held_out,
            goal=move.goal or scene.goal,
            step=move.step,
            last_step=move.last,
            sent=tuple(_sent(planned, origins) for planned in sent),
            before=anonymous(before, origins),
            after=anonymous(after, origins),
            report=report,
            happened=label[0],
            done=label[1],
        )
        take.kept.append(item)


def _addressed(action: Action, origin: str) -> Action:
    url = action.args.get("url")
    if not isinstance(url, str) or not url.startswith("/"):
        return action
    return action.model_copy(update={"args": {**action.args, "url": origin + url}})


def _described(action: Action, body: Body) -> str:
    node = _node(action, body)
    rest = [str(value) for key, value in action.args.items() if key not in ("id", "targetId")]
    return " ".join([action.name, *([repr(node["n"])] if node and node.get("n") else []), *rest])


def _element(action: Action, body: Body) -> str:
    node = _node(action, body)
    return f"{node['r']} {node.get('n', '')}".strip() if node else ""


def _node(action: Action, body: Body) -> Body | None:
    return next((n for n in body["interactiveTree"] if n["i"] == action.target), None)


def _sent(planned: PlannedAction, origins: dict[str, str]) -> Sent:
    args, description = dict(planned.action.args), planned.description
    for origin, name in origins.items():
        description = description.replace(origin, name)
        if "url" in args:
            args["url"] = str(args["url"]).replace(origin, name)
    return Sent(
        name=planned.action.name,
        args=args,
        description=description,
        element=planned.element,
        can_fail=planned.can_fail,
        dialog=planned.dialog.model_dump() if planned.dialog else None,
    )


@asynccontextmanager
async def serve_app(app: ASGIApp) -> AsyncIterator[str]:
    """Serve `app` on a free loopback port; yields the address."""
    here = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(app, log_level="critical", lifespan="off", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve(sockets=[here]))
    try:
        yield f"http://127.0.0.1:{here.getsockname()[1]}"
    finally:
        server.should_exit = True
        with suppress(asyncio.CancelledError):
            await task


@asynccontextmanager
async def open_stage() -> AsyncIterator[Stage]:
    """A stage that is ready to play."""
    wire, site = Wire(), Site()
    chromium = find_chromium(None).path
    async with open_browser(chromium=chromium, extension=EXTENSION_DIR, headless=True) as browser:
        origin = browser.url("").rstrip("/")
        demo = create_clinic()
        async with (
            serve_app(wire.app(origin)) as backend,
            serve_app(site.app(*contacts(site))) as site.url,
            serve_app(demo) as clinic,
        ):
            await browser.configure(backend, "recording")
            stage = Stage(browser, wire, site, clinic, demo.state.register)
            await stage.open()
            yield stage


async def record_scenes(scenes: Iterable[Scene], say: "Say") -> list[Recorded]:
    """All transitions of these scenes; one that could not be played is reported and skipped."""
    kept: list[Recorded] = []
    async with open_stage() as stage:
        for scene in scenes:
            try:
                kept += await stage.play(scene)
            except Exception as error:  # noqa: BLE001 - a scene of hundreds: the others go on
                say(f"{scene.name}: {type(error).__name__}: {str(error)[:600]}")
                await stage.close()
                await stage.open()
    return kept


class Say:
    """Collects and prints what went wrong."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def __call__(self, text: str) -> None:
        self.said.append(text)
        print(text, flush=True)
