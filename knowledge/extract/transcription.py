"""Transcribes recordings with an audio-capable model."""

import asyncio
from pathlib import Path

from pydantic import BaseModel, Field

from app.errors import Unreadable
from app.llm.port import Model, ModelRequest, Recording
from app.llm.prompt import fill_prompt
from app.text import patterns
from knowledge.extract import markdown as md
from knowledge.extract.port import Extracted

TEMPLATE = "listening.v1"
MOST_BYTES = 14_000_000
"""Gemini accepts requests of 20 MB (ai.google.dev, "Audio understanding"), and base64 adds a third:
this is a quarter of an hour of MP3 at 128 kbit/s, or an hour of speech at 32.
"""
MOST_OUTPUT = 60_000  # tokens: an hour of speech is 12,000, doubled by JSON and timestamps
TIMEOUT_S = 600.0
PASSAGE_WORDS = 150  # about the length of a chunk


class _Passage(BaseModel):
    time: str = ""
    speaker: str = ""
    text: str


class _Transcript(BaseModel):
    title: str = ""
    language: str = Field(default="", max_length=20)
    passages: list[_Passage]


def system() -> str:
    return fill_prompt(TEMPLATE, words=str(PASSAGE_WORDS))


class ModelListener:
    """A `Listener` that uses a provider with audio input; each call is accounted for there."""

    def __init__(self, model: Model) -> None:
        self._model = model

    async def listen(self, path: Path, media_type: str) -> Extracted:
        """Raises `ModelFailed`; `Unreadable` if the recording is too large."""
        data = await asyncio.to_thread(_bytes, path)
        reply = await self._model.ask(
            ModelRequest(
                purpose="listening",
                system=system(),
                prompt="Write this recording down.",
                reply=_Transcript,
                tier="fast",
                recordings=(Recording(data, media_type),),
                max_output_tokens=MOST_OUTPUT,
                timeout_s=TIMEOUT_S,
                template=TEMPLATE,
            )
        )
        passages = []
        for one in reply.passages:
            prefix = " ".join(f"{one.speaker} {one.time and f'({one.time})'}".split())
            if one.text.strip():
                passages.append(md.paragraph(f"{prefix}: {one.text}" if prefix else one.text))
        language = reply.language.strip().lower().partition("-")[0]
        return Extracted(
            markdown="\n\n".join(passages),
            kind=media_type.partition("/")[0],
            title=" ".join(reply.title.split())[:200],
            language=language if patterns.fullmatch(r"[a-z]{2,3}", language) else None,
            notes=("Transcribed from a recording by a model.",),
        )


def _bytes(path: Path) -> bytes:
    if path.stat().st_size > MOST_BYTES:
        raise Unreadable(
            f"Recordings over {MOST_BYTES // 1_000_000} MB are not supported: split it into parts.",
            "DOCUMENT_TOO_LARGE",
        )
    return path.read_bytes()
