"""Whether a click had its effect.

| clicked            | on the page                                   | verdict              |
|--------------------|-----------------------------------------------|----------------------|
| submit             | see `submits`                                 |                      |
| checkbox, radio    | its state turned                              | yes 0.95, else no 0.88 |
| opener             | menu, list, dialog or section came            | yes 0.95             |
|                    | still closed, nothing came                    | no 0.85              |
| tab                | is selected now, or was                       | yes 0.95             |
| link               | another address                               | yes 0.95             |
|                    | an error page; a sign-in not asked for        | no 0.90; no 0.80     |
| text field         | has the focus                                 | yes 0.95             |
| any                | error message                                 | no 0.90              |
|                    | success message, dialog, another address      | yes 0.92             |
|                    | the control itself changed or went            | yes 0.88             |
|                    | nothing new but that something is going on    | cannot tell 0.40     |
|                    | an old error message drawn anew, alone        | no 0.80              |
|                    | an old error message, and something else      | cannot tell 0.50     |
|                    | other content                                 | yes 0.80             |
|                    | one number, a step the way the control counts | yes 0.75             |
|                    | only numbers in texts                         | yes 0.66             |
|                    | nothing, but the cursor went to another field | yes 0.75             |
|                    | nothing, but a request left and done reported | yes 0.70             |
|                    | nothing, but the page touched its own nodes   | yes 0.66             |
|                    | nothing                                       | cannot tell 0.50     |

Below 0.70 the step goes on, but a task is not called completed for it: a page that changes by itself
does so whether or not the click arrived.
"""

import re

from app.domain.action import Action
from app.domain.page import Node
from app.engines.risk.controls import ENTRIES, container, entries, is_opener, is_submit
from app.engines.verification.busy import still_going_on
from app.engines.verification.evidence import Evidence, Scene, no, unclear, yes
from app.engines.verification.explain import label_of, quote
from app.engines.verification.messages import GOING_ON, is_message
from app.engines.verification.readback import is_on
from app.engines.verification.snapshot import without_numbers
from app.engines.verification.submits import refused, sign_in_asked, submitted

_NUMBER = re.compile(r"\d{1,9}")
_UP = re.compile(
    r"[+\u25b2\u2191]$|(plus|incre\w+|more|add( one)?|like|upvote|vote)\b", re.IGNORECASE
)
_DOWN = re.compile(
    r"[-\u2212\u2013\u25bc\u2193]$|(minus|decre\w+|less|fewer|downvote)\b", re.IGNORECASE
)

_TOGGLES = frozenset({"chk", "rad"})
_LISTED = frozenset({"menu", "opt"})


def clicked(scene: Scene, action: Action) -> Evidence:
    """The evidence after a click on a control."""
    was = scene.was(action)
    node = was if was is not None else scene.after.tree.get(action.target or "")
    if node is None:
        return changed(scene)
    if node.role in _TOGGLES:
        return _toggled(scene, node, was)
    if is_submit(node, scene.before):
        return submitted(scene, node)
    if node.role == "tab":
        return _tab(scene, node)
    if node.role == "inp":
        return _focused(scene, node)
    if is_opener(node):
        return _opened(scene, node)
    return _plain(scene, node)


def _toggled(scene: Scene, node: Node, was: Node | None) -> Evidence:
    now = scene.diff.partner.get(node.id) or scene.after.tree.get(node.id)
    if now is None:
        return changed(scene)
    turned = was is not None and is_on(was) != is_on(now)
    if turned or (node.role == "rad" and is_on(now)):
        word = "checked" if is_on(now) else "not checked"
        return yes(0.95, f"{label_of(now)} is {word}")
    if was is None:
        return unclear(0.5, f"{label_of(now)} was not there before")
    return refused(scene) or no(0.88, f"{label_of(now)} did not change")


def _tab(scene: Scene, node: Node) -> Evidence:
    now = scene.diff.partner.get(node.id)
    if now is not None and now.states & {"selected", "current", "pressed", "checked"}:
        return yes(0.95, f"{label_of(now)} is selected")
    return _plain(scene, node)


def _focused(scene: Scene, node: Node) -> Evidence:
    now = scene.diff.partner.get(node.id)
    if now is not None and "focused" in now.states:
        return yes(0.95, f"{label_of(now)} has the focus")
    return changed(scene)


def _opened(scene: Scene, node: Node) -> Evidence:
    now = scene.diff.partner.get(node.id)
    change = scene.diff.change_of(node.id)
    if change is not None and "expanded" in change.gained:
        return yes(0.95, f"{label_of(node)} is open")
    came = [n for n in scene.diff.added if n.role in _LISTED or "menu:" in n.group + ":"]
    if came or scene.diff.opened:
        shown = ", ".join(label_of(n) for n in came[:5]) or scene.diff.opened[0]
        return yes(0.93, f"{label_of(node)} opened {quote(shown)}")
    if change is not None and ("expanded" in change.lost or "collapsed" in change.gained):
        return yes(0.9, f"{label_of(node)} is closed")
    if now is None or scene.diff.solid:
        return _plain(scene, node)
    if "collapsed" in now.states or "expanded" in now.states:
        return no(0.85, f"{label_of(node)} did not open")
    return changed(scene)


def _plain(scene: Scene, node: Node) -> Evidence:
    wrong = _error(scene) or sign_in_asked(scene, node)
    if wrong is not None:
        return wrong
    if scene.diff.address.any:
        sure = 0.95 if node.role == "link" or scene.diff.address.page else 0.92
        return yes(sure, f"The page went to {quote(scene.diff.address.after)}")
    if scene.diff.opened or scene.diff.closed or scene.diff.successes:
        return changed(scene)
    change = scene.diff.change_of(node.id)
    if change is not None and change.kinds & {"states", "name", "value"}:
        return yes(0.88, f"{label_of(change.after)} changed")
    if scene.diff.partner.get(node.id) is None and scene.after.tree.get(node.id) is None:
        return yes(0.88, f"{label_of(node)} is no longer there")
    if "current" in node.states and not scene.diff.any:
        return yes(0.8, f"{label_of(node)} is the current one already")
    return _only_said(scene, node) or changed(scene)


def _only_said(scene: Scene, node: Node) -> Evidence | None:
    """Words that are not known, beside a form that keeps all that was entered: it may be a refusal."""
    diff = scene.diff
    said = next((m.text for m in diff.messages if m.kind == "info" and not m.again), None)
    kept = [n for n in entries(scene.after, container(node)) if n.role == "inp" and n.value]
    others = [n for n in (*diff.added, *diff.removed) if not is_message(n)]
    if said is None or not kept or others or diff.changed:
        return None
    return unclear(0.5, f"The page says: {quote(said)}")


def _error(scene: Scene) -> Evidence | None:
    found = refused(scene)
    return no(0.9, found.why) if found is not None else None


def changed(scene: Scene) -> Evidence:
    """The evidence of a page that changed in any way, for actions of no particular effect."""
    diff = scene.diff
    wrong = _error(scene)
    if wrong is not None:
        return unclear(0.5, wrong.why) if diff.successes else wrong
    for found, why in (
        (diff.successes, "The page says: "),
        (diff.opened, "A dialog opened: "),
        (diff.closed, "The dialog closed: "),
    ):
        if found:
            return yes(0.92, why + quote(found[0]))
    if diff.address.any:
        return yes(0.92, f"The page went to {quote(diff.address.after)}")
    if not diff.solid and _counted(scene):
        return yes(0.75, "A number on the page went on by one")
    busy = _only_busy(scene)
    if busy is not None:
        return unclear(0.4, f"{GOING_ON}: {quote(busy)}")
    if (complaint := _complains_still(scene)) is not None:
        return complaint
    if diff.solid:
        return yes(0.8, _what_changed(scene))
    if diff.numbers_only:
        return yes(0.66, "A number on the page changed")
    return _quiet(scene)


def _only_busy(scene: Scene) -> str | None:
    """The text that says something is going on, where it is all that came."""
    said = still_going_on(scene)
    if said is None or any(n.role not in ENTRIES | {"txt"} for n in scene.diff.added):
        return None
    came = [text for text in scene.diff.text_added if text != said]
    return None if came or scene.diff.title else said


def _complains_still(scene: Scene) -> Evidence | None:
    """The page draws an old complaint anew: what was refused once was refused again.

    Where more than that changed it cannot be told which of the two answers the click.
    """
    said = next((m.text for m in scene.diff.messages if m.again and m.kind == "error"), None)
    if said is None:
        return None
    diff = scene.diff
    others = [n for n in (*diff.added, *diff.removed) if not is_message(n)]
    texts = [line for line in (*diff.text_added, *diff.text_gone) if said not in line]
    why = f"The page says as before: {quote(said)}"
    return unclear(0.5, why) if others or texts or diff.changed else no(0.8, why)


def _counted(scene: Scene) -> bool:
    """Whether a control that counts was clicked, and one number went one on, the way it says."""
    old_lines, new_lines = scene.before.summary.splitlines(), scene.after.summary.splitlines()
    came = [line for line in new_lines if line not in old_lines]
    gone = [line for line in old_lines if line not in new_lines]
    was = scene.was(scene.chain.actions[-1].action) if scene.chain.actions else None
    step = _step(was.name) if was is not None else 0
    if not (scene.reported and step and len(came) == len(gone) == 1):
        return False
    new, old = _NUMBER.findall(came[0]), _NUMBER.findall(gone[0])
    pairs = zip(new, old, strict=False)
    moved = [int(b) - int(a) for b, a in pairs if b != a] if len(new) == len(old) else []
    clicks = sum(planned.action.name == "click" for planned in scene.chain.actions)
    return moved == [step * clicks] and without_numbers(came[0]) == without_numbers(gone[0])


def _step(name: str) -> int:
    """Which way a control of that name counts: 1 up, -1 down, 0 when it does not count."""
    return 1 if _UP.match(name.strip()) else -1 if _DOWN.match(name.strip()) else 0


def _what_changed(scene: Scene) -> str:
    controls = [n for n in scene.diff.added if n.role not in ENTRIES and n.name]
    return f"{label_of(controls[0])} appeared" if controls else "The page changed"


def _quiet(scene: Scene) -> Evidence:
    field = scene.diff.focus
    acted = {planned.action.target for planned in scene.chain.actions}
    if scene.reported and field is not None and field.role == "inp" and field.id not in acted:
        return yes(0.75, f"The cursor is in {label_of(field)}")
    if scene.reported and scene.left_traces:
        return yes(0.7, "Nothing to see changed, but the page sent a request")
    if scene.reported and scene.after.client.mutated:
        return yes(0.66, "Nothing to see changed, but the page was touched")
    return unclear(0.5, "Nothing on the page shows whether it had an effect")
