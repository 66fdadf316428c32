"""Document keys and ids. They do not depend on the content, except for untitled text."""

from hashlib import sha256
from pathlib import PureWindowsPath

from app.domain.knowledge import IngestRequest
from app.errors import AddressRefused
from knowledge.crawl import normalize_url


def document_id_of(tenant: str, set_name: str, key: str) -> str:
    """Document id, 24 hex digits: one per key and set."""
    made = "\n".join((tenant, set_name, key))
    return sha256(made.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def canonical_url(url: str) -> str:
    """Normalize a URL; returns it unchanged if it is not a page on the web. A fragment is kept only
    if it is a route of a single-page app: `#/orders`, `#!orders`.
    """
    place, _, fragment = url.strip().partition("#")
    route = f"#{fragment}" if fragment.startswith(("/", "!")) and fragment.strip("/!") else ""
    try:
        return normalize_url(place) + route
    except AddressRefused:
        return place.strip() + route


def page_key(url: str, request: IngestRequest | None = None) -> str:
    """Key of a page. A capture taken after an interaction has a key of its own, beside the loaded
    page.
    """
    if request is None or request.phase != "post-interaction":
        return canonical_url(url)
    return "\n".join((canonical_url(url), request.trigger_action or "", request.container or ""))


def document_key(request: IngestRequest, digest: str) -> str:
    """Key of uploaded bytes with this SHA-256: URL, name or title; the digest for untitled text."""
    if request.url:
        return page_key(request.url, request)
    if request.kind == "file" and request.name:
        return f"file:{normalize_file_name(request.name)}"
    return f"{request.kind}:{request.title or request.name or digest}"


def normalize_file_name(given: str) -> str:
    """Normalize a file name including its folders, since files in different folders may share a
    name. The API passes only the last part.
    """
    parts = PureWindowsPath(given).parts[bool(PureWindowsPath(given).anchor) :]
    return "/".join(part for part in parts if part != "..") or given
