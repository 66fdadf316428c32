"""Encodes and decodes text: reversed, Base64, hex, ROT13, percent escapes."""

import base64
import binascii
import codecs
from collections.abc import Iterator
from contextlib import suppress
from urllib.parse import quote, unquote

from app.text import patterns

_SHORTEST = 6  # characters of a run that may be encoded
_RUN = patterns.compile(rf"[A-Za-z0-9+/_-]{{{_SHORTEST},}}")
_STANDARD = str.maketrans("-_", "+/")


def encode_variants(text: str) -> frozenset[str]:
    raw = text.encode()
    in_base64 = base64.b64encode(raw).decode()
    urlsafe = base64.urlsafe_b64encode(raw).decode()
    rotated = codecs.encode(text, "rot13")
    return frozenset(
        {text[::-1], in_base64, in_base64.rstrip("="), urlsafe, raw.hex(), rotated, quote(text)}
    )


def decode_variants(text: str) -> Iterator[str]:
    """The text and its possible decodings, including codes split by spaces."""
    yield text
    yield text[::-1]
    yield codecs.encode(text, "rot13")
    yield unquote(text)
    for coded in _RUN.findall(patterns.sub(r"\s", "", text)):
        padded = coded.translate(_STANDARD) + "=" * (-len(coded) % 4)
        with suppress(binascii.Error):
            yield base64.b64decode(padded).decode("utf-8", "replace")
        with suppress(ValueError):
            yield bytes.fromhex(coded).decode("utf-8", "replace")


INVISIBLE = patterns.compile(
    r"[\u200b\u2060-\u2064\ufeff\u202a-\u202e\u2066-\u2069\U000e0000-\U000e0fff]"
)
