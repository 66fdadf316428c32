"""Numbers, days, times and addresses of a claim, compared with those of what it stands on."""

from collections.abc import Iterator

from app.provenance import Token, fold, scan_text
from app.text import patterns
from app.text.vocabulary import numbers_in

_GROUPED = patterns.compile(r"[-\u2212]?[1-9]\d{0,2}(?:[.,'\u2019\u00a0\u202f ]\d{3})+")
_FEW = {"n:0", "n:1", "n:2"}  # in words these are pronouns as often: "no", "one of", "two"


def figures_of(text: str, language: str = "") -> Iterator[tuple[str, frozenset[str]]]:
    """Each as it is written, with keys that are the same for the same value: "1,000" and "1.000". Words count
    as numbers of the text's `language`: "once" is eleven in Spanish alone.
    """
    spoken = numbers_in("values.units", language) | numbers_in("values.scales", language)
    tokens = scan_text(text).tokens
    for token in tokens:
        written = text[token.start : token.end]
        if token.kind not in ("word", "sign"):
            yield written, _keys(written, token)
            continue
        numbers = frozenset(one for one in token.keys if one.startswith("n:")) - _FEW
        if numbers and (not spoken or fold(written) in spoken):
            yield written, numbers


def figure_keys(texts: tuple[str, ...]) -> frozenset[str]:
    """All that these texts say, with the parts of days and times."""
    found: set[str] = set()
    for text in texts:
        read = scan_text(text)
        for token in read.tokens:
            found |= _keys(text[token.start : token.end], token) | token.parts
        found |= {key for _, _, keys in read.spans for key in keys}
    return frozenset(found)


def missing_figures(claim: str, held: frozenset[str], language: str = "") -> list[str]:
    """Those of the claim, as it writes them, that are not held."""
    return [written for written, keys in figures_of(claim, language) if not keys & held]


def _keys(written: str, token: Token) -> frozenset[str]:
    """Where marks part thousands, the number is of thousands and no fraction."""
    if token.kind == "number" and _GROUPED.fullmatch(written):
        digits = patterns.sub(r"[^\d-]", "", written.replace("\u2212", "-"))
        return frozenset({f"n:{int(digits)}"})
    return token.keys
