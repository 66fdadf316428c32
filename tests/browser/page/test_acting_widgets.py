"""Actions on widgets that scripts make of plain elements: pickers, sliders, lists, menus, dialogs."""
# ruff: noqa: E501 (the pages read best as whole lines of markup)

import pytest
import pytest_asyncio

from tests.browser.framework_pages import App

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


FILES = [
    "jquery/dist/jquery.min.js", "jquery-ui-dist/jquery-ui.css", "jquery-ui-dist/jquery-ui.js",
    "select2/dist/css/select2.css", "select2/dist/js/select2.js", "flatpickr/dist/flatpickr.css", "flatpickr/dist/flatpickr.js",
]  # fmt: skip

PAGE = """<label for=s>Several</label><select id=s multiple style="width:200px"><option>Aa<option>Bb<option>Cc</select>
<label>Typed <input id=f1></label><label>Picked <input id=f2></label><label>Form <input id=j1></label><label>Turned <input id=j2 readonly></label><label>Sudden <input id=j3></label>
<label>Auto <input id=a></label><div id=v style="width:300px;margin:20px"></div><p>Volume: <b id=out>10</b></p>
<div id=plain style="width:210px;margin:20px"></div><ul id=m style="width:150px"><li><div>Music</div><ul><li><div>Jazz</div></li></ul></li><li><div>Films</div></li></ul><script>
window.got = {}; $("#s").select2().on("change", function () { got.Several = $(this).val() });
flatpickr("#f1", {allowInput: true, onChange: (_, text) => { got.Typed = text }}); flatpickr("#f2", {onChange: (_, text) => { got.Picked = text }});
$("#j1").datepicker({onSelect: (text) => { got.Form = text }}); $("#j2").datepicker({onSelect: (text) => { got.Turned = text }});
$("#j3").datepicker({showAnim: "", onSelect: (text) => { got.Sudden = text }});
$("#a").autocomplete({source: ["Alpha", "Beta"], select: (_, {item}) => { got.Auto = item.value }});
$("#v").slider({min: -20, max: 60, value: 10, slide: (_, {value}) => { out.textContent = value }, change: (_, {value}) => { got.volume = value }}).children("span").attr("title", "Volume");
$("#plain").slider({max: 100, change: (_, {value}) => { got.plain = value }}).children("span").attr("title", "Plain");
$("#m").menu({select: (_, {item}) => { got.menu = item.text() }});</script>"""

BOOTSTRAP = """<button data-bs-toggle=modal data-bs-target="#d">Ask</button><div class=modal id=d tabindex=-1 aria-label=Question><div class=modal-dialog><div class=modal-content>
<button onclick="got.yes = true" data-bs-dismiss=modal>Yes please</button></div></div></div>
<button data-bs-toggle=collapse data-bs-target="#c">Unfold</button><div class=collapse id=c><button onclick="got.inner = true">Inside</button></div>
<div class=dropdown><button data-bs-toggle=dropdown>Menu</button><ul class=dropdown-menu><li><a class=dropdown-item href="#one" onclick="got.item = true">One</a></li></ul></div>
<script>window.got = {}</script>"""


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def form(app: App) -> App:
    await app.show(PAGE, *FILES)
    return app


@pytest.mark.parametrize(
    ("name", "text", "held"),
    [
        ("Typed", "2027-04-12", "2027-04-12"),
        (
            "Typed",
            "12 March 2027",
            "2027-03-12",
        ),  # not in the form it reads: its calendar is turned
        ("Picked", "2027-02-01", "2027-02-01"),  # read-only
        ("Form", "2027-03-12", "03/12/2027"),
        ("Turned", "January 5, 2027", "01/05/2027"),
        ("Sudden", "2027-03-12", "03/12/2027"),  # gone at once, and opened by the focus alone
    ],
)
async def test_dates(form: App, name: str, text: str, held: str) -> None:
    await form.works("setValue", name, text=text)
    assert await form.state(f"got['{name}']") == held


async def test_a_slider_is_read_by_the_number_beside_it(form: App) -> None:
    seen = {node.get("n"): node["r"] for node in await form.nodes()}
    assert seen["Volume"] == seen["Plain"] == "range"  # by its place in the track, without ARIA
    await form.works("setValue", "Volume", text="-7")
    await form.works("setValue", "Volume", text="42")
    assert await form.state("got.volume") == 42


async def test_a_slider_without_any_number_goes_by_its_place(form: App) -> None:
    await form.works("setValue", "Plain", text="30")
    assert await form.state("got.plain") == 30


async def test_lists_and_menus(form: App) -> None:
    for label in ("Bb", "Cc"):
        await form.works("selectOption", "Several", label=label)
    await form.works("selectOption", "Auto", label="Beta")
    await form.works("hover", "Music")
    await form.works("click", "Jazz")
    assert await form.state("[got.Several, got.Auto, got.menu]") == [["Bb", "Cc"], "Beta", "Jazz"]


async def test_bootstrap_opens_and_closes(app: App) -> None:
    await app.show(
        BOOTSTRAP, "bootstrap/dist/css/bootstrap.css", "bootstrap/dist/js/bootstrap.bundle.js"
    )
    for name in ("Unfold", "Inside", "Menu", "One", "Ask", "Yes please", "Unfold"):
        await app.works("click", name)
    assert await app.state("[got.inner, got.item, got.yes]") == [True, True, True]
