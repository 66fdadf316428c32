"""Middleware that aborts the requests of a revoked key."""

import asyncio
from contextlib import ExitStack

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.domain.access import Principal
from app.errors import Unauthenticated
from app.store.people.keys import CLOSED, KeyWatch

REGISTER = "tabwright.register_principal"  # scope key: called once the principal is known
GRACE_S = 1.0  # grace period for a run to report its end as the last event of its stream


class KeyRevocation:
    """Aborts requests of a revoked key: with 401, or with the end of a stream that has started."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        watch: KeyWatch | None = scope.get("state", {}).get("key_watch")
        if scope["type"] != "http" or watch is None:
            await self._app(scope, receive, send)
            return
        started = ended = False

        async def track(message: Message) -> None:
            nonlocal started, ended
            started = True
            ended = message["type"] == "http.response.body" and not message.get("more_body", False)
            await send(message)

        def abort() -> None:
            if limit.when() is None:
                limit.reschedule(asyncio.get_running_loop().time() + GRACE_S)

        def register(principal: Principal) -> None:
            watches.enter_context(watch.on_close(principal, abort))

        scope[REGISTER] = register
        limit = asyncio.timeout(None)
        try:
            async with limit:
                with ExitStack() as watches:
                    await self._app(scope, receive, track)
        except TimeoutError:
            if not limit.expired():
                raise
            if not started:
                raise Unauthenticated(CLOSED) from None
            if not ended:
                await send({"type": "http.response.body", "body": b""})
