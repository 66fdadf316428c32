"""Serves the console's static files, which need no key."""

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from app.api.routes.usage.statement import STYLE_HASH
from app.errors import NotFound

router = APIRouter(include_in_schema=False)

FOLDER = Path(__file__).resolve().parents[2] / "console"
EXTENSION = FOLDER.parents[1] / "extension"
INDEX = "index.html"
# Modules that the console shares with the extension's panel to render answers and citations;
# imported by their paths in the extension.
SHARED = (
    "panel/element.js",
    "panel/chat/answer/citations.js",
    "panel/chat/answer/markdown.js",
    "panel/chat/answer/prose.css",
    "panel/chat/answer/tables.js",
    "panel/chat/source/quotes.js",
    "panel/chat/source/parts.js",
    "panel/chat/source/passage.js",
    "panel/chat/source/document_reader.js",
    "panel/chat/source/source.css",
    "vendor/marked.esm.js",
    "vendor/purify.es.mjs",
)
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".md": "text/plain; charset=utf-8",
}
# A statement opened in a tab inherits this policy, so its style is allowed too.
POLICY = (
    f"default-src 'none'; script-src 'self'; style-src 'self' {STYLE_HASH}; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}
REVALIDATE = "no-cache"  # browsers cache it and revalidate
IMMUTABLE = "public, max-age=31536000, immutable"
VENDOR = "vendor/"  # file names include versions


@dataclass(frozen=True, slots=True)
class StaticFile:
    content: bytes
    headers: dict[str, str]


@cache
def files() -> dict[str, StaticFile]:
    paths = [path for path in FOLDER.rglob("*") if path.suffix in TYPES and path.is_file()]
    by_name = {path.relative_to(FOLDER).as_posix(): path for path in paths}
    by_name |= {f"extension/{name}": EXTENSION / name for name in SHARED}
    return {name: _read(name, path) for name, path in by_name.items()}


def _read(name: str, path: Path) -> StaticFile:
    content = path.read_bytes()
    headers = {
        "Content-Type": TYPES[path.suffix],
        "ETag": f'"{sha256(content).hexdigest()[:32]}"',
        "Cache-Control": IMMUTABLE if name.startswith(VENDOR) else REVALIDATE,
    }
    return StaticFile(content, HEADERS | headers)


@router.get("/console")
async def console() -> Response:
    """Redirect to the folder, so that relative paths work."""
    return RedirectResponse("console/", headers=HEADERS)


@router.api_route("/console/{path:path}", methods=["GET", "HEAD"])
async def console_file(path: str, request: Request) -> Response:
    """Serve a file; 304 if the browser has the current version."""
    found = files().get(path or INDEX)
    if found is None:
        raise NotFound("The console has no such file.")
    known = request.headers.get("if-none-match", "")
    if found.headers["ETag"] in (tag.strip().removeprefix("W/") for tag in known.split(",")):
        return Response(status_code=304, headers=found.headers)
    return Response(found.content, headers=found.headers)
