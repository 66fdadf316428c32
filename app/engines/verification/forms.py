"""The form that a submit hands in: its fields, what was in them, and what became of it."""

from collections.abc import Iterable

from app.domain.page import Node
from app.engines.risk.controls import container, entries
from app.engines.verification.evidence import Scene

_TELLING = 3  # characters; a shorter text stands on most pages anyway
_SAID = ("setValue", "selectOption")


def fields_before(scene: Scene, target: Node | None) -> tuple[Node, ...]:
    """The fields beside the control; without one, those beside the first that was acted on."""
    if target is not None:
        return entries(scene.before, container(target))
    ids = {a.action.target for a in scene.chain.actions}
    acted = next((n for n in scene.before.tree if n.id in ids), None)
    return entries(scene.before, container(acted)) if acted is not None else ()


def form_gone(scene: Scene, target: Node | None) -> bool:
    """Whether the form's fields were there and none of them is any more."""
    fields = fields_before(scene, target)
    if not fields:
        return bool(
            target is not None and scene.diff.closed and target.id not in scene.diff.partner
        )
    return all(scene.diff.partner.get(n.id) is None for n in fields)


def emptied(scene: Scene, target: Node | None) -> bool:
    """Whether the text fields that held something when the form was handed in hold it no more.

    Those that the chain filled are as they were before it; one of them at least is empty.
    """
    texts = {n.id for n in scene.before.tree if n.role == "inp"}
    put = {a.action.target for a in scene.chain.actions if a.action.args.get("text")}
    held = {n.id for n in fields_before(scene, target) if n.role == "inp" and n.value}
    now = {i: scene.diff.partner.get(i) or scene.after.tree.get(i) for i in put | held if i}
    if not now or None in now.values():
        return False
    left = {i: node.value for i, node in now.items() if node is not None and node.value}
    was = {i: node.value for i in left if (node := scene.before.tree.get(i)) is not None}
    unchanged = all(i in put and i in texts and left[i] == was.get(i) for i in left)
    return unchanged and len(left) < len(now)


def entered(scene: Scene, target: Node | None) -> list[str]:
    """The texts that were in the form when it was handed in, longest first; no passwords."""
    held = [n.value for n in fields_before(scene, target) if n.role == "inp" and n.value]
    secret = {n.id for n in scene.before.tree if n.input_type == "password"}
    hidden = {
        str(a.action.args.get("text")) for a in scene.chain.actions if a.action.target in secret
    }
    texts = {t for t in (*put_in(scene), *held) if len(t.strip()) >= _TELLING and t not in hidden}
    return sorted((t for t in texts if "•" not in t), key=lambda text: (-len(text), text))


def put_in(scene: Scene) -> Iterable[str]:
    """The texts that this very chain put into fields."""
    return [
        str(a.action.args[key])
        for a in scene.chain.actions
        if a.action.name in _SAID
        for key in ("text", "label")
        if key in a.action.args
    ]
