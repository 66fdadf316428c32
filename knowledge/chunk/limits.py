"""How large chunks are."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Sizes in tokens. Chunks are filled up to `target`; only what is one thing, as a listing of code,
    may be larger, up to `most`. What is smaller than `least` is joined with what stands beside it. Where
    prose of a section is cut, the next chunk begins with up to `overlap` of what the last one ended with.
    """

    target: int = 220
    most: int = 400
    least: int = 60
    overlap: int = 32
