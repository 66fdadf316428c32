"""The records a page lists: what "the third result" and "the next page" are counted in."""

from app.domain.page import Node, Tree
from app.engines.grounding.label import label
from app.engines.risk import is_risky
from app.text import patterns

RECORD_KINDS = frozenset({"row", "item"})
HEADS = frozenset({"link", "row", "btn", "el", "img", "tree", "opt"})
NOUNS = frozenset(
    {
        "result", "search result", "item", "entry", "row", "record", "link", "post", "article", "card",
        "product", "hit", "match", "line",
    }
)  # fmt: skip
FRAMING = frozenset({"nav", "menu", "toolbar", "tablist"})
PAGING = patterns.compile(
    r"^(\d+|first|last|prev(ious)?|next|newer|older|[<>\u2039\u203a\u00ab\u00bb\u2190\u2192]+)$",
    patterns.IGNORECASE,
)


def listed(tree: Tree, kind: str) -> tuple[Node, ...]:
    """The head of each record in order: the first control of each row or item.

    Where rows are not marked, the links of the page's content, when `kind` is a word for entries in
    general. Empty when the page lists nothing that could be of that kind.
    """
    heads: dict[str, Node] = {}
    for node in tree:
        record = _record(node)
        if record and node.role in HEADS and not is_risky(node.name):
            heads.setdefault(record, node)
    if heads and (generic(kind) or any(_lists(node.group, kind) for node in heads.values())):
        return tuple(heads.values())
    return _content_links(tree) if generic(kind) else ()


def _lists(group: str, kind: str) -> bool:
    """Whether a container says that it holds things of that kind: "section: Orders"."""
    wanted = label(kind).stems
    holders = (part for part in group.split(" > ") if part.partition(":")[0] not in RECORD_KINDS)
    return bool(wanted) and any(wanted <= label(holder).stems for holder in holders)


def generic(kind: str) -> bool:
    """Whether the word is for entries of any list."""
    return " ".join(sorted(label(kind).stems)) in {
        " ".join(sorted(label(noun).stems)) for noun in NOUNS
    }


def _record(node: Node) -> str:
    """The group down to the innermost row or item."""
    parts = node.group.split(" > ") if node.group else []
    for end in range(len(parts), 0, -1):
        if parts[end - 1].partition(":")[0].strip() in RECORD_KINDS:
            return " > ".join(parts[:end])
    return ""


def _content_links(tree: Tree) -> tuple[Node, ...]:
    return tuple(
        node
        for node in tree
        if node.role == "link"
        and not {kind for kind, _ in node.groups} & FRAMING
        and not PAGING.match(node.name.strip())
    )
