"""Hand-made widgets of all kinds; some of them do not do what their label says."""
# ruff: noqa: E501, RUF001 (tables of scenes and pages read best as whole lines)

from bench.transitions.moves import (
    Move,
    Scene,
    check,
    choose,
    click,
    drag,
    hover,
    key,
    one,
    put,
    scroll,
    table,
)  # fmt: skip
from bench.transitions.stage import Take

PATH = "/p/widgets"


async def cover(take: Take) -> None:
    await take.tab.evaluate("covers.click()")


async def replace_news(take: Take) -> None:
    await take.tab.evaluate("news.closest('label').remove()")


async def focus_story(take: Take) -> None:
    await take.tab.evaluate("story.focus()")


async def drawn_anew(take: Take) -> None:
    """Replace each control by a new element of the same name, as a framework does without keys."""
    await take.tab.evaluate(
        "more.onclick = () => { document.querySelectorAll('button').forEach((b) => b.replaceWith(b.cloneNode(true))); moreBox.hidden = false; document.getElementById('more').setAttribute('aria-expanded', 'true'); }"
    )


def elsewhere(take: Take) -> bool:
    return any(page.url.endswith("/contacts") for page in take.tab.context.pages)


TABLE = table(
    "widgets", PATH,
    one("switch", "toggle", check("Wifi"), "wifi.ariaChecked == 'true'", "Turn on Wifi", last=True),
    one("switch-click", "toggle", click("Wifi"), "wifi.ariaChecked == 'true'", "Click Wifi", last=True),
    one("switch-stuck", "toggle that springs back", click("Airplane mode"), "stuck.ariaChecked == 'true'", "Click Airplane mode", last=True),
    one("bold", "toggle", click("Bold"), "bold.ariaPressed == 'true'", "Click Bold", last=True),
    one("check", "checkbox", check("Newsletter"), "news.checked", "Check Newsletter", last=True),
    one("check-off", "checkbox, so already", check("Newsletter", False), "!news.checked", "Uncheck Newsletter", last=True),
    one("check-locked", "checkbox that refuses", check("Locked option"), "lock.checked", "Check Locked option", last=True),
    one("click-locked", "checkbox that refuses", click("Locked option"), "lock.checked", "Click Locked option", last=True),
    one("check-gone", "element gone", check("Newsletter"), "document.getElementById('news')?.checked", "Check Newsletter", last=True, first=replace_news),
    one("radio", "radio", check("Pro"), "document.querySelector('[value=b]').checked", "Select Pro", last=True),
    one("radio-click", "radio", click("Pro"), "document.querySelector('[value=b]').checked", "Click Pro", last=True),
    one("select", "native select", choose("City", "Oslo"), "city.value == 'Oslo'", "Select Oslo in City", last=True),
    one("select-many", "native select", choose("Language", "German"), "lang.selectedOptions[0]?.value == 'German'", "Select German in Language", last=True),
    one("select-jumps", "select that springs back", choose("Back-jumping list", "Two"), "jump.value == 'Two'", "Select Two in Back-jumping list", last=True),
    one("select-missing", "option missing", choose("City", "Paris"), "city.value == 'Paris'", "Select Paris in City", last=True),
    one("combo", "combobox", choose("Fruit", "Banana"), "got.fruit == 'Banana'", "Select Banana in Fruit", last=True),
    one("combo-typed", "combobox typed", put("Fruit", "Ap"), "combo.value == 'Ap' && opts.children.length == 2", "Type Ap into Fruit"),
    one("combo-button", "combobox", choose("Colour", "Green"), "got.colour == 'Green'", "Select Green in Colour", last=True),
    one("combo-open", "dropdown opened", click("Colour"), "!colours.hidden", "Open Colour", last=True),
    one("date", "date", put("Born", "1990-03-12"), "born.value == '1990-03-12'", "Set Born to 1990-03-12", last=True),
    one("date-words", "date", put("Born", "12 March 1990"), "born.value == '1990-03-12'", "Set Born to '12 March 1990'", last=True),
    one("date-wrong", "value refused", put("Born", "31 February"), "born.value != ''", "Set Born to '31 February'", last=True),
    one("time", "time", put("Alarm", "07:30"), "alarm.value == '07:30'", "Set Alarm to 07:30", last=True),
    one("slider", "slider", put("Volume", "70"), "volume.value == '70'", "Set Volume to 70", last=True),
    one("number", "value set", put("Age", "44"), "age.value == '44'", "Set Age to 44", last=True),
    one("upper", "value made another", put("Upper", "abc"), "upper.value == 'ABC'", "Set Upper to abc", last=True),
    one("code", "value cut short", put("Code", "123456"), "code.value == '123456'", "Set Code to 123456", last=True),
    one("fixed", "read-only", put("Fixed", "xyz"), "fixed.value == 'xyz'", "Set Fixed to xyz", last=True),
    one("forgetful", "value forgotten", put("Forgetful", "hello"), "forget.value == 'hello'", "Set Forgetful to hello", last=True),
    one("secret", "password", put("Secret", "hush-hush"), "secret.value == 'hush-hush'", "Set Secret to 'hush-hush'", last=True),
    one("note", "contenteditable", put("Note", "Call Bo"), "note.innerText.trim() == 'Call Bo'", "Type 'Call Bo' into Note", last=True),
    one("story", "value set", put("Story", "Once\nupon"), "story.value == 'Once\\nupon'", "Type it into Story", last=True),
    one("tab", "tab", click("Advanced"), "panel.textContent == 'Advanced settings'", "Open Advanced", last=True),
    one("tab-broken", "tab that does not answer", click("Broken tab"), "t3.ariaSelected == 'true'", "Open Broken tab", last=True),
    one("tab-same", "tab, so already", click("General"), "panel.textContent == 'General settings'", "Open General"),
    one("more", "section opened", click("More options"), "!moreBox.hidden", "Open More options", last=True),
    one("more-anew", "section opened, drawn anew", click("More options"), "!moreBox.hidden", "Open More options", last=True, first=drawn_anew),
    one("about", "section opened", click("About"), "document.querySelector('details').open", "Open About", last=True),
    one("dead", "menu that does not open", click("Dead menu"), "dead.ariaExpanded == 'true'", "Open Dead menu", last=True),
    one("plain", "panel shown", click("Shows a panel"), "plainBox.children.length == 1", "Click Shows a panel", last=True),
    one("plus", "counter", click("+"), "count.textContent == '1'", "Click +", last=True),
    one("noop", "click that does nothing", click("Does nothing"), "false", "Click Does nothing"),
    one("beacon", "request alone", click("Pings quietly"), lambda t: t.site.posts == 1, "Click Pings quietly"),
    one("disabled", "disabled button", click("Not available"), "false", "Click Not available", last=True),
    one("hover-menu", "hover", hover("Products"), "getComputedStyle(document.querySelector('.sub')).display == 'block'", "Hover over Products"),
    one("hover-tip", "hover", hover("What is this?"), "tip.style.display == 'block'", "Hover over What is this?", last=True),
    one("hover-nothing", "hover that shows nothing", hover("Does nothing"), "got.over == 'noop'", "Hover over Does nothing"),
    one("scroll", "scroll", scroll(), "scrollY > 50", "Scroll down", last=True),
    one("scroll-up", "scroll that cannot", scroll("page", "up"), "scrollY > 50", "Scroll up"),
    one("scroll-box", "scroll", scroll("Line 1", "down"), "log.scrollTop > 20", "Scroll the log down"),
    one("drag", "drag", drag("Alpha", "Gamma"), "[...list.children].map((d) => d.textContent).join() == 'Beta,Gamma,Alpha'", "Drag Alpha to Gamma", last=True),
    one("drag-nowhere", "drag that moves nothing", drag("Alpha", "Bold"), "list.children[0].textContent != 'Alpha'", "Drag Alpha to Bold", last=True),
    one("key-slash", "key", key("/"), "document.activeElement == combo", "Press /"),
    one("key-dialog", "key", key("Control+k"), "dlg.open", "Press Control+K", last=True),
    one("key-nothing", "key that does nothing", key("F8"), "false", "Press F8"),
    one("key-typed", "key typed", key("x"), "story.value == 'x'", "Press x", first=focus_story),
    one("dialog", "dialog opened", click("Open dialog"), "dlg.open", "Click Open dialog", last=True),
    one("covered", "overlay in the way", click("Under the cover"), "got.covered", "Click Under the cover", last=True, first=cover),
    one("new-tab", "link to a new tab", click("Contacts in a new tab"), elsewhere, "Open Contacts in a new tab", last=True),
    one("mail", "link out of the web", click("Write to us"), "false", "Click Write to us"),
    one("fields", "values set", (put("Age", "30"), put("Code", "77"), check("Newsletter"), choose("City", "Rome")),
        "age.value == '30' && code.value == '77' && news.checked && city.value == 'Rome'", "Fill in the settings", last=True),
    one("fields-second-fails", "partial chain", (put("Age", "30"), choose("City", "Paris"), check("Newsletter")), "news.checked", "Fill in the settings", last=True),
    one("fields-third-fails", "partial chain", (put("Age", "30"), put("Code", "77"), click("Under the cover")), "got.covered", "Fill in the settings", last=True, first=cover),
    one("fields-may-fail", "chain with a failure allowed", (put("Age", "30"), choose("City", "Paris", can_fail=True), check("Newsletter")),
        "age.value == '30' && news.checked", "Fill in the settings", last=True),
    one("fields-cut", "partial chain, told done", (put("Age", "30"), put("Code", "123456")), "code.value == '123456'", "Fill in the settings", last=True),
)  # fmt: skip

RUNS = (
    Scene(name="widgets/dialog-ok", page="widgets", path=PATH, goal="Set the nickname to 'Dee'", moves=(
        Move(kind="dialog opened", acts=(click("Open dialog"),), truth="dlg.open", step="Click Open dialog"),
        Move(kind="dialog confirmed", acts=(put("Nickname", "Dee"), click("OK")), truth="got.nick == 'Dee' && !dlg.open", last=True),
    )),
    Scene(name="widgets/dialog-left", page="widgets", path=PATH, goal="Close the dialog", moves=(
        Move(kind="dialog opened", acts=(click("Open dialog"),), truth="dlg.open", step="Click Open dialog"),
        Move(kind="dialog closed", acts=(key("Escape"),), truth="!dlg.open", step="Press Escape", last=True),
    )),
    Scene(name="widgets/cover", page="widgets", path=PATH, goal="Dismiss the cover", moves=(
        Move(kind="overlay came", acts=(click("Cover the page"),), truth="document.getElementById('overlay')", step="Click Cover the page"),
        Move(kind="overlay dismissed", acts=(click("Got it"),), truth="!document.getElementById('overlay')", step="Click Got it", last=True),
    )),
    Scene(name="widgets/count", page="widgets", path=PATH, goal="Click + three times", moves=(
        Move(kind="counter", acts=(click("+"),), truth="count.textContent == '1'", step="Click +"),
        Move(kind="counter", acts=(click("+"), click("+")), truth="count.textContent == '3'", step="Click +", last=True),
        Move(kind="counter", acts=(click("−"),), truth="count.textContent == '2'", step="Click −"),
    )),
    Scene(name="widgets/options", page="widgets", path=PATH, goal="Choose Red as Colour", moves=(
        Move(kind="dropdown opened", acts=(click("Colour"),), truth="!colours.hidden", step="Open Colour"),
        Move(kind="option", acts=(click("Red"),), truth="got.colour == 'Red'", step="Click Red", last=True),
    )),
    Scene(name="widgets/options-away", page="widgets", path=PATH, goal="Close the list", moves=(
        Move(kind="section opened", acts=(click("More options"),), truth="!moreBox.hidden", step="Open More options"),
        Move(kind="section closed", acts=(click("More options"),), truth="moreBox.hidden", step="Close More options", last=True),
    )),
    Scene(name="widgets/wifi-off", page="widgets", path=PATH, goal="Turn Wifi off", moves=(
        Move(kind="toggle", acts=(click("Wifi"),), truth="wifi.ariaChecked == 'true'", step="Click Wifi"),
        Move(kind="toggle", acts=(check("Wifi", False),), truth="wifi.ariaChecked == 'false'", step="Turn off Wifi", last=True),
    )),
)  # fmt: skip

SCENES: tuple[Scene, ...] = (*TABLE, *RUNS)
