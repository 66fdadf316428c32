"""What kind of value a field takes, by its control where the page has one and by its name."""

from dataclasses import dataclass
from typing import Literal

from app.domain.page import Node, Observation
from app.engines.gates.sayings import folded
from app.engines.redaction import SECRET_FIELD
from app.engines.refinement.values import option_for, truth
from app.text import patterns
from app.text.languages import entries, section

Kind = Literal["text", "sentence", "date", "email", "phone", "number", "choice", "yes_no", "secret"]

# What people call the usual fields: a set a concept.
_CONCEPTS = tuple(
    frozenset(word.replace("_", " ") for word in words) for words in section("fields").values()
)


def _named(kind: str) -> patterns.Pattern:
    """Of the words of that kind; those of other alphabets also with what is written onto them."""
    found = sorted(entries(f"fields.kinds.{kind}"))
    latin, others = (
        [one for one in found if one.isascii()],
        [one for one in found if not one.isascii()],
    )
    alike = "|".join(one.replace("_", " ?").replace("*", r"\w*") for one in latin)
    return patterns.compile("|".join((rf"\b(?:{alike})\b", *others)))


_BY_NAME: tuple[tuple[patterns.Pattern, Kind], ...] = (
    (_named("sentence"), "sentence"), (_named("email"), "email"), (_named("phone"), "phone"),
    (_named("date"), "date"), (_named("number"), "number"),
)  # fmt: skip
_INPUTS: dict[str, Kind] = {
    "date": "date", "datetime-local": "date", "email": "email", "tel": "phone", "number": "number",
    "password": "secret", "textarea": "sentence",
}  # fmt: skip

_WORD = r"[^\W\d_]{3,}\.?"
DATE = (
    rf"\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}|\d{{1,2}}[./-]\d{{1,2}}[./-](?:\d{{4}}|\d{{2}})"
    rf"|\d{{1,2}}(?:st|nd|rd|th|\.)?\s+(?:of\s+|de\s+|ב)?{_WORD},?\s+(?:de\s+)?\d{{4}}"
    rf"|{_WORD}\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+\d{{4}}"
)
_PART = r"[^\s@.,;<>\"'()]{1,64}"
EMAIL = rf"{_PART}(?:\.{_PART}){{0,4}}@(?:{_PART}\.){{1,5}}{_PART}"
PHONE = r"\+?\(?\d[\d ()./-]{3,}\d"
NUMBER = r"[-+]?\d+(?:[.,]\d+)*"
PATTERNS: dict[Kind, str] = {"date": DATE, "email": EMAIL, "phone": PHONE, "number": NUMBER}


@dataclass(frozen=True, slots=True)
class Wanted:
    """A field that was asked for: its name, what it takes, and whether it must not stay empty."""

    name: str
    kind: Kind = "text"
    options: tuple[str, ...] = ()
    required: bool = True

    @property
    def aliases(self) -> frozenset[str]:
        """What people call it, folded: its own name, and the words for it in other languages."""
        own = folded(self.name)
        found = {own}
        for words in _CONCEPTS:
            if any(own == word or own.endswith(f" {word}") for word in words):
                found |= words
                break
        return frozenset(found)

    def fits(self, value: str) -> bool:
        """Whether the value is one of its kind."""
        said = value.strip()
        if self.kind == "choice":
            return not self.options or option_for(self.options, said) is not None
        if self.kind == "yes_no":
            return truth(said) is not None
        pattern = PATTERNS.get(self.kind)
        return bool(said) and (pattern is None or patterns.fullmatch(pattern, said) is not None)


def wanted(name: str, page: Observation) -> Wanted:
    """What the field of that name takes; by its name alone where the page has no such field."""
    node = field_named(name, page)
    if node is None:
        return Wanted(name, _by_name(name), required=False)
    required = bool({"required", "invalid"} & node.states)
    if node.role == "sel" or node.options:
        return Wanted(name, "choice", node.options, required)
    if node.role == "chk":
        return Wanted(name, "yes_no", required=required)
    return Wanted(name, _INPUTS.get(node.input_type or "") or _by_name(name), required=required)


def field_named(name: str, page: Observation) -> Node | None:
    """The page's field of that name; where several have it, the one that is still empty."""
    said = folded(name)
    found = [
        node
        for node in page.tree
        if node.role in ("inp", "sel", "chk", "range")
        and node.enabled
        and said in (folded(node.name), folded(node.hint))
    ]
    bare = [node for node in found if not node.value]
    return next(iter(bare or found), None)


def _by_name(name: str) -> Kind:
    said = folded(name)
    if SECRET_FIELD.search(name):
        return "secret"
    return next((kind for pattern, kind in _BY_NAME if pattern.search(said)), "text")
