"""Loads and merges the stored captures of one page. Each document with the page's URL is a capture."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from app.domain.knowledge import Document, Manifest, superseded_chunks
from app.store.knowledge.port import Documents
from knowledge.ingest.capture_merge import CapturedChunk, find_superseded, is_repeated
from knowledge.ingest.document_builder import TICK


@dataclass(frozen=True, slots=True, kw_only=True)
class Capture:
    """A stored capture with its chunks."""

    document: Document
    manifest: Manifest
    chunks: tuple[CapturedChunk, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedCapture:
    """The result of a merge: ids of the chunks to `keep`, and the chunks they supersede (old id to
    new). `at` is later than all other captures, whatever the clocks say.
    """

    keep: frozenset[str]
    supersedes: dict[str, str]
    at: datetime


async def load_captures(documents: Documents, mine: Document) -> list[Capture]:
    """The other captures of the same URL in the same set."""
    if mine.url is None:
        return []
    found = [
        one
        for one in await documents.of_url(mine.tenant, mine.url)
        if one.document_id != mine.document_id and one.set_name == mine.set_name
    ]
    if not found:
        return []
    manifests = await documents.manifests(mine.tenant, found)
    ids = [entry.chunk_id for one in manifests.values() for entry in one.entries]
    chunks = await documents.chunks(mine.tenant, ids)
    return [
        Capture(
            document=one,
            manifest=manifest,
            chunks=tuple(
                CapturedChunk(chunk.chunk_id, chunk.text, chunk.heading_path, chunk.containers)
                for entry in manifest.entries
                if (chunk := chunks.get(entry.chunk_id))
            ),
        )
        for one in found
        if (manifest := manifests.get(one.document_id))
    ]


def merge_capture(
    mine: Document, said: Sequence[CapturedChunk], looks: Sequence[Capture], now: datetime
) -> MergedCapture:
    """Merge a new capture with the older ones.

    A capture taken after an interaction keeps only chunks that no other capture contains. A capture
    of the loaded page is kept whole, and supersedes identical chunks of others.
    """
    if not looks:
        return MergedCapture(keep=frozenset(one.chunk_id for one in said), supersedes={}, at=now)
    others = [one for look in looks for one in look.chunks]
    replaced = find_superseded(said, others, mine.container)
    keep = {one.chunk_id for one in said}
    if mine.phase == "post-interaction":
        seen = _visible(looks)
        rivals = {replaced[one.chunk_id] for one in seen if _is_other(one, replaced, said)}
        keep = {
            one.chunk_id
            for one in said
            if one.chunk_id in rivals or not is_repeated(one, seen, mine.container)
        }
    at = max([now, *(look.document.ingested_at + TICK for look in looks)])
    kept = {old: new for old, new in replaced.items() if new in keep}
    return MergedCapture(keep=frozenset(keep), supersedes=kept, at=at)


def _visible(looks: Sequence[Capture]) -> list[CapturedChunk]:
    """The chunks that the captures do not supersede among themselves."""
    pairs = [(look.document, look.manifest) for look in looks]
    found: list[CapturedChunk] = []
    for look in looks:
        gone = superseded_chunks(look.document, pairs)
        found += [one for one in look.chunks if one.chunk_id not in gone]
    return found


def _is_other(one: CapturedChunk, replaced: dict[str, str], said: Sequence[CapturedChunk]) -> bool:
    """Whether a new chunk supersedes it with different text."""
    new = replaced.get(one.chunk_id)
    return new is not None and all(
        other.plain != one.plain for other in said if other.chunk_id == new
    )
