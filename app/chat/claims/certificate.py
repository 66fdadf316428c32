"""Checks claims against their quotes, in code alone, so that no document can influence the result."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, Field

from app.chat.claims.formula import COUNT, evaluate_formula
from app.chat.claims.sources import Sources, SourceSpan
from app.chat.documents.titles import fold_text
from app.chat.output.markdown import strip_markdown, strip_markers
from app.provenance import Token, fold, scan_text
from app.text import patterns
from app.text.vocabulary import numbers_in

MOST_QUOTES = 40  # per claim: a sum quotes each of its cells, a count each of its items
LONGEST_CLAIM = 1_000  # characters
_BEGINNING = patterns.compile(r"^\s*(?:[-*+\u2022]|#{1,6}|>|\d{1,3}[.)])\s+")


class QuoteReply(BaseModel):
    """Words copied from a passage, and the reference of the passage."""

    source: str = ""
    words: str = ""


class ClaimReply(BaseModel):
    """One sentence. `formula` is set if it states a result: "31 * 4 = 124"."""

    text: str
    quotes: list[QuoteReply] = Field(default_factory=list)
    formula: str = ""


@dataclass(frozen=True, slots=True)
class Quote:
    """Words attributed to the passage `ref`."""

    ref: str
    words: str


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence without markers, its quotes, and the formula of its result, if any."""

    text: str
    quotes: tuple[Quote, ...] = ()
    formula: str = ""


def claims_of(replies: Sequence[ClaimReply]) -> tuple[Claim, ...]:
    """The claims of a reply that have text, without Markdown and markers."""
    claims = (
        Claim(
            claim_text(reply.text)[:LONGEST_CLAIM],
            tuple(
                Quote(quote.source.strip("[] "), quote.words)
                for quote in reply.quotes[:MOST_QUOTES]
            ),
            reply.formula.strip(),
        )
        for reply in replies
    )
    return tuple(claim for claim in claims if claim.text)


def claim_text(text: str) -> str:
    return " ".join(strip_markdown(_BEGINNING.sub("", strip_markers(text))).split())


NOT_FOUND = "these words are in no passage, or prove nothing by themselves"
QUOTED = 120  # characters of a quote in a reason


@dataclass(frozen=True, slots=True, kw_only=True)
class CertifiedClaim:
    """A claim with its quotes as found. `reason` says why it fails, "" if it holds; `computed` is the formula
    of its result.
    """

    claim: Claim
    spans: tuple[SourceSpan, ...] = ()
    reason: str = ""
    computed: str = ""


def certify_claims(
    claim: Claim, sources: Sources, *, question: str = "", language: str = ""
) -> CertifiedClaim:
    """Check a claim: each quote must be found in a passage, and each number, date, time, address and proper
    name of the claim in its quotes, their titles or headings, or in the result of its formula. A formula may
    also use numbers of the question. `language` is a code such as "en", "" if unknown.
    """
    if not claim.quotes:
        return CertifiedClaim(claim=claim, reason="it has no quote")
    spans: list[SourceSpan] = []
    counted = claim.formula.startswith(COUNT)
    for quote in claim.quotes:
        if (span := sources.find(quote.ref, quote.words, counted=counted)) is None:
            words = " ".join(quote.words.split())[:QUOTED]
            return CertifiedClaim(claim=claim, reason=f"{NOT_FOUND}: \u201c{words}\u201d")
        spans.append(span)
    # The quotes as given are included: a word broken at the end of a line is whole only there.
    quotes = (" ".join(quote.words.split()) for quote in claim.quotes)
    texts = (*quotes, *(text for span in spans for text in (span.words, span.place)))
    keys, computed = figure_keys(texts), ""
    if claim.formula:
        result = evaluate_formula(
            claim.formula,
            keys | figure_keys((question,)),
            quotes=len({(span.evidence.ref, span.span) for span in spans}),
            percent=any("%" in text for text in texts),
        )
        if isinstance(result, str):
            return CertifiedClaim(claim=claim, spans=tuple(spans), reason=result)
        keys, computed = keys | result.keys, result.text
    languages = frozenset(span.evidence.language for span in spans if span.evidence.language)
    missing = [
        *missing_figures(claim.text, keys, language),
        *missing_names(claim.text, texts, language, sources, languages, question),
    ]
    reason = f"not in its quotes: {', '.join(dict.fromkeys(missing))}" if missing else ""
    return CertifiedClaim(claim=claim, spans=tuple(spans), reason=reason, computed=computed)


_GROUPED = patterns.compile(r"[-\u2212]?[1-9]\d{0,2}(?:[.,'\u2019\u00a0\u202f ]\d{3})+")
_FEW = {"n:0", "n:1", "n:2"}  # their words are often pronouns: "no", "one of", "two"


def missing_figures(claim: str, known: frozenset[str], language: str = "") -> Iterator[str]:
    """The figures of the claim, as written, without a known key. Number words are those of the claim's
    `language`: "once" is eleven in Spanish only.
    """
    spoken = numbers_in("values.units", language) | numbers_in("values.scales", language)
    for token in scan_text(claim).tokens:
        written = claim[token.start : token.end]
        if token.kind not in ("word", "sign"):
            keys = _keys(written, token)
        else:
            keys = frozenset(key for key in token.keys if key.startswith("n:")) - _FEW
            if not keys or (spoken and fold(written) not in spoken):
                continue
        if not keys & known:
            yield written


def figure_keys(texts: tuple[str, ...]) -> frozenset[str]:
    """The keys of all figures in the texts, with the parts of dates and times."""
    found: set[str] = set()
    for text in texts:
        scan = scan_text(text)
        for token in scan.tokens:
            found |= _keys(text[token.start : token.end], token) | token.parts
        found |= {key for _, _, keys in scan.spans for key in keys}
    return frozenset(found)


def _keys(written: str, token: Token) -> frozenset[str]:
    """The keys of a token; separators of thousands are not taken for decimal points."""
    if token.kind == "number" and _GROUPED.fullmatch(written):
        digits = patterns.sub(r"[^\d-]", "", written.replace("\u2212", "-"))
        return frozenset({f"n:{int(digits)}"})
    return token.keys


_WORD = patterns.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")
_BEGINS = patterns.compile(r"(?:^|[.!?:\u2026]\s|[\"\u201c\u201e\u00ab(\u2022]\s?|\n)\W*$")
_POSSESSIVE = patterns.compile(r"['\u2019]s?$")
_INNER = r"['\u2019-]"  # within a word
_ENDING = 2  # letters of a plural or case ending
_SHORT = 4  # letters; shorter names have no ending
_NOUNS_IN_CAPITALS = frozenset({"de", "lb"})  # languages that capitalize all nouns


def missing_names(
    claim: str,
    texts: tuple[str, ...],
    language: str,
    sources: Sources,
    languages: frozenset[str],
    question: str,
) -> list[str]:
    """The names in the claim that are in none of the `texts`. The question may show that a word is a name,
    but is no evidence. In languages that capitalize nouns only codes such as "ISO-9001" are checked. If
    `language`, that of the claim, is not among the `languages` of the texts, the spelling may differ, so
    only names with digits are checked.
    """
    known = {_fold_name(word) for text in texts for word in _words(text)}
    foreign = bool(language and languages) and language not in languages
    nouns = language in _NOUNS_IN_CAPITALS
    return [
        name
        for name, is_code in _names(claim, sources, question)
        if (_has_digits(name) if foreign else is_code or not nouns)
        and not all(_among(_fold_name(one), known) for one in (_codes(name) if is_code else [name]))
    ]


def _names(text: str, sources: Sources, question: str) -> Iterator[tuple[str, bool]]:
    """Capitalized words outside of dates, each with whether it is a code. The first word of a sentence counts
    only if passages or the question capitalize it within a sentence.
    """
    dates = [(one.start, one.end) for one in scan_text(text).tokens if one.kind in ("date", "time")]
    for found in _WORD.finditer(text):
        word, capitals = found[0], sum(map(str.isupper, found[0]))
        if not capitals or any(start <= found.start() < end for start, end in dates):
            continue
        is_code = bool(_codes(word))
        is_first = _BEGINS.search(text[: found.start()]) is not None
        is_word = len(_POSSESSIVE.sub("", word)) > 1
        is_name = is_word and (not is_first or sources.names(word, question))
        if is_code or capitals > 1 or is_name:
            yield word, is_code


def _has_digits(word: str) -> bool:
    return any(map(str.isdigit, word))


def _codes(word: str) -> list[str]:
    """The parts of a word that are codes: "LAS" and "2" of "LAS-2-Format"."""
    return [
        part
        for part in patterns.split(_INNER, word)
        if _has_digits(part) or (len(part) > 1 and part.isupper())
    ]


def _words(text: str) -> Iterator[str]:
    for word in _WORD.findall(text):
        yield word
        yield from patterns.split(_INNER, word)


def _fold_name(word: str) -> str:
    return fold_text(_POSSESSIVE.sub("", word))


def _among(name: str, known: set[str]) -> bool:
    if name in known:
        return True
    if parts := [part for part in patterns.split(_INNER, name) if part != name]:
        return all(_among(part, known) for part in parts if len(part) > 1)
    return len(name) >= _SHORT and any(
        len(other) >= _SHORT
        and abs(len(other) - len(name)) <= _ENDING
        and (other.startswith(name) or name.startswith(other))
        for other in known
    )
