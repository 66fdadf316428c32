"""Rules that leave a choice of a few: "only managers may approve", "by card or bank transfer only"."""

from app.chat.auditing.breaking import Break
from app.chat.auditing.rules import Rule
from app.chat.statements import Statement
from app.chat.statements.words import terms_of
from app.text import patterns

_WHO = patterns.compile(
    r"^\W*only (?P<who>[^.;:]{2,80}?)\s(?:may|can|must|shall|are (?:allowed|permitted|entitled) to"
    r"|is (?:allowed|permitted) to)\s"
    r"(?P<what>[^.;]+)",
    patterns.IGNORECASE,
)
_WHO_AFTER = patterns.compile(
    r"^(?P<what>[^.;]{4,120}?)\s(?:may|can|must|shall|is|are|will)\s(?:only\s)?(?:to\s)?(?:be\s)?(?P<done>[^\s.;]+)\s(?:only\s)?"
    r"(?:by|through|via|with|in|using)\s(?P<who>[^.;]{2,120})",
    patterns.IGNORECASE,
)
_ONLY = patterns.compile(r"\bonly\b|\bexclusively\b|\beither\b|\bone of\b", patterns.IGNORECASE)
_BY = patterns.compile(r"\b(?:by|through|via|with|in|using)\s", patterns.IGNORECASE)
DONE = 0.5  # part of the words of what is done that the sentence has
ABOUT = 0.3  # likeness from which on it is about that at all


def limited(said: Statement, rule: Rule, alike: float) -> Break | None:
    """Where the sentence does what the rule leaves to a few, and names another."""
    if alike < ABOUT or said.denies:
        return None
    found = _WHO.search(rule.said.text)
    if found is not None:
        return _other(said, found["who"], found["what"], who=True)
    found = _WHO_AFTER.search(rule.said.text)
    if found is None or not _ONLY.search(rule.said.text):
        return None
    if not _BY.search(said.text) and not _does(said, f"{found['what']} {found['done']}"):
        return None
    return _other(said, found["who"], f"{found['what']} {found['done']}", who=False)


def _does(said: Statement, what: str) -> bool:
    """Whether it begins with who does it: "agents approve refunds"."""
    first = terms_of(said.text, said.tongue)[:1]
    return bool(first) and first[0] not in terms_of(what, said.tongue)


def _other(said: Statement, few: str, what: str, *, who: bool) -> Break | None:
    doing, allowed = set(terms_of(what, said.tongue)), set(terms_of(few, said.tongue))
    if not doing or not allowed or said.terms & allowed:
        return None
    if len(said.terms & doing) < DONE * len(doing) or not said.terms - doing:
        return None
    few = _ONLY.sub("", few.strip(" ,.")).strip(" ,")
    few = " ".join(few.split())
    if who:
        return Break(
            f"The rule leaves this to {few} only; the text names others.",
            f"Leave it to {few}.",
            sure=False,
        )
    return Break(
        f"The rule allows only {few}; the text names something else.",
        f"Name {few} instead.",
        sure=False,
    )
