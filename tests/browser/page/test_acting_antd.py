"""Actions on Ant Design: what its handlers were called with."""
# ruff: noqa: E501 (the pages read best as whole lines of markup)

import pytest
import pytest_asyncio

from tests.browser.framework_pages import REACT, App

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


FILES = [*REACT, "dayjs/dayjs.min.js", "antd/dist/reset.css", "antd/dist/antd.min.js"]

PAGE = """<div id=root></div><script>
const e = React.createElement, A = antd; window.got = {};
const put = (key) => (value) => { got[key] = value };
const item = (label, el) => e(A.Form.Item, {label, htmlFor: el.props.id}, el);
const fruit = ["Apple", "Banana", "Cherry"].map((label) => ({value: label, label}));
const many = [...Array(300).keys()].map((value) => ({value, label: "Item " + value}));
const places = [{value: "no", label: "Norway", children: [{value: "os", label: "Oslo"}]}, {value: "de", label: "Germany", children: [{value: "bo", label: "Bonn"}]}];
function App() {
  const [open, setOpen] = React.useState(false);
  const [mails, setMails] = React.useState([]);
  return e(A.Form, {},
    item("Fruit", e(A.Select, {id: "s1", options: fruit, onChange: put("fruit")})),
    item("City", e(A.Select, {id: "s2", showSearch: true, optionFilterProp: "label", options: [{value: 1, label: "Oslo"}, {value: 2, label: "Bonn"}], onChange: put("city")})),
    item("Tags", e(A.Select, {id: "s3", mode: "multiple", options: fruit, onChange: put("tags")})),
    item("Big", e(A.Select, {id: "s4", options: many, onChange: put("big")})),
    item("Birth", e(A.DatePicker, {id: "d1", onChange: (_, text) => { got.birth = text }})),
    item("Meet", e(A.TimePicker, {id: "t1", onChange: (_, text) => { got.meet = text }})),
    item("Count", e(A.InputNumber, {id: "n1", max: 50, onChange: put("count")})),
    item("Mail", e(A.AutoComplete, {id: "a1", options: mails, onSearch: (t) => setMails(t ? [{value: t + "@a.com"}, {value: t + "@b.com"}] : []), onSelect: put("mail")})),
    item("Place", e(A.Cascader, {id: "c1", options: places, onChange: put("place")})),
    e(A.Checkbox, {onChange: (x) => { got.agree = x.target.checked }}, "Agree"),
    e(A.Radio.Group, {onChange: (x) => { got.size = x.target.value }}, e(A.Radio, {value: "s"}, "Small"), e(A.Radio, {value: "l"}, "Large")),
    e(A.Switch, {"aria-label": "Wifi", onChange: put("wifi")}),
    item("Volume", e(A.Slider, {id: "v1", onChange: put("volume"), ariaLabelForHandle: "Volume"})),
    e(A.Rate, {onChange: put("rate"), character: ({index}) => e("b", {}, "star " + (index + 1))}),
    e(A.Button, {onClick: () => setOpen(true)}, "Ask"),
    e(A.Modal, {open, title: "Sure", onOk: () => { got.ok = true; setOpen(false) }, onCancel: () => setOpen(false)}, "Text"),
    e(A.Popconfirm, {title: "Really?", okText: "Do remove", onConfirm: () => { got.removed = true }}, e(A.Button, {}, "Remove")),
    e(A.Dropdown, {menu: {items: [{key: "x", label: "Copy it"}, {key: "y", label: "Paste it"}], onClick: ({key}) => { got.menu = key }}}, e(A.Button, {}, "Actions")),
    e(A.Tabs, {items: ["First", "Second"].map((label) => ({key: label, label, children: label + " panel"})), onChange: put("tab")}));
}
ReactDOM.createRoot(root).render(e(A.ConfigProvider, {theme: {token: {motion: false}}}, e(App)));</script>"""


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def form(app: App) -> App:
    await app.show(PAGE, *FILES)
    await app.until("document.querySelector('.ant-tabs-tab')")
    return app


@pytest.mark.parametrize(
    ("name", "label", "key", "held"),
    [
        ("Fruit", "Banana", "fruit", "Banana"),
        ("City", "Bonn", "city", 2),
        ("Big", "Item 201", "big", 201),  # drawn only when scrolled to
        ("Mail", "jo@b.com", "mail", "jo@b.com"),  # offered once "jo" is typed
        ("Place", "Germany / Bonn", "place", ["de", "bo"]),
    ],
)
async def test_lists(form: App, name: str, label: str, key: str, held: object) -> None:
    await form.works("selectOption", name, label=label)
    assert await form.state(f"got.{key}") == held


async def test_several_are_chosen_one_after_another(form: App) -> None:
    for label in ("Apple", "Cherry"):
        await form.works("selectOption", "Tags", label=label)
    assert await form.state("got.tags") == ["Apple", "Cherry"]


@pytest.mark.parametrize(
    ("name", "text", "key", "held"),
    [
        ("Birth", "1990-03-12", "birth", "1990-03-12"),
        ("Meet", "10:20:30", "meet", "10:20:30"),
        ("Count", "12", "count", 12),
        ("Volume", "40", "volume", 40),
    ],
)
async def test_values_are_committed(
    form: App, name: str, text: str, key: str, held: object
) -> None:
    await form.works("setValue", name, text=text)
    assert await form.state(f"got.{key}") == held


async def test_choices(form: App) -> None:
    for name in ("Agree", "Large", "Wifi"):
        await form.works("setChecked", name, checked=True)
    await form.works("click", "Second")
    assert await form.state("[got.agree, got.size, got.wifi, got.tab]") == [
        True, "l", True, "Second",
    ]  # fmt: skip


async def test_what_opens_and_asks(form: App) -> None:
    await form.works("click", "Ask")
    await form.works("click", "OK")
    await form.works("click", "Remove")
    await form.works("click", "Do remove")
    await form.works("hover", "Actions")
    await form.until("document.querySelector('[role=menuitem]')")
    await form.works("click", "Paste it")
    assert await form.state("[got.ok, got.removed, got.menu]") == [True, True, "y"]
