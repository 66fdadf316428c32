"""An immutable snapshot of a tenant's index."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from app.domain.knowledge import Document, Manifest, Scope, superseded_chunks
from knowledge.retrieve.segment import MOST_ROWS, Segment, merge_segments

TIER = 4  # number of segments of similar size that triggers a merge
ENTRY_BYTES = 400  # bytes per document in the dictionaries, besides its row


@dataclass(frozen=True, slots=True)
class Facet:
    """Attributes shared by chunks of the same set, site, language and owner.

    `bound`: a person restricted the document to a site. It is searched only from that site, unless
    the query names the document.
    """

    set_name: str
    domain: str | None
    language: str | None
    scope: Scope
    bound: bool = False


FacetFilter = Callable[[Facet], bool]


Mask = npt.NDArray[np.bool_]
Superseding = dict[str, tuple[Document, Manifest]]


@dataclass(frozen=True, slots=True)
class Index:
    """`entries`: current documents by number, as JSON to save memory. `used`: mask of current
    rows per segment; `visible`: of those not superseded. `superseding`: documents whose manifests
    hide chunks of others. `dimensions`: of the stored vectors; 0 if the server searches
    vectors.
    """

    version: int = 0
    entries: Mapping[int, bytes] = field(default_factory=dict)
    numbers: Mapping[str, int] = field(default_factory=dict)
    facets: tuple[Facet, ...] = ()
    segments: tuple[Segment, ...] = ()
    used: tuple[Mask, ...] = ()
    visible: tuple[Mask, ...] = ()
    superseding: Superseding = field(default_factory=dict)
    next_number: int = 0
    dimensions: int = 0

    @property
    def chunks(self) -> int:
        return sum(int(used.sum()) for used in self.used)

    @property
    def bytes(self) -> int:
        rows = sum(len(row) + ENTRY_BYTES for row in self.entries.values())
        return rows + sum(segment.bytes + 2 * segment.size for segment in self.segments)

    def document(self, number: int) -> Document:
        return Document.model_validate_json(self.entries[number])

    def without(self, document_ids: Iterable[str]) -> "Index":
        removed = {self.numbers[one]: one for one in document_ids if one in self.numbers}
        if not removed:
            return self
        removed_numbers = np.fromiter(removed, np.int32, len(removed))
        return replace(
            self,
            entries={at: row for at, row in self.entries.items() if at not in removed},
            numbers={one: at for one, at in self.numbers.items() if at not in removed},
            used=tuple(
                used & ~np.isin(segment.places[:, 0], removed_numbers)
                for segment, used in zip(self.segments, self.used, strict=True)
            ),
            superseding={
                one: found for one, found in self.superseding.items() if one not in removed.values()
            },
        )

    def compacted(self, version: int) -> "Index":
        """The index with small segments merged and superseded chunks hidden."""
        segments, used = _compact(self.segments, self.used)
        index = replace(self, version=version, segments=segments, used=used)
        return replace(index, visible=_visible_masks(index))


def _compact(
    segments: Sequence[Segment], used: Sequence[Mask]
) -> tuple[tuple[Segment, ...], tuple[Mask, ...]]:
    """Segments without stale rows where these are many, and with small segments merged."""
    parts = [(one, mask) for one, mask in zip(segments, used, strict=True) if mask.any()]
    parts = [_merge([part]) if part[1].sum() * 2 < part[0].size else part for part in parts]
    while merged := _mergeable(parts):
        rest = [part for at, part in enumerate(parts) if at not in merged]
        parts = [*rest, _merge([parts[at] for at in merged])]
    return tuple(part[0] for part in parts), tuple(part[1] for part in parts)


def _merge(parts: Sequence[tuple[Segment, Mask]]) -> tuple[Segment, Mask]:
    segment = merge_segments(parts)
    return segment, np.ones(segment.size, dtype=bool)


def _mergeable(parts: Sequence[tuple[Segment, Mask]]) -> list[int]:
    """Positions of segments worth merging: enough of similar size, and not too large in total."""
    tiers: dict[int, list[int]] = {}
    for position, (_, mask) in enumerate(parts):
        tiers.setdefault(int(mask.sum()).bit_length() // 2, []).append(position)
    for _, members in sorted(tiers.items()):
        members.sort(key=lambda position: int(parts[position][1].sum()))
        chosen, total = [], 0
        for position in members:
            total += int(parts[position][1].sum())
            if total > MOST_ROWS:
                break
            chosen.append(position)
        if len(chosen) >= TIER:
            return chosen
    return []


def _visible_masks(index: Index) -> tuple[Mask, ...]:
    if not index.superseding:
        return index.used
    superseded = {
        one.encode() for _, manifest in index.superseding.values() for one in manifest.supersedes
    }
    keys = np.array(sorted(superseded), dtype=np.bytes_)
    visible = []
    for segment, used in zip(index.segments, index.used, strict=True):
        mask = used.copy()
        for row in np.flatnonzero(used & np.isin(segment.ids, keys)):
            document = index.document(int(segment.places[row, 0]))
            others = [other for other in index.superseding.values() if other[0].url == document.url]
            mask[row] = segment.ids[row].decode() not in superseded_chunks(document, others)
        visible.append(mask)
    return tuple(visible)


def serialize_document(document: Document) -> bytes:
    plain = document.model_dump(mode="json", exclude_defaults=True)
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":")).encode()
