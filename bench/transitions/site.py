"""The pages that scenes act on, and the server that knows what was really stored."""

import asyncio
import mimetypes
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route

PAGES = Path(__file__).with_name("pages")
LIBRARIES = Path(__file__).parents[2] / "tests" / "pages" / "node_modules"
SLOW_S = 1.2  # a slow save that is still waited for
HELD_S = 40.0  # only ends an answer that nobody released

Row = dict[str, Any]


@dataclass
class Site:
    """The stored records, and how the server answers a save from now on.

    `mode`: `ok`; `slow` and `held` store it late; `held_fail` refuses late; `invalid` refuses with a
    message of `says`; `broken` answers 500; `lie` confirms and stores nothing; `expired` asks to sign
    in; `list_held` returns no list until it is released. Pages have additional modes of their own.
    """

    url: str = ""
    mode: str = "ok"
    says: str = "That is not valid."
    rows: list[Row] = field(default_factory=list)
    posts: int = 0
    signed_in: bool = True
    flash: str = ""
    wrong: dict[str, str] = field(default_factory=dict)
    released: asyncio.Event = field(default_factory=asyncio.Event)
    _next: int = 1

    def reset(self, mode: str = "ok") -> None:
        """Restore the initial state with three records."""
        self.released.set()
        self.mode, self.says, self.posts = mode, "That is not valid.", 0
        self.signed_in, self.flash, self._next = True, "", 1
        self.rows, self.wrong = [], {}
        self.released = asyncio.Event()
        for name in ("Ann Lee", "Bo Chen", "Cy Young"):
            self.add({"name": name, "email": f"{name.split()[0].lower()}@mail.example"})

    def add(self, row: Row) -> Row:
        """Store a record."""
        kept = {**row, "id": self._next}
        self._next += 1
        self.rows.append(kept)
        return kept

    def has(self, **fields: Any) -> bool:
        """Whether a record has all of these values."""
        return any(all(row.get(k) == v for k, v in fields.items()) for row in self.rows)

    def get(self, number: int) -> Row | None:
        """The record of that number."""
        return next((row for row in self.rows if row["id"] == number), None)

    async def taken(self, store: Callable[[], Any]) -> tuple[int, Any]:
        """Apply a change under the current mode: the status, and what was stored or the message instead."""
        self.posts += 1
        if self.mode == "slow":
            await asyncio.sleep(SLOW_S)
        if self.mode in ("held", "held_fail"):
            await asyncio.wait_for(self.released.wait(), HELD_S)
        refused = {
            "invalid": (422, self.says),
            "broken": (500, "Internal Server Error"),
            "held_fail": (500, "Internal Server Error"),
            "expired": (401, "Your session has expired."),
        }
        if self.mode in refused:
            return refused[self.mode]
        return 200, {"ok": True} if self.mode == "lie" else store()

    def app(self, *more: Mount | Route) -> Starlette:
        """The pages, the libraries they load, and the records."""
        return Starlette(
            routes=[
                *more,
                Route("/p/{name}", _page),
                Route("/lib/{path:path}", _library),
                Route("/api/{kind}", self._list),
                Route("/api/{kind}", self._post, methods=["POST"]),
                Route("/api/{kind}/{number:int}", self._put, methods=["PUT"]),
                Route("/api/{kind}/{number:int}", self._delete, methods=["DELETE"]),
                Route("/favicon.ico", _nothing),
            ],
            exception_handlers={404: _missing},
        )

    async def _list(self, request: Request) -> Response:
        if self.mode == "list_held":
            await asyncio.wait_for(self.released.wait(), HELD_S)
        return JSONResponse(self.rows)

    async def _post(self, request: Request) -> Response:
        given = await request.json()
        return _answer(*await self.taken(lambda: self.add(given)))

    async def _put(self, request: Request) -> Response:
        number, given = request.path_params["number"], await request.json()

        def change() -> Row:
            row = self.get(number)
            if row is not None:
                row.update(given)
            return row or {}

        return _answer(*await self.taken(change))

    async def _delete(self, request: Request) -> Response:
        number = request.path_params["number"]

        def remove() -> Row:
            self.rows = [row for row in self.rows if row["id"] != number]
            return {"ok": True}

        return _answer(*await self.taken(remove))


def _answer(status: int, told: Any) -> Response:
    body = told if status == 200 else {"message": told}
    return JSONResponse(body, status)


async def _page(request: Request) -> Response:
    file = PAGES / f"{request.path_params['name']}.html"
    return FileResponse(file) if file.is_file() else await _missing(request, Exception())


async def _library(request: Request) -> Response:
    file = LIBRARIES / request.path_params["path"]
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    return FileResponse(file, media_type=kind) if file.is_file() else Response(status_code=404)


async def _missing(_: Request, __: Exception) -> Response:
    body = "<!doctype html><title>Not found</title><h1>404</h1><p>This page does not exist.</p>"
    return HTMLResponse(body + '<a href="/contacts">Back to the start</a>', 404)


async def _nothing(_: Request) -> Response:
    return Response(status_code=204)
