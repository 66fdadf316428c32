"""Manifests in force, and the version of each tenant's documents."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pymongo import ReplaceOne

from app.domain.knowledge import Document, Manifest
from app.store.mongo.expressions import keep_fields, upsert
from app.store.mongo.rows import SCHEMA, Collection, Database, Row, from_row, to_row

REMEMBERED = 1_000  # deletions; a reader that missed more reloads everything


@dataclass(frozen=True, slots=True)
class Deletions:
    """The tenant's version, and the documents deleted since an earlier one; `whole`: the list of deletions
    is incomplete.
    """

    version: int
    ids: tuple[str, ...] = ()
    whole: bool = False


class Versions:
    """The collection `knowledge_versions`, one row per tenant."""

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["knowledge_versions"]

    async def now(self, tenant: str) -> int:
        """0 if there was no change yet."""
        row = await self._rows.find_one({"tenantId": tenant}, {"version": 1})
        return int(row["version"]) if row else 0

    async def next(self, tenant: str, *, deleted: str | None = None) -> int:
        """Increment the version; `deleted` is remembered with it."""
        higher: Row = {"$add": [{"$ifNull": ["$version", 0]}, 1]}
        change: Row = keep_fields({"schema": SCHEMA}) | {"version": higher}
        if deleted is not None:
            before = {"$ifNull": ["$deleted", []]}
            one = [{"documentId": {"$literal": deleted}, "version": higher}]
            change["deleted"] = {"$slice": [{"$concatArrays": [before, one]}, -REMEMBERED]}
        row = await upsert(self._rows, {"tenantId": tenant}, change)
        return int(row["version"])

    async def since(self, tenant: str, since: int) -> Deletions:
        """The deletions after `since`.

        A number higher than the current version is from before the tenant was deleted: everything counts as
        new.
        """
        row = await self._rows.find_one({"tenantId": tenant})
        if row is None:
            return Deletions(0, whole=True)
        version, deleted = int(row["version"]), row.get("deleted", [])
        forgotten = len(deleted) >= REMEMBERED and since < deleted[0]["version"]
        ids = tuple(one["documentId"] for one in deleted if one["version"] > since)
        return Deletions(version, ids, whole=since <= 0 or since > version or forgotten)


PIECE = 10_000  # entries per row: about 1.2 MB, with a limit of 16


AT_ONCE = 200  # documents per query


class Manifests:
    """The collection `knowledge_manifests`; `piece` counts from 0, and the first has the number of
    pieces.
    """

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["knowledge_manifests"]

    async def put(self, manifest: Manifest) -> None:
        """Store the manifest, replacing an existing one."""
        rows = list(_rows(manifest))
        await self._rows.bulk_write(
            [ReplaceOne(_key(row), row, upsert=True) for row in rows], ordered=False
        )

    async def insert(self, manifests: Sequence[Manifest]) -> None:
        """Insert new manifests. Raises `BulkWriteError` if one exists."""
        await self._rows.insert_many([row for one in manifests for row in _rows(one)])

    async def of(self, tenant: str, documents: Sequence[Document]) -> dict[str, Manifest]:
        """The manifests in force, by document id. One that a writer deletes concurrently is left out."""
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
        """Delete those of all other revisions; returns the number of rows."""
        wanted = {"tenantId": tenant, "documentId": document_id}
        gone = 0
        revisions = {row["revision"] async for row in self._rows.find(wanted, {"revision": 1})}
        for other in revisions - {revision}:
            gone += (await self._rows.delete_many(wanted | {"revision": other})).deleted_count
        return gone

    async def delete(self, tenant: str, document_id: str) -> None:
        """Delete those of all revisions."""
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
