"""The version of the protocol between the extension and the server."""

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from app.api.problems import problem_response
from app.errors import Invalid, ProtocolUnsupported, TabwrightError

HEADER = "X-Tabwright-Protocol"
PROTOCOL = 1  # incremented by incompatible changes
OLDEST_PROTOCOL = 1  # oldest version served; also assumed without a header


class ProtocolCheck:
    """Rejects clients with another protocol version; `ResponseHeaders` sends ours with every response."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            try:
                check_protocol(Headers(scope=scope).get(HEADER))
            except TabwrightError as error:
                await problem_response(error, scope)(scope, receive, send)
                return
        await self._app(scope, receive, send)


def check_protocol(sent: str | None) -> None:
    """Raises `ProtocolUnsupported`, which says which side to update, or `Invalid`."""
    if sent is None:
        return
    if not (sent.isascii() and sent.isdecimal() and len(sent) <= 6):
        raise Invalid(f"{HEADER}: must be an integer.")
    if int(sent) > PROTOCOL:
        raise ProtocolUnsupported(
            f"Update the Tabwright server: it speaks protocol {PROTOCOL}, the client {int(sent)}."
        )
    if int(sent) < OLDEST_PROTOCOL:
        raise ProtocolUnsupported(
            f"Update the Tabwright extension: it speaks protocol {int(sent)}, the server needs at least"
            f" {OLDEST_PROTOCOL}."
        )
