"""What the page scripts see in a real Chromium: visibility, occlusion, names, groups, ids."""
# ruff: noqa: E501 (the pages read best as whole lines of markup)

import pytest
from playwright.async_api import Page

from tests.browser import page_harness as harness
from tests.browser.page_harness import look, named

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_only_what_a_person_could_use_is_seen(page: Page) -> None:
    seen = await look(
        page,
        """<button>Seen</button><button style="display:none">a</button><button style="visibility:hidden">b</button>
        <div aria-hidden=true><button>By eyes</button></div><div inert><button>d</button></div>
        <div style="opacity:0"><button>e</button></div><div style="height:0;overflow:hidden"><button>f</button></div>
        <input type=hidden><a>no link</a><div style="height:3000px"></div><button>Below</button>""",
    )
    assert named(seen) == [("btn", "Seen"), ("btn", "By eyes"), ("btn", "Below")]


async def test_boxes_hidden_behind_styled_labels(page: Page) -> None:
    seen = await look(
        page,
        """<label>A <input type=checkbox style="opacity:0"></label>
        <input id=b type=checkbox style="display:none"><label for=b>B</label>
        <label><input type=radio style="position:absolute;clip:rect(0 0 0 0);width:1px;height:1px">C</label>
        <label>D<input type=file style="display:none"></label>""",
    )
    assert named(seen) == [("chk", "A"), ("chk", "B"), ("rad", "C"), ("file", "D")]


async def test_custom_clickables_outermost_only(page: Page) -> None:
    seen = await look(
        page,
        """<style>.hot {cursor:pointer} .quiet:hover {cursor:pointer}</style>
        <div class=hot><span>Whole <b>card</b></span></div><span class=alink>Inbox</span><div onclick="1">Inline</div>
        <div tabindex=0>Tabbed</div><span class=quiet>Hovered</span><div role=button>Role</div>
        <div class=hot>Line <i class="star hot" style="display:inline-block;width:16px;height:16px"></i></div>
        <ul class=hot><li>One<li>Two</ul><div style="cursor:pointer"><a href=#x>Only link</a></div><p>Prose</p>""",
    )
    assert named(seen) == [
        ("el", "Whole card"), ("link", "Inbox"), ("el", "Inline"), ("el", "Tabbed"), ("el", "Hovered"),
        ("btn", "Role"), ("row", "Line"), ("el", "star"), ("row", "One"), ("row", "Two"), ("link", "Only link"),
    ]  # fmt: skip


async def test_shadow_roots_and_slots(page: Page) -> None:
    await page.set_content("<div id=h><span slot=t>Slotted</span></div>")
    await page.evaluate(
        """() => { document.querySelector("#h").attachShadow({mode: "open"}).innerHTML =
        "<label>Name <input></label><button><slot name=t></slot></button>"; }"""
    )
    await harness.install(page)
    assert named(await harness.observe(page)) == [("inp", "Name"), ("btn", "Slotted")]


async def test_what_is_covered_is_marked_and_the_dialog_comes_first(page: Page) -> None:
    seen = await look(
        page,
        """<button>Behind</button><div style="height:2000px"></div><button>Far behind</button>
        <dialog id=d><h2>Delete Jas?</h2><button>Yes</button></dialog><script>d.showModal()</script>""",
    )
    assert [(n["n"], n.get("occ", False), n.get("g", "")) for n in seen["tree"]] == [
        ("Yes", False, "dialog: Delete Jas?"), ("Behind", True, ""), ("Far behind", True, ""),
    ]  # fmt: skip


async def test_a_covered_button_without_a_dialog(page: Page) -> None:
    seen = await look(
        page,
        """<button>Covered</button><div style="position:fixed;inset:0;background:#fff">Loading</div>""",
    )
    assert harness.find(seen, "Covered")["occ"] is True


async def test_rows_are_told_apart_by_their_key_cells(page: Page) -> None:
    seen = await look(
        page,
        """<table><tr><th>Name<th>Born<th><tr><td>Jas<td>1990<td><button>Edit</button>
        <tr><td>Ann<td>1980<td><button>Edit</button></table>
        <form aria-label=Search><input placeholder=Query></form>""",
    )
    assert [(n["n"], n["g"]) for n in seen["tree"]] == [
        ("Edit", "row: Jas, 1990"), ("Edit", "row: Ann, 1980"), ("Query", "form: Search"),
    ]  # fmt: skip
    assert "Jas | 1990 | Edit" in seen["pageSummary"]


async def test_texts_stand_between_the_controls_that_do_not_say_them(page: Page) -> None:
    seen = await look(
        page,
        """<h1>Orders</h1><p>Two are <b>open</b>.</p><form><label>Name <input></label><button>Save <i>it</i></button> <small>Last at 10:30</small></form>
        <table><tr><td>Jas<td>1990<td>Berlin<td><button>Edit</button><td>Paid</table><div role=status>All is well</div><p>Call us</p>""",
    )
    assert [(one["b"], one["t"], one.get("r", False)) for one in seen["texts"]] == [
        ("1", "# Orders", False), ("1", "Two are open .", False), ("3", "Last at 10:30", False),
        ("3", "Berlin", True), ("3", "Paid", True), ("", "Call us", False),
    ]  # fmt: skip


async def test_a_cell_that_is_a_part_of_another_is_kept(page: Page) -> None:
    rows = "".join(
        f"<tr><td>{n}<td>{n} minutes ago<td><a href=#{n}>Projector {n} is dim again, said Ann</a><td>Ann"
        for n in (1, 2)
    )
    seen = await look(page, f"<table><tr><th>ID<th>Activity<th>Title<th>By{rows}</table>")
    assert {one["t"] for one in seen["texts"]} >= {"1", "2"}
    assert [one["t"] for one in seen["texts"]].count("Ann") == 2
    head, *_ = [one for one in seen["texts"] if one["t"].startswith("ID")]
    xs = [x for x, _ in head["cs"]]
    assert len(xs) == 4
    assert xs == sorted(xs)


async def test_what_is_drawn_is_called_by_its_looks(page: Page) -> None:
    seen = await look(
        page,
        """<svg width=300 height=100><circle class=widget cx=30 cy=30 r=20 fill=red /><rect x=80 y=10 width=40 height=40 fill="#0000f0" />
        <polygon points="150,50 170,10 190,50" fill=green /><text x=210 y=40 fill=orange>7</text></svg>
        <div tabindex=0 style="width:30px;height:30px;background:#f00"></div><canvas width=200 height=90></canvas>
        <button class="btn danger">🗑️</button><a href=#x><svg width=90 height=90><circle r=40 /></svg>Round</a>
        <svg width=20 height=20><circle r=5 /></svg>""",
    )
    assert named(seen) == [
        ("img", "red circle"), ("img", "blue square"), ("img", "green triangle"), ("img", "7"), ("el", "red box"), ("img", "canvas"),
        ("btn", "🗑️"), ("link", "Round"),
    ]  # fmt: skip
    assert seen["tree"][3]["h"] == "orange text"


async def test_wire_form(page: Page) -> None:
    seen = await look(
        page,
        """<label>Sex <select><option>--<option selected>Female</select></label>
        <label>Key <input type=password value=secret required></label><button disabled>Save</button>""",
    )
    select, password, save = seen["tree"]
    assert (select["v"], select["o"], select["r"]) == ("Female", ["--", "Female"], "sel")
    assert (password["v"], password["t"], password["s"]) == ("••••••", "password", ["required"])
    assert save["s"] == ["disabled"]
    assert set(save) == {"i", "r", "n", "s", "xy", "box"}
    assert "secret" not in str(seen)


async def test_ids_stay_over_a_new_rendering(page: Page) -> None:
    first = await look(page, "<div id=r><button>A</button><button>B</button></div>")
    await page.evaluate(
        "() => { r.innerHTML = '<button>New</button><button>B</button><button>A</button>'; }"
    )
    second = await harness.observe(page, next_id=first["nextId"])
    assert [(n["n"], n["i"]) for n in second["tree"]] == [("New", "3"), ("B", "2"), ("A", "1")]
    assert second["recentEvents"] == ['added: btn "New"']


async def test_messages_are_nodes_and_only_new_ones_are_told(page: Page) -> None:
    seen = await look(
        page,
        """<div role=alert>Old trouble: failed</div><div id=s role=status></div>
        <button onclick="s.textContent='Patient saved'">Save</button>""",
    )
    assert harness.find(seen, "Old trouble: failed")["s"] == ["alert"]
    await harness.act(page, "click", {"id": harness.find(seen, "Save")["i"]})
    after = await harness.observe(page, next_id=seen["nextId"])
    assert (after["success_messages"], after["errors_detected"]) == (["Patient saved"], [])
    assert harness.find(after, "Patient saved")["s"] == ["status"]


async def test_a_faded_out_dialog_is_not_there(page: Page) -> None:
    seen = await look(
        page,
        """<div style="opacity:0;pointer-events:none"><input aria-label=Name><label><input type=checkbox>Agree</label>
        <button>OK</button></div><button>Open</button>""",
    )
    assert named(seen) == [("btn", "Open")]


async def test_a_box_that_takes_no_clicks_is_seen_by_its_label(page: Page) -> None:
    seen = await look(
        page,
        """<label style="position:relative"><input type=checkbox style="position:absolute;opacity:0;pointer-events:none">
        <span style="display:inline-block;width:14px;height:14px;border:1px solid"></span> Subscribe</label>""",
    )
    assert named(seen) == [("chk", "Subscribe")]


async def test_a_button_that_hands_its_form_in_is_told_whatever_it_is_called(page: Page) -> None:
    await harness.show(
        page,
        "<form><input aria-label=Number><button>Look up</button><button type=button>Clear</button></form>"
        "<form><input aria-label=Line><button>Add line</button><button>Total</button><button type=submit>Record</button></form>"
        "<button>Loose</button>",
    )
    nodes = (await harness.observe(page))["tree"]
    told = {node["n"]: node.get("t") for node in nodes if node["r"] == "btn"}
    assert told == {
        "Look up": "submit", "Clear": None, "Add line": None, "Total": None, "Record": "submit", "Loose": None,
    }  # fmt: skip
