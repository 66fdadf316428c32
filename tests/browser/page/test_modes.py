"""The page in the forms a server may ask for instead of acting."""

import json
import re
from typing import Any

import pytest
from playwright.async_api import Page

from tests.browser.page_harness import observe, request, show

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

MODES = ("semantic", "skeleton", "full")

CARD = """<title>Sign in &amp; go</title><h1>Welcome</h1><div class=outer>
<p>Some <i>text</i> to read.</p><div class=card style="color: red" onclick="void 0">
<form aria-label="Sign in"><label>User <input name=user value=first data-llm-id=777></label>
<label>Password <input type=password value=hunter2 data-copy=hunter2></label>
<input aria-label=Again autocomplete=new-password value=hunter3 data-copy=hunter3>
<input type=hidden name=csrf value=token-9>
<select aria-label=Role><option>Nurse<option selected>Doctor</select>
<label><input type=checkbox name=stay> Stay</label><textarea aria-label=Note>a &lt; b</textarea>
<button type=button>Enter <svg><path d="M0 0 L9 9"/></svg></button></form></div></div>
<div style="visibility: hidden">Unseen <b style="visibility: visible">seen</b></div>
<div style="display: none">Not shown <button>Nor this</button></div>
<table><tr><th>Patient<th>Age<tr><td>Jas<td>41</table><shadow-box></shadow-box><!-- remark -->
<script>document.querySelector('shadow-box').attachShadow({mode: 'open'}).innerHTML =
'<p>Inner words</p><button>Inside</button>'</script>"""


async def taken(page: Page, mode: str, most: int = 1_000_000) -> tuple[str, dict[str, Any]]:
    """The page in that form, and the observation whose ids it carries."""
    seen = await observe(page)
    ids = [node["i"] for node in seen["tree"]]
    result = await request(page, "dom", mode=mode, ids=ids, maxBytes=most)
    assert isinstance(result["dom"], str)
    return result["dom"], seen


def tag(dom: str, node_id: str) -> str:
    """The opening tag that carries this id."""
    found = re.findall(rf'<[^<>]* data-llm-id="{node_id}"[^<>]*>', dom)
    assert len(found) == 1, (node_id, dom)
    return str(found[0])


@pytest.mark.parametrize("mode", MODES)
async def test_every_control_carries_its_id_and_nothing_secret_is_told(
    page: Page, mode: str
) -> None:
    await show(page, CARD)
    await page.get_by_label("User").fill('second "one"')
    await page.get_by_label("Password").fill("hunter2-typed")
    await page.get_by_label("Stay").check()
    dom, seen = await taken(page, mode)

    tags = {n["n"]: tag(dom, n["i"]) for n in seen["tree"]}
    assert {"User", "Password", "Again", "Role", "Stay", "Note", "Enter", "Inside"} <= set(tags)
    assert 'value="second &quot;one&quot;"' in tags["User"]
    assert " checked" in tags["Stay"]
    assert "<option selected>Doctor" in dom
    for hidden in ("hunter", "token-9", "777", "M0 0", "void 0", "color: red", "remark"):
        assert hidden not in dom, hidden
    await expect_untouched(page)


async def expect_untouched(page: Page) -> None:
    marked = await page.evaluate("document.querySelectorAll('[data-llm-id]').length")
    assert marked == 1  # the page's own


async def test_what_each_form_is_for(page: Page) -> None:
    await show(page, CARD)
    semantic, skeleton, full = [(await taken(page, mode))[0] for mode in MODES]
    assert "<h1>Welcome</h1>" in semantic
    assert "<p>Some <i>text</i> to read.</p>" in semantic
    assert "<th>Patient</th>" in semantic
    assert "Inner words" in semantic
    assert "Not shown" not in semantic
    assert "Unseen" not in semantic
    assert "<b>seen</b>" in semantic
    assert re.search("<div hidden>\\s*Unseen", full)
    assert "outer" not in semantic
    assert '<form aria-label="Sign in">' in skeleton
    assert ">Enter" in skeleton
    assert not re.search("Welcome|read|Jas|Inner words|Not shown", skeleton)
    assert 'class="card"' in full
    assert re.search("<div hidden>\\s*Not shown", full)
    assert len(skeleton) < len(semantic) < len(full)


async def test_a_long_page_is_cut_within_its_bytes_and_stays_whole_html(page: Page) -> None:
    row = '<tr><td>{0}<td>Žofia 患者 "{0}"<td><button>Edit {0}</button>'
    await show(page, f"<table>{''.join(row.format(n) for n in range(900))}</table>")
    for mode in MODES:
        dom, _ = await taken(page, mode, most=2_500)
        assert len(json.dumps(dom, ensure_ascii=False).encode()) < 2_600
        assert dom.endswith("<!-- cut here: the page is longer -->")
        assert dom.count("<table>") == dom.count("</table>") == 1
        assert dom.count("<button") == dom.count("</button>") > 10
        assert not re.search("[\ud800-\udfff]", dom)


async def test_half_a_character_is_replaced(page: Page) -> None:
    await show(page, "<p id=half></p>")
    await page.evaluate("half.textContent = 'a\\ud83db'")
    for mode in ("semantic", "full"):
        dom, _ = await taken(page, mode)
        assert "a\ufffdb" in dom
