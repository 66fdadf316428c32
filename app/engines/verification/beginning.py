"""Whether a form that was handed in leads back to where its filling began: then it was not taken."""

from app.domain.page import Node
from app.engines.risk.controls import ENTRIES
from app.engines.verification.answers import record_shown, said
from app.engines.verification.effects import beside_entries
from app.engines.verification.evidence import Evidence, Past, Scene, no, unclear
from app.engines.verification.explain import label_of, quote
from app.engines.verification.forms import form_gone

BACK = "The page is back where the filling began"


def begun_again(found: Evidence, scene: Scene, past: Past, *, ends: bool) -> Evidence:
    """The evidence, unless what went on is the flow from its beginning, or what was refused before.

    The form is gone, no word tells of a success, and fields that were filled on the way here are
    there again, empty; or the page told of a failure when it was looked at first.
    """
    if not (found.happened and scene.chain.actions):
        return found
    node = scene.was(scene.chain.actions[-1].action)
    if node is None or not (form_gone(scene, node) and beside_entries(scene, node)):
        return found
    first = _to_be_filled_again(scene, past) if ends or past.complaint else None
    if (first is None and not past.complaint) or _is_told(scene, node):
        return found
    if first is None:
        return unclear(0.5, f"{found.why}; but before that it said: {quote(past.complaint)}")
    if past.complaint:
        return no(0.8, f"{BACK}, after it said: {quote(past.complaint)}")
    return unclear(0.5, f"{BACK}, with an empty {label_of(first)}")


def _to_be_filled_again(scene: Scene, past: Past) -> Node | None:
    """The first field of an earlier page that was filled there, and is empty, as all of them are."""
    stayed = {node.signature for node in scene.before.tree if node.role in ENTRIES}
    again = [
        node for node in scene.after.tree
        if node.role in ENTRIES and node.signature in past.filled and node.signature not in stayed
    ]  # fmt: skip
    return again[0] if again and not any(node.value for node in again) else None


def _is_told(scene: Scene, node: Node) -> bool:
    """Whether the page says, or shows, that it was taken."""
    if scene.diff.successes or said(scene, "success") is not None:
        return True
    shown = record_shown(scene, node)
    return shown is not None and shown.happened is True
