"""What was named and is not here, and the names here that come nearest to it."""

from collections.abc import Iterable

from rapidfuzz.distance import JaroWinkler

from app.domain.directive import Target
from app.domain.page import Observation
from app.engines.grounding.label import label
from app.engines.grounding.surroundings import RECORDS
from app.engines.planning.wording import listed, quoted
from app.engines.refinement.naming import not_after, offered, out_of_reach, place

MOST = 3
LEAST = 0.78  # Jaro-Winkler of a word: "Jas" and "Jan" 0.82, "Jas" and "Ann" 0.56
_CONTROLS = frozenset({"link", "btn", "row", "opt", "tab", "menu", "tree", "rad", "chk", "el"})
_LONGEST = 40  # characters of a name


def unknown(target: Target | None, page: Observation, tried: Iterable[str] = ()) -> str | None:
    """'There is no patient called 'Jas' here; there are 'Jan' and 'Jasper'.', with what was opened for
    it. None where the target goes by no name, or where something here bears it.
    """
    if target is None or target.ordinal is not None or target.all:
        return None
    kind, name = _said(target)
    if not name or _is_here(name, page):
        return None
    what = f"no {kind} called {quoted(name)}" if kind else f"nothing called {quoted(name)}"
    said = f"There is {what} here{not_after(tried)}"
    near = nearest(name, page)
    if not near:
        return f"{said}. What is on {place(page)}: {offered(page.tree)}.{out_of_reach(page)}"
    shown = listed([quoted(one) for one in near])
    are = "is" if len(near) == 1 else "are"
    return f"{said}; there {are} {shown}.{out_of_reach(page)}"


def nearest(name: str, page: Observation) -> tuple[str, ...]:
    """The names on the page that are most like it, likest first, at most `MOST`."""
    names = {one.casefold(): one for one in reversed([*_records(page), *_named(page)]) if one}
    likeness = {one: _likeness(name, one) for one in names.values()}
    ranked = sorted(likeness, key=lambda one: -likeness[one])
    return tuple(one for one in ranked[:MOST] if likeness[one] >= LEAST)


def _said(target: Target) -> tuple[str, str]:
    """The kind of thing and its name: ("patient", "Jas")."""
    phrase, within = target.phrase.strip(), (target.within or "").strip()
    if within and phrase and not _is_kind(phrase):
        return "", within  # the phrase is for a control of the record
    if within:
        return phrase, within
    first, _, rest = phrase.partition(" ")
    if not target.quoted and _is_kind(first) and rest[:1].isupper():
        return first, rest
    return "", phrase


def _is_kind(phrase: str) -> bool:
    """Whether it is a common noun, as a person writes one; a name is written otherwise."""
    return phrase.islower() and phrase.replace(" ", "").isalpha()


def _is_here(name: str, page: Observation) -> bool:
    """Whether all of its words are the name of something here: it was not the name that failed."""
    wanted = label(name).meaning_set
    return any(wanted <= label(f"{n.name} {n.group}").meaning_set for n in page.tree)


def _records(page: Observation) -> list[str]:
    """What the rows and items are called: the first of their words, which name them."""
    return [
        text.partition(", ")[0].strip()[:_LONGEST]
        for node in page.tree
        for kind, text in node.groups
        if kind in RECORDS and text.strip()
    ]


def _named(page: Observation) -> list[str]:
    return [node.name.strip()[:_LONGEST] for node in page.tree if node.role in _CONTROLS]


def _likeness(name: str, other: str) -> float:
    """Of the whole, or of its words each with the likest there."""
    said, here = label(name), label(other)
    whole = JaroWinkler.similarity(said.bare, here.bare)
    if not said.words or not here.words:
        return float(whole)
    each = [max(JaroWinkler.similarity(w, o) for o in here.words) for w in said.words]
    return float(max(whole, sum(each) / len(each)))
