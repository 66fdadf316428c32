"""The end of a request whose key is closed while it is answered."""

import asyncio
from collections.abc import Callable
from contextlib import ExitStack

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.domain.access import Principal
from app.errors import Unauthenticated
from app.store.people.key_watch import CLOSED, KeyWatch

HOLD = "tabwright.hold"  # where a request's scope has what is told whose key it came with
GRACE_S = 1.0  # for a run that ends with its key to say so as the last event of its stream


class KeyRevocation:
    """Cuts off what a closed key asked for: with 401, or with the end of a stream that has begun."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        watch: KeyWatch | None = scope.get("state", {}).get("key_watch")
        if scope["type"] != "http" or watch is None:
            await self._app(scope, receive, send)
            return
        begun = ended = False

        async def told(message: Message) -> None:
            nonlocal begun, ended
            begun = True
            ended = message["type"] == "http.response.body" and not message.get("more_body", False)
            await send(message)

        limit = asyncio.timeout(None)
        try:
            async with limit:
                with ExitStack() as held:
                    scope[HOLD] = _holding(watch, held, limit)
                    await self._app(scope, receive, told)
        except TimeoutError:
            if not limit.expired():
                raise
            if not begun:
                raise Unauthenticated(CLOSED) from None
            if not ended:
                await send({"type": "http.response.body", "body": b""})


def hold(scope: Scope, who: Principal) -> None:
    """Have the request end once this key is closed."""
    holding: Callable[[Principal], None] | None = scope.get(HOLD)
    if holding is not None:
        holding(who)


def _holding(
    watch: KeyWatch, held: ExitStack, limit: asyncio.Timeout
) -> Callable[[Principal], None]:
    loop = asyncio.get_running_loop()

    def closed() -> None:
        if limit.when() is None:
            limit.reschedule(loop.time() + GRACE_S)

    return lambda who: held.enter_context(watch.listening(who, closed))
