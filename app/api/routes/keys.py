"""Keys: who may come in, as what, until when."""

from datetime import UTC, datetime
from typing import Any, TypeVar
from uuid import uuid4

from fastapi import APIRouter, Request
from pydantic import BaseModel, ValidationError

from app.api.deps import AnyKey, AsAdmin, AsUser
from app.api.lifetime import Lifetime, LifetimeDep
from app.api.request_body import read_body
from app.api.routes.interact.router import PROBLEMS
from app.api.schemas.keys import KeysView, KeyView, MadeKey, MeView, NewKey, Rotation, ServerView
from app.domain.access import ApiKey, Principal
from app.errors import Conflict, InvalidBody, LastAdmin, NotFound

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
async def me(request: Request, who: AnyKey, made: LifetimeDep) -> MeView:
    """Whose key this is, what it may do, and what answers."""
    return MeView.of(who, ServerView(version=request.app.version, model=made["model"]))


@router.get("/api/keys", response_model_exclude_none=True)
async def keys(who: AsUser, made: LifetimeDep) -> KeysView:
    """The tenant's keys, newest first, ended ones too; one's own where one is no admin."""
    found = await made["store"].keys.all(who.tenant)
    return KeysView(keys=[KeyView.of(key) for key in found if _is_seen(who, key)])


@router.post(
    "/api/keys",
    status_code=201,
    response_model_exclude_none=True,
    responses={403: FORBIDDEN, **{k: PROBLEMS[k] for k in (413, 422)}},
    openapi_extra=_schema(NewKey),
)
async def make_key(request: Request, who: AsAdmin, made: LifetimeDep) -> MadeKey:
    """Make a key for a user of one's own tenant; admins only. Its secret is shown this once. A browser
    gets its key by pairing alone.
    """
    asked = _parsed(NewKey, await read_body(request))
    holder = Principal(tenant=who.tenant, user=asked.user_id, scopes=(asked.granted(),))
    key, secret = await made["store"].keys.create(holder, name=asked.name, expires_at=asked.ends())
    return MadeKey(key=KeyView.of(key), secret=secret)


@router.post(
    "/api/keys/{key_id}/rotate",
    status_code=201,
    response_model_exclude_none=True,
    responses={403: FORBIDDEN, 409: LAST, **{k: PROBLEMS[k] for k in (404, 413, 422)}},
    openapi_extra=_schema(Rotation, required=False),
)
async def rotate_key(key_id: str, request: Request, who: AsAdmin, made: LifetimeDep) -> MadeKey:
    """A new key in the place of one, of the same user, scope and life; admins only. The old one opens for
    an hour more, or for `graceSeconds`, and so do the browsers that were paired from it. 409 for one that
    ended or was rotated already, and for a browser's: pair that again.
    """
    asked = _parsed(Rotation, await read_body(request) or b"{}")
    key, secret = await made["store"].keys.rotate(who.tenant, key_id, grace_s=asked.grace_seconds)
    return MadeKey(key=KeyView.of(key), secret=secret)


@router.delete(
    "/api/keys/{key_id}",
    status_code=204,
    responses={404: PROBLEMS[404], 409: LAST},
)
async def revoke_key(key_id: str, who: AsUser, made: LifetimeDep) -> None:
    """End the key that is sent, or with a browser's key any of one's own, with an admin's any of the tenant;
    and with it the browsers that were paired from it. Every
    process refuses it from now on, and what is under way with it ends. 409 for the last admin key: make
    another first.
    """
    key = await made["store"].keys.get(who.tenant, key_id)
    if not _is_seen(who, key):
        raise NotFound(f"There is no key {key_id!r}")
    if key.key_id != who.key_id:
        who.require("browser", "admin")
    if not key.holder.has("admin"):
        await made["store"].keys.revoke(who.tenant, key_id)
        return
    leases, turn = made["store"].leases, uuid4().hex
    lease = await leases.acquire(who.tenant, ADMINS, claim=turn, ttl_s=REVOKED_WITHIN_S)
    if lease is None:
        raise Conflict(
            "Another admin key is being revoked: try again"
        )  # each would count on the other
    try:
        await _keep_an_admin(made, key)
        await made["store"].keys.revoke(who.tenant, key_id)
    finally:
        await leases.release(lease)


def _is_seen(who: Principal, key: ApiKey) -> bool:
    return who.has("admin") or key.user == who.user


async def _keep_an_admin(made: Lifetime, key: ApiKey) -> None:
    """Raises `LastAdmin` where nobody could make keys any more but by the command."""
    now = datetime.now(UTC)
    if not key.holder.has("admin") or not key.open_at(now):
        return
    others = [one for one in await made["store"].keys.all(key.tenant) if one.key_id != key.key_id]
    if not any(one.holder.has("admin") and one.open_at(now) for one in others):
        raise LastAdmin("Make another admin key first: with this one gone nobody could")


def _parsed(kind: type[Body], body: bytes) -> Body:
    try:
        return kind.model_validate_json(body)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False, include_input=False)
        raise InvalidBody([dict(item) for item in found]) from None
