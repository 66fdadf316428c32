"""Ends a request whose key is revoked while it is being served."""

import asyncio
from collections.abc import Callable
from contextlib import ExitStack

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.domain.access import Principal
from app.errors import Unauthenticated
from app.store.people.key_watch import CLOSED, KeyWatch

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

        limit = asyncio.timeout(None)
        try:
            async with limit:
                with ExitStack() as watches:
                    scope[REGISTER] = _registrar(watch, watches, limit)
                    await self._app(scope, receive, track)
        except TimeoutError:
            if not limit.expired():
                raise
            if not started:
                raise Unauthenticated(CLOSED) from None
            if not ended:
                await send({"type": "http.response.body", "body": b""})


def end_on_revocation(scope: Scope, principal: Principal) -> None:
    """Register the request to be aborted when its key is revoked."""
    register: Callable[[Principal], None] | None = scope.get(REGISTER)
    if register is not None:
        register(principal)


def _registrar(
    watch: KeyWatch, watches: ExitStack, limit: asyncio.Timeout
) -> Callable[[Principal], None]:
    loop = asyncio.get_running_loop()

    def revoked() -> None:
        if limit.when() is None:
            limit.reschedule(loop.time() + GRACE_S)

    return lambda principal: watches.enter_context(watch.listening(principal, revoked))
