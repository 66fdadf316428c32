"""What candidates are called, each by what tells it from the others: its record, its form, its place."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.grounding import Candidate
from app.domain.page import Node, Observation
from app.engines.disambiguation.twins import twins_apart
from app.engines.planning.wording import ROLE_WORDS
from app.engines.risk.lexicon import words

LONGEST = 80  # characters: two lines of the panel, which is 360 px wide
_PLACE = 48  # of them for where it stands
_MOST_NEAR = 3  # other controls of its record that are named


@dataclass(frozen=True, slots=True)
class Seen:
    """A candidate with its node."""

    candidate: Candidate
    node: Node


def labels(found: Sequence[Seen], page: Observation) -> list[str]:
    """A line for each, no two alike; plain text, at most `LONGEST` characters.

    Where name and record do not tell them apart, the containers around do; then what else the record
    says, and last the order on the page.
    """
    made = [_placed(one, "") for one in found]
    for tell_apart in (_around, _beside):
        twins = Counter(made)
        same = [at for at, text in enumerate(made) if twins[text] > 1]
        for at, more in zip(same, tell_apart([found[at] for at in same], page), strict=True):
            made[at] = _placed(found[at], more)
    return _numbered(made)


def _name(one: Seen) -> str:
    return _plain(one.candidate.name or one.node.name or one.node.hint or _kind(one.node))


def _kind(node: Node) -> str:
    return ROLE_WORDS.get(node.role, "control")


def _placed(one: Seen, more: str) -> str:
    """'Delete (row: Jas Patel, 1990)'; what stands in the place's own words is not said twice."""
    name = _cut(_name(one), LONGEST - _PLACE)
    kind, place = _innermost(one.node)
    if place and words(place).startswith(words(name)) and not more:
        return _cut(place, LONGEST)
    if f" {words(place)} " in f" {words(name)} ":
        kind, place = "", ""
    where = f"{kind}: {place}" if place else ""
    said = "; ".join(part for part in (where, more) if part)
    return _cut(f"{name} ({said})", LONGEST) if said else name


def _innermost(node: Node) -> tuple[str, str]:
    """The container that says something, from the inside; a record before what is inside it."""
    named = [(kind, _plain(text)) for kind, text in node.groups if text.strip()]
    held = next((one for one in reversed(named) if one[0] in ("row", "item")), None)
    return held or (named[-1] if named else ("", ""))


def _around(found: Sequence[Seen], page: Observation) -> list[str]:
    """For each the outermost container in which it differs from another candidate."""
    return [_apart(one, found) for one in found]


def _apart(one: Seen, found: Sequence[Seen]) -> str:
    for other in found:
        pairs = zip(one.node.groups, other.node.groups, strict=False)
        apart = next((mine for mine, theirs in pairs if mine != theirs and mine[1]), None)
        if apart is not None and apart != _innermost(one.node):
            return f"{apart[0]}: {_plain(apart[1])}"
    return ""


def _beside(found: Sequence[Seen], page: Observation) -> list[str]:
    """For each what its own record says besides, and no other candidate's does."""
    runs = {kind: twins_apart(kind, page) for kind in {one.node.signature for one in found}}
    texts = [_texts(one, runs[one.node.signature]) for one in found]
    said = Counter(text for own in texts for text in own)
    return [", ".join([text for text in own if said[text] == 1][:_MOST_NEAR]) for own in texts]


def _texts(one: Seen, runs: Sequence[Sequence[Node]]) -> list[str]:
    """Names and values of the other controls of its record, which is one of the runs."""
    own = next((run for run in runs if any(node is one.node for node in run)), [])
    texts = (_plain(f"{n.name} {_shown(n)}") for n in own if n.id != one.node.id)
    return [text for text in dict.fromkeys(texts) if text and text != _name(one)]


def _shown(node: Node) -> str:
    """What is chosen there; never what was typed."""
    return (node.value or "") if node.role == "sel" else ""


def _numbered(made: Sequence[str]) -> list[str]:
    twins, seen = Counter(made), Counter[str]()
    told = []
    for text in made:
        seen[text] += 1
        order = f", {nth(seen[text])} from the top" if twins[text] > 1 else ""
        told.append(_cut(text, LONGEST - len(order)) + order)
    return told


def nth(number: int) -> str:
    """As an ordinal: 1st, 2nd, 3rd, 11th."""
    teen = 10 <= number % 100 <= 20
    ending = "th" if teen else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _plain(text: str) -> str:
    """One line, without signs that turn or hide text."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
