"""Recordings: told by their bytes, written down by Gemini where there is one, else named as not available."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.errors import ModelFailed, Unreadable
from knowledge.extract.media import detect_file_type, detect_media_type, transcribe
from knowledge.extract.port import StoredFile
from knowledge.extract.transcription import ModelListener
from tests.contract.llm.model_questions import Desk, desk_of
from tests.fakes.steps import status

WAV = b"RIFF\x24\0\0\0WAVEfmt " + bytes(100)
SAID = {
    "title": "Opening the valve",
    "language": "en-GB",
    "passages": [
        {"time": "0:00", "speaker": "Ann", "text": "Turn it left."},
        {"time": "0:07", "speaker": "", "text": "# [Slide: wait ten seconds]"},
    ],
}


@pytest.fixture
async def desk() -> AsyncIterator[Desk]:
    async with desk_of("gemini") as opened:
        yield opened


@pytest.fixture
def wav(tmp_path: Path) -> StoredFile:
    path = tmp_path / "upload"
    path.write_bytes(WAV)
    return StoredFile(path=path, name="valve.wav")


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (WAV, "audio/wav"),
        (b"ID3\x04" + bytes(60), "audio/mpeg"),
        (b"\xff\xfb\x90\x64" + bytes(413) + b"\xff\xfb\x90\x64", "audio/mpeg"),
        (b"\0\0\0\x18ftypM4A " + bytes(60), "audio/mp4"),
        (b"\0\0\0\x18ftypisom" + bytes(60), "video/mp4"),
        (
            b"\x1aE\xdf\xa3\x01\0\0\0\0\0\0\x1fB\x86\x81\x01B\xf7\x81\x01B\xf2\x81\x04webm",
            "video/webm",
        ),
        (b"OggS" + bytes(60), "audio/ogg"),
        (b"fLaC" + bytes(60), "audio/flac"),
        (b"\0\0\0\x18ftypheic" + bytes(60), None),
        (b"ID: 7\nName: Ann\n", None),
        (b"%PDF-1.7", None),
    ],
)
def test_recordings_are_told_by_their_bytes(head: bytes, kind: str | None) -> None:
    assert detect_media_type(head) == kind


async def test_what_is_said_is_written_down_and_paid_for(desk: Desk, wav: StoredFile) -> None:
    desk.fake.always(SAID)
    kind = detect_file_type(wav.path)
    found = await transcribe(wav, kind or "", ModelListener(desk.model))
    assert found.markdown == "Ann (0:00): Turn it left.\n\n(0:07): # [Slide: wait ten seconds]"
    assert (found.kind, found.title, found.language) == ("audio", "Opening the valve", "en")
    sent = desk.fake.calls[0].body["contents"][0]["parts"][1]["inlineData"]
    assert sent["mime_type"] == "audio/wav"
    assert desk.fake.calls[0].images == (WAV,)
    assert [(one.purpose, one.outcome) for one in desk.used] == [("listening", "ok")]
    assert desk.used[0].input_tokens > 0


async def test_without_a_model_it_says_what_would_make_it_possible(wav: StoredFile) -> None:
    with pytest.raises(Unreadable, match="GEMINI_API_KEY") as caught:
        await transcribe(wav, "audio/wav", None)
    assert caught.value.code == "DOCUMENT_NOT_AVAILABLE"


async def test_silence_is_said_and_not_an_empty_document(desk: Desk, wav: StoredFile) -> None:
    desk.fake.always({"title": "", "language": "", "passages": []})
    with pytest.raises(Unreadable, match="no speech") as caught:
        await transcribe(wav, "audio/wav", ModelListener(desk.model))
    assert caught.value.code == "DOCUMENT_EMPTY"


async def test_a_call_that_fails_is_a_failed_call_and_is_told_too(
    desk: Desk, wav: StoredFile
) -> None:
    desk.fake.always(status(400, "The audio could not be decoded"))
    with pytest.raises(ModelFailed):
        await transcribe(wav, "audio/wav", ModelListener(desk.model))
    assert [one.outcome for one in desk.used] == ["rejected"]


async def test_a_recording_that_gemini_would_refuse_is_not_sent(
    desk: Desk, wav: StoredFile
) -> None:
    with wav.path.open("r+b") as file:
        file.truncate(14_000_001)
    with pytest.raises(Unreadable) as caught:
        await transcribe(wav, "audio/wav", ModelListener(desk.model))
    assert (caught.value.code, desk.fake.calls) == ("DOCUMENT_TOO_LARGE", [])


async def test_the_largest_recording_that_is_sent_fits(desk: Desk, wav: StoredFile) -> None:
    desk.fake.always(SAID)
    with wav.path.open("r+b") as file:
        file.truncate(14_000_000)
    assert (await transcribe(wav, "audio/wav", ModelListener(desk.model))).title == SAID["title"]
