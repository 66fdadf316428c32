"""`tabwright ingest | documents | search | forget | worker`: documents, without a running server."""

import asyncio
import json
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from app.cli.ingest_progress import shown, summary
from app.cli.ingestion import Source, Tally, ingested, sources
from app.cli.output import plain
from app.cli.run.goal import cancel_on_sigterm
from app.documents import opened_documents, work_until_stopped
from app.domain.access import Principal
from app.domain.knowledge import (
    DEFAULT_SET,
    Document,
    FoundPassage,
    IngestRequest,
    Retrieval,
    Scope,
    Strategy,
)
from app.errors import NotFound
from app.logs import configure_logging, sanitize
from app.settings import Settings
from knowledge import Query, advice_for

say = Console(stderr=True)  # standard output is for results

Tenant = Annotated[str, typer.Option(help="The tenant.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]
InSet = Annotated[str | None, typer.Option("--set", help="Only documents of this set.")]
PAGE = 200


def ingest(
    given: Annotated[
        str, typer.Argument(metavar="PATH|URL", help="A file, a folder or the address of a page.")
    ],
    tenant: Tenant = "default",
    user: Annotated[str, typer.Option(help="The user who adds it.")] = "local",
    set_name: Annotated[str, typer.Option("--set", help="The set to add it to.")] = DEFAULT_SET,
    strategy: Annotated[
        Strategy,
        typer.Option(help="For an address: the page, its sitemap, or the pages it links to."),
    ] = "single",
    max_pages: Annotated[
        int, typer.Option(min=1, max=100_000, help="Maximum number of pages of a site.")
    ] = 100,
    max_depth: Annotated[
        int, typer.Option(min=0, max=20, help="Maximum link depth of a spider.")
    ] = 2,
    scope: Annotated[
        Scope | None, typer.Option(help="The scope; by default derived from the source.")
    ] = None,
    domain: Annotated[str | None, typer.Option(help="The site that it is about.")] = None,
    as_json: Json = False,
) -> None:
    """Ingest a file, a folder recursively, or pages of a site.

    Unchanged documents cost nothing. Exits with 0 only if something was ingested and nothing failed.
    Ctrl-C stops; documents ingested by then stay.
    """
    how = IngestRequest(
        kind="file",
        set_name=set_name,
        scope=scope,
        domain=domain,
        strategy=strategy,
        max_pages=max_pages,
        max_depth=max_depth,
    )
    tally = asyncio.run(
        _ingest(Principal(tenant=tenant, user=user, scopes=("operator",)), sources(given, how))
    )
    if as_json:
        typer.echo(json.dumps(tally.view(), ensure_ascii=False))
    else:
        typer.echo(summary(tally))
    raise typer.Exit(0 if tally.ok else 1)


def documents(
    tenant: Tenant = "default",
    set_name: InSet = None,
    text: Annotated[
        str | None, typer.Option("--about", help="Part of the title or source.")
    ] = None,
    as_json: Json = False,
) -> None:
    """List documents, most recently ingested first."""
    found = asyncio.run(_documents(tenant, set_name, text))
    if as_json:
        typer.echo(json.dumps([_document(one) for one in found], ensure_ascii=False))
        return
    if not found:
        typer.echo("No documents. Add some with: tabwright ingest PATH|URL")
        return
    table = Table(box=None, pad_edge=False)
    table.add_column("id", no_wrap=True)
    for column in ("title", "type", "set", "ingested"):
        table.add_column(column)
    table.add_column("chunks", justify="right")
    for one in found:
        day = f"{one.ingested_at:%Y-%m-%d %H:%M}"
        cells = (plain(one.title), plain(one.kind), plain(one.set_name), day, f"{one.chunks:,}")
        table.add_row(one.document_id, *cells)
    Console().print(table)


def search(
    question: Annotated[str, typer.Argument(help="The question.")],
    url: Annotated[str, typer.Option(help="The page on which the question is asked.")] = "",
    tenant: Tenant = "default",
    set_name: InSet = None,
    limit: Annotated[int, typer.Option(min=1, max=50, help="Maximum number of passages.")] = 5,
    as_json: Json = False,
) -> None:
    """Search the documents for a question, as the agent does."""
    sets = (set_name,) if set_name else ()
    asked = Query(text=question, url=url, sets=sets, limit=limit)
    found = asyncio.run(_search(tenant, asked))
    if as_json:
        typer.echo(json.dumps(_resolved(found), ensure_ascii=False))
        return
    console = Console()
    if not found.found:
        console.print("No relevant passages.")
    for one in found.found:
        head = f"{one.score:.2f}  {sanitize(one.citation.label)}  [{one.document.document_id}]"
        console.print(head, style="bold", highlight=False, markup=False)
        for line in one.text.splitlines():
            console.print(sanitize(line), highlight=False, markup=False)
        console.print()


def forget(
    document_ids: Annotated[list[str], typer.Argument(metavar="ID...", help="Document ids.")],
    tenant: Tenant = "default",
) -> None:
    """Delete documents and everything derived from them."""
    unknown = asyncio.run(_forget(tenant, document_ids))
    for one in document_ids:
        outcome = "no such document" if one in unknown else "deleted"
        say.print(f"{sanitize(one)}: {outcome}", highlight=False, markup=False)
    raise typer.Exit(1 if unknown else 0)


def worker() -> None:
    """Process ingestion jobs until stopped, without serving requests.

    Several machines share the work if they share a store and TABWRIGHT_BROKER.
    """
    settings = Settings()
    configure_logging(settings.log_level, settings.log_format)
    say.print("Processing jobs. Ctrl-C stops; another worker resumes a running job.")
    with suppress(asyncio.CancelledError):
        asyncio.run(_work(settings))


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    for command in (ingest, documents, search, forget, worker):
        app.command()(command)


async def _ingest(who: Principal, wanted: Sequence[Source]) -> Tally:
    """Show progress, and the failures at the end."""
    cancel_on_sigterm()
    settings = Settings()
    configure_logging("error", settings.log_format)
    async with opened_documents(settings, works=True) as opened:
        with shown(say) as told:
            tally = await ingested(opened.knowledge, who, wanted, told)
    for one in tally.failures:
        why = sanitize(one.reason).rstrip(".")
        line = f"{sanitize(one.source)}: {why} ({one.code}). {advice_for(one.code)}"
        say.print(line, highlight=False, markup=False, soft_wrap=True)
    for note in tally.notes:
        say.print(sanitize(note), highlight=False, markup=False, soft_wrap=True)
    return tally


async def _documents(tenant: str, set_name: str | None, text: str | None) -> list[Document]:
    found: list[Document] = []
    after = None
    async with opened_documents(Settings()) as opened:
        while True:
            page = await opened.knowledge.documents(
                tenant, limit=PAGE, set_name=set_name, text=text, after=after
            )
            found += page
            if len(page) < PAGE:
                return found
            after = (page[-1].ingested_at, page[-1].document_id)


async def _search(tenant: str, asked: Query) -> Retrieval:
    async with opened_documents(Settings()) as opened:
        return await opened.knowledge.resolve(tenant, asked, await opened.policies.get(tenant))


async def _forget(tenant: str, document_ids: Sequence[str]) -> set[str]:
    """Delete them; returns the unknown ids."""
    unknown: set[str] = set()
    async with opened_documents(Settings()) as opened:
        for one in document_ids:
            try:
                await opened.knowledge.delete(tenant, one)
            except NotFound:
                unknown.add(one)
    return unknown


async def _work(settings: Settings) -> None:
    cancel_on_sigterm()
    await work_until_stopped(settings)


def _document(document: Document) -> dict[str, Any]:
    return {
        "id": document.document_id,
        "title": document.title,
        "type": document.kind,
        "source": document.source,
        "set": document.set_name,
        "scope": document.scope,
        "domain": document.domain,
        "chunks": document.chunks,
        "bytes": document.bytes,
        "notes": list(document.notes),
        "ingestedAt": document.ingested_at.isoformat(),
    }


def _resolved(resolved: Retrieval) -> dict[str, Any]:
    return {
        "allowed": resolved.allowed,
        "hasOrgKnowledge": resolved.has_org_knowledge,
        "confidenceScore": resolved.confidence_score,
        "retrievalConfidence": resolved.confidence,
        "chunks": [_passage(one) for one in resolved.found],
    }


def _passage(found: FoundPassage) -> dict[str, Any]:
    return {
        "content": found.text,
        "score": found.score,
        "documentId": found.document.document_id,
        "documentTitle": found.document.title,
        "citation": found.citation.label,
        "scope": found.document.scope,
    }
