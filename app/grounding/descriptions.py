"""Describes controls, pages and missing elements for a person."""

from collections.abc import Iterable

from rapidfuzz import process
from rapidfuzz.distance import JaroWinkler

from app.domain.directive import Target
from app.domain.directive_text import ROLE_WORDS, listed, quoted
from app.domain.page import Node, Observation
from app.grounding.label import label
from app.grounding.surroundings import RECORDS

LONGEST_NAME = 40  # characters
MOST_NAMED = 6  # controls listed if something is missing: about one line of the panel


def describe_control(node: Node) -> str:
    """Describe a control by name and kind: "the 'Save' button"."""
    kind = ROLE_WORDS.get(node.role, "control")
    if not node.name:
        return f"the {node.hint or node.input_type or ''} {kind}".replace("  ", " ")
    return f"the {quoted(node.name)} {kind}"


def describe_page(page: Observation) -> str:
    """Return the page's title, or its address."""
    return quoted(page.title) if page.title else page.url


def list_names(nodes: Iterable[Node]) -> str:
    """List the first few distinct control names of a page."""
    names = dict.fromkeys(node.name for node in nodes if node.name and node.role != "txt")
    shown = [quoted(name) for name in list(names)[:MOST_NAMED]]
    return listed(shown) if shown else "nothing to act on"


def describe_missing(what: str, page: Observation) -> str:
    """Say what is missing on the page and what is there instead."""
    return (
        f"I looked for {what} on {describe_page(page)} and found nothing that fits. "
        f"What is here: {list_names(page.tree)}.{describe_unreachable(page)}"
    )


def describe_unreachable(page: Observation) -> str:
    """Say where else it may be; empty if the whole page is readable."""
    hosts = dict.fromkeys(one.origin.partition("://")[2] or one.origin for one in page.unreachable)
    if not hosts:
        return ""
    frames = "a frame" if len(page.unreachable) == 1 else "the frames"
    return (
        f" It may be in {frames} of {listed(list(hosts)[:MOST_NAMED])} that Tabwright may not read."
    )


NEAREST = 3
LIKE = 0.78  # Jaro-Winkler similarity of words: "Jas" and "Jan" 0.82, "Jas" and "Ann" 0.56
CALLED = frozenset({"link", "btn", "row", "opt", "tab", "menu", "tree", "rad", "chk", "el"})


def describe_unknown(target: Target | None, page: Observation) -> str | None:
    """Say "There is nothing called 'Jas' here; there are 'Jan' and 'Jasper'."; None if the target
    has no name or its name is on the page.
    """
    name = (target.within or target.phrase).strip() if target else ""
    wanted = label(name).meaning_set
    counted = target is None or target.ordinal is not None or target.all or not name
    if counted or any(wanted <= label(f"{n.name} {n.group}").meaning_set for n in page.tree):
        return None
    near = [quoted(one) for one in nearest_names(name, page)]
    others = f"; there {'is' if len(near) == 1 else 'are'} {listed(near)}" if near else ""
    others = others or f". What is on {describe_page(page)}: {list_names(page.tree)}"
    return f"There is nothing called {quoted(name)} here{others}.{describe_unreachable(page)}"


def nearest_names(name: str, page: Observation) -> tuple[str, ...]:
    """Return the most similar names on the page, best first, at most `NEAREST`."""
    names = [n.name.strip() for n in page.tree if n.role in CALLED]
    names += [
        text.partition(", ")[0].strip()
        for n in page.tree
        for kind, text in n.groups
        if kind in RECORDS
    ]
    short = [one for one in dict.fromkeys(names) if one and len(one) <= LONGEST_NAME]
    found = process.extract(
        name, short, scorer=_likeness, processor=str.casefold, score_cutoff=LIKE, limit=NEAREST
    )
    return tuple(one for one, _, _ in found)


def _likeness(name: str, other: str, **_: object) -> float:
    """Return the similarity of the whole name or of its most similar word."""
    return max(JaroWinkler.similarity(name, part) for part in (other, *other.split()))
