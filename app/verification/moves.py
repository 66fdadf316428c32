"""Whether a key, a scroll, a hover, a drag or a way to another page had its effect."""

from app.domain.action import Action
from app.domain.page import Node
from app.page.controls import ENTRIES
from app.page.difference_wording import label_of, quote
from app.page.snapshot import split_url
from app.text import patterns
from app.verification.effects import changed
from app.verification.evidence import Evidence, Scene, no, unclear, yes
from app.verification.failures import refused, signed_out
from app.verification.readback import mentions
from app.verification.submits import submitted

_NO_LINES = ("textarea", "file")
_WWW = patterns.compile(r"^\w+://(?:www\.)?")


def key_pressed(scene: Scene, action: Action) -> Evidence:
    """Enter in a form hands it in; Escape closes; Tab moves the focus; others change what they may.

    Of Enter in a field, the button of its form says what the form is for.
    """
    key = str(action.args["key"]).split("+")[-1].strip().lower()
    held, diff = _focused(scene), scene.diff
    is_line = held is not None and held.role in ENTRIES and held.input_type not in _NO_LINES
    if key in ("enter", "return") and is_line:
        return submitted(scene, held)
    if key in ("escape", "esc") and (diff.closed or diff.removed):
        return yes(0.9, "What stood in front is closed")
    if diff.focus is not None and (key == "tab" or not diff.any):
        return yes(0.95, f"The focus is on {label_of(diff.focus)}")
    if diff.moved and not diff.any:
        return yes(0.85, "The page is scrolled elsewhere")
    return changed(scene)


def _focused(scene: Scene) -> Node | None:
    """The field a key went to: the one filled last in the chain, else the one with the focus."""
    acted = (scene.was(planned.action) for planned in reversed(scene.chain.actions))
    focused = (n for n in scene.before.tree if "focused" in n.states)
    return next(filter(None, (*acted, *focused)), None)


def scrolled(scene: Scene, _: Action) -> Evidence:
    """Something stands elsewhere, or more of the page is there."""
    if scene.diff.moved:
        return yes(0.93, "The page is scrolled elsewhere")
    if scene.diff.added or scene.diff.removed or (scene.diff.solid and not scene.by_itself):
        return yes(0.85, "More of the page is there")
    return no(0.7, "The page did not move; there is no more of it")


def witnessed(scene: Scene, _: Action) -> Evidence:
    """Of a hover or another tab: what comes up shows it; where nothing does, the client is believed."""
    if scene.diff.solid:
        return yes(0.9, "The page shows something else now")
    return yes(0.7, "The browser says so") if scene.reported else unclear(0.5, "Cannot tell")


def went(scene: Scene, action: Action) -> Evidence:
    """The address asked for was reached, or one it leads to."""
    wanted = str(action.args["url"])
    if (bad := refused(scene)) is not None and not scene.diff.errors:
        return bad
    if _is_there(scene.after.url, wanted):
        return yes(0.97, f"The page is {quote(scene.after.url)}")
    if (asked := signed_out(scene, None)) is not None:
        return asked
    if not scene.diff.address.any:
        return no(0.9, f"The page is still {quote(scene.after.url)}")
    return yes(0.75, f"The address led to {quote(scene.after.url)}")


def went_back(scene: Scene, _: Action) -> Evidence:
    """Another address, or other content at the same one."""
    if scene.diff.address.any:
        return refused(scene) or yes(0.93, f"The page went back to {quote(scene.after.url)}")
    if scene.diff.solid:
        return yes(0.8, "The page shows other content")
    return no(0.8, "The page is the same as before")


def dragged(scene: Scene, action: Action) -> Evidence:
    """The order or the place of what was dragged is another, or the page answered."""
    if scene.diff.solid:
        return changed(scene)
    partner, kept = scene.diff.partner, {n.id for n in scene.diff.partner.values()}
    was = [partner[n.id].id for n in scene.before.tree if n.id in partner]
    if was != [n.id for n in scene.after.tree if n.id in kept]:
        return yes(0.9, "The order is another")
    node, now = scene.was(action), scene.now(action)
    if node and now and (node.value, node.center) != (now.value, now.center):
        return yes(0.85, f"{label_of(now)} stands elsewhere")
    return no(0.75, "Nothing was moved")


def shown(scene: Scene, action: Action) -> Evidence:
    """What was to be verified stands on the page."""
    what = str(action.args["what"])
    if mentions(scene.after, what) or any(n.value == what for n in scene.after.tree):
        return yes(0.92, f"The page shows '{quote(what)}'")
    return no(0.8, f"The page does not show '{quote(what)}'")


def _is_there(url: str, wanted: str) -> bool:
    """The same page but for scheme, www, a trailing slash, and parts that were not asked for."""
    origin, path, query, fragment = split_url(wanted if "://" in wanted else f"https://{wanted}")
    host, here, *rest = split_url(url)
    if _WWW.sub("", origin) != _WWW.sub("", host) or path != here:
        return False
    return (not query or query == rest[0]) and (not fragment or fragment == rest[1])
