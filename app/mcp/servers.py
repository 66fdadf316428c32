"""The three servers by name."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from mcp.server import MCPServer

from app.mcp.review.capture import capture_server
from app.mcp.review.queue import review_server
from app.mcp.services import Services
from app.mcp.tasks.server import tabwright_server

SERVERS: Mapping[str, Callable[[Services], MCPServer]] = MappingProxyType(
    {"capture": capture_server, "review": review_server, "tabwright": tabwright_server}
)
