"""What of a page is told again after an action: what changed, what is beside it, what the goal speaks of."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from app.domain.page import Node, Observation, PlacedText, Tree
from app.page.controls import container
from app.page.difference import difference
from app.text import patterns

LEAST_FOLDED = 8  # controls; fewer are no saving
MOST_CHANGED = 0.34  # of the controls; where more did, it is another page
_BESIDE = 2  # controls before and after one that changed
_WORD = patterns.compile(r"\w{3,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Since:
    """A page with the unchanged rest left out. `page` holds what is told, `marks` "+" or "~" by the id of
    what is new or changed ("+" also of what its list was scrolled to), `gone` what is no more; `folded`
    counts the controls that are left out.
    """

    page: Observation
    marks: Mapping[str, str]
    gone: tuple[Node, ...]
    folded: int


def since(page: Observation, before: Observation, *, about: str) -> Since | None:
    """The page as it differs from `before`; None where that says too little, or saves nothing.

    `about` is what is to be done: a control whose name shares a word with it is told again.
    """
    found = difference(before, page)
    nodes = [node for node in page.tree if not node.occluded]
    out = {node.id for node in before.tree if node.scrolled_out}
    came = (now for was, now in found.partner.items() if was in out and not now.scrolled_out)
    marks = {node.id: "+" for node in (*found.added, *came)}
    marks |= {one.after.id: "~" for one in found.changed}
    elsewhere = (
        found.address.any or page.scroll != before.scroll
    )  # what came into view is to be told
    if elsewhere or not nodes or len(marks) > MOST_CHANGED * len(nodes):
        return None
    wanted = set(_WORD.findall(about.casefold()))
    places = {container(node) for node in nodes if node.id in marks} - {None}
    touched = {at for at, node in enumerate(nodes) if node.id in marks or "focused" in node.states}
    beside = {at + step for at in touched for step in range(-_BESIDE, _BESIDE + 1)}
    kept = {
        node.id
        for at, node in enumerate(nodes)
        if at in beside
        or container(node) in places
        or wanted & set(_WORD.findall(f"{node.name} {node.hint}".casefold()))
    }
    if len(nodes) - len(kept) < LEAST_FOLDED:
        return None
    texts = tuple(text for text in page.texts if text.before in kept or _is_new(text, before))
    tree = Tree.of(node for node in page.tree if node.id in kept)
    return Since(
        page=replace(page, tree=tree, texts=texts),
        marks=marks,
        gone=tuple(node for node in found.removed if not node.occluded and node.name),
        folded=len(nodes) - len(kept),
    )


def _is_new(text: PlacedText, before: Observation) -> bool:
    return " ".join(text.text.split()) not in " ".join(before.summary.split())
