"""What the page scripts do in a real Chromium, as the page's own listeners see it."""
# ruff: noqa: E501 (the pages read best as whole lines of markup)

from typing import Any

import pytest
from playwright.async_api import Page

from tests.browser import page_harness as harness

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def do(page: Page, name: str, target: str, **args: Any) -> dict[str, Any]:
    """Acts on the control of that name."""
    node = harness.find(await harness.observe(page), target)
    return await harness.act(page, name, {"id": node["i"], **args})


def code(result: dict[str, Any]) -> str:
    assert result["status"] == "failure", result
    return str(result["error"]["code"])


async def test_a_click_is_one_whole_press(page: Page) -> None:
    await harness.show(
        page,
        """<div style="height:3000px"></div><button id=b>Go</button><script>window.log = [];
        for (const t of ["pointerover","mouseover","pointerdown","mousedown","focus","pointerup","mouseup","click"])
          b.addEventListener(t, () => log.push(t));</script>""",
    )
    result = await do(page, "click", "Go")
    assert (result["status"], result["unanswered"]) == ("success", True)  # it only took notes
    assert await page.evaluate("log") == [
        "pointerover", "mouseover", "pointerdown", "mousedown", "focus", "pointerup", "mouseup", "click",
    ]  # fmt: skip


async def test_a_box_behind_a_label_is_ticked_once(page: Page) -> None:
    await harness.show(
        page,
        """<input id=c type=checkbox style="display:none"><label for=c><span>Agree</span></label>
        <script>window.n = 0; c.onchange = () => n++</script>""",
    )
    assert (await do(page, "setChecked", "Agree", checked=True))["status"] == "success"
    assert await page.evaluate("[c.checked, n]") == [True, 1]
    assert "already" in (await do(page, "setChecked", "Agree", checked=True))["note"]


async def test_a_box_that_does_not_take_is_told(page: Page) -> None:
    await harness.show(page, "<div role=switch aria-checked=false>Stuck</div>")
    assert code(await do(page, "setChecked", "Stuck", checked=True)) == "VALUE_NOT_ACCEPTED"


async def test_text_goes_in_with_the_events_of_typing(page: Page) -> None:
    await harness.show(
        page,
        """<label>Name <input id=a value=old></label><script>window.log = [];
        for (const t of ["focus","keydown","beforeinput","input","keyup","change"]) a.addEventListener(t, (e) => log.push(t + (e.key ?? "")));</script>""",
    )
    assert await do(page, "setValue", "Name", text="Jas") == {"status": "success"}
    assert await page.evaluate("[a.value, log.join()]") == [
        "Jas",
        "focus,keydownJ,keyupJ,keydowna,keyupa,keydowns,beforeinput,input,keyups,change",
    ]


@pytest.mark.parametrize(
    ("html", "text", "held"),
    [
        ("<input id=x type=date>", "12 March 1990", "1990-03-12"),
        ("<input id=x type=time>", "3:30 pm", "15:30"),
        ("<input id=x type=number>", "1,200", "1200"),
        ("<input id=x type=range min=0 max=10>", "7", "7"),
        ("<input id=x type=color>", "red", "#ff0000"),
        ("<textarea id=x></textarea>", "a\nb", "a\nb"),
    ],
)
async def test_inputs_take_what_people_write(page: Page, html: str, text: str, held: str) -> None:
    await harness.show(page, f"<label for=x>Field</label>{html}")
    assert (await do(page, "setValue", "Field", text=text))["status"] == "success"
    assert await page.evaluate("x.value") == held


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<input id=x maxlength=3>", "four"),
        ("<input id=x type=date>", "someday"),
        ("<input id=x type=number>", "many"),
        ("<input id=x type=range min=0 max=10>", "99"),
        ("<input id=x oninput=\"this.value=''\">", "gone"),
    ],
)
async def test_a_value_that_does_not_take_is_told(page: Page, html: str, text: str) -> None:
    await harness.show(page, f"<label for=x>Field</label>{html}")
    assert code(await do(page, "setValue", "Field", text=text)) == "VALUE_NOT_ACCEPTED"


async def test_rich_text(page: Page) -> None:
    await harness.show(page, "<div contenteditable aria-label=Note>old <b>text</b></div>")
    assert (await do(page, "setValue", "Note", text="Hello you"))["status"] == "success"
    assert await page.inner_text("[contenteditable]") == "Hello you"


async def test_native_selects(page: Page) -> None:
    await harness.show(
        page,
        """<label for=x>Sex</label><select id=x onchange="this.title += 'c'"><option>--<option>Female<option>Male</select>
        <label for=y>Tags</label><select id=y multiple><option>A<option>B<option>C</select>""",
    )
    assert (await do(page, "selectOption", "Sex", label="fem"))["status"] == "success"
    assert await page.evaluate("[x.value, x.title]") == ["Female", "c"]
    missing = await do(page, "selectOption", "Sex", label="Robot")
    assert code(missing) == "OPTION_NOT_FOUND"
    assert '"Male"' in missing["error"]["message"]
    for label in ("A", "C"):
        await do(page, "selectOption", "Tags", label=label)
    assert await page.evaluate("[...y.selectedOptions].map((o) => o.text)") == ["A", "C"]


async def test_a_combobox_that_opens_a_list(page: Page) -> None:
    await harness.show(
        page,
        """<div id=c role=combobox aria-label=Color aria-expanded=false aria-controls=l onclick="l.hidden=false">pick</div>
        <ul id=l role=listbox hidden onclick="c.textContent=event.target.textContent;l.hidden=true"><li role=option>Red<li role=option>Blue</ul>""",
    )
    assert (await do(page, "selectOption", "Color", label="blue"))["status"] == "success"
    assert await page.inner_text("#c") == "Blue"


async def test_enter_submits_and_tab_moves_on(page: Page) -> None:
    await harness.show(
        page,
        """<form onsubmit="event.preventDefault(); document.title += 's'"><input aria-label=A><input aria-label=B><button>Send</button></form>""",
    )
    await do(page, "click", "A")
    await harness.act(page, "pressKey", {"key": "Tab"})
    assert await page.evaluate("document.activeElement.ariaLabel") == "B"
    await harness.act(page, "pressKey", {"key": "Enter"})
    assert await page.title() == "s"
    assert code(await harness.act(page, "pressKey", {"key": "Bogus"})) == "VALUE_NOT_ACCEPTED"


async def test_keys_type_and_chords_select(page: Page) -> None:
    await harness.show(page, "<input id=a aria-label=A value=abc>")
    await do(page, "click", "A")
    for key in ("Control+A", "x", "y", "Backspace"):
        await harness.act(page, "pressKey", {"key": key})
    assert await page.evaluate("a.value") == "x"


async def test_what_cannot_be_reached_says_why(page: Page) -> None:
    await harness.show(
        page,
        """<button disabled>Off</button><button>Under</button><div id=o style="position:fixed;inset:0;background:#fff">Loading data</div>""",
    )
    assert "disabled" in (await do(page, "click", "Off"))["error"]["message"]
    covered = await do(page, "click", "Under")
    assert code(covered) == "NOT_INTERACTABLE"
    assert "Loading data" in covered["error"]["message"]


async def test_a_stale_id_is_resolved_or_refused(page: Page) -> None:
    await harness.show(page, "<div id=r><button>Save</button><button>Save draft</button></div>")
    seen = await harness.observe(page)
    save = harness.find(seen, "Save")["i"]
    await page.evaluate(
        "() => { r.innerHTML = '<button onclick=\"document.title=1\">Save</button>'; }"
    )
    assert (await harness.act(page, "click", {"id": save}))["status"] == "success"
    assert await page.title() == "1"
    await page.evaluate("() => { r.innerHTML = '<button>Save all</button>'; }")
    gone = await harness.act(page, "click", {"id": save})
    assert code(gone) == "ELEMENT_NOT_FOUND"
    assert "Save all" in gone["error"]["message"]
    assert code(await harness.act(page, "click", {"id": "999"})) == "ELEMENT_NOT_FOUND"


async def test_scrolling_a_container_and_the_page(page: Page) -> None:
    await harness.show(
        page,
        """<div id=s style="height:100px;overflow:auto"><button>In</button><div style="height:900px"></div></div>
        <div style="height:3000px"></div>""",
    )
    await do(page, "scroll", "In", direction="down")
    assert await page.evaluate("s.scrollTop") == 80
    await harness.act(page, "scroll", {"id": "page", "direction": "down"})
    assert await page.evaluate("scrollY") > 300
    up = await harness.act(page, "scroll", {"id": "page", "direction": "left"})
    assert "cannot scroll" in up["note"]


async def test_html5_drag_and_drop(page: Page) -> None:
    await harness.show(
        page,
        """<div id=a role=button draggable=true ondragstart="event.dataTransfer.setData('text/plain','A')">Drag me</div>
        <div role=button style="height:80px" ondragover="event.preventDefault()"
          ondrop="this.title=event.dataTransfer.getData('text/plain')" id=z>Here</div>""",
    )
    seen = await harness.observe(page)
    ids = {n["n"]: n["i"] for n in seen["tree"]}
    await harness.act(page, "dragTo", {"id": ids["Drag me"], "targetId": ids["Here"]})
    assert await page.evaluate("z.title") == "A"


async def test_hover_opens_what_listens_to_it(page: Page) -> None:
    await harness.show(
        page,
        """<div role=button onmouseenter="m.hidden=false">Menu</div><a id=m href=#x hidden>New</a>""",
    )
    await do(page, "hover", "Menu")
    assert harness.find(await harness.observe(page), "New")["r"] == "link"


async def test_the_watch_sees_the_page_and_not_its_own_outline(page: Page) -> None:
    await harness.show(
        page, "<button>Idle</button><button onclick=\"location.hash='x'\">Move</button>"
    )
    await do(page, "click", "Idle")
    since = await harness.request(page, "since")
    assert (since["didDomMutate"], since["didUrlChange"]) == (False, False)
    await do(page, "click", "Move")
    assert (await harness.request(page, "since"))["didUrlChange"] is True
    quiet = await harness.request(page, "quiet")
    assert quiet["readyState"] == "complete"
    assert quiet["domQuietMs"] >= 0


async def test_injecting_twice_keeps_ids(page: Page) -> None:
    await harness.show(page, "<button>A</button>")
    first = await harness.observe(page)
    await harness.install(page)
    assert harness.find(await harness.observe(page), "A")["i"] == harness.find(first, "A")["i"]


async def test_an_action_that_was_stopped_does_nothing_more(page: Page) -> None:
    await harness.show(
        page,
        """<button onclick="document.title = 'went'">Go</button>
        <div id=veil style="position:fixed;inset:0;background:#fff"></div>""",
    )
    await harness.observe(page)
    result = await page.evaluate(
        """async () => {
          const { answer } = globalThis.__tabwright;
          const acted = answer({id: 1, kind: "act", name: "click", args: {id: "1"}});
          await answer({id: 2, kind: "halt"});
          veil.remove();
          return (await acted).result;
        }"""
    )
    assert code(result) == "STOPPED"
    assert await page.title() == ""
