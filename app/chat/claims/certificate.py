"""Whether a claim stands on its quotes; code alone, so that nothing a document says can change it."""

from dataclasses import dataclass

from app.chat.claims.claim import Claim
from app.chat.claims.figures import figure_keys, missing_figures
from app.chat.claims.formula import COUNT, evaluate_formula
from app.chat.claims.names import missing_names
from app.chat.claims.sources import Sources, SourceSpan

NOWHERE = "these words stand in no passage, or show nothing alone"
LONGEST_TOLD = 120  # characters of a quote in a reason


@dataclass(frozen=True, slots=True, kw_only=True)
class CertifiedClaim:
    """A claim with its quotes where they stand. `reason` says why it fails, "" for one that holds; `computed`
    is the formula that its result comes of.
    """

    claim: Claim
    held: tuple[SourceSpan, ...] = ()
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
    held: list[SourceSpan] = []
    counted = claim.formula.startswith(COUNT)
    for quote in claim.quotes:
        if (found := sources.find(quote.ref, quote.words, counted=counted)) is None:
            told = " ".join(quote.words.split())[:LONGEST_TOLD]
            return CertifiedClaim(claim=claim, reason=f"{NOWHERE}: \u201c{told}\u201d")
        held.append(found)
    # As they were quoted too: where a line ends within a word, the quote alone has it whole.
    quoted = (" ".join(one.words.split()) for one in claim.quotes)
    texts = (*quoted, *(text for one in held for text in (one.words, one.place)))
    keys, shown = figure_keys(texts), ""
    if claim.formula:
        asked = figure_keys((question,))
        result = evaluate_formula(
            claim.formula,
            keys | asked,
            quotes=len({(one.evidence.ref, one.span) for one in held}),
            percent=any("%" in one for one in texts),
        )
        if isinstance(result, str):
            return CertifiedClaim(claim=claim, held=tuple(held), reason=result)
        keys, shown = keys | result.keys, result.shown
    theirs = frozenset(one.evidence.language for one in held if one.evidence.language)
    missing = [
        *missing_figures(claim.text, keys, language),
        *missing_names(claim.text, texts, language, sources, theirs, question),
    ]
    reason = f"not in its quotes: {', '.join(dict.fromkeys(missing))}" if missing else ""
    return CertifiedClaim(claim=claim, held=tuple(held), reason=reason, computed=shown)
