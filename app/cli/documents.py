"""`tabwright ingest | documents | search | forget | worker`: documents, without a running server."""

import asyncio
from contextlib import suppress
from typing import Annotated, Any

import typer
from rich.console import Console

from app.cli.ingestion import Tally, find_sources, ingest_sources, show_progress
from app.cli.terminal import (
    Json,
    Tenant,
    create_table,
    escape_text,
    print_json,
    print_text,
    run_async,
    say,
)
from app.documents import open_command_documents, work_until_stopped
from app.domain.access import Principal
from app.domain.knowledge import (
    DEFAULT_SET,
    Document,
    IngestRequest,
    Retrieval,
    Scope,
    Strategy,
)
from app.errors import NotFound
from app.logs import configure_logging, sanitize
from app.settings import Settings
from knowledge import Query, advice_for

documents = typer.Typer()
InSet = Annotated[str | None, typer.Option("--set", help="Only documents of this set.")]
PAGE = 200


@documents.command("ingest")
@run_async
async def ingest_command(
    source: Annotated[
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
        Scope | None,
        typer.Option(help="Whose knowledge it is; by default derived from the source."),
    ] = None,
    domain: Annotated[str | None, typer.Option(help="The site that it is about.")] = None,
    as_json: Json = False,
) -> None:
    """Ingest a file, a folder recursively, or pages of a site.

    Unchanged documents cost nothing. Exits with 0 only if something was ingested and nothing failed.
    Ctrl-C stops; documents ingested by then stay.
    """
    template = IngestRequest(
        kind="file",
        set_name=set_name,
        scope=scope,
        domain=domain,
        strategy=strategy,
        max_pages=max_pages,
        max_depth=max_depth,
    )
    sources = find_sources(source, template)
    principal = Principal(tenant=tenant, user=user, scopes=("operator",))
    settings = Settings()
    configure_logging("error", settings.log_format)
    async with open_command_documents(settings, works=True) as opened:
        with show_progress(say) as report:
            tally = await ingest_sources(opened.knowledge, principal, sources, report)
    _print_problems(tally)
    if as_json:
        print_json(tally.view())
    else:
        typer.echo(tally.describe())
    raise typer.Exit(0 if tally.ok else 1)


@documents.command("documents")
@run_async
async def documents_command(
    tenant: Tenant = "default",
    set_name: InSet = None,
    text: Annotated[
        str | None, typer.Option("--about", help="Part of the title or source.")
    ] = None,
    as_json: Json = False,
) -> None:
    """List documents, most recently ingested first."""
    listed = await _list_documents(tenant, set_name, text)
    if as_json:
        print_json([_document_view(one) for one in listed])
        return
    if not listed:
        typer.echo("No documents. Add some with: tabwright ingest PATH|URL")
        return
    table = create_table("id", "title", "type", "set", "ingested", numbers=("chunks",))
    table.columns[0].no_wrap = True
    for document in listed:
        names = (document.title, document.kind, document.set_name)
        table.add_row(
            document.document_id,
            *map(escape_text, names),
            f"{document.ingested_at:%Y-%m-%d %H:%M}",
            f"{document.chunks:,}",
        )
    Console().print(table)


@documents.command("search")
@run_async
async def search_command(
    question: Annotated[str, typer.Argument(help="The question.")],
    url: Annotated[str, typer.Option(help="The page on which the question is asked.")] = "",
    tenant: Tenant = "default",
    set_name: InSet = None,
    limit: Annotated[int, typer.Option(min=1, max=50, help="Maximum number of passages.")] = 5,
    as_json: Json = False,
) -> None:
    """Search the documents for a question, as the agent does."""
    sets = (set_name,) if set_name else ()
    query = Query(text=question, url=url, sets=sets, limit=limit)
    async with open_command_documents(Settings()) as opened:
        retrieval = await opened.knowledge.resolve(tenant, query, await opened.policies.get(tenant))
    if as_json:
        print_json(_retrieval_view(retrieval))
        return
    console = Console()
    if not retrieval.found:
        console.print("No relevant passages.")
    for passage in retrieval.found:
        label, document_id = sanitize(passage.citation.label), passage.document.document_id
        head = f"{passage.score:.2f}  {label}  [{document_id}]"
        console.print(head, style="bold", highlight=False, markup=False)
        for line in passage.text.splitlines():
            console.print(sanitize(line), highlight=False, markup=False)
        console.print()


@documents.command("forget")
@run_async
async def forget_command(
    document_ids: Annotated[list[str], typer.Argument(metavar="ID...", help="Document ids.")],
    tenant: Tenant = "default",
) -> None:
    """Delete documents and everything derived from them."""
    code = 0
    async with open_command_documents(Settings()) as opened:
        for document_id in document_ids:
            outcome = "deleted"
            try:
                await opened.knowledge.delete(tenant, document_id)
            except NotFound:
                outcome, code = "no such document", 1
            say.print(f"{sanitize(document_id)}: {outcome}", highlight=False, markup=False)
    raise typer.Exit(code)


@documents.command("worker")
def worker_command() -> None:
    """Process ingestion jobs until stopped, without serving requests.

    Several machines share the work if they share a store and TABWRIGHT_BROKER.
    """
    settings = Settings()
    configure_logging(settings.log_level, settings.log_format)
    say.print("Processing jobs. Ctrl-C stops; another worker resumes a running job.")
    with suppress(asyncio.CancelledError):
        run_async(work_until_stopped)(settings)


def _print_problems(tally: Tally) -> None:
    for failure in tally.failures:
        source, reason = sanitize(failure.source), sanitize(failure.reason).rstrip(".")
        print_text(f"{source}: {reason} ({failure.code}). {advice_for(failure.code)}", say)
    for note in tally.notes:
        print_text(sanitize(note), say)


async def _list_documents(tenant: str, set_name: str | None, text: str | None) -> list[Document]:
    listed: list[Document] = []
    position = None
    async with open_command_documents(Settings()) as opened:
        while True:
            page = await opened.knowledge.documents(
                tenant, limit=PAGE, set_name=set_name, text=text, after=position
            )
            listed += page
            if len(page) < PAGE:
                return listed
            position = (page[-1].ingested_at, page[-1].document_id)


def _document_view(document: Document) -> dict[str, Any]:
    unchanged_fields = {"title", "source", "scope", "domain", "chunks", "bytes", "notes"}
    return document.model_dump(include=unchanged_fields) | {
        "id": document.document_id,
        "type": document.kind,
        "set": document.set_name,
        "ingestedAt": document.ingested_at.isoformat(),
    }


def _retrieval_view(retrieval: Retrieval) -> dict[str, Any]:
    return {
        "allowed": retrieval.allowed,
        "hasOrgKnowledge": retrieval.has_org_knowledge,
        "confidenceScore": retrieval.confidence_score,
        "retrievalConfidence": retrieval.confidence,
        "chunks": [
            {
                "content": passage.text,
                "score": passage.score,
                "documentId": passage.document.document_id,
                "documentTitle": passage.document.title,
                "citation": passage.citation.label,
                "scope": passage.document.scope,
            }
            for passage in retrieval.found
        ],
    }
