"""What such a text must have, and this one has not."""

from collections.abc import Iterator, Sequence

from app.chat.auditing.findings import Finding
from app.chat.auditing.rules import LOWER, Rule
from app.chat.statements import Statement
from app.chat.statements.words import plain_words, terms_of
from app.text import patterns

# Kinds of texts by the words for them; a rule about one kind is not held against another.
_KINDS = {
    "message": "email emails e-mail e-mails mail mails newsletter newsletters message messages letter "
    "letters communication "
    "communications mailing mailings correspondence reply replies invitation invitations reminder reminders",
    "contract": "contract contracts agreement agreements order orders offer offers quote quotes "
    "quotation proposal proposals",
    "policy": "policy policies procedure procedures guideline guidelines standard standards",
    "notice": "notice notices statement statements disclaimer declaration declarations",
    "advert": "advert adverts advertisement advertisements ad ads promotion promotions posting postings "
    "posts campaign",
    "invoice": "invoice invoices bill bills receipt receipts",
    "report": "report reports minutes protocol summary summaries announcement announcements release releases",
}
_KIND_OF = {word: kind for kind, words in _KINDS.items() for word in words.split()}
_DEMANDS = patterns.compile(
    r"^(?P<of>[^.;:]{3,120}?)\s(?:must|shall|should|needs? to|has to|have to|is required to"
    r"|are required to|is to|are to)\s"
    r"(?:always\s|also\s|clearly\s)?(?:contain|include|name|state|carry|show|display|list|mention|provide|give|have|identify|specify"
    r"|indicate|bear|end with|begin with|feature|set out|disclose|offer)s?\s(?P<what>[^.;]{3,240})",
    patterns.IGNORECASE,
)
_INCLUDED = patterns.compile(
    r"^(?P<what>[^.;:]{3,100}?)\s(?:must|shall|should)\s(?:always\s)?be\s(?:included|stated|named|given|shown|mentioned|listed"
    r"|provided|displayed|contained)\s(?:in|on|at the (?:end|bottom|top|beginning) of"
    r"|with)\s(?P<of>[^.;]{3,100})",
    patterns.IGNORECASE,
)
_PARTED = patterns.compile(
    r",\s*(?:and\s|or\s|as well as\s)?|\s(?:and|as well as)\s(?=(?:an?|the|its|our|your|all|at least|how"
    r"|who|when)\s)|;\s*"
)
_SEEN = {name: patterns.compile(shape, patterns.IGNORECASE) for name, shape in {
    "email": r"[\w.+-]+@[\w-]+\.\w+",
    "contact": r"[\w.+-]+@[\w-]+\.\w+|\+?\d[\d ()/-]{6,}\d|\bcontact\b",
    "telephone": r"\+?\d[\d ()/-]{6,}\d",
    "phone": r"\+?\d[\d ()/-]{6,}\d",
    "link": r"https?://|www\.|\blink\b|\bclick\b",
    "date": (
        r"\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov"
        r"|dec)[a-z]*\.? \d|\b\d{1,2}\.? "
        r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
    ),
    "price": r"[€$£₪]\s?\d|\d\s?(?:€|EUR|USD|GBP)",
    "deadline": r"\bby \w+|\bwithin\b|\bdeadline\b|\buntil\b|\bno later\b",
    "greeting": r"^\W*(?:dear|hello|hi|good (?:morning|afternoon|day))\b",
    "signature": r"\b(?:regards|sincerely|yours|signed|best wishes)\b",
}.items()}  # fmt: skip
_LETTER = patterns.compile(
    r"^\s*(?:subject|betreff|to|from)\s*:|^\s*(?:dear|hello|hi|liebe|sehr geehrte)\b|\bunsubscribe\b",
    patterns.IGNORECASE | patterns.MULTILINE,
)
_FILLING = frozenset(terms_of(
    "clear clearly valid full current contact details information text following element name working "
    "visible short brief"
)) - {"name"}  # fmt: skip
HELD = 0.5  # part of an element's words with which it is there
MOST = 6  # findings of this kind


def lacking(
    source: str, message: str, sentences: Sequence[Statement], rules: Sequence[Rule]
) -> list[Finding]:
    """Of rules that are plainly about a text of this kind, what was not found in it."""
    kinds = kinds_of(source, message)
    if not kinds:
        return []
    terms = {term for one in sentences for term in one.terms} | set(terms_of(source))
    found: list[Finding] = []
    for rule in rules:
        for element in _elements(rule, kinds):
            if not _there(element, source, terms) and len(found) < MOST:
                found.append(_missing(element, rule))
    return found


def kinds_of(source: str, message: str) -> frozenset[str]:
    """What kind of text it is: as the person calls it, as it calls itself at its head, or by its greeting."""
    named = [_KIND_OF[word] for word in plain_words(message) if word in _KIND_OF]
    head = patterns.findall(
        r"\b(?:this|our|the following|enclosed)\s+(?:\w+\s)?(\w+)", source[:1_500].casefold()
    )
    named += [_KIND_OF[word] for word in head if word in _KIND_OF]
    first = next((line for line in source.splitlines() if line.strip()), "")
    named += [_KIND_OF[word] for word in plain_words(first) if word in _KIND_OF and len(first) < 80]
    if _LETTER.search(source[:3_000]):
        named.append("message")
    return frozenset(named)


def _elements(rule: Rule, kinds: frozenset[str]) -> Iterator[str]:
    if rule.said.denies:
        return
    if rule.said.lead and (
        found := _DEMANDS.search(f"{rule.said.lead.rstrip(':')} {rule.said.text}")
    ):
        pieces = [rule.said.text]
    elif found := _DEMANDS.search(rule.said.text) or _INCLUDED.search(rule.said.text):
        pieces = _PARTED.split(found["what"])
    else:
        return
    subject = plain_words(found["of"])
    if not any(_KIND_OF.get(word) in kinds for word in subject[-4:]):
        return
    for piece in pieces:
        element = patterns.split(
            r"\s(?:so that|in order|because|which|that|where|if|when|unless|to whom|on which)\s",
            piece.strip(),
        )[0]
        if terms_of(element):
            yield patterns.sub(r"^(?:and|or)\s", "", element.strip(" .,"))


def _there(element: str, source: str, terms: set[str]) -> bool:
    words = plain_words(element)
    seen = [_SEEN[word] for word in words if word in _SEEN]
    own = set(terms_of(element)) - _FILLING
    shapes = {term for word in words if word in _SEEN for term in terms_of(word)}
    telling = own - shapes
    if telling:
        return len(telling & terms) >= HELD * len(telling)
    return any(shape.search(source) for shape in seen) or bool(own & terms)


def _missing(element: str, rule: Rule) -> Finding:
    return Finding(
        severity=LOWER[rule.severity],
        wrong=f"Not found in the text: {element}.",
        quote="",
        rule=rule,
        fix=f"Add {element}.",
        sure=False,
    )
