"""Manifests as rows: a long one is kept in pieces, each far below what a row may hold."""

from collections.abc import Iterable, Sequence

from pymongo import ReplaceOne

from app.domain.knowledge import Document, Manifest
from app.store.mongo.database import Collection, Database
from app.store.mongo.rows import Row, from_row, to_row

PIECE = 10_000  # entries in a row: about 1.2 MB, and a row holds 16
AT_ONCE = 200  # documents in one query


class Manifests:
    """In the collection `knowledge_manifests`; `piece` counts from 0, and the first says how many."""

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["knowledge_manifests"]

    async def put(self, manifest: Manifest) -> None:
        """Keep it, whether it is there already or not."""
        rows = list(_rows(manifest))
        await self._rows.bulk_write(
            [ReplaceOne(_key(row), row, upsert=True) for row in rows], ordered=False
        )

    async def insert(self, manifests: Sequence[Manifest]) -> None:
        """Keep new ones. `BulkWriteError` where one is there already."""
        await self._rows.insert_many([row for one in manifests for row in _rows(one)])

    async def of(self, tenant: str, documents: Sequence[Document]) -> dict[str, Manifest]:
        """Those in force, by document id. One that a writer took away meanwhile is left out."""
        wanted = {document.document_id: document.revision for document in documents}
        found: dict[str, list[Row]] = {}
        ids = list(wanted)
        for start in range(0, len(ids), AT_ONCE):
            some = {"tenantId": tenant, "documentId": {"$in": ids[start : start + AT_ONCE]}}
            async for row in self._rows.find(some):
                if row["revision"] == wanted[row["documentId"]]:
                    found.setdefault(row["documentId"], []).append(row)
        return {
            document_id: _joined(rows) for document_id, rows in found.items() if _is_whole(rows)
        }

    async def others(self, tenant: str, document_id: str, revision: str) -> int:
        """Delete those of any other revision; how many rows."""
        wanted = {"tenantId": tenant, "documentId": document_id}
        gone = 0
        revisions = {row["revision"] async for row in self._rows.find(wanted, {"revision": 1})}
        for other in revisions - {revision}:
            gone += (await self._rows.delete_many(wanted | {"revision": other})).deleted_count
        return gone

    async def delete(self, tenant: str, document_id: str) -> None:
        """Delete those of every revision."""
        await self._rows.delete_many({"tenantId": tenant, "documentId": document_id})


def _rows(manifest: Manifest) -> Iterable[Row]:
    shown = list(manifest.supersedes.items())
    count = max(1, -(-max(len(manifest.entries), len(shown)) // PIECE))
    for piece in range(count):
        part = slice(piece * PIECE, (piece + 1) * PIECE)
        fields = {"entries": manifest.entries[part], "supersedes": dict(shown[part])}
        yield to_row(manifest.model_copy(update=fields)) | {"piece": piece, "pieces": count}


def _is_whole(rows: list[Row]) -> bool:
    return len(rows) == int(rows[0]["pieces"])


def _joined(rows: list[Row]) -> Manifest:
    parts = [from_row(Manifest, row) for row in sorted(rows, key=lambda row: row["piece"])]
    entries = tuple(entry for part in parts for entry in part.entries)
    supersedes = {old: new for part in parts for old, new in part.supersedes.items()}
    return parts[0].model_copy(update={"entries": entries, "supersedes": supersedes})


def _key(row: Row) -> Row:
    return {name: row[name] for name in ("tenantId", "documentId", "revision", "piece")}
