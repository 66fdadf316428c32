"""Numbers that a page gives to what was handed in: "Ticket #4711"."""

from app.domain.page import Node
from app.engines.verification.evidence import Evidence, Scene, unclear, yes
from app.engines.verification.explain import quote
from app.engines.verification.messages import kind_of
from app.text import patterns

_LINE = 160  # characters; a longer text is content and no answer
_REFERENCE = patterns.compile(
    r"\b(ticket|order|case|reference|confirmation|booking|reservation|request|receipt)"
    r"( (no\.?|number|nr\.?|id|code))?[\s:#]*[A-Z]{0,4}-?\d{3,}",
    patterns.IGNORECASE,
)


def numbered(scene: Scene, _: Node | None) -> Evidence | None:
    """A number given to what was handed in, which only a handled submit gets."""
    texts = [t for t in scene.diff.text_added if len(t) <= _LINE]
    given = next((t for t in texts if _REFERENCE.search(t) and kind_of(t) == "info"), None)
    if given is None or _REFERENCE.search(scene.before.summary):
        return None
    why = f"The page says: {quote(given)}"
    return yes(0.75, why) if scene.reported else unclear(0.5, why)
