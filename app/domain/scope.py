"""What a key may be used for."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

Scope = Literal["browser", "api", "mcp", "operator", "admin"]
INCLUDES: Mapping[Scope, frozenset[Scope]] = MappingProxyType(
    {
        "browser": frozenset({"browser", "api"}),
        "mcp": frozenset({"mcp"}),
        "api": frozenset({"api", "mcp"}),
        "operator": frozenset({"operator", "api", "mcp"}),
        "admin": frozenset({"admin", "operator", "api", "mcp"}),
    }
)
"""What a key of each scope may also be used for. Nothing includes `browser`: only a person's own browser
gives a person's consent.
"""

CreatedScope = Literal["api", "mcp", "operator", "admin"]
"""The scopes that a key can be created with; `browser` comes by pairing alone."""

Role = Literal["user", "operator", "admin"]
ROLES: Mapping[Role, CreatedScope] = MappingProxyType(
    {"user": "api", "operator": "operator", "admin": "admin"}
)
"""A role names the rank of a key in its tenant; a key that is created by a role gets this scope."""
