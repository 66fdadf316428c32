"""API keys on the wire."""

from datetime import UTC, datetime, timedelta
from typing import Annotated

from pydantic import AwareDatetime, Field, StringConstraints, model_validator

from app.api.models import Moment, Received, Reply
from app.domain.access import ROLES, ApiKey, CreatedScope, Principal, Role, Scope

LONGEST_LIFE_DAYS = 3_650
LONGEST_GRACE_S = 7 * 24 * 60 * 60
GRACE_S = 60 * 60  # long enough to carry the new key to where the old one is

# No control characters, ends of lines, or turns of the writing direction: a name is what it looks like.
_UNSEEN = r"\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff"
PRINTABLE = rf"^[^{_UNSEEN}]+$"
UserId = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=128, pattern=PRINTABLE)
]
KeyName = Annotated[
    str, StringConstraints(strip_whitespace=True, max_length=100, pattern=rf"^[^{_UNSEEN}]*$")
]


class NewKey(Received):
    """Whose key it is to be, its scope, and until when: for good where nothing is said. `role` is the other
    name of a scope: `user` of `api`.
    """

    user_id: UserId
    role: Role | None = None
    scope: CreatedScope | None = None
    name: KeyName = ""
    expires_at: AwareDatetime | None = None
    expires_in_days: Annotated[int, Field(ge=1, le=LONGEST_LIFE_DAYS)] | None = None

    @model_validator(mode="after")
    def _one_scope(self) -> "NewKey":
        if self.role is not None and self.scope not in (None, ROLES[self.role]):
            raise ValueError("role, scope: say one of them")
        return self

    def granted(self) -> CreatedScope:
        """The scope that is asked for; `api` where nothing is said."""
        return self.scope or ROLES[self.role or "user"]

    @model_validator(mode="after")
    def _one_end(self) -> "NewKey":
        if self.expires_at is not None and self.expires_in_days is not None:
            raise ValueError("expiresAt, expiresInDays: say one of them")
        now = datetime.now(UTC)
        last = now + timedelta(days=LONGEST_LIFE_DAYS)
        if self.expires_at is not None and not now < self.expires_at <= last:
            raise ValueError("expiresAt: it is to be in the future, within ten years")
        return self

    def ends(self) -> datetime | None:
        """When it ends, by the server's clock."""
        if self.expires_in_days is not None:
            return datetime.now(UTC) + timedelta(days=self.expires_in_days)
        return self.expires_at.astimezone(UTC) if self.expires_at is not None else None


class Rotation(Received):
    """For how many seconds the old key opens beside the new one."""

    grace_seconds: Annotated[int, Field(ge=0, le=LONGEST_GRACE_S)] = GRACE_S


class KeyView(Reply):
    """A key without its secret, which is kept nowhere."""

    key_id: str
    user_id: str
    role: Role
    scopes: list[Scope]
    name: str
    created_at: Moment
    last_used_at: Moment | None = None
    expires_at: Moment | None = None
    revoked_at: Moment | None = None
    rotated_to: str | None = None
    paired_from: str | None = None

    @staticmethod
    def of(key: ApiKey) -> "KeyView":
        """The view of a stored key."""
        shared = key.model_dump(exclude={"tenant", "user", "scopes", "ancestors"})
        return KeyView(
            user_id=key.user,
            role=key.holder.role,
            scopes=list(key.scopes),
            paired_from=key.ancestors[-1] if key.ancestors else None,
            **shared,
        )


class KeysView(Reply):
    """Keys, newest first."""

    keys: list[KeyView]


class MadeKey(Reply):
    """A new key. The secret is shown this once."""

    key: KeyView
    secret: str


class ServerView(Reply):
    """What answers."""

    version: str
    model: str


class MeView(Reply):
    """Whose key was sent."""

    tenant_id: str
    user_id: str
    role: Role
    scopes: list[Scope]
    key_id: str
    server: ServerView

    @staticmethod
    def of(who: Principal, server: ServerView) -> "MeView":
        """The view of who asks."""
        return MeView(
            tenant_id=who.tenant,
            user_id=who.user,
            role=who.role,
            scopes=list(who.scopes),
            key_id=who.key_id,
            server=server,
        )
