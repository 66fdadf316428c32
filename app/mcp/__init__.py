"""Tabwright over the Model Context Protocol: two servers of the review queue, one of the agent itself."""

from app.mcp.services import (
    INVALID_KEY,
    SERVER_NAMES,
    McpHttp,
    Services,
    mcp_principal,
)

__all__ = [
    "INVALID_KEY",
    "SERVER_NAMES",
    "McpHttp",
    "Services",
    "mcp_principal",
]
