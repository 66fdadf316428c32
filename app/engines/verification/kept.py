"""Whether what was handed in is what the page shows afterwards, whatever its message says."""

from collections.abc import Iterable

from app.domain.page import Node, Observation
from app.engines.chain import hands_in
from app.engines.verification.deletions import LINES
from app.engines.verification.evidence import Entered, Past, Scene
from app.engines.verification.explain import quote
from app.engines.verification.formats import may_be_same_date, same_when_formatted
from app.engines.verification.readback import appeared, counted, plain, same_value

_TELLING = 3  # words of an old value that no page shows by chance
_NAME = 3  # characters of a value by which a record is known again in its line


def not_kept(scene: Scene, past: Past) -> str | None:
    """What the page shows of the old value where the new one was handed in; None where it does not.

    The field itself holds the old one again, the record's line in a list has it, or a text under the
    field's name or of several words does. A form that was emptied for the next entry shows nothing.
    """
    actions = scene.chain.actions
    if not actions or not hands_in(actions[-1].action, scene.before):
        return None
    fields = {node.signature: node for node in scene.after.tree}
    if any(_is_emptied(fields.get(one.signature), one) for one in past.entered):
        return None
    for one in past.entered:
        if not one.replaced or same_value(one.value, one.replaced):
            continue
        if why := _in_field(fields.get(one.signature), one) or _in_text(scene, one):
            return why
    return None


def _is_emptied(field: Node | None, one: Entered) -> bool:
    return field is not None and not one.replaced and not field.value


def _in_field(field: Node | None, one: Entered) -> str | None:
    if field is None:
        return None
    held = field.value or ""
    if not same_value(held, one.replaced) or _is_same(held, one.value):
        return None
    return f"{field.name or 'The field'} holds '{quote(held)}' again, and not '{quote(one.value)}'"


def _is_same(held: str, text: str) -> bool:
    return same_when_formatted(held, text) or may_be_same_date(held, text)


def _in_text(scene: Scene, one: Entered) -> str | None:
    if appeared(scene, one.value):
        return None
    lines = _lines_of(scene.after, _names(scene.before, one))
    is_telling = len(one.replaced.split()) >= _TELLING
    texts = {plain(line) for line in scene.after.summary.splitlines()}
    lines |= {text for text in texts if is_telling or counted(text, one.signature[1])}
    shows = any(counted(line, one.replaced) and not counted(line, one.value) for line in lines)
    return f"The page still shows '{quote(one.replaced)}'" if shows else None


def _names(page: Observation, one: Entered) -> list[str]:
    """What else the form held: the record's line says some of it."""
    form = one.signature[2]
    return [
        node.value
        for node in page.tree
        if node.value and node.group == form and node.signature != one.signature
        and len(node.value) >= _NAME
    ]  # fmt: skip


def _lines_of(page: Observation, names: Iterable[str]) -> set[str]:
    """The lines of the page's lists that say one of the names."""
    lines = {plain(label) for node in page.tree for kind, label in node.groups if kind in LINES}
    return {line for line in lines if any(counted(line, name) for name in names)}
