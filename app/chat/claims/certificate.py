"""Whether a claim stands on its quotes; code alone, so that nothing a document says can change it."""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, Field

from app.chat.claims.formula import COUNT, evaluate_formula
from app.chat.claims.sources import Sources, SourceSpan
from app.chat.output.markdown import unmarked, without_markers
from app.provenance import Token, fold, scan_text
from app.text import patterns
from app.text.vocabulary import numbers_in

MOST_QUOTES = 40  # of one claim: a sum takes as many cells, a count as many items
LONGEST_CLAIM = 1_000  # characters
_BEGINNING = patterns.compile(r"^\s*(?:[-*+\u2022]|#{1,6}|>|\d{1,3}[.)])\s+")


class QuoteReply(BaseModel):
    """Words of a passage, copied, and the reference of the passage."""

    source: str = ""
    words: str = ""


class ClaimReply(BaseModel):
    """One sentence. `formula` is set where it states a result: "31 * 4 = 124"."""

    text: str
    quotes: list[QuoteReply] = Field(default_factory=list)
    formula: str = ""


@dataclass(frozen=True, slots=True)
class Quote:
    """Words that are said to stand in the passage `ref`."""

    ref: str
    words: str


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence without markers, its quotes, and the formula that its result comes of, "" for none."""

    text: str
    quotes: tuple[Quote, ...] = ()
    formula: str = ""


def claims_of(replies: Sequence[ClaimReply]) -> tuple[Claim, ...]:
    """The claims of a reply that say anything, without the markers that they bring."""
    found = (
        Claim(
            claim_text(one.text)[:LONGEST_CLAIM],
            tuple(Quote(each.source.strip("[] "), each.words) for each in one.quotes[:MOST_QUOTES]),
            one.formula.strip(),
        )
        for one in replies
    )
    return tuple(one for one in found if one.text)


def claim_text(text: str) -> str:
    """A claim without markers and marks of its own: ours alone say what holds it."""
    return " ".join(unmarked(_BEGINNING.sub("", without_markers(text))).split())


NOWHERE = "these words stand in no passage, or show nothing alone"
LONGEST_TOLD = 120  # characters of a quote in a reason


@dataclass(frozen=True, slots=True, kw_only=True)
class CertifiedClaim:
    """A claim with its quotes where they stand. `reason` says why it fails, "" if it holds; `computed` is the
    formula that its result comes of.
    """

    claim: Claim
    spans: tuple[SourceSpan, ...] = ()
    reason: str = ""
    computed: str = ""


def certify_claims(
    claim: Claim, sources: Sources, *, question: str = "", language: str = ""
) -> CertifiedClaim:
    """The claim, checked: each quote stands in a passage, and each number, day, time, address and proper name
    of the claim stands in its quotes, in their titles and headings, or comes of its formula. The numbers of a
    formula may be the question's too; its names and other numbers show nothing. `language` is that of the
    claim, as in "en"; "" where it is not known.
    """
    if not claim.quotes:
        return CertifiedClaim(claim=claim, reason="it has no quote")
    spans: list[SourceSpan] = []
    counted = claim.formula.startswith(COUNT)
    for quote in claim.quotes:
        if (found := sources.find(quote.ref, quote.words, counted=counted)) is None:
            told = " ".join(quote.words.split())[:LONGEST_TOLD]
            return CertifiedClaim(claim=claim, reason=f"{NOWHERE}: \u201c{told}\u201d")
        spans.append(found)
    # As they were quoted too: where a line ends within a word, the quote alone has it whole.
    quoted = (" ".join(one.words.split()) for one in claim.quotes)
    texts = (*quoted, *(text for one in spans for text in (one.words, one.place)))
    keys, shown = figure_keys(texts), ""
    if claim.formula:
        asked = figure_keys((question,))
        result = evaluate_formula(
            claim.formula,
            keys | asked,
            quotes=len({(one.evidence.ref, one.span) for one in spans}),
            percent=any("%" in one for one in texts),
        )
        if isinstance(result, str):
            return CertifiedClaim(claim=claim, spans=tuple(spans), reason=result)
        keys, shown = keys | result.keys, result.text
    theirs = frozenset(one.evidence.language for one in spans if one.evidence.language)
    missing = [
        *missing_figures(claim.text, keys, language),
        *missing_names(claim.text, texts, language, sources, theirs, question),
    ]
    reason = f"not in its quotes: {', '.join(dict.fromkeys(missing))}" if missing else ""
    return CertifiedClaim(claim=claim, spans=tuple(spans), reason=reason, computed=shown)


_GROUPED = patterns.compile(r"[-\u2212]?[1-9]\d{0,2}(?:[.,'\u2019\u00a0\u202f ]\d{3})+")
_FEW = {"n:0", "n:1", "n:2"}  # in words these are pronouns as often: "no", "one of", "two"


def missing_figures(claim: str, known: frozenset[str], language: str = "") -> Iterator[str]:
    """The figures of the claim, as it writes them, none of whose keys is known. Words count as numbers of the
    claim's `language`: "once" is eleven in Spanish alone.
    """
    spoken = numbers_in("values.units", language) | numbers_in("values.scales", language)
    for token in scan_text(claim).tokens:
        written = claim[token.start : token.end]
        if token.kind not in ("word", "sign"):
            keys = _keys(written, token)
        else:
            keys = frozenset(one for one in token.keys if one.startswith("n:")) - _FEW
            if not keys or (spoken and fold(written) not in spoken):
                continue
        if not keys & known:
            yield written


def figure_keys(texts: tuple[str, ...]) -> frozenset[str]:
    """The keys of all figures in the texts, with the parts of days and times."""
    found: set[str] = set()
    for text in texts:
        read = scan_text(text)
        for token in read.tokens:
            found |= _keys(text[token.start : token.end], token) | token.parts
        found |= {key for _, _, keys in read.spans for key in keys}
    return frozenset(found)


def _keys(written: str, token: Token) -> frozenset[str]:
    """Where marks part thousands, the number is of thousands and no fraction."""
    if token.kind == "number" and _GROUPED.fullmatch(written):
        digits = patterns.sub(r"[^\d-]", "", written.replace("\u2212", "-"))
        return frozenset({f"n:{int(digits)}"})
    return token.keys


_WORD = patterns.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")
_BEGINS = patterns.compile(r"(?:^|[.!?:\u2026]\s|[\"\u201c\u201e\u00ab(\u2022]\s?|\n)\W*$")
_POSSESSIVE = patterns.compile(r"['\u2019]s?$")
_ENDING = 2  # letters that a name may have more: of a plural, or of a case
_SHORT = 4  # letters: a shorter name has no ending
_NOUNS_IN_CAPITALS = frozenset({"de", "lb"})  # where a capital tells a noun, and no name


def missing_names(
    claim: str,
    texts: tuple[str, ...],
    language: str,
    sources: Sources,
    theirs: frozenset[str],
    question: str,
) -> list[str]:
    """Names in the claim that none of the `texts` has. The question tells that a word is a name, and proves
    nothing. Where capitals tell no names, only codes such as "ISO-9001" are looked for. A claim in another
    `language` than the texts (`theirs`) may write a name or an abbreviation differently: only those with
    digits are looked for.
    """
    known = {_folded(word) for text in texts for word in _words(text)}
    foreign = bool(language and theirs) and language not in theirs
    nouns = language in _NOUNS_IN_CAPITALS
    return [
        name
        for name, code in _names(claim, sources, question)
        if (_has_digits(name) if foreign else code or not nouns)
        and not all(_among(_folded(one), known) for one in (_codes(name) if code else [name]))
    ]


def _names(text: str, sources: Sources, question: str) -> Iterator[tuple[str, bool]]:
    """Codes and words with a capital, each with whether it is a code. A word that begins a sentence counts if
    passages or the question write it so within one. Days are neither.
    """
    days = [(one.start, one.end) for one in scan_text(text).tokens if one.kind in ("date", "time")]
    for found in _WORD.finditer(text):
        word, capitals = found[0], sum(map(str.isupper, found[0]))
        if not capitals or any(start <= found.start() < end for start, end in days):
            continue
        code = bool(_codes(word))
        begins = _BEGINS.search(text[: found.start()]) is not None
        whole = len(_POSSESSIVE.sub("", word)) > 1
        if code or capitals > 1 or (whole and (not begins or sources.names(word, question))):
            yield word, code


def _has_digits(word: str) -> bool:
    return any(map(str.isdigit, word))


def _codes(word: str) -> list[str]:
    """The parts of a word that are codes: "LAS" and "2" of "LAS-2-Format"."""
    return [
        one
        for one in patterns.split(r"['\u2019-]", word)
        if _has_digits(one) or (len(one) > 1 and one.isupper())
    ]


def _words(text: str) -> Iterator[str]:
    for found in _WORD.finditer(text):
        yield found[0]
        yield from patterns.split(r"['\u2019-]", found[0])


def _folded(word: str) -> str:
    apart = unicodedata.normalize("NFKD", _POSSESSIVE.sub("", word))
    return "".join(one for one in apart if not unicodedata.combining(one)).casefold()


def _among(name: str, known: set[str]) -> bool:
    if name in known:
        return True
    if parts := [one for one in patterns.split(r"['\u2019-]", name) if one != name]:
        return all(_among(one, known) for one in parts if len(one) > 1)
    return len(name) >= _SHORT and any(
        len(other) >= _SHORT
        and abs(len(other) - len(name)) <= _ENDING
        and (other.startswith(name) or name.startswith(other))
        for other in known
    )
