"""What controls are called and where they stand, on pages in the style of back offices."""
# ruff: noqa: E501 (the pages read best as whole lines of markup)

from typing import Any

import pytest
from playwright.async_api import Page

from tests.browser import page_harness as harness

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def nodes(page: Page, html: str) -> list[dict[str, Any]]:
    await harness.show(page, f"<meta charset=utf-8>{html}")
    return list((await harness.observe(page))["tree"])


# (markup, the names of its controls in order)
NAMES = [
    ("<table><tr><td><td colspan=2>2025<td colspan=2>2026<tr><td><td>Q1<td>Q2<td>Q1<td>Q2<tr><td>Sales<td><input><td><input><td><input><td><input></table>",
     ["2025 Q1", "2025 Q2", "2026 Q1", "2026 Q2"]),
    ("<div role=grid><div role=row><span role=columnheader>Name</span><span role=columnheader>Stage</span></div><div role=row><span role=gridcell>Jo</span><span role=gridcell><select><option>Won</select></span></div></div>",
     ["Stage"]),
    ("<style>.r{display:flex}.r span{width:90px}</style><div><div class='r head'><span>Who</span><span>Role</span><span>Active</span></div><div class=r><span>Kim</span><span><input></span><span><input type=checkbox></span></div></div>",
     ["Role", "Active"]),
    ("<dl><dt>Pulse:</dt><dd><input></dd><dt>Pressure</dt><dd><input> / <input></dd></dl>", ["Pulse", "Pressure", "Pressure"]),
    ("<div><label>Founded</label><span><input placeholder=DD><input placeholder=MM></span></div>", ["Founded", "Founded MM"]),
    ("<div><label>PLZ / Ort</label><input><input></div>", ["PLZ", "Ort"]),
    ("<div><div><div>Email digests</div><small>Once a week, all that happened.</small></div><div role=switch tabindex=0 style='width:30px;height:20px'></div></div>", ["Email digests"]),
    ("<p>Nachname (Pflichtfeld) <input></p><p dir=rtl>תאריך לידה (חובה) <input></p>", ["Nachname", "תאריך לידה"]),
    ("<button><svg width=9 height=9><use href='#icon-archive'/></svg></button><button data-tooltip=Delete></button><button><img src='i/trash.svg'></button><button><span class='icon icon-edit'></span></button>",
     ["archive", "Delete", "trash", "edit"]),
    ("<button style='background:url(img/printer.png);width:20px;height:20px'></button><style>.p::before{content:'Print'}</style><button class=p></button>", ["printer", "Print"]),
    ("<button><span>Save</span> <span>Save</span></button><button><span hidden>Old </span>New</button>", ["Save", "New"]),
    ("<div><p>Tick two</p><div><span><input type=checkbox></span><span><input type=checkbox></span></div></div><div>Last reward: -</div>", [None, None]),
    ("<div><div><span><input type=checkbox></span><span>Mon</span></div><div><span><input type=checkbox></span><span>Tue</span></div></div><div>Last reward: -</div>", ["Mon", "Tue"]),
    ("<table><thead><tr><th><input type=checkbox><th>Drug</thead><tr><td><input type=checkbox><td>Aspirin</table>", ["Select all", None]),
]  # fmt: skip


@pytest.mark.parametrize(("html", "names"), NAMES)
async def test_names_as_a_person_gives_them(page: Page, html: str, names: list[str | None]) -> None:
    assert [node.get("n") for node in await nodes(page, html)] == names


# (markup, the group of its last control)
GROUPS = [
    ("<div><div><span>Alpha</span><button>Open</button></div><div><span>Beta</span><button>Open</button></div></div>", "item: Beta"),
    ("<h2>Deals</h2><div class=l><div class=x><b>A</b><i>$1</i><button>Edit</button></div><div class=x><b>Big one</b><i>$2</i><button>Edit</button></div></div>", "section: Deals > item: Big one $2"),
    ("<div><div><h3>Apollo</h3><p>Moon</p><button>Archive</button></div><div><h3>Gemini</h3><p>Two</p><button>Archive</button></div></div>", "item: Gemini"),
    ("<table><thead><tr><th>Drug<th>Dose<th>Since<th></thead><tr><td>Aspirin<td><input> mg<td>2020<td><button>Stop</button></table>", "row: Aspirin, 2020"),
    ("<table><thead><tr><th>May<th>Admin</thead><tr><th colspan=2>Invoices</th></tr><tr><th scope=row>Read<td><input type=checkbox></table>", "section: Invoices > row: Read"),
    ("<form><div><p>Are you a charity?</p><label><input type=radio name=c>Yes</label><label><input type=radio name=c>No</label></div></form>", "form > fieldset: Are you a charity?"),
    ("<div><input type=range><span>-9</span><div><label><input type=checkbox>A</label><label><input type=checkbox>B</label></div></div>", None),
    ("<dl><dt>Phone</dt><dd>555 <a href=#>edit</a></dd><dt>Mail</dt><dd>a@b <a href=#>edit</a></dd></dl>", "item: Mail"),
    ("<ul><li>Work<ul><li>Reports <button>Share</button></ul></ul>", "item: Work > item: Reports"),
    ("<form><h2>New patient</h2><table><caption>Lines</caption><tr><td>1<td><input aria-label=Qty></table></form>", "form: New patient > list: Lines > row: 1"),
    ("<div><div class=f><label>A<input></label></div><div class=f><label>B<input></label></div></div>", None),
    ("<table><tr><td onclick=1>2<td onclick=1>3<td onclick=1>4</table>", None),
]  # fmt: skip


@pytest.mark.parametrize(("html", "group"), GROUPS)
async def test_where_a_control_stands(page: Page, html: str, group: str | None) -> None:
    assert (await nodes(page, html))[-1].get("g") == group


async def test_secrets_stay_in_the_page(page: Page) -> None:
    html = """<label>New <input id=p type=password value=hunter2></label><label>Shown <input autocomplete=new-password value=hunter2></label>
    <label>Card <input autocomplete=cc-number value=4111111111111111></label><label>CVC <input name=cvc value=123></label>"""
    first = await nodes(page, html)
    assert [node["v"] for node in first] == ["••••••"] * 4
    await page.evaluate("p.type = 'text'")
    seen = await harness.observe(page)
    assert harness.find(seen, "New")["v"] == "••••••"
    assert harness.find(seen, "New")["t"] == "password"
    assert "hunter2" not in str(seen)


async def test_what_is_told_about_fields(page: Page) -> None:
    html = """<label>ZIP <input aria-invalid=true aria-describedby=e></label><small id=e>Must have 5 digits</small><label>Short <input maxlength=5></label>
    <label>Files <input type=file accept=.pdf multiple></label><style>.m::after{content:' *'}</style><label class=m for=n>Needed</label><input id=n>
    <table><tr><th aria-sort=ascending><button>Name</button></table><div role=combobox tabindex=0 aria-label=City aria-expanded=true aria-controls=l>Oslo</div>
    <ul id=l role=listbox><li role=option aria-setsize=90>Oslo<li role=option>Rome</ul>"""
    seen = {node.get("n"): node for node in await nodes(page, html)}
    assert seen["ZIP"]["h"] == "Must have 5 digits"
    assert seen["Short"]["h"] == "max 5 characters"
    assert seen["Files"]["h"] == ".pdf several"
    assert seen["Needed"]["s"] == ["required"]
    assert seen["Name"]["h"] == "sorted ascending"
    assert seen["City"]["o"] == ["Oslo", "Rome", "… 88 more"]
