"""What shows that an action was refused: errors, invalid fields, sign-in forms."""

from app.domain.page import Node, Observation
from app.page.controls import ENTRIES
from app.page.difference import Difference
from app.page.difference_wording import label_of, quote
from app.page.messages import compiled, goes_on
from app.page.snapshot import split_url
from app.text.lexicon import speaks_of, words
from app.verification.error_pages import is_error_page, told_by
from app.verification.evidence import Evidence, Scene, no

_SIGN_IN, _SIGNED_OUT = compiled("messages.sign_in"), compiled("messages.signed_out")
_PATH = compiled("messages.sign_in_path", end="$")
_WAYS = frozenset({"btn", "link"})
_LINE = 160  # characters; longer text is content


def objection(before: Observation, after: Observation, diff: Difference) -> str:
    """What the page shows against a success: an error, an error page, an invalid field; "" for nothing."""
    if diff.errors:
        return f"The page says: {quote(diff.errors[0])}"
    if is_error_page(after) and not is_error_page(before):
        return f"An error page came: {quote(told_by(after))}"
    marked = next((c.after for c in diff.changed if "invalid" in c.gained), None)
    if marked is not None:
        why = f": {quote(marked.hint)}" if marked.hint else ""
        return f"{label_of(marked)} is marked as invalid{why}"
    sent_to = diff.focus
    if sent_to is not None and "invalid" in sent_to.states and sent_to.role in ENTRIES:
        return f"The page asks for another {label_of(sent_to)}"
    return ""


def refused(scene: Scene) -> Evidence | None:
    """That the page shows something against a success."""
    why = objection(scene.before, scene.after, scene.diff)
    return no(0.95 if scene.diff.errors else 0.9, why) if why else None


def signed_out(scene: Scene, target: Node | None) -> Evidence | None:
    """That the page asks to sign in, or says that the person is signed out, which was not asked for."""
    asked = scene.asked.source if scene.asked is not None else ""
    meant = (asked, target.name if target is not None else "")
    if any(_signs_in(text) or speaks_of("sign_out", text) for text in meant):
        return None
    if _asks_to_sign_in(scene.after) and not _asks_to_sign_in(scene.before):
        return no(0.8, "The page asks to sign in")
    texts = [m.text for m in scene.diff.messages if not m.again]
    texts += [text for text in scene.diff.text_added if len(text) <= _LINE]
    found = (t for t in texts if _SIGNED_OUT.search(words(t)) and not goes_on(t))
    told = next(found, None)
    return None if told is None else no(0.85, f"The page says: {quote(told)}")


def _asks_to_sign_in(page: Observation) -> bool:
    """Whether there is a control that signs in, beside a password field or at an address of that kind."""
    _, path, _, fragment = split_url(page.url)
    asks = any(n.input_type == "password" for n in page.tree.of_roles(ENTRIES)) or _PATH.search(
        words(f"{path} {fragment}".replace("_", " "))
    )
    return bool(asks) and any(_signs_in(n.name) for n in page.tree.of_roles(_WAYS))


def _signs_in(name: str) -> bool:
    return speaks_of("sign_in", name) or _SIGN_IN.search(words(name)) is not None
