"""Keys as browsers answer them, menus under the mouse, and clicks that lead nowhere."""
# ruff: noqa: E501 (the pages read best as whole lines of markup)

import pytest
import pytest_asyncio

from tests.browser.framework_pages import App

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


FORM = """<form onsubmit="event.preventDefault(); got.sent = (got.sent ?? 0) + 1"><input id=one aria-label=One value="two words"><input id=two aria-label=Two tabindex=1><button>Send</button></form>
<select id=s aria-label=Pick><option>Ann<option>Bob<option disabled>Bea<option>Cat</select><label><input type=radio name=r id=r1 checked>R1</label><label><input type=radio name=r id=r2>R2</label>
<input type=number id=n aria-label=Count value=5><input type=checkbox id=c aria-label=Box><dialog id=d><button>In it</button></dialog><button onclick="d.showModal()">Open</button>
<div id=k tabindex=0>Keys</div><script>window.got = {}; k.onkeydown = (e) => { got.key = [e.key, e.code, e.keyCode, e.ctrlKey] }; one.onchange = () => { got.changed = one.value };</script>"""

MENUS = """<style>.menu ul { display: none } .menu li:hover > ul { display: block } .row .act { visibility: hidden } @media all { .row:hover .act { visibility: visible } }
.late { & .act { opacity: 0; pointer-events: none } &:hover .act { opacity: 1; pointer-events: auto } }</style>
<ul class=menu><li><a href="#p">Products</a><ul><li><a href="#w" onclick="got.push('Widgets')">Widgets</a></ul></ul>
<div class=row tabindex=0>Row one <button class=act onclick="got.push('Delete')">Delete</button></div><div class=late tabindex=0>Row two <button class=act onclick="got.push('Archive')">Archive</button></div>
<button style="display:block;margin-top:90px">Elsewhere</button><script>window.got = []</script>"""


@pytest_asyncio.fixture(loop_scope="session")
async def form(app: App) -> App:
    await app.show(FORM)
    return app


@pytest.mark.parametrize(
    ("on", "keys", "state", "held"),
    [
        ("One", ["End", "!"], "one.value", "two words!"),
        ("One", ["Home", "Delete"], "one.value", "wo words"),
        ("One", ["End", "Control+Backspace", "x"], "one.value", "two x"),
        ("One", ["End", "ArrowLeft", "Shift+ArrowLeft", "D"], "one.value", "two worDs"),
        ("One", ["Control+A", "x", "Enter"], "[got.changed, got.sent]", ["x", 1]),
        ("One", ["Control+A", "Control+C", "End", "Control+V"], "one.value", "two wordstwo words"),
        ("One", ["Control+A", "Control+X", "Control+V", "!"], "one.value", "two words!"),
        ("One", ["Tab"], "document.activeElement.textContent", "Send"),
        ("One", ["Shift+Tab"], "document.activeElement.id", "two"),
        ("Pick", ["ArrowDown", "ArrowDown"], "s.value", "Cat"),
        ("Pick", ["b"], "s.value", "Bob"),
        ("R1", ["ArrowDown"], "r2.checked", True),
        ("Count", ["ArrowUp", "ArrowUp", "ArrowDown"], "n.value", "6"),
        ("Box", ["Space"], "c.checked", False),  # the click has ticked it
        ("Keys", ["Control+."], "got.key", [".", "Period", 190, True]),
    ],
)
async def test_keys(form: App, on: str, keys: list[str], state: str, held: object) -> None:
    await form.works("click", on)
    for key in keys:
        await form.key(key)
    assert await form.state(state) == held


async def test_escape_closes_a_dialog(form: App) -> None:
    await form.works("click", "Open")
    await form.key("Escape")
    assert await form.state("d.open") is False


async def hover_row(app: App, name: str) -> None:
    row = next(node for node in await app.nodes() if node.get("n", "").startswith(name))
    assert (await app.act("hover", id=row["i"]))["status"] == "success"


async def test_what_shows_under_the_mouse_can_be_clicked(app: App) -> None:
    await app.show(MENUS)
    await app.works("hover", "Products")
    await app.works("click", "Widgets")
    await hover_row(app, "Row one")
    delete = await app.node("Delete")
    await hover_row(app, "Row two")
    archive = await app.node("Archive")
    await app.works("click", "Elsewhere")
    assert not await app.state("document.querySelector('.menu ul').checkVisibility()")
    for node in (delete, archive):
        assert (await app.act("click", id=node["i"]))["status"] == "success"
    assert await app.state("got") == ["Widgets", "Delete", "Archive"]


async def test_a_link_out_of_the_browser_is_told(app: App) -> None:
    await app.show(
        "<a href='mailto:a@b.c'>Write</a><a href='tel:1' onclick='event.preventDefault(); window.called = 1'>Call</a>"
    )
    assert (await app.do("click", "Write"))["error"]["code"] == "NAVIGATION_BLOCKED"
    assert await app.do("click", "Call") == {"status": "success"}
    assert await app.state("called") == 1


async def test_a_click_that_nothing_answers_is_noted(app: App) -> None:
    await app.show(
        "<div style='cursor:pointer'>Dead</div><div style='cursor:pointer' onclick='this.title = 1'>Alive</div>"
    )
    assert "Nothing answered" in (await app.do("click", "Dead"))["note"]
    assert await app.do("click", "Alive") == {"status": "success"}


async def test_a_hidden_page_is_waited_for_by_its_changes(app: App) -> None:
    await app.show(
        "<button role=switch aria-checked=false onclick='setTimeout(() => { ariaChecked = true }, 900)'>Slow</button>"
    )
    await app.world("Object.defineProperty(document, 'hidden', {value: true})")
    await app.works("setChecked", "Slow", checked=True)
