"""What shows that an action was refused: errors, invalid fields, sign-in forms, blank pages."""

from functools import lru_cache

from app.domain.page import Node, Observation
from app.engines.risk.controls import ENTRIES
from app.engines.risk.lexicon import speaks_of, words
from app.engines.verification import phrases
from app.engines.verification.error_pages import is_blank, is_error_page, told_by
from app.engines.verification.evidence import Evidence, Scene, no, unclear
from app.engines.verification.explain import label_of, quote
from app.engines.verification.messages import goes_on
from app.engines.verification.snapshot import split_url
from app.engines.verification.wording import compiled

_SIGN_IN = compiled(phrases.SIGN_IN)
_SIGNED_OUT = compiled(phrases.SIGNED_OUT)
_WAYS = frozenset({"btn", "link"})
_REMEMBERED = 4_096  # names
_LINE = 160  # characters; longer text is content
_PATH = compiled(" ".join(f"{stem}$" for stem in phrases.SIGN_IN_PATH))


def refused(scene: Scene) -> Evidence | None:
    """A new error message, or an error page."""
    if scene.diff.errors:
        return no(0.95, f"The page says: {quote(scene.diff.errors[0])}")
    if is_error_page(scene.after) and not is_error_page(scene.before):
        return no(0.9, f"An error page came: {quote(told_by(scene.after))}")
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
    came = any(n.input_type == "password" for n in scene.diff.added)
    elsewhere = scene.diff.address.any and _leads_to_sign_in(scene.after)
    if not (came or elsewhere) or not _has_way_in(scene.after):
        return None
    if any(n.input_type == "password" for n in scene.before.tree.of_roles(ENTRIES)):
        return None
    was = _has_way_in(scene.before)
    if (came and (scene.diff.address.any or not was)) or (elsewhere and not was):
        return no(0.8, "The page asks to sign in")
    return None


def signed_out(scene: Scene, target: Node | None) -> Evidence | None:
    """New words that say that the person is signed out, which was not asked for."""
    asked = scene.asked.source if scene.asked is not None else ""
    if any(speaks_of("sign_out", text) for text in (asked, target.name if target else "")):
        return None
    texts = [m.text for m in scene.diff.messages if not m.again]
    texts += [text for text in scene.diff.text_added if len(text) <= _LINE]
    found = (t for t in texts if _SIGNED_OUT.search(words(t)) and not goes_on(t))
    told = next(found, None)
    return None if told is None else no(0.85, f"The page says: {quote(told)}")


def blank(scene: Scene) -> Evidence | None:
    """A page with nothing on it, where there was something: no answer, whatever it means."""
    if is_blank(scene.after) and not is_blank(scene.before) and not scene.diff.successes:
        return unclear(0.5, "The page is empty")
    return None


def _has_way_in(page: Observation) -> bool:
    return any(signs_in(name) for name in {n.name for n in page.tree.of_roles(_WAYS)})


@lru_cache(maxsize=_REMEMBERED)
def signs_in(name: str) -> bool:
    """Whether a name speaks of signing in."""
    return speaks_of("sign_in", name) or _SIGN_IN.search(words(name)) is not None


def _leads_to_sign_in(page: Observation) -> bool:
    _, path, _, fragment = split_url(page.url)
    return _PATH.search(words(f"{path} {fragment}".replace("_", " "))) is not None
