"""A page made of frames, of this and of other origins, is one page to look at and to act on."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import expect

from app.cli.browser import EXTENSION_DIR, LOOPBACK, Browser, open_browser
from app.cli.chromium import find_chromium
from tests.browser.desk import Desk, Places, kill_runner
from tests.browser.frame_site import Site, grant, serving_frames
from tests.browser.runner_backend import Backend, Body, Event, Step, act, done, node, until

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

BUTTON = "<button onclick=\"this.after('pressed')\">{}</button>"


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def site() -> AsyncIterator[Site]:
    async with serving_frames() as up:
        yield up


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def browser(backend: Backend) -> AsyncIterator[Browser]:
    """A Chromium in which 127.0.0.2 can be granted to the extension, and is not."""
    async with open_browser(
        chromium=find_chromium(None).path,
        extension=EXTENSION_DIR,
        headless=True,
        hosts=(*LOOPBACK, "http://127.0.0.2/*"),
    ) as opened:
        await opened.configure(backend.url, "key")
        await grant(opened, "127.0.0.1", "localhost")
        yield opened


@pytest_asyncio.fixture(loop_scope="session")
async def desk(places: Places, browser: Browser, backend: Backend, site: Site) -> Desk:
    place = await places.at(f"{site.here}/empty")
    return Desk(browser, backend, place.tab, place.panel, place.tab_id)


async def carry_out(desk: Desk, site: Site, *steps: Step, **pages: str) -> list[Body]:
    """The requests of a run on the page `top`."""
    site.show(empty="<title>Empty</title>", **pages)
    await desk.tab.goto(f"{site.here}/top")
    desk.backend.script(*steps, lambda b: done())
    await desk.run("Anything")
    await desk.state("completed")
    return list(desk.backend.bodies)


def click(name: str) -> Step:
    return lambda b: act(("click", {"id": node(b, name)}))


def found(body: Body, name: str) -> dict[str, Any]:
    return next(n for n in body["interactiveTree"] if n.get("n") == name)


def names(body: Body) -> set[str]:
    return {n.get("n", "") for n in body["interactiveTree"]}


async def test_frames_of_every_kind_are_seen_and_acted_in(desk: Desk, site: Site) -> None:
    buttons = ["Main", "Payment", "Nested", "Written", "Boxed", "Deep", "Deeper"]
    deep = (
        "const root = document.getElementById('host').attachShadow({mode: 'closed'});"
        "root.innerHTML = '<iframe src={other}/deep height=60></iframe>"
        "<iframe src={here}/deeper height=60></iframe>'"
    )

    def press_all(body: Body) -> Event:
        return act(*[("click", {"id": node(body, name)}) for name in buttons])

    first, second = await carry_out(
        desk,
        site,
        press_all,
        top=f"<title>Top</title>{BUTTON.format('Main')}<iframe title=Card src={{other}}/card></iframe>"
        f"<iframe srcdoc='{BUTTON.format('Written')}'></iframe>".replace(
            "'pressed'", "&quot;p&quot;"
        )
        + f"<iframe sandbox='allow-scripts' src={{here}}/boxed></iframe><div id=host></div>"
        f"<script>{deep}</script>",
        card=f"<title>Card</title>{BUTTON.format('Payment')}<iframe src={{here}}/nested></iframe>",
        nested=BUTTON.format("Nested"),
        boxed=BUTTON.format("Boxed"),
        deep=BUTTON.format("Deep"),
        deeper=BUTTON.format("Deeper"),
    )
    nodes = [found(first, name) for name in buttons]
    frames = [n["i"].partition(":")[0] for n in nodes if ":" in n["i"]]
    assert len(set(frames)) == len(buttons) - 1
    assert [str(n["f"]) for n in nodes if "f" in n] == frames
    assert found(first, "Payment")["g"] == "frame: Card"
    assert second["lastActionStatus"] == "success", second["lastActionError"]
    assert second["pageSummary"].count("pressed") + second["pageSummary"].count("p\n") >= 1
    assert "unreachableFrames" not in first
    x, y = found(first, "Nested")["xy"]
    hit = await desk.tab.evaluate("([x, y]) => document.elementFromPoint(x, y).title", [x, y])
    assert hit == "Card"


async def test_frames_are_acted_in_where_they_are_drawn(desk: Desk, site: Site) -> None:
    def point(body: Body) -> Event:
        x, y = found(body, "Dot")["xy"]
        return act(("clickAt", {"x": x, "y": y}), ("pressKey", {"key": "x"}))

    first, covered, pointed, scrolled = await carry_out(
        desk,
        site,
        click("Under"),
        point,
        click("Far"),
        top="<style>body{margin:0}header{position:fixed;inset:0 0 auto 0;height:60px;background:#ddd}"
        "</style><header>Bar</header><iframe src={other}/under height=300></iframe>"
        "<iframe style='margin:40px' src={other}/dot></iframe>"
        "<p style='height:2000px'></p><iframe src={other}/far height=1500></iframe>",
        under="<style>body{margin:0}button{display:block;height:40px}</style>"
        "<button>Under</button><p style='height:40px'></p><button>Clear</button>",
        dot="<input aria-label=Dot><p id=out></p>"
        "<script>onclick = event => out.append('at ' + event.clientX)</script>",
        far=f"<p style='height:1300px'></p>{BUTTON.format('Far')}",
    )
    assert found(first, "Under")["occ"] is True, "the page lays a bar over it"
    assert "occ" not in found(first, "Clear")
    assert covered["lastActionError"]["code"] == "NOT_INTERACTABLE"
    assert "Bar" in covered["lastActionError"]["message"]

    assert pointed["lastActionStatus"] == "success"
    assert found(pointed, "Dot")["v"] == "x", "the key goes where the point was"
    assert "at " in pointed["pageSummary"]

    assert found(pointed, "Far")["xy"][1] > 800, "it is below the window"
    assert scrolled["lastActionStatus"] == "success"
    assert "pressed" in scrolled["pageSummary"]
    assert 0 < found(scrolled, "Far")["xy"][1] < 800


async def test_frames_come_and_go(desk: Desk, site: Site) -> None:
    """A frame goes to another page, is put in anew, and is removed before the act on it."""
    first, paid, anew, pressed, gone = await carry_out(
        desk,
        site,
        lambda b: act(
            ("setValue", {"id": node(b, "Number"), "text": "42"}),
            ("click", {"id": node(b, "Pay")}),
        ),
        click("Other card"),
        click("Inside"),
        lambda b: act(
            ("click", {"id": node(b, "Close")}),
            ("click", {"id": node(b, "Inside")}),
        ),
        top="<title>Shop</title><script>const f = () => document.getElementById('f')</script>"
        '<button onclick="f().outerHTML = f().outerHTML">Other card</button>'
        '<button onclick="f().remove()">Close</button>'
        "<iframe title=Card src={other}/card></iframe><iframe id=f src={other}/inner></iframe>",
        card="<form method=post action=/paid><label>Number <input name=n></label><button>Pay</button></form>",
        paid="<title>Paid</title><p>Thank you</p><button>Receipt</button>",
        inner=BUTTON.format("Inside"),
    )
    assert site.posted == ["n=42"], "the form is sent once"
    assert paid["lastActionStatus"] == "success"
    assert paid["lastExecutedActionIndex"] == 1
    assert paid["clientObservations"]["didDomMutate"] is True
    assert "Thank you" in paid["pageSummary"]
    card, inside = found(first, "Number")["f"], found(first, "Inside")["f"]
    assert found(paid, "Receipt")["f"] == card, "a frame keeps its number as it goes elsewhere"

    numbers = [found(body, "Inside")["f"] for body in (paid, anew, pressed)]
    assert numbers == [inside, max(card, inside) + 1, numbers[1]], "a new frame has a new number"
    assert "pressed" in pressed["pageSummary"]

    assert gone["lastActionStatus"] == "failure"
    assert gone["lastActionError"]["code"] == "FRAME_GONE"
    assert gone["lastExecutedActionIndex"] == 0
    assert "Inside" not in names(gone)


# A piece that follows the pressed mouse, and says where it was let go of.
BOARD = (
    "<style>body{margin:0}</style><div id=piece tabindex=0 style='position:absolute;left:20px;top:20px;"
    "width:40px;height:40px;background:#27c'>Piece</div><p id=out style='margin:120px 0 0'></p>"
    "<script>onmouseup = (e) => { out.textContent = `let go at ${e.clientX}, ${e.clientY}` };"
    "onmousemove = (e) => {"
    " if (e.buttons) piece.style.translate = `${e.clientX - 40}px ${e.clientY - 40}px`; };</script>"
)
FRAMED = (
    "<style>body{margin:0}iframe{position:absolute;left:100px;top:200px;width:400px;height:200px;border:0;"
    "transform-origin:0 0;transform:scale(0.5)}</style><div tabindex=0 style='width:60px;height:40px;"
    "background:#c72'>Card</div><iframe src={other}/board></iframe>"
)


async def test_what_is_dragged_in_a_frame_stays_in_it(desk: Desk, site: Site) -> None:
    """Points are those of the window; a drag that would leave its frame is refused and not begun."""

    def drag(name: str, args: dict[str, Any]) -> Step:
        ids = {"id", "targetId"} & args.keys()
        return lambda b: act((name, args | {key: node(b, args[key]) for key in ids}))

    def by_points(body: Body) -> Event:
        x, y = found(body, "Piece")["xy"]
        return act(("drag", {"x1": x, "y1": y, "x2": x + 50, "y2": y + 20}))

    heard = "<script>onpointerdown = () => document.body.append('pressed')</script>"
    _, *refused, first, second = await carry_out(
        desk,
        site,
        drag("dragTo", {"id": "Piece", "targetId": "Card"}),
        drag("dragTo", {"id": "Card", "targetId": "Piece"}),
        drag("dragTo", {"id": "Piece", "x": 30, "y": 30}),
        drag("dragTo", {"id": "Card", "x": 200, "y": 240}),
        drag("drag", {"x1": 120, "y1": 220, "x2": 30, "y2": 30}),
        drag("draw", {"points": [[30, 30], [60, 60], [200, 240]]}),
        drag("dragTo", {"id": "Piece", "x": 200, "y": 240}),
        by_points,
        top=FRAMED + heard,
        board=BOARD + heard,
    )
    for number, body in enumerate(refused):
        assert body["lastActionError"]["code"] == "NOT_INTERACTABLE", number
        assert "in the frame in which it begins" in body["lastActionError"]["message"], number
        assert "pressed" not in body["pageSummary"], number
    assert "let go at 200, 80" in first["pageSummary"], first
    assert "let go at 300, 120" in second["pageSummary"], second


async def test_an_open_dialog_hides_the_frames_behind_it_but_not_its_own(
    desk: Desk, site: Site
) -> None:
    first, second = await carry_out(
        desk,
        site,
        click("Open"),
        top="<button onclick=\"document.querySelector('dialog').showModal()\">Open</button>"
        "<iframe src={other}/inner height=600></iframe>"
        "<dialog aria-label=Pay><iframe title=Card src={other}/card></iframe></dialog>",
        inner="<button>Behind</button>",
        card="<button>Pay now</button>",
    )
    assert {"Open", "Behind"} <= names(first)
    assert "Pay now" not in names(first)
    assert found(second, "Pay now")["g"] == "dialog: Pay > frame: Card"
    assert "Behind" not in names(second)


async def test_a_runner_started_anew_still_knows_the_frames(desk: Desk, site: Site) -> None:
    site.show(
        top="<iframe src={other}/outer></iframe>",
        outer="<iframe src={here}/inner></iframe>",
        inner=BUTTON.format("Inside"),
    )
    await desk.tab.goto(f"{site.here}/top")
    desk.backend.script(click("Inside"), lambda b: done())
    desk.backend.hold.clear()
    await desk.run("Anything")
    await until(lambda: len(desk.backend.raw) == 1)
    await kill_runner(desk)
    desk.backend.hold.set()
    await desk.state("completed")
    first, second = desk.backend.bodies
    assert second["lastActionStatus"] == "success", second["lastActionError"]
    assert "pressed" in second["pageSummary"]
    assert found(second, "Inside")["i"] == found(first, "Inside")["i"]


async def test_a_frame_out_of_reach_is_named_offered_and_seen_once_granted(
    desk: Desk, site: Site
) -> None:
    site.show(
        empty="",
        top="<button>Main</button><iframe title=Bank src={barred}/inner></iframe>"
        "<iframe width=1 height=1 src={barred}/inner></iframe>",
        inner="<button>Transfer</button>",
    )
    await desk.tab.goto(f"{site.here}/top")
    desk.backend.script(lambda b: act(("click", {"id": node(b, "Main")})), lambda b: done())
    desk.backend.hold.clear()
    await desk.run("Anything")
    offer = desk.panel.get_by_role("button", name="Allow 127.0.0.2")
    await expect(offer).to_be_visible()
    await expect(desk.panel.get_by_text("1 part of this page comes from 127.0.0.2")).to_be_visible()
    await expect(desk.panel.get_by_test_id("status")).to_have_attribute("data-state", "running")

    await grant(desk.browser, "127.0.0.2")
    desk.backend.hold.set()
    await desk.state("completed")
    first, second = desk.backend.bodies
    assert first["unreachableFrames"] == [{"origin": site.barred, "name": "Bank"}]
    assert "Transfer" not in names(first)
    assert "unreachableFrames" not in second
    assert found(second, "Transfer")["f"] == 2
    await expect(offer).to_be_hidden()
