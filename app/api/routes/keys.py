"""Keys: who may come in, as what, until when."""

from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, TypeVar
from uuid import uuid4

from fastapi import APIRouter, Request
from pydantic import (
    AwareDatetime,
    BaseModel,
    Field,
    StringConstraints,
    ValidationError,
    model_validator,
)

from app.api.deps import AnyPrincipal, AppState, AppStateDep, CurrentAdmin, CurrentUser
from app.api.models import RequestModel, ResponseModel, Timestamp
from app.api.request_body import read_body
from app.api.routes.interact.router import PROBLEMS
from app.domain.access import ROLES, ApiKey, CreatedScope, Principal, Role, Scope
from app.errors import Conflict, InvalidBody, LastAdmin, NotFound

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


class KeyIn(RequestModel):
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
    def _one_scope(self) -> "KeyIn":
        if self.role is not None and self.scope not in (None, ROLES[self.role]):
            raise ValueError("role, scope: say one of them")
        return self

    def granted(self) -> CreatedScope:
        """The scope that is asked for; `api` where nothing is said."""
        return self.scope or ROLES[self.role or "user"]

    @model_validator(mode="after")
    def _one_end(self) -> "KeyIn":
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


class RotationIn(RequestModel):
    """For how many seconds the old key opens beside the new one."""

    grace_seconds: Annotated[int, Field(ge=0, le=LONGEST_GRACE_S)] = GRACE_S


class KeyView(ResponseModel):
    """A key without its secret, which is kept nowhere."""

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
        """The view of a stored key."""
        shared = key.model_dump(exclude={"tenant", "user", "scopes", "ancestors"})
        return KeyView(
            user_id=key.user,
            role=key.principal.role,
            scopes=list(key.scopes),
            paired_from=key.ancestors[-1] if key.ancestors else None,
            **shared,
        )


class KeysView(ResponseModel):
    """Keys, newest first."""

    keys: list[KeyView]


class CreatedKey(ResponseModel):
    """A new key. The secret is shown this once."""

    key: KeyView
    secret: str


class ServerView(ResponseModel):
    """What answers."""

    version: str
    model: str


class MeView(ResponseModel):
    """Whose key was sent."""

    tenant_id: str
    user_id: str
    role: Role
    scopes: list[Scope]
    key_id: str
    server: ServerView

    @staticmethod
    def of(principal: Principal, server: ServerView) -> "MeView":
        """The view of who asks."""
        return MeView(
            tenant_id=principal.tenant,
            user_id=principal.user,
            role=principal.role,
            scopes=list(principal.scopes),
            key_id=principal.key_id,
            server=server,
        )


FORBIDDEN = PROBLEMS[401] | {"description": "It takes an admin's key"}
LAST = PROBLEMS[409] | {"description": "The key ended already, or is the last admin's"}
ADMINS = "(admins)"  # leased while one of them is revoked; no task has such an id
REVOKED_WITHIN_S = 5.0
router = APIRouter(tags=["keys"], responses={401: PROBLEMS[401]})
Body = TypeVar("Body", bound=BaseModel)


def _schema(body: type[BaseModel], *, required: bool = True) -> dict[str, Any]:
    shape = {"application/json": {"schema": body.model_json_schema()}}
    return {"requestBody": {"required": required, "content": shape}}


@router.get("/api/me")
async def me(request: Request, principal: AnyPrincipal, state: AppStateDep) -> MeView:
    """Whose key this is, what it may do, and what answers."""
    return MeView.of(principal, ServerView(version=request.app.version, model=state["model"]))


@router.get("/api/keys", response_model_exclude_none=True)
async def keys(principal: CurrentUser, state: AppStateDep) -> KeysView:
    """The tenant's keys, newest first, ended ones too; one's own where one is no admin."""
    found = await state["store"].keys.all(principal.tenant)
    return KeysView(keys=[KeyView.of(key) for key in found if _is_seen(principal, key)])


@router.post(
    "/api/keys",
    status_code=201,
    response_model_exclude_none=True,
    responses={403: FORBIDDEN, **{k: PROBLEMS[k] for k in (413, 422)}},
    openapi_extra=_schema(KeyIn),
)
async def make_key(request: Request, principal: CurrentAdmin, state: AppStateDep) -> CreatedKey:
    """Make a key for a user of one's own tenant; admins only. Its secret is shown this once. A browser
    gets its key by pairing alone.
    """
    asked = _parsed(KeyIn, await read_body(request))
    holder = Principal(tenant=principal.tenant, user=asked.user_id, scopes=(asked.granted(),))
    key, secret = await state["store"].keys.create(holder, name=asked.name, expires_at=asked.ends())
    return CreatedKey(key=KeyView.of(key), secret=secret)


@router.post(
    "/api/keys/{key_id}/rotate",
    status_code=201,
    response_model_exclude_none=True,
    responses={403: FORBIDDEN, 409: LAST, **{k: PROBLEMS[k] for k in (404, 413, 422)}},
    openapi_extra=_schema(RotationIn, required=False),
)
async def rotate_key(
    key_id: str, request: Request, principal: CurrentAdmin, state: AppStateDep
) -> CreatedKey:
    """A new key in the place of one, of the same user, scope and life; admins only. The old one opens for
    an hour more, or for `graceSeconds`, and so do the browsers that were paired from it. 409 for one that
    ended or was rotated already, and for a browser's: pair that again.
    """
    asked = _parsed(RotationIn, await read_body(request) or b"{}")
    key, secret = await state["store"].keys.rotate(
        principal.tenant, key_id, grace_s=asked.grace_seconds
    )
    return CreatedKey(key=KeyView.of(key), secret=secret)


@router.delete(
    "/api/keys/{key_id}",
    status_code=204,
    responses={404: PROBLEMS[404], 409: LAST},
)
async def revoke_key(key_id: str, principal: CurrentUser, state: AppStateDep) -> None:
    """End the key that is sent, or with a browser's key any of one's own, with an admin's any of the tenant;
    and with it the browsers that were paired from it. Every
    process refuses it from now on, and what is under way with it ends. 409 for the last admin key: make
    another first.
    """
    key = await state["store"].keys.get(principal.tenant, key_id)
    if not _is_seen(principal, key):
        raise NotFound(f"There is no key {key_id!r}")
    if key.key_id != principal.key_id:
        principal.require("browser", "admin")
    if not key.principal.has_scope("admin"):
        await state["store"].keys.revoke(principal.tenant, key_id)
        return
    leases, turn = state["store"].leases, uuid4().hex
    lease = await leases.acquire(principal.tenant, ADMINS, claim=turn, ttl_s=REVOKED_WITHIN_S)
    if lease is None:
        raise Conflict(
            "Another admin key is being revoked: try again"
        )  # each would count on the other
    try:
        await _keep_an_admin(state, key)
        await state["store"].keys.revoke(principal.tenant, key_id)
    finally:
        await leases.release(lease)


def _is_seen(principal: Principal, key: ApiKey) -> bool:
    return principal.has_scope("admin") or key.user == principal.user


async def _keep_an_admin(state: AppState, key: ApiKey) -> None:
    """Raises `LastAdmin` where nobody could make keys any more but by the command."""
    now = datetime.now(UTC)
    if not key.principal.has_scope("admin") or not key.is_valid_at(now):
        return
    others = [one for one in await state["store"].keys.all(key.tenant) if one.key_id != key.key_id]
    if not any(one.principal.has_scope("admin") and one.is_valid_at(now) for one in others):
        raise LastAdmin("Make another admin key first: with this one gone nobody could")


def _parsed(kind: type[Body], body: bytes) -> Body:
    try:
        return kind.model_validate_json(body)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False, include_input=False)
        raise InvalidBody([dict(item) for item in found]) from None
