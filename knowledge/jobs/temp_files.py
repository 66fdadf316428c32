"""Temporary files for documents being read."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile

from knowledge.extract.port import StoredFile
from knowledge.extract.workers.pool import WorkerPool


@dataclass(frozen=True, slots=True)
class FileReader:
    """Reads uploads as Markdown without storing them."""

    workers: WorkerPool
    folder: Path

    async def read(self, tenant: str, name: str, declared: str, data: bytes) -> str:
        """See the port."""
        with temp_file(self.folder) as path:
            await asyncio.to_thread(write_body, path, data)
            file = StoredFile(path=path, name=name, declared=declared or None)
            return (await self.workers.extract(file, tenant)).markdown


@dataclass(frozen=True, slots=True, kw_only=True)
class TempFile:
    """A temporary file: path, size in bytes and SHA-256."""

    path: Path
    bytes: int
    digest: str


@contextmanager
def temp_file(folder: Path) -> Iterator[Path]:
    """A new file, deleted on exit; files of a dead process are deleted with the folder."""
    with NamedTemporaryFile(dir=folder, prefix="document-", delete=False) as file:
        path = Path(file.name)
    try:
        yield path
    finally:
        path.unlink(missing_ok=True)


async def write_stream(path: Path, pieces: AsyncIterator[bytes]) -> TempFile:
    """Write a stream, off the event loop."""
    digest, size = hashlib.sha256(), 0
    file = await asyncio.to_thread(path.open, "wb")
    try:
        async for piece in pieces:
            digest.update(piece)
            size += len(piece)
            await asyncio.to_thread(file.write, piece)
    finally:
        await asyncio.to_thread(file.close)
    return TempFile(path=path, bytes=size, digest=digest.hexdigest())


def write_body(path: Path, body: bytes) -> TempFile:
    path.write_bytes(body)
    return TempFile(path=path, bytes=len(body), digest=hashlib.sha256(body).hexdigest())
