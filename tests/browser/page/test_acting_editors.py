"""Text into editors, each of which listens to something else; what their own models hold."""
# ruff: noqa: E501 (the pages read best as whole lines of markup)

import pytest

from tests.browser.framework_pages import App

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


LIBRARIES = [
    "quill/dist/quill.snow.css",
    "quill/dist/quill.js",
    "trix/dist/trix.css",
    "trix/dist/trix.umd.min.js",
]

REAL = """<div id=q></div><input id=t type=hidden><trix-editor input=t aria-label="Trix"></trix-editor><script>
window.got = {}; const quill = new Quill("#q", {theme: "snow"}); quill.root.setAttribute("aria-label", "Quill");
quill.on("text-change", () => { got.Quill = quill.getText() });
document.addEventListener("trix-change", (e) => { got.Trix = e.target.editor.getDocument().toString() });</script>"""

# Editors that keep a model, draw it, and take only one kind of event for it.
MODELS = """<div contenteditable id=b aria-label=Before>old</div><div contenteditable id=p aria-label=Pasted>old</div>
<div contenteditable id=h aria-label=Plain>old <b>text</b></div><div contenteditable id=n aria-label=Never>old</div><script>
window.got = {Before: "old", Pasted: "old"}; const draw = (el, name) => { el.textContent = got[name] };
b.addEventListener("beforeinput", (e) => { e.preventDefault(); got.Before = e.inputType === "insertText" ? e.data : ""; draw(b, "Before") });
const back = (el, name) => new MutationObserver(() => { if (el.textContent !== got[name]) draw(el, name) }).observe(el, {subtree: true, childList: true, characterData: true});
p.addEventListener("paste", (e) => { e.preventDefault(); got.Pasted = e.clipboardData.getData("text/plain"); draw(p, "Pasted") }); back(p, "Pasted");
got.Never = "old"; back(n, "Never"); h.oninput = () => { got.Plain = h.innerText };</script>"""

# Editors whose typing goes into a text area nobody sees: one of npm's, in the place of a field, and one of the other usual shape.
CODE = """<style>.box {position:relative; overflow:hidden; width:300px; height:80px} .box textarea {position:absolute; opacity:0; width:8px; height:16px}
.lines {cursor:text; height:60px; white-space:pre}</style><label for=c>Query</label><textarea id=c>select 1</textarea>
<div>Script</div><div class=box><textarea></textarea><div>1</div><div class=lines>old</div></div><script>
window.got = {Script: "old"}; const query = CodeMirror.fromTextArea(c, {lineNumbers: true, autoCloseBrackets: true}); got.Query = query.getValue();
query.on("change", () => { got.Query = query.getValue() });
const field = document.querySelector(".box textarea"), lines = document.querySelector(".lines"); let all = false;
const draw = (text) => { all = false; got.Script = lines.textContent = text; field.value = "" };
field.onkeydown = (e) => { if (e.ctrlKey && e.key === "a") { all = true; e.preventDefault() } if (e.key === "Backspace" && all) { draw(""); e.preventDefault() } };
field.oninput = () => draw((all ? "" : got.Script) + field.value);</script>"""


async def test_real_editors_hold_the_text(app: App) -> None:
    await app.show(REAL, *LIBRARIES)
    for name in ("Quill", "Trix"):
        for text in ("Hello you", "Two\nlines"):
            await app.works("setValue", name, text=text)
            assert await app.state(f"got['{name}']") == f"{text}\n", name


async def test_an_editor_with_a_hidden_text_area_is_a_field(app: App) -> None:
    await app.show(CODE, "codemirror/lib/codemirror.css", "codemirror/lib/codemirror.js")
    await app.works("selectText", "Query", text="lect")
    assert await app.state("query.getSelection()") == "lect"
    for name, old in (("Query", "select 1"), ("Script", "old")):
        node = await app.node(name)
        assert (node["r"], node["v"]) == ("inp", old)
        for text in ("let a = (1;\n  b()", "let a", "line\n" * 60, ""):
            await app.works("setValue", name, text=text)
            assert await app.state(f"got.{name}") == text, name


async def test_another_way_is_tried_until_the_text_stays(app: App) -> None:
    await app.show(MODELS)
    for name in ("Before", "Pasted", "Plain"):
        await app.works("setValue", name, text="New words")
        assert await app.state(f"got['{name}']") == "New words", name
    result = await app.do("setValue", "Never", text="New words")
    assert result["error"]["code"] == "VALUE_NOT_ACCEPTED"
    assert 'holds "old"' in result["error"]["message"]


LINES = """<div id=e contenteditable aria-label=Reply><p>old</p></div><script>let all = true;
e.addEventListener("beforeinput", (event) => { event.preventDefault();
  if (all) e.innerHTML = "<p></p>"; all = false;
  if (event.inputType === "insertParagraph") e.append(document.createElement("p"));
  else e.lastChild.textContent += (event.data ?? "").replace("\\n", ""); });
document.addEventListener("selectionchange", () => { all = true });</script>"""


async def test_an_editor_that_takes_its_lines_one_by_one_gets_them_so(app: App) -> None:
    await app.show(LINES)
    await app.works("setValue", "Reply", text="First line\nSecond line")
    assert await app.state("[...e.children].map((line) => line.textContent)") == [
        "First line",
        "Second line",
    ]
