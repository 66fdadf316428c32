"""Files that are read and not kept."""

import asyncio
from dataclasses import dataclass
from pathlib import Path

from knowledge.extract.port import StoredFile
from knowledge.extract.workers import Workers
from knowledge.jobs.files import kept, scratch


@dataclass(frozen=True, slots=True)
class FileReader:
    """Reads them in the workers, by way of a file in the folder that is gone with the process."""

    workers: Workers
    folder: Path

    async def read(self, tenant: str, name: str, declared: str, data: bytes) -> str:
        """See the port."""
        with scratch(self.folder) as path:
            await asyncio.to_thread(kept, path, data)
            file = StoredFile(path=path, name=name, declared=declared or None)
            return (await self.workers.extract(file, tenant)).markdown
