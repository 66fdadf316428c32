"""API keys: list, create, rotate and revoke."""

from datetime import UTC, datetime, timedelta
from typing import Annotated
from uuid import uuid4

from fastapi import APIRouter, Request
from pydantic import (
    AwareDatetime,
    Field,
    StringConstraints,
    model_validator,
)

from app.api.deps import AnyPrincipal, AppState, AppStateDep, CurrentAdmin, CurrentUser
from app.api.models import RequestModel, ResponseModel, Timestamp
from app.api.problems import NEEDS_ADMIN, problem_doc, problem_docs
from app.api.request_body import body_schema, parse_body, read_body
from app.domain.access import ROLES, ApiKey, CreatedScope, Principal, Role, Scope
from app.errors import Conflict, LastAdmin, NotFound

LONGEST_LIFE_DAYS = 3_650
LONGEST_GRACE_S = 7 * 24 * 60 * 60
GRACE_S = 60 * 60  # default grace period, to deploy the new key

# No control characters, line breaks or bidirectional overrides, so that a name cannot be spoofed.
_INVISIBLE = r"\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff"
PRINTABLE = rf"^[^{_INVISIBLE}]+$"
UserId = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=128, pattern=PRINTABLE)
]
KeyName = Annotated[
    str, StringConstraints(strip_whitespace=True, max_length=100, pattern=rf"^[^{_INVISIBLE}]*$")
]


class KeyIn(RequestModel):
    """The user, scope and expiry of the key; it never expires by default. `role` is another name for a
    scope: `user` for `api`.
    """

    user_id: UserId
    role: Role | None = None
    scope: CreatedScope | None = None
    name: KeyName = ""
    expires_at: AwareDatetime | None = None
    expires_in_days: Annotated[int, Field(ge=1, le=LONGEST_LIFE_DAYS)] | None = None

    def granted_scope(self) -> CreatedScope:
        return self.scope or ROLES[self.role or "user"]

    @model_validator(mode="after")
    def _check_consistency(self) -> "KeyIn":
        if self.role is not None and self.scope not in (None, ROLES[self.role]):
            raise ValueError("role, scope: give only one of them")
        if self.expires_at is not None and self.expires_in_days is not None:
            raise ValueError("expiresAt, expiresInDays: give only one of them")
        now = datetime.now(UTC)
        last = now + timedelta(days=LONGEST_LIFE_DAYS)
        if self.expires_at is not None and not now < self.expires_at <= last:
            raise ValueError("expiresAt: must be in the future, within ten years")
        return self

    def expiry(self) -> datetime | None:
        """When the key expires, in UTC; None for never."""
        if self.expires_in_days is not None:
            return datetime.now(UTC) + timedelta(days=self.expires_in_days)
        return self.expires_at.astimezone(UTC) if self.expires_at is not None else None


class RotationIn(RequestModel):
    grace_seconds: Annotated[int, Field(ge=0, le=LONGEST_GRACE_S)] = GRACE_S


class KeyView(ResponseModel):
    """A key without its secret, which is not stored."""

    key_id: str
    user_id: str
    role: Role
    scopes: list[Scope]
    name: str
    created_at: Timestamp
    last_used_at: Timestamp | None = None
    expires_at: Timestamp | None = None
    revoked_at: Timestamp | None = None
    rotated_to: str | None = None
    paired_from: str | None = None

    @staticmethod
    def of(key: ApiKey) -> "KeyView":
        return KeyView.from_fields(
            key,
            user_id=key.user,
            role=key.principal.role,
            paired_from=key.ancestors[-1] if key.ancestors else None,
        )


class KeysView(ResponseModel):
    keys: list[KeyView]


class CreatedKey(ResponseModel):
    """A new key. The secret is not shown again."""

    key: KeyView
    secret: str


class ServerView(ResponseModel):
    version: str
    model: str


class MeView(ResponseModel):
    tenant_id: str
    user_id: str
    role: Role
    scopes: list[Scope]
    key_id: str
    server: ServerView


LAST = problem_doc("The key is no longer valid, or is the last admin key")
ADMINS = "(admins)"  # lease held while an admin key is revoked; no task has this id
REVOKED_WITHIN_S = 5.0
router = APIRouter(tags=["keys"], responses=problem_docs(401))


@router.get("/api/me")
async def me(request: Request, principal: AnyPrincipal, state: AppStateDep) -> MeView:
    """The user, tenant and scopes of the key, and the server's version and model."""
    server = ServerView(version=request.app.version, model=state["model"])
    return MeView.from_fields(
        principal, tenant_id=principal.tenant, user_id=principal.user, server=server
    )


@router.get("/api/keys", response_model_exclude_none=True)
async def keys(principal: CurrentUser, state: AppStateDep) -> KeysView:
    """Keys, newest first, including revoked ones: the tenant's for admins, the user's own for others."""
    found = await state["store"].keys.all(principal.tenant)
    return KeysView(keys=[KeyView.of(key) for key in found if _can_see(principal, key)])


@router.post(
    "/api/keys",
    status_code=201,
    response_model_exclude_none=True,
    responses={403: NEEDS_ADMIN, **problem_docs(413, 422)},
    openapi_extra=body_schema(KeyIn),
)
async def make_key(request: Request, principal: CurrentAdmin, state: AppStateDep) -> CreatedKey:
    """Create a key for a user of the tenant; admins only. Its secret is returned only once. Browsers get
    their keys by pairing.
    """
    body = parse_body(KeyIn, await read_body(request))
    holder = Principal(tenant=principal.tenant, user=body.user_id, scopes=(body.granted_scope(),))
    key, secret = await state["store"].keys.create(holder, name=body.name, expires_at=body.expiry())
    return CreatedKey(key=KeyView.of(key), secret=secret)


@router.post(
    "/api/keys/{key_id}/rotate",
    status_code=201,
    response_model_exclude_none=True,
    responses={403: NEEDS_ADMIN, 409: LAST, **problem_docs(404, 413, 422)},
    openapi_extra=body_schema(RotationIn, required=False),
)
async def rotate_key(
    key_id: str, request: Request, principal: CurrentAdmin, state: AppStateDep
) -> CreatedKey:
    """Replace a key by a new one with the same user, scope and lifetime; admins only. The old key stays
    valid for an hour, or for `graceSeconds`, and so do the browsers paired with it. 409 for a key that is
    revoked, expired or already rotated, and for a browser's key: pair the browser again instead.
    """
    body = parse_body(RotationIn, await read_body(request) or b"{}")
    key, secret = await state["store"].keys.rotate(
        principal.tenant, key_id, grace_s=body.grace_seconds
    )
    return CreatedKey(key=KeyView.of(key), secret=secret)


@router.delete(
    "/api/keys/{key_id}",
    status_code=204,
    responses={**problem_docs(404), 409: LAST},
)
async def revoke_key(key_id: str, principal: CurrentUser, state: AppStateDep) -> None:
    """Revoke a key and the browsers paired with it: the key of this request, any of the user's with a
    browser's key, any of the tenant's with an admin's. Every process rejects it at once and ends what is
    running with it. 409 for the last admin key.
    """
    key = await state["store"].keys.get(principal.tenant, key_id)
    if not _can_see(principal, key):
        raise NotFound(f"There is no key {key_id!r}.")
    if key.key_id != principal.key_id:
        principal.require("browser", "admin")
    if not key.principal.has_scope("admin"):
        await state["store"].keys.revoke(principal.tenant, key_id)
        return
    leases = state["store"].leases
    # Otherwise two concurrent revocations could each count on the other key.
    lease = await leases.acquire(
        principal.tenant, ADMINS, claim=uuid4().hex, ttl_s=REVOKED_WITHIN_S
    )
    if lease is None:
        raise Conflict("Another admin key is being revoked; try again.")
    try:
        await _require_another_admin(state, key)
        await state["store"].keys.revoke(principal.tenant, key_id)
    finally:
        await leases.release(lease)


def _can_see(principal: Principal, key: ApiKey) -> bool:
    return principal.has_scope("admin") or key.user == principal.user


async def _require_another_admin(state: AppState, key: ApiKey) -> None:
    """Raises `LastAdmin` for the only valid admin key of the tenant."""
    now = datetime.now(UTC)
    if not key.is_valid_at(now):
        return
    others = [one for one in await state["store"].keys.all(key.tenant) if one.key_id != key.key_id]
    if not any(one.principal.has_scope("admin") and one.is_valid_at(now) for one in others):
        raise LastAdmin("This is the last admin key. Create another one first.")
