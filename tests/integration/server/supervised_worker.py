"""A real worker that misbehaves on request instead of serving the app."""

import asyncio
import os
import re
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import structlog
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from app.server import worker
from app.vitals import working_on

log = structlog.get_logger(__name__)

HERE = "tests.integration.server.supervised_worker"


async def pid(_: Request) -> PlainTextResponse:
    return PlainTextResponse(str(os.getpid()))


async def spin(request: Request) -> PlainTextResponse:
    """Compute in Python, which other threads can interrupt."""
    until = time.monotonic() + float(request.query_params["s"])
    while time.monotonic() < until:
        pass
    return PlainTextResponse("done")


async def match(_: Request) -> PlainTextResponse:
    """Compute in C with the interpreter's lock held: no thread of the process runs any more."""
    with working_on("a hostile message", traceId="0123abcd"):
        re.match(r"(a+)+$", "a" * 40 + "!")
    return PlainTextResponse("done")


async def sleep(request: Request) -> PlainTextResponse:
    log.info("asleep")
    await asyncio.sleep(float(request.query_params["s"]))
    return PlainTextResponse("done")


@asynccontextmanager
async def lifespan(_: Starlette) -> AsyncIterator[None]:
    if Path(os.environ["FAILS"]).exists():  # noqa: ASYNC240 - nothing else runs yet
        raise RuntimeError("the start fails")
    yield


def app() -> Starlette:
    routes = [Route(f"/{one.__name__}", one) for one in (pid, spin, match, sleep)]
    return Starlette(routes=routes, lifespan=lifespan)


if __name__ == "__main__":
    sys.exit(worker.main(*map(int, sys.argv[1:]), factory=f"{HERE}:app"))
