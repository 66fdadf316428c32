"""The console: static files, for everyone; what they show takes a key."""

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from app.api.routes.usage.statement_page import STYLE_HASH
from app.errors import NotFound

router = APIRouter(include_in_schema=False)

FOLDER = Path(__file__).resolve().parents[2] / "console"
EXTENSION = FOLDER.parents[1] / "extension"
INDEX = "index.html"
# What the console shares with the extension's panel: answers and what they cite. It imports these by the
# paths that they have there, below its own folder.
SHARED = (
    "panel/element.js",
    "panel/chat/citing.js",
    "panel/chat/markdown.js",
    "panel/chat/prose.css",
    "panel/chat/tables.js",
    *(f"panel/chat/source/{one}" for one in ("finding.js", "marking.js", "parts.js")),
    *(f"panel/chat/source/{one}" for one in ("passage.js", "reading.js", "source.css")),
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
# A statement that it opens in a tab has this policy too, and the style within it.
POLICY = (
    f"default-src 'none'; script-src 'self'; style-src 'self' {STYLE_HASH}; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}
ASKS_AGAIN = "no-cache"  # a browser keeps its copy and asks whether it is still good
FOR_GOOD = "public, max-age=31536000, immutable"
VENDOR = "vendor/"  # its names hold versions: what one holds never changes


@dataclass(frozen=True, slots=True)
class Served:
    """A file as it is answered."""

    content: bytes
    headers: dict[str, str]


@cache
def files() -> dict[str, Served]:
    """Every file of the console by its path: what is not in here cannot be asked for."""
    paths = [path for path in FOLDER.rglob("*") if path.suffix in TYPES and path.is_file()]
    named = {path.relative_to(FOLDER).as_posix(): path for path in paths}
    named |= {f"extension/{name}": EXTENSION / name for name in SHARED}
    return {name: _served(name, path) for name, path in named.items()}


def _served(name: str, path: Path) -> Served:
    content = path.read_bytes()
    kept = name.startswith(VENDOR)
    headers = {
        "Content-Type": TYPES[path.suffix],
        "ETag": f'"{sha256(content).hexdigest()[:32]}"',
        "Cache-Control": FOR_GOOD if kept else ASKS_AGAIN,
    }
    return Served(content, HEADERS | headers)


@router.get("/console")
async def console() -> Response:
    """To where its files are found beside it."""
    return RedirectResponse("console/", headers=HEADERS)


@router.api_route("/console/{path:path}", methods=["GET", "HEAD"])
async def console_file(path: str, request: Request) -> Response:
    """One file; 304 for a browser that has it as it is."""
    found = files().get(path or INDEX)
    if found is None:
        raise NotFound("The console has no such file")
    known = request.headers.get("if-none-match", "")
    if found.headers["ETag"] in (tag.strip().removeprefix("W/") for tag in known.split(",")):
        return Response(status_code=304, headers=found.headers)
    return Response(found.content, headers=found.headers)
