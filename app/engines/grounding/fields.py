"""Which form field a person means by a field's name, one at a time or a whole form together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.domain.page import Node, Tree
from app.engines.grounding.label import Label, label
from app.engines.grounding.lexicon import ROLE_WORDS, STOP_WORDS
from app.engines.grounding.scores import INPUT_KINDS, Scored
from app.engines.grounding.similarity import FOLDED, WHOLE, similarity
from app.engines.grounding.surroundings import containers, dialog_factors
from app.text import patterns

# What else a field may be called on the page. Keys are meanings of the lexicon.
_ALSO: Mapping[str, tuple[tuple[str, float], ...]] = {
    "name": (("full name", 0.98),),
    "full name": (("name", 0.97),),
    "username": (("email", 0.8), ("login", 0.9)),
    "email": (("username", 0.65), ("login", 0.65)),
    "address": (("address line 1", 0.9),),
}
FIELD_ROLES = frozenset({"inp", "sel", "chk", "rad", "range", "file"})
_TEXT_LIKE = frozenset(
    {None, "", "text", "search", "email", "tel", "url", "textarea", "number", "password"}
)

_HINT, _HINT_ALONE, _KIND, _GROUP = 0.85, 0.95, 0.8, 0.85
_PREFIXED = 0.9  # "Customer name" for "name": the field's own noun comes last in English

_EMAIL = patterns.compile(r"^\S+@\S+\.\S+$")
_DATE = patterns.compile(r"^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}$")
_NUMBER = patterns.compile(r"^[+-]?\d[\d ,.]*$")
_TRUTH = frozenset({"yes", "no", "true", "false", "on", "off", "checked", "unchecked", "y", "n"})


@dataclass(frozen=True, slots=True)
class Wanted:
    """A field's name as said, and the value meant for it, when known."""

    name: str
    value: str | None = None


def field_scores(wanted: Wanted, tree: Tree) -> list[Scored]:
    """Every form field with how well it is the one called `wanted.name`, in document order."""
    fields = [(at, node) for at, node in enumerate(tree) if node.role in FIELD_ROLES]
    front = dialog_factors(tree)
    made = []
    for at, node in fields:
        words, why = named(wanted, node)
        score = words * value_fit(wanted.value, node) * _able(node)
        made.append(Scored(node, at, score * (front[at] if front else 1.0), words, why))
    return made


def named(wanted: Wanted, node: Node) -> tuple[float, str]:
    """How well the node's texts are the field's name."""
    if node.role in ("rad", "chk") and (grouped := _in_choice(wanted, node)) > 0.0:
        return grouped, "choice of the group"
    said = wanted.name.strip().casefold()
    if said and said in (node.name.strip().casefold(), node.hint.strip().casefold()):
        return 1.0, "same label"  # also of words that tell nothing elsewhere: "To"
    best, why = _likeness(wanted.name, node.name)
    if node.hint and best < FOLDED:
        hint, _ = _likeness(wanted.name, node.hint)
        best, why = max((best, why), (hint * (_HINT if node.name else _HINT_ALONE), "hint"))
    if node.input_type in INPUT_KINDS and node.role == "inp" and best < WHOLE:
        kind, _ = _likeness(wanted.name, INPUT_KINDS[node.input_type])
        best, why = max((best, why), (kind * _KIND, "type"))
    if best < FOLDED and (across := _across(wanted.name, node)) > best:
        best, why = across, "name and container"
    if not node.name and not node.hint and node.groups:
        group, _ = _likeness(wanted.name, containers(node.group)[-1][1])
        best, why = max((best, why), (group * _GROUP, "container"))
    return best, why


def _across(name: str, node: Node) -> float:
    """As in "billing city" for the city under "Billing address": the last words name the field."""
    said = label(name).words
    if len(said) < 2 or not node.name or not node.groups:
        return 0.0
    around = frozenset[str]().union(*(label(text).stems for _, text in containers(node.group)))
    for cut in range(1, len(said)):
        front, own = label(" ".join(said[:cut])), " ".join(said[cut:])
        if (
            front.stems
            and front.stems <= around
            and similarity(label(own), label(node.name))[0] >= WHOLE
        ):
            return _ACROSS
    return 0.0


_ALL_AROUND = 0.9  # every word of the name is in the labels of the containers
_ACROSS = 0.86  # above a part of a label, below the label itself


def _in_choice(wanted: Wanted, node: Node) -> float:
    """A radio or box of a group with the field's name, whose own name is the value."""
    if wanted.value is None or not node.groups:
        return 0.0
    group = max(_likeness(wanted.name, text)[0] for _, text in containers(node.group))
    around = frozenset[str]().union(*(label(text).stems for _, text in containers(node.group)))
    if label(wanted.name).stems and label(wanted.name).stems <= around:
        group = max(group, _ALL_AROUND)
    own = similarity(label(wanted.value), label(node.name))[0]
    return group * own if own >= WHOLE else 0.0


def _likeness(name: str, text: str) -> tuple[float, str]:
    """Agreement of a field's name with a label, its usual other names included."""
    said, here = label(name), label(text)
    best, why = _direct(said, here)
    if best >= WHOLE:
        return best, why
    for other, worth in _ALSO.get(" ".join(said.meanings), ()):
        fit = _direct(label(other), here)[0] * worth
        if fit > best:
            best, why = fit, "kind of field"
    return best, why


def _direct(said: Label, here: Label) -> tuple[float, str]:
    best, why = similarity(said, here)
    count = len(said.words)
    if best < WHOLE and count < len(here.words) and here.words[-count:] == said.words:
        best = max(best, _own_noun(here.words))
    return best, why


# Before "name" or "date" these make another field of it, not the same one of a certain thing.
_OTHER_FIELDS = (
    "first last middle family user given maiden nick file domain host second end start due company"
    " from to confirm new old current repeat card display brand business street"
)
_DISTINCT = frozenset(_OTHER_FIELDS.split())


def _own_noun(words: tuple[str, ...]) -> float:
    """Tell "Customer name" from "last name" or "end date", which are other fields."""
    return 0.0 if _DISTINCT & set(words) else _PREFIXED - 0.02 * len(words)


def _able(node: Node) -> float:
    if "disabled" in node.states or "readonly" in node.states:
        return 0.7
    return 0.95 if node.occluded else 1.0


def value_fit(value: str | None, node: Node) -> float:
    """How well the value suits the kind of field: 1 when it does or nothing is known."""
    if value is None:
        return 1.0
    text = value.strip()
    if node.role == "sel" and node.options:
        best = max(similarity(label(text), label(option))[0] for option in node.options)
        return 1.0 if best >= 0.85 else 0.85
    if node.role in ("chk", "rad"):
        named_so = similarity(label(text), label(node.name))[0] >= WHOLE
        return 1.0 if text.lower() in _TRUTH or named_so else 0.6
    if node.role == "file":
        return 1.0 if "." in text else 0.6
    return _typed_fit(text, node.input_type)


def _typed_fit(text: str, kind: str | None) -> float:
    if kind == "email":
        return 1.0 if _EMAIL.match(text) else 0.88
    if kind in ("date", "month", "week", "datetime-local"):
        return 1.0 if _DATE.match(text) or any(char.isdigit() for char in text) else 0.7
    if kind == "number":
        return 1.0 if _NUMBER.match(text) else 0.6
    if kind == "tel":
        return 1.0 if any(char.isdigit() for char in text) else 0.75
    return 1.0


# What people call any field to type into.
_ANY_FIELD = frozenset(("text", "value", "area", "line", "string", "it", "blank", "empty"))


def is_generic(name: str, tree: Tree | None = None) -> bool:
    """Whether the name says nothing, or nothing but that it is a field: "the text field".

    Where a field of the page bears that very name ("To"), it says something.
    """
    said = name.strip().casefold()
    for node in tree or ():
        if (
            said
            and node.role in FIELD_ROLES
            and (said in (node.name.casefold(), node.hint.casefold()) or _names(said, node))
        ):
            return False
    words = label(name).folded.split()
    return all(word in _ANY_FIELD or word in ROLE_WORDS or word in STOP_WORDS for word in words)


def _names(said: str, node: Node) -> bool:
    """Whether a word that says little elsewhere is the noun of the field's name: "Vehicle type"."""
    vague = said in _ANY_FIELD or said in ROLE_WORDS
    return not vague and node.name.casefold().endswith(f" {said}")


def nameless(tree: Tree, value: str | None) -> list[Scored]:
    """The text fields a value without a field's name may go to, the likeliest scored highest."""
    front = dialog_factors(tree)
    made = []
    for at, node in enumerate(tree):
        if node.role != "inp" or (
            node.input_type not in _TEXT_LIKE and value_fit(value, node) < 1.0
        ):
            continue
        score = 0.7 * value_fit(value, node) * _able(node) * (front[at] if front else 1.0)
        score += 0.15 * ("focused" in node.states) - 0.1 * bool(node.value)
        made.append(Scored(node, at, score, score, "a field to type into"))
    return made


def assign(table: Sequence[Sequence[float]]) -> list[int | None]:
    """A column for every row, none twice, by greatest regret; None where no score is above 0.

    The row that would lose most by taking its second choice picks first. For the sizes of forms
    this equals the optimal assignment in all but contrived cases.
    """
    free = set(range(len(table[0]) if table else 0))
    left = set(range(len(table)))
    chosen: list[int | None] = [None] * len(table)
    while left and free:
        row = max(left, key=lambda at: (*_regret(table[at], free), -at))
        best = max(free, key=lambda column: (table[row][column], -column))
        left.remove(row)
        if table[row][best] <= 0.0:
            continue
        chosen[row] = best
        free.remove(best)
    return chosen


def _regret(scores: Sequence[float], free: set[int]) -> tuple[float, float]:
    ranked = sorted((scores[column] for column in free), reverse=True)
    second = ranked[1] if len(ranked) > 1 else 0.0
    return (round(ranked[0] - second, 6), ranked[0])
