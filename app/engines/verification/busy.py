"""Pages that say they are still at work."""

from app.domain.page import Node
from app.engines.verification.evidence import Evidence, Scene, unclear
from app.engines.verification.explain import label_of, quote
from app.engines.verification.messages import GOING_ON, is_busy

_SHORT = 80  # characters; longer text is content


def going_on(scene: Scene, _: Node | None) -> Evidence | None:
    """No verdict yet, where something new says that it goes on."""
    busy = still_going_on(scene)
    return unclear(0.4, f"{GOING_ON}: {quote(busy)}") if busy else None


def is_at_work(scene: Scene) -> bool:
    """Whether something new says that it goes on."""
    return still_going_on(scene) is not None


def still_going_on(scene: Scene) -> str | None:
    """The text that came up and says that something is still going on; a busy control's name."""
    texts = [n.name for n in scene.diff.added]
    texts += [c.after.name for c in scene.diff.changed if "name" in c.kinds]
    texts += [m.text for m in scene.diff.messages]
    texts += list(scene.diff.text_added)
    told = next((text for text in texts if len(text) < _SHORT and is_busy(text)), None)
    if told is not None:
        return told
    changed = (c.after for c in scene.diff.changed if "busy" in c.gained)
    return next((label_of(node) for node in changed), None)
