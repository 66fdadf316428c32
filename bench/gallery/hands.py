"""The same actions by Playwright with trusted input: the upper bound."""

from collections.abc import Awaitable, Callable

from playwright.async_api import FrameLocator, Locator, Page

from app.domain.action import Action
from app.plans.validation import parse_action
from bench.gallery.widgets import SLOT, Widget

_FILLED = "el => el.matches('input:not([type=range]), textarea, select')"
_SET = """(el, value) => {
  el.value = value;
  for (const type of ["input", "change"]) el.dispatchEvent(new Event(type, { bubbles: true }));
}"""


async def act(page: Page, widget: Widget) -> None:
    """Execute the actions in turn; raises Playwright's error if one fails."""
    for text in widget.hand_actions:
        action, _ = parse_action(await _placed(text, page, widget))
        at = _locator(page, widget, action.target)
        if action.name == "dragTo" and "targetId" in action.args:
            await at.drag_to(_locator(page, widget, str(action.args["targetId"])))
        else:
            await _DOING[action.name](page, action, at)


async def _placed(text: str, page: Page, widget: Widget) -> str:
    """Replace elements by names and points of the window."""
    parts, end = [], 0
    for slot in SLOT.finditer(text):
        parts.append(text[end : slot.start()])
        end = slot.end()
        if slot[2] is None:
            parts.append(f'"{slot[1]}"')
            continue
        at = _locator(page, widget, slot[1])
        await at.scroll_into_view_if_needed()
        box = await at.bounding_box()
        assert box is not None, f"no box: {slot[1]}"
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        parts.append(f"{round(x) + int(slot[2])}, {round(y) + int(slot[3])}")
    return "".join((*parts, text[end:]))


def _locator(page: Page, widget: Widget, name: str | None) -> Locator:
    found = widget.elements.get(name or "")
    if found is None:
        return page.locator("body")
    *frames, inner = found.css.split(" >>> ")
    scope: Page | FrameLocator = page
    for frame in frames:
        scope = scope.frame_locator(frame)
    return scope.locator(inner).first


async def _set(page: Page, action: Action, at: Locator) -> None:
    text = str(action.args["text"])
    if await at.evaluate("el => el.matches('[type=range], [type=color]')"):
        await at.evaluate(_SET, text)
    elif await at.evaluate(_FILLED):
        await at.fill(text)
    else:
        await at.click()
        await page.keyboard.press("Control+A")
        await page.keyboard.type(text)


async def _press(page: Page, action: Action, at: Locator) -> None:
    if action.points:
        await page.mouse.move(*action.points[0])
    else:
        await at.hover()
    await page.mouse.down()
    await page.wait_for_timeout(float(str(action.args["ms"])))
    await page.mouse.up()


async def _choose(page: Page, action: Action, at: Locator) -> None:
    await at.select_option(label=str(action.args["label"]))


async def _scroll(page: Page, action: Action, at: Locator) -> None:
    await at.hover()
    ways = {"up": (0, -400), "down": (0, 400), "left": (-400, 0), "right": (400, 0)}
    direction = action.args.get("direction")
    by = ways[str(direction)] if direction else (action.args["x"], action.args["y"])
    await page.mouse.wheel(float(str(by[0])), float(str(by[1])))


async def _along(page: Page, points: list[tuple[float, float]]) -> None:
    await page.mouse.move(*points[0])
    await page.mouse.down()
    for x, y in points[1:]:
        await page.mouse.move(x, y, steps=8)
    await page.mouse.up()


async def _drag_to(page: Page, action: Action, at: Locator) -> None:
    box = await at.bounding_box()
    assert box is not None
    start = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    await _along(page, [start, action.points[0]])


async def _select_text(page: Page, action: Action, at: Locator) -> None:
    await at.select_text()


_Do = Callable[[Page, Action, Locator], Awaitable[object]]
_DOING: dict[str, _Do] = {
    "click": lambda _, __, at: at.click(),
    "clickAt": lambda page, act, _: page.mouse.click(*act.points[0]),
    "doubleClick": lambda _, __, at: at.dblclick(),
    "rightClick": lambda _, __, at: at.click(button="right"),
    "hover": lambda _, __, at: at.hover(),
    "press": _press,
    "setValue": _set,
    "selectOption": _choose,
    "selectText": _select_text,
    "setChecked": lambda _, act, at: at.set_checked(bool(act.args["checked"])),
    "pressKey": lambda page, act, _: page.keyboard.press(str(act.args["key"])),
    "scroll": _scroll,
    "dragTo": _drag_to,
    "drag": lambda page, act, _: _along(page, [*act.points]),
    "draw": lambda page, act, _: _along(page, [*act.points]),
    "wait": lambda page, act, _: page.wait_for_timeout(float(str(act.args["ms"]))),
}
