"""The statements of a passage: its sentences with what they are about, and the heading they stand under."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from app.chat.evidence.reading import Unit, UnitKind, units_of
from app.chat.statements.amounts import Amount
from app.chat.statements.force import Force, force_of
from app.chat.statements.measuring import amounts_of
from app.chat.statements.words import STOPS, plain_words, terms_among, terms_of
from app.domain.chat import Evidence
from app.text import patterns

_BOLD_LINE = patterns.compile(r"^\s*(?:\*\*|__)(?P<name>[^*_]{2,80}?)(?:\*\*|__):?\s*$")
_NUMBERING = patterns.compile(
    r"^(?:(?:section|article|chapter|part|clause|§)\s*)?[\dIVX]{0,4}(?:\.\d+)*[.):]?\s+(?=\w)|^§\s*\d+\s*",
    patterns.IGNORECASE,
)
_BOILERPLATE = patterns.compile(
    r"\ball rights reserved\b|© ?\d|\bcopyright\b|\btable of contents\b|\bpage \d+\b|\blast (?:updated"
    r"|modified|reviewed)\b"
    r"|\bclick here\b|\bsee also\b|^\W*https?://\S+\W*$|\bversion history\b|\bthis (?:document|policy"
    r"|page|manual|section|table) "
    r"(?:describes|explains|sets out|covers|applies|contains|lists)\b",
    patterns.IGNORECASE,
)
# One of these is in each line that `_BOILERPLATE` is about.
_FORMAL = frozenset(
    [
        "rights",
        "copyright",
        "table",
        "page",
        "last",
        "click",
        "see",
        "http",
        "https",
        "version",
        "this",
    ]
)
_ENGLISH = frozenset(
    [
        "the",
        "and",
        "of",
        "to",
        "is",
        "are",
        "be",
        "in",
        "for",
        "with",
        "must",
        "not",
        "you",
        "or",
        "this",
        "that",
        "by",
        "on",
        "we",
        "may",
        "an",
        "it",
        "as",
    ]
)
LONGEST = 600  # characters of a statement; what is longer is a text that no mark ends
SHORTEST = 2  # words that tell
BARE = 3  # with fewer of its own, a sentence leans on its heading


@dataclass(frozen=True, eq=False)
class Statement:
    """A sentence, list item or table row. `ref` is its passage, `theme` the heading it stands under,
    `lead` what
    the line above its list says. `quote` are the passage's own words.
    """

    text: str
    ref: str
    theme: str = ""
    tongue: str = "en"
    lead: str = ""
    quote: str = ""
    kind: UnitKind = "prose"

    @cached_property
    def words(self) -> list[str]:
        """Its words in their order."""
        return plain_words(self.text)

    @cached_property
    def own(self) -> tuple[str, ...]:
        """Those of its own words that tell, without their endings."""
        return terms_among(self.words, self.tongue)

    @cached_property
    def terms(self) -> frozenset[str]:
        """The words that tell what it is about; of a list item also those of the line above it, of a short
        sentence those of its heading.
        """
        own = frozenset(self.own)
        around = f"{self.lead} {self.theme}" if len(own) < BARE else self.lead
        return own | frozenset(terms_of(around, self.tongue)) if around else own

    @cached_property
    def amounts(self) -> tuple[Amount, ...]:
        """How much of what it says."""
        return amounts_of(self.text, self.tongue)

    @cached_property
    def bound(self) -> tuple[Force, bool]:
        """How it binds, with what its list's lead says, and whether it denies."""
        force, denies = force_of(self.text)
        if self.lead and not force:
            above, denied = force_of(self.lead)
            return above, denied != denies
        return force, denies

    @property
    def force(self) -> Force:
        """How it binds."""
        return self.bound[0]

    @property
    def denies(self) -> bool:
        """Whether it says that something is not so."""
        return self.bound[1]

    @cached_property
    def telling(self) -> bool:
        """Whether it states anything: no question, no line that every document has, no bare name."""
        if self.text.endswith("?") or len(self.terms) < SHORTEST:
            return False
        if ("©" in self.text or not _FORMAL.isdisjoint(self.words)) and _BOILERPLATE.search(
            self.text
        ):
            return False
        words = self.words
        return len(words) >= 3 and (
            len(words) > 4 or bool(self.amounts) or bool(set(words) & STOPS)
        )


def statements_of(evidence: Evidence, tongue: str = "en") -> list[Statement]:
    """What a passage states, in its order."""
    theme = named(evidence.heading_path[-1]) if evidence.heading_path else ""
    return list(_statements(units_of(_headed(evidence.text)), theme, evidence.ref, tongue))


def read(text: str, tongue: str = "en") -> list[Statement]:
    """What a text that is no passage states; `ref` is empty."""
    return statements_of(Evidence(ref="", text=text, title=""), tongue)


def named(heading: str) -> str:
    """A heading without its number and marks."""
    return _NUMBERING.sub("", heading.strip().strip("*_# ")).strip() or heading.strip()


def tongue_of(texts: Iterable[str]) -> str:
    """The code "en" where they read so, "" for what is in another language."""
    words = [word for text in texts for word in plain_words(text[:2_000])][:3_000]
    if not words:
        return "en"
    return "en" if sum(word in _ENGLISH for word in words) >= 0.12 * len(words) else ""


def _statements(units: Iterable[Unit], theme: str, ref: str, tongue: str) -> Iterator[Statement]:
    lead = ""
    for one in units:
        if one.kind == "heading":
            theme, lead = named(one.text), ""
            continue
        if one.kind == "code":
            continue
        listed = lead if one.kind == "item" else ""
        yield Statement(
            one.text[:LONGEST], ref, theme, tongue, listed, one.quote[:LONGEST], one.kind
        )
        if one.kind == "prose":
            lead = one.text if one.text.endswith((":", "\uff1a")) else ""


def _headed(text: str) -> str:
    """A line in bold alone is a heading to whoever reads it."""
    lines = (_BOLD_LINE.sub(r"## \g<name>", line) for line in text.splitlines())
    return "\n".join(lines) if "**" in text or "__" in text else text
