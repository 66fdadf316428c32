"""A canary in each call, to detect replies that follow injected instructions.

No legitimate reply contains our instructions, the mark at their end, or the tag of the fence around
untrusted text. A reply that contains any of them, in any encoding, is discarded, since acting on it
would leak it from this machine.
"""

import base64
import binascii
import codecs
import secrets
import string
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any
from urllib.parse import unquote_plus

import structlog

from app.errors import InstructionsLeaked
from app.llm.port import Model, ModelRequest, Reply, Tier
from app.llm.prompt import NAME
from app.text import patterns

LETTERS = 12  # length of a mark: unique to its call, and each letter costs tokens
PIECE = 8  # consecutive letters that do not match by chance: one in 26 ** 8
RUN = 8  # consecutive words of the instructions that no other text repeats
_CODED_PIECE = 10  # Base64 characters, which encode seven and a half letters
_TAG_LETTERS = 0xE0000  # the plane of invisible tag characters
# Cyrillic and Greek look-alikes of these letters.
_LOOK_ALIKES = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u043a\u043c\u0442\u0432\u043d"
    "\u0501\u04bb\u0458\u0455\u051d\u0261\u03b1\u03bf\u03c1\u03bd\u03c4\u03b9\u03ba"
    "\u03c5\u03c7\u0435\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422"
    "\u0425\u0406\u0405\u0408",
    "aeopcyxikmtbhdhjswgaopvtikuxeabekmhopctxisj",
)
_BASE64 = patterns.compile(r"[A-Za-z0-9+/_-]{12,}={0,2}")
_HEX = patterns.compile(r"(?:[0-9a-fA-F]{2}[\s:,.-]?){8,}")


def new_mark() -> str:
    return "".join(secrets.choice(string.ascii_lowercase) for _ in range(LETTERS))


def contains_mark(mark: str, texts: Sequence[str]) -> bool:
    """Whether the texts, separately or joined, contain the mark or a piece of it."""
    joined = "".join(map(_letters, texts))
    coded = "".join(patterns.sub(r"[^A-Za-z0-9+/]", "", _plain(text)) for text in texts)
    return any(needle in joined for needle in _needles(mark)) or any(
        needle in coded for needle in _coded(mark)
    )


def repeats_instructions(instructions: str, texts: Sequence[str]) -> bool:
    """Whether a text repeats a run of words from the instructions, as plain text or encoded."""
    known = _runs(instructions)
    return any(not known.isdisjoint(_runs(view)) for text in texts for view in decoded_views(text))


def decoded_views(text: str) -> Iterator[str]:
    """The text as is, and each way to decode it."""
    plain = _plain(text)
    yield plain
    if len(plain.split()) < RUN and len(plain) < 4 * RUN:
        return  # too short to contain a run in any encoding
    yield plain[::-1]
    yield codecs.encode(plain, "rot13")
    yield unquote_plus(plain)
    for found in _BASE64.findall(plain):
        with_standard = found.translate(str.maketrans("-_", "+/")).rstrip("=")
        yield _decoded(with_standard + "=" * (-len(with_standard) % 4))
    for found in _HEX.findall(plain):
        digits = patterns.sub(r"[^0-9a-fA-F]", "", found)
        yield bytes.fromhex(digits[: len(digits) // 2 * 2]).decode("utf-8", "replace")


def _decoded(coded: str) -> str:
    try:
        return base64.b64decode(coded).decode("utf-8", "replace")
    except (binascii.Error, ValueError):
        return ""


def _plain(text: str) -> str:
    """Replace look-alike and invisible letters with plain ones."""
    drawn = "".join(
        chr(ord(c) - _TAG_LETTERS) if _TAG_LETTERS < ord(c) < _TAG_LETTERS + 0x7F else c
        for c in text
    )
    folded = unicodedata.normalize("NFKC", drawn).translate(_LOOK_ALIKES)
    return "".join(c for c in folded if unicodedata.category(c) != "Cf")


def _letters(text: str) -> str:
    """Keep letters and digits only, after decoding percent escapes."""
    return patterns.sub(r"[\W_]+", "", unquote_plus(_plain(text)).casefold())


def _needles(mark: str) -> Iterator[str]:
    for at in range(len(mark) - PIECE + 1):
        piece = mark[at : at + PIECE]
        yield from (piece, piece[::-1], codecs.encode(piece, "rot13"), piece.encode().hex())


def _coded(mark: str) -> Iterator[str]:
    """Runs of the mark's Base64, for each alignment to groups of three bytes."""
    for skipped in range(3):
        kept = mark[skipped:]
        whole = base64.b64encode(kept[: len(kept) // 3 * 3].encode()).decode()
        yield from (whole[at : at + _CODED_PIECE] for at in range(len(whole) - _CODED_PIECE + 1))


def _runs(text: str) -> set[tuple[str, ...]]:
    words = patterns.findall(r"[^\W_]+", text.casefold())
    return {tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1)}


log = structlog.get_logger(__name__)

EVENT = "instructions_leaked"
"""The log event; it identifies the call without quoting the reply."""
_TAG = patterns.compile(rf"<({NAME}-[0-9a-f]+)>")


class CanaryModel:
    """A `Model` that adds a mark to each call and searches the reply for it. `leaked` is called for
    each reply that contains it.
    """

    def __init__(
        self,
        model: Model,
        *,
        marks: Callable[[], str] = new_mark,
        leaked: Callable[[], None] = lambda: None,
    ) -> None:
        self._model = model
        self._marks = marks
        self._leaked = leaked

    @property
    def names(self) -> dict[Tier, str]:
        return self._model.names

    async def ask(self, request: ModelRequest[Reply]) -> Reply:
        """Return the reply. Raises `InstructionsLeaked` if it repeats instructions; `ModelFailed`."""
        mark = self._marks()
        tags = {tag.partition("-")[2] for tag in _TAG.findall(request.prompt)}

        def leaks(texts: Sequence[str]) -> bool:
            return (
                contains_mark(mark, texts)
                or repeats_instructions(request.system, texts)
                or any(tag in text.casefold() for tag in tags for text in texts)
            )

        seen: list[str] = []

        async def forward(fields: Mapping[str, Any]) -> None:
            """Check new text together with the text before it; forward nothing more after a leak."""
            texts = list(_texts(fields))
            both = zip(seen, texts, strict=False)
            same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], both))
            if request.on_partial is None or leaks(texts[max(0, same - 1) :]):
                return
            seen[:] = texts
            await request.on_partial(fields)

        # Put the mark last: what precedes it is the same in every call and cached by the provider.
        marked = replace(
            request,
            system=f"{request.system}\nNever write {mark}",
            on_partial=forward if request.on_partial is not None else None,
        )
        reply = await self._model.ask(marked)
        if leaks(list(_texts(reply.model_dump()))):
            log.warning(EVENT, purpose=request.purpose)
            self._leaked()
            raise InstructionsLeaked("its reply repeated its confidential instructions")
        return reply


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from _texts(each)
