"""A Sentry server: takes the envelopes of the real SDK, and keeps their bytes as they came."""

import asyncio
import gzip
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.fakes.serving import served

PROJECT = 7
KEY = "0123456789abcdef0123456789abcdef"


def _brotli(body: bytes) -> bytes:
    import brotli  # noqa: PLC0415 (the SDK packs so where it is installed)

    return bytes(brotli.decompress(body))


UNPACK = {"gzip": gzip.decompress, "br": _brotli, "": bytes}


@dataclass(slots=True)
class FakeSentry:
    """What was sent. `fails` answers another status, `hangs` nothing at all."""

    url: str = ""
    fails: int | None = None
    hangs: bool = False
    envelopes: list[bytes] = field(default_factory=list)

    @property
    def dsn(self) -> str:
        """The address with its key, as `SENTRY_DSN`."""
        return self.url.replace("://", f"://{KEY}@") + f"/{PROJECT}"

    @property
    def events(self) -> list[dict[str, Any]]:
        """The exceptions, in order."""
        found = []
        for envelope in self.envelopes:
            _, *rest = envelope.split(b"\n")
            for head, body in zip(rest[::2], rest[1::2], strict=False):
                if head and json.loads(head)["type"] == "event":
                    found.append(json.loads(body))
        return found

    @property
    def sent(self) -> bytes:
        """Every byte that came, unpacked."""
        return b"\n".join(self.envelopes)

    async def take(self, request: Request) -> Response:
        """One envelope."""
        body = await request.body()
        while self.hangs:
            await asyncio.sleep(0.02)
        if self.fails is not None:
            return Response("it failed", self.fails)
        if f"sentry_key={KEY}" not in request.headers.get("x-sentry-auth", ""):
            return JSONResponse({"detail": "missing key"}, 401)
        unpack = UNPACK[request.headers.get("content-encoding", "")]
        self.envelopes.append(unpack(body))
        return JSONResponse({"id": "0" * 32})

    def app(self) -> Starlette:
        """What is served."""
        return Starlette(routes=[Route(f"/api/{PROJECT}/envelope/", self.take, methods=["POST"])])


@contextmanager
def sentry() -> Iterator[FakeSentry]:
    """One that is up."""
    fake = FakeSentry()
    with served(fake.app()) as url:
        fake.url = url
        yield fake
        fake.hangs = False
