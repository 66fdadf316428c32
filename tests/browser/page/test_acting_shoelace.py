"""Actions on web components in shadow roots (Shoelace): what its events told."""
# ruff: noqa: E501 (the pages read best as whole lines of markup)

import pytest
import pytest_asyncio

from tests.browser.framework_pages import App

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


PAGE = """<script type=module src="/lib/@shoelace-style/shoelace/cdn/shoelace.js"></script>
<sl-input label="Name"></sl-input><sl-textarea label="Bio"></sl-textarea><sl-input label="When" type=date></sl-input>
<sl-select label="Colour"><sl-option value=r>Red</sl-option><sl-option value=g>Green</sl-option></sl-select>
<sl-select label="Many" multiple><sl-option value=r>Rouge</sl-option><sl-option value=g>Vert</sl-option></sl-select>
<sl-checkbox>Agree</sl-checkbox> <sl-switch>Wifi</sl-switch>
<sl-radio-group label="Size"><sl-radio value=s>Small</sl-radio><sl-radio value=l>Large</sl-radio></sl-radio-group>
<sl-range label="Volume" min=0 max=100></sl-range><sl-rating label="Stars"></sl-rating>
<sl-dialog label="Ask">Hi<sl-button slot=footer id=close>Close it</sl-button></sl-dialog><sl-button id=open>Open it</sl-button>
<sl-dropdown><sl-button slot=trigger caret>Menu</sl-button><sl-menu><sl-menu-item value=cut>Cut</sl-menu-item><sl-menu-item value=copy>Copy</sl-menu-item></sl-menu></sl-dropdown>
<sl-tab-group><sl-tab slot=nav panel=a>Alpha</sl-tab><sl-tab slot=nav panel=b>Beta</sl-tab><sl-tab-panel name=a>a</sl-tab-panel><sl-tab-panel name=b>b</sl-tab-panel></sl-tab-group>
<script>window.got = {}; const name = (el) => el.label || el.textContent.trim();
document.addEventListener("sl-change", ({target: t}) => { got[name(t)] = "checked" in t ? t.checked : t.value });
document.addEventListener("sl-select", (e) => { got.menu = e.detail.item.value }); document.addEventListener("sl-tab-show", (e) => { got.tab = e.detail.name });
document.querySelector("#open").onclick = () => document.querySelector("sl-dialog").show();
document.querySelector("#close").onclick = () => { got.closed = true; document.querySelector("sl-dialog").hide() };</script>"""


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def form(app: App) -> App:
    await app.show(PAGE, "@shoelace-style/shoelace/cdn/themes/light.css")
    await app.until(
        "document.querySelector('sl-rating')?.shadowRoot?.querySelector('[role=slider]')"
    )
    return app


@pytest.mark.parametrize(
    ("action", "name", "args", "held"),
    [
        ("setValue", "Name", {"text": "Jas"}, "Jas"),
        ("setValue", "Bio", {"text": "x\ny"}, "x\ny"),
        ("setValue", "When", {"text": "12 March 1990"}, "1990-03-12"),
        ("setValue", "Volume", {"text": "30"}, 30),
        ("setValue", "Stars", {"text": "4"}, 4),
        ("selectOption", "Colour", {"label": "Green"}, "g"),
        ("setChecked", "Agree", {"checked": True}, True),
        ("setChecked", "Wifi", {"checked": True}, True),
    ],
)
async def test_controls(
    form: App, action: str, name: str, args: dict[str, object], held: object
) -> None:
    await form.works(action, name, **args)
    assert await form.state(f"got['{name}']") == held


async def test_choices(form: App) -> None:
    for label in ("Rouge", "Vert"):
        await form.works("selectOption", "Many", label=label)
    await form.works("setChecked", "Large", checked=True)
    assert await form.state("[got.Many, got.Size]") == [["r", "g"], "l"]


async def test_what_opens(form: App) -> None:
    await form.works("click", "Menu")
    await form.works("click", "Copy")
    await form.works("click", "Beta")
    await form.works("click", "Open it")
    await form.works("click", "Close it")
    assert await form.state("[got.menu, got.tab, got.closed]") == ["copy", "b", True]
