"""Authorization: API keys and their scopes, action effects, tenant policies, sites."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from fnmatch import fnmatchcase
from functools import lru_cache
from types import MappingProxyType
from typing import Literal, get_args
from urllib.parse import urlsplit

from app.domain.base import Value
from app.errors import ConsentNeedsBrowser, Forbidden

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
"""Scopes that each scope implies.

None implies `browser`: consent can only come from a person's own browser.
"""

CreatedScope = Literal["api", "mcp", "operator", "admin"]
"""Scopes a key can be created with; `browser` is only granted by pairing."""

Role = Literal["user", "operator", "admin"]

ROLES: Mapping[Role, CreatedScope] = MappingProxyType(
    {"user": "api", "operator": "operator", "admin": "admin"}
)
"""The scope that each role gets, most privileged role first."""


class Principal(Value):
    """The authenticated caller, derived from the API key and never from the request.

    A key with role `user` sees its own user's tasks; higher roles see the whole tenant's.
    """

    tenant: str
    user: str
    scopes: tuple[Scope, ...] = ("api",)
    key_id: str = ""

    def has_scope(self, scope: Scope) -> bool:
        """Whether the caller has this scope, directly or implied by another."""
        return any(scope in INCLUDES[one] for one in self.scopes)

    def require(self, *accepted: Scope) -> None:
        """Raise unless the key has one of these scopes: `ConsentNeedsBrowser` if only a browser's key would
        do, else `Forbidden`.
        """
        if any(self.has_scope(scope) for scope in accepted):
            return
        if accepted == ("browser",):
            raise ConsentNeedsBrowser
        accepted_scopes, own_scopes = " or ".join(accepted), " and ".join(self.scopes) or "none"
        raise Forbidden(f"This needs a key with scope {accepted_scopes}; this one has {own_scopes}")

    def without_consent(self) -> "Principal":
        """The same caller without the right to consent, for endpoints that accept no consent with any key."""
        left = tuple(scope for scope in self.scopes if scope != "browser")
        return self.model_copy(update={"scopes": left})

    @property
    def role(self) -> Role:
        if self.has_scope("admin"):
            return "admin"
        return "operator" if self.has_scope("operator") else "user"

    def can_see(self, user: str) -> bool:
        """Whether the caller may see resources of this user of the tenant."""
        return self.user == user or self.has_scope("operator")


class Pairing(Value):
    """What a pairing code grants until it is used or `expires_at` passes.

    It is valid at the origin `server`. `made_by` is the id of the key that requested it, "" for the command
    line.
    """

    tenant: str
    user: str
    server: str
    made_by: str = ""
    created_at: datetime
    expires_at: datetime


class ApiKey(Value):
    """An API key as stored; the secret itself is not stored.

    `ancestors` are the keys it was paired from, nearest last; it ends when any of them ends.
    """

    key_id: str
    tenant: str
    user: str
    scopes: tuple[Scope, ...] = ("api",)
    name: str = ""
    ancestors: tuple[str, ...] = ()
    created_at: datetime
    last_used_at: datetime | None = None
    expires_at: datetime | None = None
    revoked_at: datetime | None = None
    rotated_to: str | None = None  # the key that replaces it

    def is_valid_at(self, moment: datetime) -> bool:
        """Whether the key is valid at that time, by the server's clock."""
        ended = self.expires_at is not None and self.expires_at <= moment
        return self.revoked_at is None and not ended

    @property
    def principal(self) -> Principal:
        return Principal(tenant=self.tenant, user=self.user, scopes=self.scopes, key_id=self.key_id)


Effect = Literal["reads", "fills", "saves", "ends", "grants", "sends", "pays", "deletes"]
"""Effects in ascending order of gravity.

`ends` is signing out; `sends` includes publishing and deciding for others.
"""

EFFECTS: tuple[Effect, ...] = get_args(Effect)
CONSEQUENTIAL: frozenset[Effect] = frozenset({"grants", "sends", "pays", "deletes"})

Concern = Effect | Literal["outside", "new_site"]
"""Why a person is asked: an effect, a site that is neither named nor allowed (`outside`), or the first
action on a site the run reached by itself (`new_site`).
"""


def gravest(*effects: Effect) -> Effect:
    return max(effects, key=EFFECTS.index)


ApprovalMode = Literal["always", "risky", "trust_goal"]


class Approvals(Value):
    """When actions need approval. `always`: every change; `risky`: deleting, paying, sending, publishing,
    granting; `trust_goal`: like `risky`, except for what the goal asks for by name.

    Sites matching `never_for` (`crm.example`, `*.example`, `localhost:8000`, `*`) need no approval, except
    for a secret typed into a field not meant for one and for a value from another site.
    """

    mode: ApprovalMode = "risky"
    never_for: tuple[str, ...] = ()


class Policy(Value):
    """A tenant's policy.

    If `action_domains` is set, actions on any other site need approval. `knowledge_domains` are the sites
    whose documents may be used. A chat answer that cites a document from one of `reviewed_sets` has high
    impact.
    """

    tenant: str
    action_domains: tuple[str, ...] = ()
    knowledge_domains: tuple[str, ...] = ()
    approvals: Approvals = Approvals()
    reviewed_sets: tuple[str, ...] = ()


_OWN_PORTS = {"http": 80, "https": 443}


@lru_cache(maxsize=256)
def site_of(url: str) -> str:
    """Lower-case host, with the port if it is not the scheme's default; "" if there is no address."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return ""
    if parts.scheme not in _OWN_PORTS or not host:
        return ""
    host = f"[{host}]" if ":" in host else host
    return host if port in (None, _OWN_PORTS[parts.scheme]) else f"{host}:{port}"


def site_matches(site: str, patterns: Iterable[str], *, below: bool = False) -> bool:
    """Whether a policy pattern matches the site: `crm.example`, `*.example`, `localhost:8000`, `*`.

    A pattern without a port matches every port. With `below`, a name also matches its subdomains.
    """
    host = site if site.startswith("[") else site.partition(":")[0]
    for pattern in patterns:
        folded = pattern.strip().lower()
        if not folded or not site:
            continue
        if folded == "*" or fnmatchcase(site, folded) or fnmatchcase(host, folded):
            return True
        if below and host.endswith(f".{folded}"):
            return True
    return False
