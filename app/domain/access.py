"""Who may do what: keys and their scopes, effects of actions, tenant policies, sites."""

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


class Principal(Value):
    """Who is asking: read from the API key, never from the request.

    A key of role `user` sees its user's own tasks, one of a higher role those of the whole tenant.
    """

    tenant: str
    user: str
    scopes: tuple[Scope, ...] = ("api",)
    key_id: str = ""

    def has_scope(self, scope: Scope) -> bool:
        """Whether one of its scopes is this one, or includes it."""
        return any(scope in INCLUDES[one] for one in self.scopes)

    def require(self, *accepted: Scope) -> None:
        """Raise unless the key has one of these scopes: `ConsentNeedsBrowser` where only a person's browser
        would do, else `Forbidden`.
        """
        if any(self.has_scope(scope) for scope in accepted):
            return
        if accepted == ("browser",):
            raise ConsentNeedsBrowser
        wanted, held = " or ".join(accepted), " and ".join(self.scopes) or "none"
        raise Forbidden(f"This needs a key with scope {wanted}; this one has {held}")

    def without_consent(self) -> "Principal":
        """The same holder at a door where no person's yes is taken, whatever key was sent."""
        left = tuple(scope for scope in self.scopes if scope != "browser")
        return self.model_copy(update={"scopes": left})

    @property
    def role(self) -> Role:
        """The rank of the key in its tenant."""
        if self.has_scope("admin"):
            return "admin"
        return "operator" if self.has_scope("operator") else "user"

    def can_see(self, user: str) -> bool:
        """Whether what belongs to this user of the tenant may be seen."""
        return self.user == user or self.has_scope("operator")


class Pairing(Value):
    """What a pairing code stands for, until it is used or `expires_at`. It is good at the origin `server`.
    `made_by` is the key that asked for it; "" where the command line did.
    """

    tenant: str
    user: str
    server: str
    made_by: str = ""
    created_at: datetime
    expires_at: datetime


class ApiKey(Value):
    """A key as it is stored; the secret itself is kept nowhere. `ancestors` are the keys that it was paired
    from, the nearest last: it ends with any of them.
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
    rotated_to: str | None = None  # the key that takes its place

    def is_valid_at(self, moment: datetime) -> bool:
        """Whether it opens then, by the server's clock alone."""
        ended = self.expires_at is not None and self.expires_at <= moment
        return self.revoked_at is None and not ended

    @property
    def principal(self) -> Principal:
        """Who asks with it."""
        return Principal(tenant=self.tenant, user=self.user, scopes=self.scopes, key_id=self.key_id)


Effect = Literal["reads", "fills", "saves", "ends", "grants", "sends", "pays", "deletes"]
"""From what needs no thought to what is hardest to undo; `ends` is signing out, `sends` is also publishing
and deciding for others.
"""


EFFECTS: tuple[Effect, ...] = get_args(Effect)


CONSEQUENTIAL: frozenset[Effect] = frozenset({"grants", "sends", "pays", "deletes"})


Concern = Effect | Literal["outside", "new_site"]
"""Why a person is asked: an effect, a site that nobody named or allowed (`outside`), or the first act on a
site that the run came to by itself (`new_site`).
"""


def gravest(*effects: Effect) -> Effect:
    """The gravest of them."""
    return max(effects, key=EFFECTS.index)


ApprovalMode = Literal["always", "risky", "trust_goal"]


class Approvals(Value):
    """`always`: every action that changes something is agreed to first; `risky`: what deletes, pays,
    sends, publishes or grants; `trust_goal`: that too, but for what the goal orders by name.

    On sites that match `never_for` (`crm.example`, `*.example`, `localhost:8000`, `*`) nobody is asked,
    but about a secret typed where none belongs, and about a value of another site.
    """

    mode: ApprovalMode = "risky"
    never_for: tuple[str, ...] = ()


class Policy(Value):
    """A tenant's policy. With `action_domains` given, acting on any other site is agreed to first;
    `knowledge_domains` are those whose documents may be used.
    An answer of the chat that cites a document of one of `reviewed_sets` is of high impact.
    """

    tenant: str
    action_domains: tuple[str, ...] = ()
    knowledge_domains: tuple[str, ...] = ()
    approvals: Approvals = Approvals()
    reviewed_sets: tuple[str, ...] = ()


_OWN_PORTS = {"http": 80, "https": 443}


@lru_cache(maxsize=256)
def site_of(url: str) -> str:
    """Host in lower case, and the port where it is not the scheme's own; "" for no address."""
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
    """Whether a pattern of a policy names the site: `crm.example`, `*.example`, `localhost:8000`, `*`.

    One without a port is of every port; with `below`, what stands under a name is named with it.
    """
    host = site if site.startswith("[") else site.partition(":")[0]
    for pattern in patterns:
        wanted = pattern.strip().lower()
        if not wanted or not site:
            continue
        if wanted == "*" or fnmatchcase(site, wanted) or fnmatchcase(host, wanted):
            return True
        if below and host.endswith(f".{wanted}"):
            return True
    return False
