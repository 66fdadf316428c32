"""`tabwright key` and `tabwright tenant`: manage API keys, and delete tenants."""

import asyncio
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer
from rich.console import Console

from app.cli.terminal import Json, Tenant, create_table, escape_text, run_async, say
from app.domain.access import ROLES, CreatedScope, Principal, Role
from app.errors import TabwrightError
from app.settings import Settings
from app.store.open import open_reviews, open_store
from app.store.repositories import Store
from app.store.reviews.port import Reviews

keys = typer.Typer(no_args_is_help=True, help="API keys: create, list, rotate, revoke.")
tenants = typer.Typer(no_args_is_help=True, help="Tenants: delete.")

MAX_DAYS = 3_650
CLOSED_S = 1.0  # until every process has ended the requests of a deleted key
ENDED_S = 30.0  # runs stop within two seconds; this only ends a hang
POLL_S = 0.25


@keys.command("create")
@run_async
async def create_key_command(
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
        int | None, typer.Option(min=1, max=MAX_DAYS, help="Days until it expires; default: never.")
    ] = None,
) -> None:
    """Create a key and print it once, on the last line. For a browser use `tabwright pair`."""
    if scope is not None and role is not None and ROLES[role] != scope:
        raise ValueError("--role and --scope contradict each other; give only one of them.")
    granted: CreatedScope = scope or ROLES[role or "user"]
    expires_at = datetime.now(UTC) + timedelta(days=expires_in_days) if expires_in_days else None
    holder = Principal(tenant=tenant, user=user, scopes=(granted,))
    async with open_store(Settings()) as store:
        record, secret = await store.keys.create(holder, name=name, expires_at=expires_at)
    until = f", until {expires_at:%Y-%m-%d %H:%M} UTC" if expires_at else ""
    say.print(
        f"Key {record.key_id} for {user} of {tenant} ({granted}{until}). Copy it now; it is not shown again:"
    )
    typer.echo(secret)


@keys.command("list")
@run_async
async def list_keys_command(tenant: Tenant = "default", as_json: Json = False) -> None:
    """List a tenant's keys; secrets are not stored."""
    async with open_store(Settings()) as store:
        records = await store.keys.all(tenant)
    if as_json:
        typer.echo("[" + ", ".join(key.model_dump_json() for key in records) + "]")
        return
    if not records:
        typer.echo(f"{tenant} has no keys. Create one with: tabwright key create")
        return
    table = create_table(
        "id", "user", "scope", "name", "created", "last used", "expires", "revoked"
    )
    table.columns[0].no_wrap = True
    for key in records:
        times = (key.created_at, key.last_used_at, key.expires_at, key.revoked_at)
        moments = (f"{moment:%Y-%m-%d %H:%M}" if moment else "-" for moment in times)
        names = (escape_text(key.user), "+".join(key.scopes), escape_text(key.name or "-"))
        table.add_row(key.key_id, *names, *moments)
    Console().print(table)


@keys.command("rotate")
@run_async
async def rotate_key_command(
    key_id: str,
    tenant: Tenant = "default",
    grace_hours: Annotated[
        float, typer.Option(min=0, max=168, help="Hours the old key remains valid.")
    ] = 1.0,
) -> None:
    """Replace a key, and print the new one once, on the last line."""
    async with open_store(Settings()) as store:
        record, secret = await store.keys.rotate(tenant, key_id, grace_s=grace_hours * 3600)
    say.print(
        f"Key {record.key_id} replaces {key_id}, which remains valid for {grace_hours:g} h. "
        "Copy it now; it is not shown again:"
    )
    typer.echo(secret)


@keys.command("revoke")
@run_async
async def revoke_key_command(key_id: str, tenant: Tenant = "default") -> None:
    """Revoke a key and the browsers paired with it; their running requests end at once."""
    async with open_store(Settings()) as store:
        await store.keys.revoke(tenant, key_id)
        remaining = await store.keys.all(tenant)
    say.print(f"Key {key_id} is revoked.")
    now = datetime.now(UTC)
    if not any(key.principal.has_scope("admin") and key.is_valid_at(now) for key in remaining):
        say.print(
            f"{tenant} has no admin key left. Create one with: tabwright key create --role admin"
        )


@tenants.command("delete")
def delete_tenant_command(
    tenant: Annotated[str, typer.Option(help="The tenant to delete.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
) -> None:
    """Permanently delete a tenant: its keys first, then all rows, checkpoints and review records."""
    if not yes:
        typer.confirm(f"Permanently delete all keys, tasks and records of {tenant!r}?", abort=True)
    deleted = asyncio.run(_delete(tenant))
    for name, count in sorted(deleted.items()):
        say.print(f"{count:>8,}  {name}", highlight=False)
    say.print(f"Deleted {deleted.total():,} rows of {tenant}.", highlight=False)


async def _delete(tenant: str) -> Counter[str]:
    """Return the number of deleted rows by collection. Keys are deleted first, which stops running
    work; then rows, twice, to catch those written meanwhile.
    """
    async with open_store(Settings()) as store, open_reviews(Settings()) as reviews:
        deleted = Counter(api_keys=len(await store.keys.all(tenant)))
        await store.tenants.close(tenant)
        await asyncio.sleep(CLOSED_S)
        try:
            async with asyncio.timeout(ENDED_S):
                while await store.tenants.is_busy(tenant):  # noqa: ASYNC110 - of other processes
                    await asyncio.sleep(POLL_S)
        except TimeoutError:
            raise TabwrightError(
                f"A run of {tenant} does not stop. Its keys are deleted; stop the servers and try again."
            ) from None
        await _delete_rows(store, reviews, tenant, deleted)
        await asyncio.sleep(CLOSED_S)
        await _delete_rows(store, reviews, tenant, deleted)
        return deleted


async def _delete_rows(store: Store, reviews: Reviews, tenant: str, deleted: Counter[str]) -> None:
    """Rows first: those waiting to be filed would become records of the queue."""
    deleted.update(await store.tenants.delete(tenant))
    if records := await reviews.delete_tenant(tenant):
        deleted["review records"] += records
