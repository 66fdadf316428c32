"""How documents are told apart. Nothing here depends on what is in them."""

from hashlib import sha256
from pathlib import PureWindowsPath

from app.domain.knowledge import IngestRequest
from app.errors import AddressRefused
from knowledge.crawl import normalize_url


def document_id_of(tenant: str, set_name: str, key: str) -> str:
    """24 hex digits: the same key in the same set is the same document."""
    made = "\n".join((tenant, set_name, key))
    return sha256(made.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def canonical_url(url: str) -> str:
    """An address spelled one way; one that is of no page on the web, as it stands. Of its fragment only
    the route stays by which an app tells its pages apart: `#/orders`, `#!orders`.
    """
    place, _, fragment = url.strip().partition("#")
    route = f"#{fragment}" if fragment.startswith(("/", "!")) and fragment.strip("/!") else ""
    try:
        return normalize_url(place) + route
    except AddressRefused:
        return place.strip() + route


def page_key(url: str, request: IngestRequest | None = None) -> str:
    """Of a page: what was opened on it is a document of its own, beside that of the page as it loaded."""
    if request is None or request.phase != "post-interaction":
        return canonical_url(url)
    return "\n".join((canonical_url(url), request.trigger_action or "", request.container or ""))


def document_key(request: IngestRequest, digest: str) -> str:
    """Of uploaded bytes with this SHA-256: by address, name or title; nameless text is what it says."""
    if request.url:
        return page_key(request.url, request)
    if request.kind == "file" and request.name:
        return f"file:{normalize_file_name(request.name)}"
    return f"{request.kind}:{request.title or request.name or digest}"


def normalize_file_name(given: str) -> str:
    """A name with the folders it was given with, spelled one way: two of a folder's files may be called the
    same. The API hands in the last part alone.
    """
    parts = PureWindowsPath(given).parts[bool(PureWindowsPath(given).anchor) :]
    return "/".join(part for part in parts if part != "..") or given
