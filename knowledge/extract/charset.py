"""Decodes bytes to text by byte order mark, declaration and content, in this order of trust."""

import codecs
from collections.abc import Iterable

from charset_normalizer import from_bytes

from app.text import patterns

MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # its mark begins with that of UTF-16
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
SAMPLE = 65_536  # bytes sampled to guess the encoding: more has no effect and takes 1 s/MB
MAX_ODD = 0.01  # maximum share of characters that do not occur in text
MAX_CONTROLS = 0.05  # maximum share of control bytes in any part: compressed data has 0.1
MAX_BROKEN = 0.001  # maximum share of invalid characters in UTF-8 that was truncated or patched
SCORE_MARGIN = 0.1  # difference of two scores below which a short text is ambiguous
PREFERRED = ("cp1252", "cp1251", "euc_jp", "euc_jis_2004", "shift_jis", "cp932")
"""Encodings preferred among equal scores: a French text fits eight code pages, only one of which is
in use.
"""
_ODD = patterns.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]")
# Without NUL, which pads logs; ESC is used by ISO-2022 and terminal colors.
_CONTROLS = bytes([*range(1, 9), *range(0x0E, 0x1B), *range(0x1C, 0x20), 0x7F])
_WIDE_MARKS = tuple(mark for mark, name in MARKS if name != "utf-8")
_CHARSET = patterns.compile(r"""charset\s*=\s*["']?([\w.:-]{1,40})""", patterns.IGNORECASE)


def decode_text(data: bytes, declared: str | None = None) -> tuple[str, tuple[str, ...]]:
    """Decode to text with normalized line endings; returns the text and notes.

    `declared` is a media type, optionally with a charset. A declared charset is used only if the
    bytes are valid in it and not valid UTF-8: wrong declarations are common, and text in other
    encodings is hardly ever valid UTF-8.
    """
    text, notes = _decode(data, declared)
    return text.replace("\r\n", "\n").replace("\r", "\n"), notes


def is_text(data: bytes) -> bool:
    """Whether the beginning of a file is text in any encoding."""
    text, _ = _decode(data, None)
    return bool(text) and len(_ODD.findall(text)) <= MAX_ODD * len(text)


def stays_text(head: bytes, rest: Iterable[bytes]) -> bool:
    """Whether the rest of a file, given in parts, is text too and not compressed data."""
    if head.startswith(_WIDE_MARKS) or _detect_utf16(head):  # any byte may be part of a character
        return True
    return all(
        len(part) - len(part.translate(None, _CONTROLS)) <= MAX_CONTROLS * len(part)
        for part in rest
    )


def _decode(data: bytes, declared: str | None) -> tuple[str, tuple[str, ...]]:
    for mark, name in MARKS:
        if data.startswith(mark):
            return _decode_leniently(data[len(mark) :], name)
    if wide := _detect_utf16(data):
        return _decode_leniently(data, wide)
    whole = _decode_strictly(data, "utf-8")
    if whole is not None:
        return whole, ()
    if claimed := _CHARSET.search(declared or ""):
        text = _decode_strictly(data, claimed[1])  # None also if it is no encoding of text
        if text is not None and len(_ODD.findall(text[:SAMPLE])) <= MAX_ODD * len(text[:SAMPLE]):
            return text, ()
    patched = data.decode("utf-8", "replace")
    if patched.count("\ufffd") <= max(1, MAX_BROKEN * len(patched)) and not patched.isascii():
        intact = sum(1 for one in patched[:SAMPLE] if one > "\x7f" and one != "\ufffd")
        if intact > 2 * patched[:SAMPLE].count("\ufffd"):
            return patched, ("Some characters are damaged.",)
    return _guess(data)


def _decode_strictly(data: bytes, name: str) -> str | None:
    try:
        return data.decode(name)
    except (UnicodeError, LookupError):  # LookupError also for codecs that are not text encodings
        return None


def _decode_leniently(data: bytes, name: str) -> tuple[str, tuple[str, ...]]:
    text = data.decode(name, "replace")
    return text, (("Some characters are damaged.",) if "\ufffd" in text else ())


def _detect_utf16(data: bytes) -> str | None:
    """Detect UTF-16 without a mark: zero bytes, of spaces at least, are on one side of pairs."""
    sample = data[: min(len(data), SAMPLE) & ~1]
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if len(sample) < 4 or max(even, odd) < 0.02 * len(sample) or min(even, odd):
        return None
    name = "utf-16-le" if odd else "utf-16-be"
    text = sample.decode(name, "replace")
    return name if len(_ODD.findall(text)) + text.count("\ufffd") <= MAX_ODD * len(text) else None


def _guess(data: bytes) -> tuple[str, tuple[str, ...]]:
    matches = list(from_bytes(data[:SAMPLE]))
    name = "cp1252"
    if matches:
        best = matches[0]
        candidates = {
            one.encoding
            for one in matches
            if one.chaos <= best.chaos + SCORE_MARGIN
            and one.coherence >= best.coherence - SCORE_MARGIN
        }
        name = next((one for one in PREFERRED if one in candidates), best.encoding)
    text = _decode_strictly(data, name)
    if text is None:
        return data.decode(name, "replace"), ("Some characters are damaged.",)
    return text, ()
