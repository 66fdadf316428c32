"""Whether what was entered was taken: the evidence after a submit.

| on the page, new since the submit                        | reported done        | not known to be done |
|----------------------------------------------------------|----------------------|----------------------|
| an error and a success message                           | cannot tell 0.50     | cannot tell 0.50     |
| an error message                                         | no 0.95              | no 0.95              |
| a server's error page                                    | no 0.90              | no 0.90              |
| a field marked invalid, focus sent to a field it misses  | no 0.90              | no 0.90              |
| the page asks to sign in                                 | no 0.80              | no 0.80              |
| it says that the person is signed out                    | no 0.85              | no 0.85              |
| nothing at all: an empty page                            | cannot tell 0.50     | cannot tell 0.50     |
| a success message                                        | yes 0.95             | yes 0.93             |
| but the list beside it does not hold what was entered    | cannot tell 0.50     | cannot tell 0.50     |
| but that list has pages, or a filter                     | yes 0.75             | yes 0.75             |
| new text in words of a failure, form still there         | no 0.80              | no 0.76              |
| the text that was entered, outside of fields             | yes 0.90 (form gone: 0.94) | yes 0.88       |
| the same in a line of text, beside the form as filled now | yes 0.66            | yes 0.66             |
| another address, form gone                               | yes 0.88             | cannot tell 0.60     |
| form gone, its dialog closed                             | yes 0.85             | cannot tell 0.55     |
| form gone, and text in words of a failure                | cannot tell 0.50     | cannot tell 0.50     |
| form gone, a page of which nothing is known or to be done | cannot tell 0.50    | cannot tell 0.50     |
| new text in words of a success                           | yes 0.85             | yes 0.80             |
| its button is called by what it did: "Placed"            | yes 0.80             | cannot tell 0.50     |
| a new number for what was handed in: "Ticket #4711"      | yes 0.75             | cannot tell 0.50     |
| form covered by something else that says nothing         | yes 0.72             | cannot tell 0.50     |
| something says that it is going on                       | cannot tell 0.40     | cannot tell 0.40     |
| a message in words that are not known                    | cannot tell 0.50     | cannot tell 0.50     |
| the fields of the form are empty again, and nothing else | cannot tell 0.60     | cannot tell 0.50     |
| results (after a search)                                 | yes 0.85             | yes 0.75             |
| form still there, a required field empty, no request     | no 0.85              | no 0.85              |
| the focus is on an empty field of it, and nothing else   | no 0.80              | no 0.76              |
| anything else on the page                                | cannot tell 0.60     | cannot tell 0.50     |
| nothing                                                  | cannot tell 0.50     | cannot tell 0.50     |

A message that stood there before the submit counts for nothing, nor do texts where the client says
that nothing changed but what changes all the time. What is not known to be done is judged from what
only a handled submit leaves behind: a reload empties a form as well. Below 0.70 a step goes on, but
no task is called completed for it.
"""

from collections.abc import Callable
from urllib.parse import parse_qsl

from app.domain.page import Node
from app.engines.risk.controls import ENTRIES, container, entries
from app.engines.risk.lexicon import speaks_of
from app.engines.verification.answers import (
    belied,
    plain_success,
    record_shown,
    recounted,
    said,
    told_failure,
    told_success,
)
from app.engines.verification.busy import going_on
from app.engines.verification.error_pages import is_dead_end
from app.engines.verification.evidence import Evidence, Scene, no, unclear, yes
from app.engines.verification.explain import label_of, quote
from app.engines.verification.failures import (
    blank,
    marked_invalid,
    refused,
    sign_in_asked,
    signed_out,
)
from app.engines.verification.forms import emptied, entered, fields_before, form_gone
from app.engines.verification.messages import kind_of
from app.engines.verification.snapshot import split_url

_LISTS = ("opt", "menu")


def submitted(scene: Scene, target: Node | None) -> Evidence:
    """The evidence after a submit by that control (None: by a key, in the form that was filled)."""
    for rule in _RULES:
        found = rule(scene, target)
        if found is not None:
            return found
    if scene.diff.any:
        return unclear(0.6 if scene.reported else 0.5, "The page changed, but says nothing of it")
    return unclear(0.5, "The page shows no answer")


def _contradiction(scene: Scene, _: Node | None) -> Evidence | None:
    if scene.diff.errors and scene.diff.successes:
        return unclear(0.5, "The page tells both of a failure and of a success")
    return None


def _went_on(scene: Scene, target: Node | None) -> Evidence | None:
    if not form_gone(scene, target):
        return None
    if (complaint := said(scene, "error")) is not None:
        return unclear(0.5, f"The form is gone, but the page says: {quote(complaint)}")
    if said(scene, "success") is None and (busy := going_on(scene, target)) is not None:
        return busy
    lost = is_dead_end(scene.after) and not _keeps_any(scene)
    if lost and said(scene, "success") is None:
        return unclear(0.5, "The form is gone, and so is all else; the page does not say why")
    if scene.diff.address.page or scene.diff.address.query:
        why = "The form is gone and the page went on"
        return yes(0.88, why) if scene.reported else unclear(0.6, why)
    why = "The dialog closed" if scene.diff.closed else "The form is gone"
    if not scene.reported:
        return unclear(0.55, why)
    return belied(scene, target, why) or yes(0.85, why)


def _keeps_any(scene: Scene) -> bool:
    """Whether a control of the page before is still there, by the same name."""
    by_id, partner = scene.before.tree.by_id, scene.diff.partner
    return any(by_id[i].name == now.name for i, now in partner.items())


def _covered(scene: Scene, target: Node | None) -> Evidence | None:
    """The form is behind something that came up and neither waits, asks nor tells anything."""
    fields = [scene.diff.partner.get(n.id) for n in fields_before(scene, target)]
    if not fields or any(n is not None and not n.occluded for n in fields):
        return None
    why = "Something else is in front of the form now"
    names = {n.name for n in scene.diff.added}
    lines = (line for line in scene.diff.text_added if line not in names)
    tells = scene.diff.opened or not all(recounted(scene, line) for line in lines)
    believed = scene.reported and scene.diff.added and not tells
    return yes(0.72, why) if believed else unclear(0.5, why)


def _turned_done(scene: Scene, target: Node | None) -> Evidence | None:
    """The button is called by what it did: "Place order" is now "Placed"."""
    if target is None or kind_of(target.name) == "success":
        return None
    now = scene.diff.partner.get(target.id)
    if now is None:
        new = [n for n in scene.diff.added if n.role == target.role and n.group == target.group]
        now = new[0] if len(new) == 1 else None
    if now is None or now.name == target.name or kind_of(now.name) != "success":
        return None
    why = f"{label_of(target)} is now called {label_of(now)}"
    return yes(0.8, why) if scene.reported else unclear(0.5, why)


def _unknown_words(scene: Scene, _: Node | None) -> Evidence | None:
    told = next((m.text for m in scene.diff.messages if m.kind == "info" and not m.again), None)
    return None if told is None else unclear(0.5, f"The page says: {quote(told)}")


def _emptied(scene: Scene, target: Node | None) -> Evidence | None:
    """The fields are empty again; a form that nothing handles does so as well, by its address."""
    if any(n.input_type == "password" for n in fields_before(scene, target)):
        return None  # a refused sign-in empties its fields as well
    if not emptied(scene, target):
        return None
    why = "The fields of the form are empty again"
    if not scene.reported or _in_address(scene, target):
        return unclear(0.5, why)
    return belied(scene, target, why) or unclear(0.6, f"{why}, and nothing else tells of it")


def _in_address(scene: Scene, target: Node | None) -> bool:
    """Whether what was entered went into the address, as it does when no script takes the form."""
    if not scene.diff.address.query or (target is not None and speaks_of("search", target.name)):
        return False
    values = {value for _, value in parse_qsl(split_url(scene.after.url)[2])}
    return any(text in values for text in entered(scene, target))


def _results(scene: Scene, target: Node | None) -> Evidence | None:
    asked = target is None or speaks_of("search", target.name) or target.input_type == "search"
    if not asked or not scene.diff.solid or scene.by_itself:
        return None
    moved = [n for n in (*scene.diff.added, *scene.diff.removed) if n.role not in ENTRIES]
    if scene.diff.address.any or scene.diff.text_added or any(n.role not in _LISTS for n in moved):
        return yes(0.85 if scene.reported else 0.75, "The page shows other content")
    return None


def _sent_back(scene: Scene, target: Node | None) -> Evidence | None:
    """The focus went to an empty field of the form, and nothing else came of it."""
    field = scene.diff.focus
    if field is None or field.role not in ENTRIES or not _is_empty(field):
        return None
    acted = {planned.action.target for planned in scene.chain.actions}
    if field.id in acted or scene.diff.messages or not _only_entries_changed(scene):
        return None
    if field.id not in {
        now.id for n in fields_before(scene, target) if (now := scene.diff.partner.get(n.id))
    }:
        return None
    return no(0.8 if scene.reported else 0.76, f"The page asks for {label_of(field)}")


def _incomplete(scene: Scene, target: Node | None) -> Evidence | None:
    if scene.diff.solid and not _only_entries_changed(scene):
        return None
    if scene.left_traces:
        return None
    for field in entries(scene.after, container(target) if target is not None else None):
        if "required" in field.states and _is_empty(field):
            return no(0.85, f"{label_of(field)} is required and empty")
    return None


_RULES: tuple[Callable[[Scene, Node | None], Evidence | None], ...] = (
    _contradiction,
    lambda scene, _: refused(scene),
    lambda scene, _: marked_invalid(scene),
    sign_in_asked,
    signed_out,
    lambda scene, _: blank(scene),
    told_success,
    told_failure,
    record_shown,
    _went_on,
    plain_success,
    _turned_done,
    going_on,
    _covered,
    _results,
    _unknown_words,
    _emptied,
    _sent_back,
    _incomplete,
)


def _is_empty(field: Node) -> bool:
    if field.role in ("chk", "rad"):
        return field.role == "chk" and "checked" not in field.states
    return not field.value


def _only_entries_changed(scene: Scene) -> bool:
    diff = scene.diff
    moved = diff.added or diff.removed or diff.messages or diff.opened or diff.closed
    return not (moved or diff.address.any) and all(c.before.role in ENTRIES for c in diff.changed)
