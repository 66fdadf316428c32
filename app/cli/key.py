"""`tabwright key` and `tabwright tenant`: manage API keys, and delete tenants."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from app.cli.output import plain
from app.domain.access import ROLES, ApiKey, CreatedScope, Principal, Role
from app.errors import TabwrightError
from app.settings import Settings
from app.store.open import open_reviews, open_store
from app.store.repositories import Store
from app.store.reviews.port import Reviews

keys = typer.Typer(no_args_is_help=True, help="API keys: create, list, rotate, revoke.")
tenants = typer.Typer(no_args_is_help=True, help="Tenants: delete.")
say = Console(stderr=True)  # standard output is for results

Tenant = Annotated[str, typer.Option(help="The tenant.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]
DAYS = 3_650
CLOSED_S = 1.0  # until every process has ended the requests of a deleted key
ENDED_S = 30.0  # runs stop within two seconds; this only ends a hang
POLL_S = 0.25
REVIEWS = "review records"


@keys.command("create")
def create_key(
    tenant: Tenant = "default",
    user: Annotated[str, typer.Option(help="The user.")] = "local",
    scope: Annotated[
        CreatedScope | None,
        typer.Option(help="The scope; `mcp` for an assistant. [default: api]"),
    ] = None,
    role: Annotated[
        Role | None, typer.Option(help="The scope as a role: user (scope api), operator or admin.")
    ] = None,
    name: Annotated[str, typer.Option(help="A name for the key.")] = "",
    expires_in_days: Annotated[
        int | None, typer.Option(min=1, max=DAYS, help="Days until it expires; default: never.")
    ] = None,
) -> None:
    """Create a key and print it once, on the last line. For a browser use `tabwright pair`."""
    if scope is not None and role is not None and ROLES[role] != scope:
        raise ValueError("--role and --scope contradict each other; give only one of them.")
    granted: CreatedScope = scope or ROLES[role or "user"]
    ends = datetime.now(UTC) + timedelta(days=expires_in_days) if expires_in_days else None
    holder = Principal(tenant=tenant, user=user, scopes=(granted,))
    record, secret = asyncio.run(_create(holder, name, ends))
    until = f", until {ends:%Y-%m-%d %H:%M} UTC" if ends else ""
    say.print(
        f"Key {record.key_id} for {user} of {tenant} ({granted}{until}). It is not shown again:"
    )
    print(secret)  # noqa: T201


@keys.command("list")
def list_keys(tenant: Tenant = "default", as_json: Json = False) -> None:
    """List a tenant's keys; secrets are not stored."""
    found = asyncio.run(_all(tenant))
    if as_json:
        print("[" + ", ".join(key.model_dump_json() for key in found) + "]")  # noqa: T201
        return
    table = Table(box=None)
    table.add_column("id", no_wrap=True)
    for column in ("user", "scope", "name", "created", "last used", "expires", "revoked"):
        table.add_column(column)
    for key in found:
        times = (key.created_at, key.last_used_at, key.expires_at, key.revoked_at)
        moments = (f"{moment:%Y-%m-%d %H:%M}" if moment else "-" for moment in times)
        table.add_row(
            key.key_id, plain(key.user), "+".join(key.scopes), plain(key.name or "-"), *moments
        )
    Console().print(
        table if found else f"{tenant} has no keys. Create one with: tabwright key create"
    )


@keys.command("rotate")
def rotate_key(
    key_id: str,
    tenant: Tenant = "default",
    grace_hours: Annotated[
        float, typer.Option(min=0, max=168, help="Hours the old key remains valid.")
    ] = 1.0,
) -> None:
    """Replace a key, and print the new one once, on the last line."""
    record, secret = asyncio.run(_rotate(tenant, key_id, grace_hours * 3600))
    say.print(
        f"Key {record.key_id} replaces {key_id}, which remains valid for {grace_hours:g} h. "
        "It is not shown again:"
    )
    print(secret)  # noqa: T201


@keys.command("revoke")
def revoke_key(key_id: str, tenant: Tenant = "default") -> None:
    """Revoke a key and the browsers paired with it; their running requests end at once."""
    others = asyncio.run(_revoke(tenant, key_id))
    say.print(f"Key {key_id} is revoked.")
    if not others:
        say.print(
            f"{tenant} has no admin key left. Create one with: tabwright key create --role admin"
        )


@tenants.command("delete")
def delete_tenant(
    tenant: Annotated[str, typer.Option(help="The tenant to delete.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
) -> None:
    """Permanently delete a tenant: its keys first, then all rows, checkpoints and review records."""
    if not yes:
        typer.confirm(f"Delete every key, task and record of {tenant!r} for good?", abort=True)
    gone = asyncio.run(_delete(tenant))
    for name, count in sorted(gone.items()):
        say.print(f"{count:>8,}  {name}", highlight=False)
    say.print(f"{sum(gone.values()):,} rows of {tenant} are deleted.", highlight=False)


async def _create(holder: Principal, name: str, ends: datetime | None) -> tuple[ApiKey, str]:
    async with open_store(Settings()) as store:
        return await store.keys.create(holder, name=name, expires_at=ends)


async def _all(tenant: str) -> list[ApiKey]:
    async with open_store(Settings()) as store:
        return await store.keys.all(tenant)


async def _rotate(tenant: str, key_id: str, grace_s: float) -> tuple[ApiKey, str]:
    async with open_store(Settings()) as store:
        return await store.keys.rotate(tenant, key_id, grace_s=grace_s)


async def _revoke(tenant: str, key_id: str) -> bool:
    """Whether a valid admin key remains."""
    async with open_store(Settings()) as store:
        await store.keys.revoke(tenant, key_id)
        now = datetime.now(UTC)
        left = await store.keys.all(tenant)
        return any(key.principal.has_scope("admin") and key.is_valid_at(now) for key in left)


async def _delete(tenant: str) -> dict[str, int]:
    """Return the number of deleted rows by collection. Keys are deleted first, which stops running
    work; then rows, twice, to catch those written meanwhile.
    """
    async with open_store(Settings()) as store, open_reviews(Settings()) as reviews:
        before = len(await store.keys.all(tenant))
        await store.tenants.close(tenant)
        await asyncio.sleep(CLOSED_S)
        try:
            async with asyncio.timeout(ENDED_S):
                while await store.tenants.is_busy(tenant):  # noqa: ASYNC110 - of other processes
                    await asyncio.sleep(POLL_S)
        except TimeoutError:
            raise TabwrightError(
                f"A run of {tenant} does not stop; its keys are deleted. Stop the servers and try again."
            ) from None
        gone = await _all_gone(store, reviews, tenant)
        await asyncio.sleep(CLOSED_S)
        for name, count in (await _all_gone(store, reviews, tenant)).items():
            gone[name] = gone.get(name, 0) + count
        return gone | {"api_keys": before}


async def _all_gone(store: Store, reviews: Reviews, tenant: str) -> dict[str, int]:
    """Rows first: those waiting to be filed would become records of the queue."""
    gone = await store.tenants.delete(tenant)
    if records := await reviews.delete_tenant(tenant):
        gone[REVIEWS] = gone.get(REVIEWS, 0) + records
    return gone
