"""Events beside an action: ticking pages, timers, a person who navigates away, files, tabs."""
# ruff: noqa: E501 (tables of scenes and pages read best as whole lines)

import tempfile
from pathlib import Path

from bench.transitions.moves import (
    Act,
    Move,
    Scene,
    Truth,
    check,
    choose,
    click,
    hover,
    key,
    one,
    put,
    table,
)
from bench.transitions.stage import Take

PATH = "/p/widgets"


async def ticking(take: Take) -> None:
    """Every 100 ms, change the time, the width and a line of news."""
    await take.tab.evaluate(
        """() => { document.body.insertAdjacentHTML('afterbegin', '<p id=clock>0</p><ul id=feed></ul>'); let n = 0;
        setInterval(() => { n += 1; clock.textContent = `It is ${n} past`; feed.innerHTML = `<li><a href="#n">News ${n % 7}</a></li>`; document.title = `(${n % 5}) Settings`; }, 100); }"""
    )


async def dialog_soon(take: Take) -> None:
    await take.tab.evaluate(
        "setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<dialog open aria-label=Cookies><p>We use cookies.</p><button>Fine</button></dialog>'), 250)"
    )


async def banner_soon(take: Take) -> None:
    await take.tab.evaluate(
        "setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<div role=status>You have one new message</div>'), 250)"
    )


async def went_elsewhere(take: Take) -> None:
    await take.tab.goto(f"{take.site.url}/contacts/report")


async def pick(take: Take) -> None:
    """Choose a file in the panel, as a person would."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "report.pdf"
        file.write_bytes(b"%PDF-1.4")
        async with take.stage.panel.expect_file_chooser() as opened:
            await take.stage.panel.get_by_test_id("file-choose").click()
        await (await opened.value).set_files(file)
        await take.tab.wait_for_function("got.file", timeout=10_000)


async def pick_none(take: Take) -> None:
    await take.stage.panel.get_by_test_id("file-cancel").click()


async def no_upload(take: Take) -> None:
    await take.tab.evaluate(
        "file.addEventListener('change', () => setTimeout(() => { file.value = ''; }, 50))"
    )


def shows(path: str) -> Truth:
    """Whether a tab of the browser shows that page."""
    return lambda take: any(page.url.endswith(path) for page in take.tab.context.pages)


def closed(take: Take) -> bool:
    return not any(page.url.endswith("/contacts") for page in take.tab.context.pages)


UPLOAD = Act("uploadFile", "Attachment", ("report.pdf",))
TABLE = table(
    "widgets", PATH,
    one("ticks-plus", "counter, page ticks", click("+"), "count.textContent == '1'", "Click +", last=True, first=ticking),
    one("ticks-noop", "click that does nothing, page ticks", click("Does nothing"), "false", "Click Does nothing", last=True, first=ticking),
    one("ticks-dead", "menu that does not open, page ticks", click("Dead menu"), "dead.ariaExpanded == 'true'", "Open Dead menu", last=True, first=ticking),
    one("ticks-more", "section opened, page ticks", click("More options"), "!moreBox.hidden", "Open More options", last=True, first=ticking),
    one("ticks-select", "native select, page ticks", choose("City", "Rome"), "city.value == 'Rome'", "Select Rome in City", last=True, first=ticking),
    one("ticks-forgetful", "value forgotten, page ticks", put("Forgetful", "hello"), "forget.value == 'hello'", "Set Forgetful to hello", last=True, first=ticking),
    one("ticks-locked", "checkbox that refuses, page ticks", click("Locked option"), "lock.checked", "Click Locked option", last=True, first=ticking),
    one("ticks-key", "key that does nothing, page ticks", key("F8"), "false", "Press F8", first=ticking),
    one("ticks-hover", "hover, page ticks", hover("What is this?"), "tip.style.display == 'block'", "Hover over What is this?", first=ticking),
    one("ticks-broken-tab", "tab that does not answer, page ticks", click("Broken tab"), "t3.ariaSelected == 'true'", "Open Broken tab", last=True, first=ticking),
    one("cookies-plus", "dialog that came by itself", click("+"), "count.textContent == '1'", "Click +", last=True, first=dialog_soon),
    one("cookies-value", "dialog that came by itself", put("Age", "44"), "age.value == '44'", "Set Age to 44", last=True, first=dialog_soon),
    one("cookies-check", "dialog that came by itself", check("Newsletter"), "news.checked", "Check Newsletter", last=True, first=dialog_soon),
    one("notice-plus", "message that came by itself", click("+"), "count.textContent == '1'", "Click +", last=True, first=banner_soon),
    one("notice-locked", "message that came by itself", click("Locked option"), "lock.checked", "Click Locked option", last=True, first=banner_soon),
    one("elsewhere-value", "page replaced", put("Age", "44"), "document.querySelector('#age')?.value == '44'", "Set Age to 44", last=True, first=went_elsewhere),
    one("elsewhere-chain", "page replaced", (put("Age", "44"), click("+")), "document.querySelector('#age')?.value == '44'", "Fill in the settings", last=True, first=went_elsewhere),
    one("click-at", "click by place", Act("clickAt", "+"), "count.textContent == '1'", "Click +", last=True),
    one("click-at-noop", "click by place that does nothing", Act("clickAt", "Does nothing"), "false", "Click Does nothing"),
    one("click-at-bold", "click by place", Act("clickAt", "Bold"), "bold.ariaPressed == 'true'", "Click Bold", last=True),
    one("upload", "upload", UPLOAD, "got.file == 'report.pdf'", "Upload report.pdf", last=True, meanwhile=pick),
    one("upload-not", "upload not chosen", UPLOAD, "got.file == 'report.pdf'", "Upload report.pdf", last=True, meanwhile=pick_none),
    one("upload-dropped", "upload that springs back", UPLOAD, "file.files.length == 1", "Upload report.pdf", last=True, first=no_upload, meanwhile=pick),
)  # fmt: skip
TABS = Scene(name="widgets/tabs", page="widgets", path=PATH, goal="Look at the contacts", moves=(
    Move(kind="tab opened", acts=(Act("openTab", values=("/contacts",)),), truth=shows("/contacts"), step="Open the contacts in a new tab"),
    Move(kind="tab closed", acts=(Act("closeTab"),), truth=closed, step="Close the tab"),
))  # fmt: skip

SCENES: tuple[Scene, ...] = (*TABLE, TABS)
