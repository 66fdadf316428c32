"""Detects audio and video by their first bytes, and transcribes them with a `Listener`."""

from pathlib import Path
from typing import Protocol

from app.errors import Unreadable
from knowledge.extract.port import Extracted, Raw, StoredFile

HEAD = 4_096  # bytes
NOT_AVAILABLE = (
    "Audio and video need Gemini. An operator can enable them by setting GEMINI_API_KEY."
)
NAMES = {"audio/wave": "audio/wav", "audio/x-wav": "audio/wav", "audio/x-flac": "audio/flac"}
_SURE = 0.4  # minimum confidence of puremagic; MP3 gets less and is checked separately
_FRAME = frozenset(
    (*range(0xE2, 0xE8), *range(0xEA, 0xF0), *range(0xF2, 0xF8), *range(0xFA, 0x100))
)  # after 0xFF
_PICTURES = (b"heic", b"heix", b"mif1", b"msf1", b"avif", b"avis")
_BRANDS = {b"M4A ": "audio/mp4", b"M4B ": "audio/mp4", b"qt  ": "video/quicktime"}


class Listener(Protocol):
    """Transcribes recordings as Markdown, with speakers and times; each call is accounted for."""

    async def listen(self, path: Path, media_type: str) -> Extracted:
        """Raises `ModelFailed`; `Unreadable` if the recording is too long or contains no speech."""


def detect_media_type(head: bytes) -> str | None:
    """Media type, such as "audio/mpeg", by a file's first bytes; None if neither audio nor video."""
    if head[4:8] == b"ftyp":
        return _BRANDS.get(head[8:12], None if head[8:12] in _PICTURES else "video/mp4")
    if head[:3] == b"ID3" or _is_mp3(head):
        return "audio/mpeg"
    if head[:4] == b"RIFF" and head[8:12] == b"WAVE":
        return "audio/wav"
    if head[:4] == b"OggS":
        return "video/ogg" if b"\x80theora" in head[:512] else "audio/ogg"
    import puremagic  # noqa: PLC0415 - loading its tables takes 30 ms, which a server does not need at start

    try:
        matches = puremagic.magic_string(head[:HEAD])
    except (puremagic.PureError, ValueError):
        return None
    for match in matches:
        if match.confidence >= _SURE and match.mime_type.startswith(("audio/", "video/")):
            return NAMES.get(str(match.mime_type), str(match.mime_type))
    return None


def detect_file_type(path: Path) -> str | None:
    with path.open("rb") as file:
        return detect_media_type(file.read(HEAD))


def read(raw: Raw) -> Extracted:
    """Raise `Unreadable`: worker processes have no listener."""
    raise Unreadable(NOT_AVAILABLE, "DOCUMENT_NOT_AVAILABLE")


async def transcribe(file: StoredFile, media: str, listener: Listener | None) -> Extracted:
    """Transcribe a recording. Raises `Unreadable`; `ModelFailed` if the call failed."""
    if listener is None:
        raise Unreadable(NOT_AVAILABLE, "DOCUMENT_NOT_AVAILABLE")
    transcript = await listener.listen(file.path, media)
    if not transcript.markdown.strip():
        raise Unreadable("The recording has no speech.", "DOCUMENT_EMPTY")
    return transcript


def _is_mp3(head: bytes) -> bool:
    """Whether a second frame header follows within a frame's length, at most 1,441 bytes."""
    is_frame = len(head) > 2 and head[0] == 0xFF and head[1] in _FRAME and 0x10 <= head[2] <= 0xEB
    return is_frame and head.find(head[:2], 24, 1_600) > 0
