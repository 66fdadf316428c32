"""What shows that an action was refused: errors, invalid fields, sign-in forms, blank pages."""

from app.domain.page import Node, Observation
from app.engines.risk.controls import ENTRIES
from app.engines.risk.lexicon import speaks_of, words
from app.engines.verification import phrases
from app.engines.verification.error_pages import is_blank, is_error_page
from app.engines.verification.evidence import Evidence, Scene, no, unclear
from app.engines.verification.explain import label_of, quote
from app.engines.verification.snapshot import split_url
from app.engines.verification.wording import compiled

_SIGN_IN = compiled(phrases.SIGN_IN)
_PATH = compiled(" ".join(f"{stem}$" for stem in phrases.SIGN_IN_PATH.split()))


def refused(scene: Scene) -> Evidence | None:
    """A new error message, or an error page."""
    if scene.diff.errors:
        return no(0.92, f"The page says: {quote(scene.diff.errors[0])}")
    if is_error_page(scene.after) and not is_error_page(scene.before):
        return no(0.9, f"An error page came: {quote(scene.after.title or scene.after.url)}")
    return None


def marked_invalid(scene: Scene, *, also_new: bool = True) -> Evidence | None:
    """A field that is marked as invalid now; of new fields only where they count."""
    marked = [c.after for c in scene.diff.changed if "invalid" in c.gained]
    marked += [n for n in scene.diff.added if also_new and "invalid" in n.states]
    if marked:
        why = f": {quote(marked[0].hint)}" if marked[0].hint else ""
        return no(0.9, f"{label_of(marked[0])} is marked as invalid{why}")
    sent_to = scene.diff.focus
    if sent_to is not None and "invalid" in sent_to.states and sent_to.role in ENTRIES:
        return no(0.9, f"The page asks for another {label_of(sent_to)}")
    return None


def sign_in_asked(scene: Scene, target: Node | None) -> Evidence | None:
    """A way to sign in that was not there before and was not asked for.

    A password field with a button that signs in; without one, an address of that kind and no more
    than such a button.
    """
    if target is not None and (signs_in(target.name) or speaks_of("sign_out", target.name)):
        return None
    had = any(n.input_type == "password" for n in scene.before.tree)
    button = any(n.role in ("btn", "link") and signs_in(n.name) for n in scene.after.tree)
    if had or not button:
        return None
    came = any(n.input_type == "password" for n in scene.diff.added)
    elsewhere = scene.diff.address.any and _leads_to_sign_in(scene.after)
    was = any(n.role in ("btn", "link") and signs_in(n.name) for n in scene.before.tree)
    if (came and (scene.diff.address.any or not was)) or (elsewhere and not was):
        return no(0.8, "The page asks to sign in")
    return None


def blank(scene: Scene) -> Evidence | None:
    """A page with nothing on it, where there was something: no answer, whatever it means."""
    if is_blank(scene.after) and not is_blank(scene.before) and not scene.diff.successes:
        return unclear(0.5, "The page is empty")
    return None


def signs_in(name: str) -> bool:
    """Whether a name speaks of signing in."""
    return speaks_of("sign_in", name) or _SIGN_IN.search(words(name)) is not None


def _leads_to_sign_in(page: Observation) -> bool:
    _, path, _, fragment = split_url(page.url)
    return _PATH.search(words(f"{path} {fragment}".replace("_", " "))) is not None
