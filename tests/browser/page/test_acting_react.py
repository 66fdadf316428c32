"""Actions on React's controlled inputs: what the application's own state holds afterwards."""
# ruff: noqa: E501 (the pages read best as whole lines of markup)

import pytest
import pytest_asyncio

from tests.browser.framework_pages import REACT, App

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


PAGE = """<div id=root></div><script>
const e = React.createElement; window.sent = 0;
const mask = (t) => { const n = t.replace(/\\D/g, "").slice(0, 10); return n.length > 6 ? `(${n.slice(0, 3)}) ${n.slice(3, 6)}-${n.slice(6)}` : n.length > 3 ? `(${n.slice(0, 3)}) ${n.slice(3)}` : n };
function App() {
  const [s, set] = React.useState({name: "", upper: "", digits: "", phone: "", pick: "a", more: [], agree: false, size: "", text: ""});
  window.held = s;
  const put = (key, value) => set((was) => ({...was, [key]: value}));
  const field = (label, key, change, tag = "input") => e("label", {}, label, e(tag, {value: s[key], onChange: (x) => change(x.target.value, key)}));
  const options = ["a", "b"].map((v) => e("option", {key: v, value: v}, "Option " + v));
  return e("form", {onSubmit: (x) => { x.preventDefault(); window.sent++ }},
    field("Name", "name", (v, k) => put(k, v)), field("Upper", "upper", (v, k) => put(k, v.toUpperCase())),
    field("Digits", "digits", (v, k) => /^\\d*$/.test(v) && put(k, v)), field("Phone", "phone", (v, k) => put(k, mask(v))),
    e("label", {}, "Pick", e("select", {value: s.pick, onChange: (x) => put("pick", x.target.value)}, options)),
    e("label", {}, "More", e("select", {multiple: true, value: s.more, onChange: (x) => put("more", [...x.target.selectedOptions].map((o) => o.value))}, options)),
    e("label", {}, "Agree", e("input", {type: "checkbox", checked: s.agree, onChange: (x) => put("agree", x.target.checked)})),
    ["S", "L"].map((v) => e("label", {key: v}, "Size " + v, e("input", {type: "radio", name: "size", checked: s.size === v, onChange: () => put("size", v)}))),
    field("Text", "text", (v, k) => put(k, v), "textarea"), e("button", {}, "Send"));
}
ReactDOM.createRoot(root).render(e(App));</script>"""


@pytest_asyncio.fixture(loop_scope="session")
async def form(app: App) -> App:
    await app.show(PAGE, *REACT)
    await app.until("root.querySelector('button')")
    return app


@pytest.mark.parametrize(
    ("label", "text", "key", "held"),
    [
        ("Name", "Jas", "name", "Jas"),
        ("Upper", "abc", "upper", "ABC"),
        ("Phone", "5550109999", "phone", "(555) 010-9999"),
        ("Text", "a\nb", "text", "a\nb"),
    ],
)
async def test_text_reaches_the_state(
    form: App, label: str, text: str, key: str, held: str
) -> None:
    await form.works("setValue", label, text=text)
    assert await form.state(f"held.{key}") == held
    await form.works("setValue", label, text="")
    assert await form.state(f"held.{key}") == ""


async def test_what_the_state_refuses_is_told(form: App) -> None:
    result = await form.do("setValue", "Digits", text="12x")
    assert result["error"]["code"] == "VALUE_NOT_ACCEPTED"
    await form.works("setValue", "Digits", text="123")
    assert await form.state("held.digits") == "123"


async def test_choices_reach_the_state(form: App) -> None:
    await form.works("selectOption", "Pick", label="Option b")
    for label in ("Option b", "Option a"):
        await form.works("selectOption", "More", label=label)
    await form.works("setChecked", "Agree", checked=True)
    await form.works("setChecked", "Size L", checked=True)
    assert await form.state("[held.pick, held.more, held.agree, held.size]") == [
        "b", ["a", "b"], True, "L",
    ]  # fmt: skip


async def test_keys_edit_and_submit(form: App) -> None:
    await form.works("setValue", "Name", text="Jaz")
    for key in ("Backspace", "s"):
        await form.key(key)
    assert await form.state("held.name") == "Jas"
    for key in ("Control+A", "Delete", "J"):
        await form.key(key)
    assert await form.state("held.name") == "J"
    await form.key("Enter")
    assert await form.state("sent") == 1
