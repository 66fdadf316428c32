"""The looks at a page that are kept: each document of its address is one."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from app.domain.knowledge import Document, Manifest, superseded_chunks
from app.store.knowledge.port import Documents
from knowledge.ingest.capture_merge import Said, repeats, superseded
from knowledge.ingest.document_builder import TICK


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """One of them, with what it says."""

    document: Document
    manifest: Manifest
    said: tuple[Said, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What a new look adds: the chunks to `keep`, and what these supersede. `at` is when it was: later
    than all the others, whatever the clocks say.
    """

    keep: frozenset[str]
    supersedes: dict[str, str]
    at: datetime


async def looks_at(documents: Documents, mine: Document) -> list[Look]:
    """The other documents of the address, of the same set: nobody searches one set and is told another's."""
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
        Look(
            document=one,
            manifest=manifest,
            said=tuple(
                Said(chunk.chunk_id, chunk.text, chunk.heading_path, chunk.containers)
                for entry in manifest.entries
                if (chunk := chunks.get(entry.chunk_id))
            ),
        )
        for one in found
        if (manifest := manifests.get(one.document_id))
    ]


def shown(mine: Document, said: Sequence[Said], looks: Sequence[Look], now: datetime) -> Shown:
    """What this look at the page, later than the others, leaves of them and adds to them.

    What was opened on a page keeps only what none of the others shows already; a page as it loaded is kept
    whole, and takes the place of what others say word for word.
    """
    if not looks:
        return Shown(keep=frozenset(one.chunk_id for one in said), supersedes={}, at=now)
    others = [one for look in looks for one in look.said]
    replaced = superseded(said, others, mine.container)
    keep = {one.chunk_id for one in said}
    if mine.phase == "post-interaction":
        seen = _visible(looks)
        rivals = {replaced[one.chunk_id] for one in seen if _is_other(one, replaced, said)}
        keep = {
            one.chunk_id
            for one in said
            if one.chunk_id in rivals or not repeats(one, seen, mine.container)
        }
    at = max([now, *(look.document.ingested_at + TICK for look in looks)])
    kept = {old: new for old, new in replaced.items() if new in keep}
    return Shown(keep=frozenset(keep), supersedes=kept, at=at)


def _visible(looks: Sequence[Look]) -> list[Said]:
    """What of the others is not superseded among themselves."""
    pairs = [(look.document, look.manifest) for look in looks]
    found: list[Said] = []
    for look in looks:
        gone = superseded_chunks(look.document, pairs)
        found += [one for one in look.said if one.chunk_id not in gone]
    return found


def _is_other(one: Said, replaced: dict[str, str], said: Sequence[Said]) -> bool:
    """Whether a new chunk takes its place and says something else."""
    new = replaced.get(one.chunk_id)
    return new is not None and all(
        other.plain != one.plain for other in said if other.chunk_id == new
    )
