"""A file as an upload gives it to the readers, and small files of each kind."""

import io
import zipfile
from collections.abc import Callable, Mapping

import pytest

from app.errors import Unreadable
from knowledge.extract.kinds import read
from knowledge.extract.port import Extracted, Raw

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


class Desk:
    """Reads bytes under a name."""

    def read(self, name: str, data: bytes | str, declared: str | None = None) -> Extracted:
        written = data.encode() if isinstance(data, str) else data
        return read(Raw(data=written, name=name, declared=declared))

    def refused(self, name: str, data: bytes | str) -> str:
        """The code; what is said to the person is a sentence without a library's words."""
        with pytest.raises(Unreadable) as caught:
            self.read(name, data)
        assert caught.value.detail.endswith((".", "!"))
        assert "Error" not in caught.value.detail
        return caught.value.code
