"""Whether what was entered was taken: the evidence after a submit.

| on the page, new since the submit                        | reported done        | not known to be done |
|----------------------------------------------------------|----------------------|----------------------|
| an error and a success message                           | cannot tell 0.50     | cannot tell 0.50     |
| an error message, a server's error page                  | no 0.92              | no 0.92              |
| a field marked invalid, focus sent to a field it misses  | no 0.90              | no 0.90              |
| the page asks to sign in                                 | no 0.80              | no 0.80              |
| a success message                                        | yes 0.95             | yes 0.93             |
| the text that was entered, outside of fields             | yes 0.90 (form gone: 0.94) | yes 0.88       |
| another address, form gone                               | yes 0.88             | cannot tell 0.60     |
| form gone, its dialog closed                             | yes 0.85             | cannot tell 0.55     |
| new text in words of a failure, form still there         | no 0.80              | no 0.76              |
| new text in words of a success                           | yes 0.85             | yes 0.80             |
| a new number for what was handed in: "Ticket #4711"      | yes 0.75             | cannot tell 0.50     |
| form still there but covered by something else           | yes 0.72             | cannot tell 0.50     |
| something says that it is going on                       | cannot tell 0.40     | cannot tell 0.40     |
| a message in words that are not known                    | cannot tell 0.50     | cannot tell 0.50     |
| the fields of the form are empty again (no password)     | yes 0.78             | cannot tell 0.50     |
| results (after a search)                                 | yes 0.85             | yes 0.75             |
| form still there, a required field empty, no request     | no 0.85              | no 0.85              |
| anything else on the page                                | cannot tell 0.60     | cannot tell 0.50     |
| nothing                                                  | cannot tell 0.50     | cannot tell 0.50     |

A message that stood there before the submit counts for nothing. What is not known to be done is
judged from what only a handled submit leaves behind: a reload empties a form as well.
"""

from collections.abc import Callable

from app.domain.page import Node
from app.engines.risk.controls import ENTRIES, container, entries
from app.engines.risk.lexicon import speaks_of
from app.engines.verification.busy import going_on
from app.engines.verification.evidence import Evidence, Scene, no, unclear, yes
from app.engines.verification.explain import label_of, quote
from app.engines.verification.messages import (
    Kind,
    is_error_page,
    is_message,
    kind_of,
)
from app.engines.verification.readback import appeared
from app.engines.verification.references import numbered

_SENTENCE = 160  # characters; longer text is content and no answer
_TELLING = 3  # characters; a shorter text stands on most pages anyway
_SAID = ("setValue", "selectOption")


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


def _error(scene: Scene, _: Node | None) -> Evidence | None:
    return refused(scene)


def refused(scene: Scene) -> Evidence | None:
    """A new error message or an error page."""
    if scene.diff.errors:
        return no(0.92, f"The page says: {quote(scene.diff.errors[0])}")
    if is_error_page(scene.after) and not is_error_page(scene.before):
        return no(0.9, f"An error page came: {quote(scene.after.title or scene.after.url)}")
    return None


def _invalid(scene: Scene, _: Node | None) -> Evidence | None:
    marked = [c.after for c in scene.diff.changed if "invalid" in c.gained]
    marked += [n for n in scene.diff.added if "invalid" in n.states]
    if marked:
        why = f": {quote(marked[0].hint)}" if marked[0].hint else ""
        return no(0.9, f"{label_of(marked[0])} is marked as invalid{why}")
    sent_to = scene.diff.focus
    if sent_to is not None and "invalid" in sent_to.states and sent_to.role in ENTRIES:
        return no(0.9, f"The page asks for another {label_of(sent_to)}")
    return None


def _signed_out(scene: Scene, target: Node | None) -> Evidence | None:
    return sign_in_asked(scene, target)


def sign_in_asked(scene: Scene, target: Node | None) -> Evidence | None:
    """A sign-in form that was not there before and was not asked for."""
    if target is not None and (
        speaks_of("sign_in", target.name) or speaks_of("sign_out", target.name)
    ):
        return None
    came = any(n.input_type == "password" for n in scene.diff.added)
    had = any(n.input_type == "password" for n in scene.before.tree)
    sign_in = any(speaks_of("sign_in", n.name) for n in scene.after.tree if n.role == "btn")
    if came and not had and sign_in and scene.diff.address.any:
        return no(0.8, "The page asks to sign in")
    return None


def _told_failure(scene: Scene, target: Node | None) -> Evidence | None:
    """Text that is no message to the page's makers, but says in words that it failed."""
    said = _said(scene, "error")
    if said is None or _form_gone(scene, target):
        return None
    return no(0.8, f"The page says: {quote(said)}")


def _told_success(scene: Scene, _: Node | None) -> Evidence | None:
    said = _said(scene, "success")
    return None if said is None else yes(0.85, f"The page says: {quote(said)}")


def _said(scene: Scene, kind: Kind) -> str | None:
    texts = [n.name for n in scene.diff.added if n.role == "txt" and not is_message(n)]
    texts += [t for t in scene.diff.text_added if not _is_old_message(scene, t)]
    return next((t for t in texts if len(t) <= _SENTENCE and kind_of(t) == kind), None)


def _is_old_message(scene: Scene, text: str) -> bool:
    """Whether the text is a message that stood there before, if not in the summary."""
    return any(m.again and m.text in text for m in scene.diff.messages)


def _covered(scene: Scene, target: Node | None) -> Evidence | None:
    """The form is behind something that came up and is not a wait."""
    fields = [scene.diff.partner.get(n.id) for n in _fields_before(scene, target)]
    if not fields or any(n is not None and not n.occluded for n in fields):
        return None
    why = "Something else is in front of the form now"
    return yes(0.72, why) if scene.reported and scene.diff.added else unclear(0.5, why)


def _unknown_words(scene: Scene, _: Node | None) -> Evidence | None:
    said = next((m.text for m in scene.diff.messages if m.kind == "info" and not m.again), None)
    return None if said is None else unclear(0.5, f"The page says: {quote(said)}")


def _success(scene: Scene, _: Node | None) -> Evidence | None:
    if scene.diff.successes:
        said = quote(scene.diff.successes[0])
        return yes(0.95 if scene.reported else 0.93, f"The page says: {said}")
    return None


def _record(scene: Scene, target: Node | None) -> Evidence | None:
    for text in _entered(scene, target):
        if appeared(scene, text):
            sure = 0.94 if _form_gone(scene, target) else 0.9
            return yes(sure if scene.reported else 0.88, f"The page now shows '{quote(text)}'")
    return None


def _went_on(scene: Scene, target: Node | None) -> Evidence | None:
    if not _form_gone(scene, target):
        return None
    if scene.diff.address.page or scene.diff.address.query:
        why = "The form is gone and the page went on"
        return yes(0.88, why) if scene.reported else unclear(0.6, why)
    why = "The dialog closed" if scene.diff.closed else "The form is gone"
    return yes(0.85, why) if scene.reported else unclear(0.55, why)


def _emptied(scene: Scene, target: Node | None) -> Evidence | None:
    filled = _filled_ids(scene, target)
    if any(n.input_type == "password" for n in _fields_before(scene, target)):
        return None  # a refused sign-in empties its fields as well
    fields = [scene.diff.partner.get(i) or scene.after.tree.get(i) for i in filled]
    if filled and all(n is not None and not n.value for n in fields):
        why = "The fields of the form are empty again"
        return yes(0.78, why) if scene.reported else unclear(0.5, why)
    return None


def _results(scene: Scene, target: Node | None) -> Evidence | None:
    asked = target is None or speaks_of("search", target.name) or target.input_type == "search"
    if not asked or not scene.diff.solid:
        return None
    came = [n for n in scene.diff.added if n.role not in ENTRIES and n.role not in ("opt", "menu")]
    went = [
        n for n in scene.diff.removed if n.role not in ENTRIES and n.role not in ("opt", "menu")
    ]
    if came or went or scene.diff.address.any or scene.diff.text_added:
        return yes(0.85 if scene.reported else 0.75, "The page shows other content")
    return None


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
    _error,
    _invalid,
    _signed_out,
    _success,
    _told_failure,
    _record,
    _went_on,
    _told_success,
    numbered,
    going_on,
    _covered,
    _results,
    _unknown_words,
    _emptied,
    _incomplete,
)


def _is_empty(field: Node) -> bool:
    if field.role in ("chk", "rad"):
        return field.role == "chk" and "checked" not in field.states
    return not field.value


def _only_entries_changed(scene: Scene) -> bool:
    diff = scene.diff
    if (
        diff.added
        or diff.removed
        or diff.messages
        or diff.address.any
        or diff.opened
        or diff.closed
    ):
        return False
    return all(c.before.role in ENTRIES for c in diff.changed)


def _entered(scene: Scene, target: Node | None) -> list[str]:
    """The texts that were in the form when it was handed in, longest first."""
    said = [str(a.action.args[k]) for a in scene.chain.actions
            if a.action.name in _SAID for k in ("text", "label") if k in a.action.args]  # fmt: skip
    held = [n.value for n in _fields_before(scene, target) if n.role == "inp" and n.value]
    secret = {n.id for n in scene.before.tree if n.input_type == "password"}
    hidden = {
        str(a.action.args.get("text")) for a in scene.chain.actions if a.action.target in secret
    }
    texts = {t for t in (*said, *held) if len(t.strip()) >= _TELLING and t not in hidden}
    return sorted((t for t in texts if "•" not in t), key=len, reverse=True)


def _fields_before(scene: Scene, target: Node | None) -> tuple[Node, ...]:
    if target is not None:
        return entries(scene.before, container(target))
    ids = {a.action.target for a in scene.chain.actions}
    acted = next((n for n in scene.before.tree if n.id in ids), None)
    return entries(scene.before, container(acted)) if acted is not None else ()


def _filled_ids(scene: Scene, target: Node | None) -> list[str]:
    """Ids of the text fields that held something when the form was handed in."""
    texts = {n.id for n in scene.before.tree if n.role == "inp"}
    put = [a.action.target for a in scene.chain.actions if a.action.name == "setValue"]
    put = [i for i, a in zip(put, _texts_set(scene), strict=True) if a]
    held = [n.id for n in _fields_before(scene, target) if n.role == "inp" and n.value]
    return [i for i in dict.fromkeys((*put, *held)) if i is not None and (i in texts or i in put)]


def _texts_set(scene: Scene) -> list[str]:
    return [str(a.action.args["text"]) for a in scene.chain.actions if a.action.name == "setValue"]


def _form_gone(scene: Scene, target: Node | None) -> bool:
    """Whether the form's fields were there and none of them is any more."""
    fields = _fields_before(scene, target)
    if not fields:
        return bool(
            target is not None and scene.diff.closed and target.id not in scene.diff.partner
        )
    return all(scene.diff.partner.get(n.id) is None for n in fields)
