"""Repository of uploaded bytes.

Own rows instead of GridFS, whose rows have no tenant, so that neither the shard key nor the deletion of a
tenant would cover them.
"""

from collections.abc import AsyncIterator
from datetime import UTC, datetime

from pymongo.errors import PyMongoError

from app.errors import NotFound
from app.store.mongo.failures import to_store_error, translate_errors
from app.store.mongo.rows import SCHEMA, Collection, Database, Row

PIECE = 1_000_000  # bytes per row; the embedded server syncs its log for each, about 10 ms
READ = 4  # rows per reply of the server
WHOLE = -1  # index of the final piece, which completes the file and holds the number of pieces


class MongoFiles:
    """`Files` in the collection `knowledge_files`: `piece` counts from 0, `WHOLE` is written last."""

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["knowledge_files"]

    async def put(self, tenant: str, file_id: str, pieces: AsyncIterator[bytes]) -> int:
        held, count, size = bytearray(), 0, 0
        try:
            async for given in pieces:
                held += given
                size += len(given)
                while len(held) >= PIECE:
                    await self._add(tenant, file_id, count, {"data": bytes(held[:PIECE])})
                    del held[:PIECE]
                    count += 1
            await self._add(
                tenant, file_id, WHOLE, {"pieces": count, "bytes": size, "data": bytes(held)}
            )
        except BaseException:
            await self.delete(tenant, file_id)
            raise
        return size

    @translate_errors
    async def _add(self, tenant: str, file_id: str, piece: int, fields: Row) -> None:
        row = fields | {"schema": SCHEMA, "createdAt": datetime.now(UTC)}
        key = _key(tenant, file_id) | {"piece": piece}
        await self._rows.update_one(key, {"$set": row}, upsert=True)

    async def read(self, tenant: str, file_id: str) -> AsyncIterator[bytes]:
        key = _key(tenant, file_id)
        try:
            whole = await self._rows.find_one(key | {"piece": WHOLE})
            if whole is None:
                raise NotFound("The bytes of the document are not there any more")
            wanted = key | {"piece": {"$gte": 0}}
            if whole["pieces"]:
                rows = self._rows.find(wanted, {"data": 1}, sort=[("piece", 1)], batch_size=READ)
                async for row in rows:
                    yield bytes(row["data"])
            if whole["data"]:
                yield bytes(whole["data"])
        except PyMongoError as error:
            raise to_store_error(error) from error

    @translate_errors
    async def delete(self, tenant: str, file_id: str) -> None:
        await self._rows.delete_many(_key(tenant, file_id))


def _key(tenant: str, file_id: str) -> Row:
    return {"tenantId": tenant, "fileId": file_id}
