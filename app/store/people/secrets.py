"""Repository of the server's own secrets."""

import secrets
from contextlib import suppress
from datetime import UTC, datetime

from pymongo.errors import DuplicateKeyError

from app.store.mongo.database import Collection, Database
from app.store.mongo.failures import translated

BYTES = 32


class MongoSecrets:
    """`Secrets` in the collection `server_secrets`, which belongs to no tenant."""

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["server_secrets"]

    @translated
    async def get(self, name: str) -> bytes:
        """The secret of that name, made by whoever asks first."""
        new = {"name": name, "value": secrets.token_bytes(BYTES), "createdAt": datetime.now(UTC)}
        with suppress(DuplicateKeyError):
            await self._rows.insert_one(new)
        row = await self._rows.find_one({"name": name})
        assert row is not None
        return bytes(row["value"])
