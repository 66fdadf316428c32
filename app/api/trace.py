"""A trace id for every request, outside of everything else."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.domain.metrics.telemetry import new_trace_id


class Traced:
    """Gives each request a trace id and says it in the answer's `X-Trace-Id`."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        trace = scope["trace_id"] = new_trace_id()

        async def tell(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], (b"x-trace-id", trace.encode())]
            await send(message)

        await self._app(scope, receive, tell)
