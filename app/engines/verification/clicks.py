"""Whether a click had its effect.

| clicked            | on the page                                   | verdict              |
|--------------------|-----------------------------------------------|----------------------|
| submit             | see `submits`                                 |                      |
| checkbox, radio    | its state turned                              | yes 0.95, else no 0.88 |
| opener             | menu, list, dialog or section came            | yes 0.95             |
|                    | still closed, nothing came                    | no 0.85              |
|                    | still closed, and the page is another         | cannot tell 0.50     |
| tab                | is selected now, or was                       | yes 0.95             |
| link               | another address                               | yes 0.95             |
|                    | an error page; a sign-in not asked for        | no 0.90; no 0.80     |
| text field         | has the focus                                 | yes 0.95             |
| suggestion         | it went, and a field holds its name now       | yes 0.95             |
| any                | error message                                 | no 0.92              |
|                    | success message, dialog                       | yes 0.95             |
|                    | another address                               | yes 0.92             |
|                    | the control itself changed or went            | yes 0.88             |
|                    | nothing new but that something is going on    | cannot tell 0.40     |
|                    | an old error message drawn anew, alone        | no 0.80              |
|                    | an old error message, and something else      | cannot tell 0.50     |
|                    | other content                                 | yes 0.80             |
|                    | other content, but nothing answered at once   | yes 0.66             |
|                    | so, but after a request, naming its record    | yes 0.80             |
|                    | other content, in a form that keeps its values | yes 0.66            |
|                    | only what changes all the time                | as if nothing did    |
|                    | one number, a step the way the control counts | yes 0.75             |
|                    | only numbers in texts                         | yes 0.66             |
|                    | nothing, but the cursor went to another field | yes 0.75             |
|                    | nothing, but a request left and done reported | yes 0.66             |
|                    | nothing, but the page touched its own nodes   | yes 0.66             |
|                    | nothing                                       | cannot tell 0.50     |

Below 0.70 the step goes on, but a task is not called completed for it: a page that changes by itself
does so whether or not the click arrived.
"""

from app.domain.action import Action
from app.domain.page import Node
from app.engines.risk.controls import ENTRIES, container, entries, is_opener, is_submit
from app.engines.risk.lexicon import speaks_of, words
from app.engines.verification.answers import said
from app.engines.verification.deletions import deleted
from app.engines.verification.effects import (
    beside_entries,
    changed,
    error_of,
    only_said,
)
from app.engines.verification.error_pages import is_dead_end
from app.engines.verification.evidence import Evidence, Scene, no, unclear, yes
from app.engines.verification.explain import label_of, quote
from app.engines.verification.failures import blank, refused, sign_in_asked, signed_out
from app.engines.verification.messages import GOING_ON, is_message, kind_of
from app.engines.verification.readback import is_on
from app.engines.verification.snapshot import without_numbers
from app.engines.verification.submits import submitted

_TOGGLES = frozenset({"chk", "rad"})
_FLEETING = frozenset({"focused"})
_STEM = 4  # letters in which two names of one control agree
_FEW = 3  # lines of text; more are content
_SLIGHT = 0.66  # DESIGN completes a task from 0.70 on: the step goes on, but nothing is completed
_LISTED = frozenset({"menu", "opt"})


def clicked(scene: Scene, action: Action) -> Evidence:
    """The evidence after a click on a control."""
    was = scene.was(action)
    node = was if was is not None else scene.after.tree.get(action.target or "")
    if node is None:
        return changed(scene)
    if node.role in _TOGGLES:
        return _toggled(scene, node, was)
    if not refused(scene) and (found := deleted(scene, node)) is not None:
        return found
    if _hands_in(scene, node):
        return submitted(scene, node)
    if node.role == "tab":
        return _tab(scene, node)
    if node.role == "inp":
        return _focused(scene, node)
    if is_opener(node):
        return _opened(scene, node)
    return _unnamed(scene, node) if _among_fields(scene, node) else _plain(scene, node)


def _hands_in(scene: Scene, node: Node) -> bool:
    """Whether the click hands in what was entered: the button says so, or the step does.

    Where it stands in no form, and nothing is entered beside it, "Add" opens something.
    """
    if is_submit(node, scene.before):
        if container(node) is not None:
            return True
        return beside_entries(scene, node) and not _opens_form(scene)
    if scene.asked is None or scene.asked.verb != "submit" or is_opener(node):
        return False
    return node.role in ("btn", "img", "el") and beside_entries(scene, node)


def _turned(was: Node, now: Node) -> float:
    """How surely a control that is another now did what it is for.

    "Follow" is then "Following"; where it goes by quite other words, they may say that it did not.
    """
    one, other = words(was.name), words(now.name)
    stems = {word[:_STEM] for word in one.split() if len(word) >= _STEM}
    akin = one == other or any(word[:_STEM] in stems for word in other.split()) or one in other
    akin = akin or without_numbers(was.name) == without_numbers(now.name) or _same_rest(one, other)
    turned = was.states - _FLEETING != now.states - _FLEETING
    return 0.88 if akin or turned or kind_of(now.name) == "success" else _SLIGHT


def _same_rest(one: str, other: str) -> bool:
    """Whether only the first word is another: "Hold Ann Lee" and "Free Ann Lee" name one thing."""
    first, _, rest = one.partition(" ")
    return bool(rest) and rest == other.partition(" ")[2] and first != other.partition(" ")[0]


def _only_alerts(scene: Scene) -> bool:
    """Whether all that came as an error is told in words that are not known: it may be news."""
    errors = scene.diff.errors
    return bool(errors) and all(kind_of(text) == "info" for text in errors)


def _opens_form(scene: Scene) -> bool:
    """Whether a dialog with fields came up."""
    return bool(scene.diff.opened) and any(n.role in ENTRIES for n in scene.diff.added)


def _taken_over(scene: Scene, node: Node) -> Evidence | None:
    """A suggestion that went into its field: the field holds its name now, and did not before."""
    name = words(node.name)
    for change in scene.diff.changed:
        field, held = change.after, change.after.value or ""
        if name and "value" in change.kinds and field.role in ENTRIES and words(held) == name:
            return yes(0.95, f"{label_of(field)} holds '{quote(held)}'")
    return None


def _gone(scene: Scene, node: Node) -> Evidence:
    """The control is no longer there; where all that came is text not known, it may say why not."""
    texts = [t for t in scene.diff.text_added if not t.startswith(("- ", "# "))]
    if (told := said(scene, "error")) is not None:
        return unclear(0.5, f"The page says: {quote(told)}")
    new = [n for n in scene.diff.added if n.role == node.role and n.group == node.group]
    if len(new) == 1 and len(scene.diff.added) == 1:
        return yes(_turned(node, new[0]), f"{label_of(node)} is now called {label_of(new[0])}")
    came = next((n for n in scene.diff.added if n.name), None)
    shown = (
        f"The page now shows {label_of(came)}" if came else f"{label_of(node)} is no longer there"
    )
    few = 0 < len(texts) <= _FEW and all(n.role == "txt" for n in scene.diff.added)
    if (few or is_dead_end(scene.after)) and not any(kind_of(text) == "success" for text in texts):
        return yes(_SLIGHT, shown)
    return yes(0.88, shown)


def _among_fields(scene: Scene, node: Node) -> bool:
    """Whether a button stands beside fields, and may hand them in though its name is not known."""
    if node.role not in ("btn", "img", "el") or speaks_of("dismiss", node.name):
        return False
    group = container(node)
    return any(
        n.role == "inp" and (group is not None or (n.group and n.group == node.group))
        for n in entries(scene.before, group)
    )


def _unnamed(scene: Scene, node: Node) -> Evidence:
    """The evidence of such a button: that of a submit where there is any.

    What came up besides is its doing; but a control that only goes, or is called otherwise, may do
    so while the server is at work, or to complain.
    """
    found = submitted(scene, node)
    if found.happened is not None or found.against or found.why.startswith(GOING_ON):
        return found
    plain = _plain(scene, node)
    if not plain.happened or scene.diff.opened or scene.diff.address.any:
        return plain
    others = [n for n in scene.diff.added if n.role not in ("txt", node.role) and not is_message(n)]
    if others or len(scene.diff.added) > len(scene.diff.removed) + 1:
        return plain
    now = scene.diff.partner.get(node.id)
    if now is None or now.name != node.name or now.states & {"disabled", "busy"}:
        return found
    return yes(min(plain.confidence, _SLIGHT), plain.why)


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
    stays = now is not None and bool(now.states & {"collapsed", "expanded"})
    if stays and not (error_of(scene) or scene.diff.address.any or _grew(scene)):
        return _stayed(scene, node)
    if now is None or scene.diff.solid:
        return _plain(scene, node)
    return changed(scene)


def _grew(scene: Scene) -> bool:
    """Whether more came than went, as it does where something opens without saying so."""
    return not scene.by_itself and len(scene.diff.added) > len(scene.diff.removed)


def _stayed(scene: Scene, node: Node) -> Evidence:
    """It says that it is as it was; where the page changed besides, it may have been late to say."""
    why = f"{label_of(node)} did not open"
    return unclear(0.5, why) if scene.diff.solid and not scene.by_itself else no(0.85, why)


def _plain(scene: Scene, node: Node) -> Evidence:
    wrong = error_of(scene) or sign_in_asked(scene, node) or signed_out(scene, node)
    if wrong is not None:
        return unclear(0.5, wrong.why) if scene.diff.successes or _only_alerts(scene) else wrong
    if not (scene.diff.address.any or scene.diff.closed) and (nothing := blank(scene)):
        return nothing
    if scene.diff.address.any:
        sure = 0.95 if node.role == "link" or scene.diff.address.page else 0.92
        return yes(sure, f"The page went to {quote(scene.diff.address.after)}")
    if scene.diff.opened or scene.diff.closed or scene.diff.successes:
        return changed(scene)
    change = scene.diff.change_of(node.id)
    if change is not None and change.kinds & {"states", "name", "value"}:
        return yes(_turned(change.before, change.after), f"{label_of(change.after)} changed")
    if scene.diff.partner.get(node.id) is None and scene.after.tree.get(node.id) is None:
        return _taken_over(scene, node) or _gone(scene, node)
    if "current" in node.states and not scene.diff.any:
        return yes(0.8, f"{label_of(node)} is the current one already")
    return only_said(scene, node) or changed(scene)
