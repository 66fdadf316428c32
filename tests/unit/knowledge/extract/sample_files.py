"""A file as an upload gives it to the readers, and small files of each kind."""

import atexit
import io
import zipfile
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import orjson
import pytest

from app.errors import Unreadable
from knowledge.extract.port import Extracted, StoredFile
from knowledge.extract.workers.process import WorkerProcess

Save = Callable[[io.BytesIO], object]


def made(save: Save) -> bytes:
    """What a library writes."""
    out = io.BytesIO()
    save(out)
    return out.getvalue()


def zipped(parts: Mapping[str, bytes | str]) -> bytes:
    def save(out: io.BytesIO) -> None:
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in parts.items():
                archive.writestr(name, data)

    return made(save)


RELATED = (
    '<Relationships><Relationship Id="d" Type="x/officeDocument" Target="{}"/></Relationships>'
)


def word(document: str | bytes) -> bytes:
    return zipped(
        {"_rels/.rels": RELATED.format("word/document.xml"), "word/document.xml": document}
    )


def locked() -> bytes:
    """A package whose parts say that they take a password."""
    data = bytearray(word("<document/>"))
    for sign, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.find(sign)
        while at >= 0:
            data[at + flags] |= 1
            at = data.find(sign, at + 4)
    return bytes(data)


@cache
def shared_reader() -> WorkerProcess:
    """A process that is confined as on a server; one for all tests."""
    child = WorkerProcess(4 << 30)
    layers = child.start()
    assert layers is not None
    atexit.register(child.reap)
    atexit.register(child.kill)
    return child


def read_confined(path: Path, name: str, declared: str | None = None) -> Extracted:
    """A file as Markdown, as a reader of the server's reads it. Raises `Unreadable`."""
    file = StoredFile(path=path, name=name, declared=declared)
    body = shared_reader().ask(
        file, path.stat().st_size, seconds=120, output=20_000_000, most=1 << 30
    )
    if body is None:
        shared_reader.cache_clear()
        raise AssertionError("The reader died.")
    answer = orjson.loads(body)
    if refusal := answer.get("unreadable"):
        raise Unreadable(refusal["detail"], refusal["code"])
    return Extracted.model_validate_json(orjson.dumps(answer["extracted"]))


class Desk:
    """Reads bytes under a name."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "upload"

    def read(self, name: str, data: bytes | str, declared: str | None = None) -> Extracted:
        self._path.write_bytes(data.encode() if isinstance(data, str) else data)
        return read_confined(self._path, name, declared)

    def refused(self, name: str, data: bytes | str) -> str:
        """The code; what is said to the person is a sentence without a library's words."""
        with pytest.raises(Unreadable) as caught:
            self.read(name, data)
        assert caught.value.detail.endswith((".", "!"))
        assert "Error" not in caught.value.detail
        return caught.value.code
