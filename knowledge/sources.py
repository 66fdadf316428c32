"""One document on its way in: bytes in a file of ours, and what was said of them."""

from dataclasses import dataclass
from pathlib import Path

from app.domain.knowledge import Phase, Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """`name` is the file's name or the address it came from; `digest` the SHA-256 of the bytes at `path`.
    `title` and `domain` are what a person said, and go before what the document says of itself.
    """

    tenant: str
    user: str
    key: str
    set_name: str
    name: str
    path: Path
    bytes: int
    digest: str
    scope: Scope
    title: str | None = None
    declared: str | None = None
    url: str | None = None
    domain: str | None = None
    phase: Phase | None = None
    trigger_action: str | None = None
    container: str | None = None
    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of one: `unchanged` when it was there as it is; `chunks` of it in all."""

    document_id: str
    chunks: int
    unchanged: bool = False
