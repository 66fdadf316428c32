"""Sentences cut to a length that no whole one keeps."""

from app.chat.summarizing.units import count
from app.text import patterns

CUT = "\u2026"
_BREAK = patterns.compile(r"[,;:\u2013\u2014]\s|\s\(|\s-\s")
_LOOSE = patterns.compile(
    r"(?:\s+(?:a|an|the|of|to|in|on|at|by|for|with|from|and|or|but|that|which|who|is|are|as|if|when|der|die|das|und|oder|mit|von"
    r"|le|la|les|de|du|et|ou|el|los|y|o|con))+$",
    patterns.IGNORECASE,
)


def trimmed(text: str, *, words: int | None = None, characters: int | None = None) -> str:
    """The beginning of a sentence, up to a comma where one is near the end, with "…"; the sentence itself
    where it fits.
    """
    if (words is None or count(text) <= words) and (characters is None or len(text) <= characters):
        return text
    low, high = 0, len(text)
    while low < high:  # the longest beginning that fits
        middle = (low + high + 1) // 2
        fits = words is None or count(text[:middle]) <= words
        if fits and (characters is None or middle < characters):
            low = middle
        else:
            high = middle - 1
    piece = text[:low]
    if low < len(text) and " " in piece and not text[low].isspace():
        piece = piece[: piece.rindex(" ")]
    breaks = [found.start() for found in _BREAK.finditer(piece) if found.start() >= len(piece) // 2]
    piece = piece[: breaks[-1]] if breaks else _LOOSE.sub("", piece.rstrip())
    return f"{piece.rstrip(' ,;:-')}{CUT}" if piece.strip() else ""
