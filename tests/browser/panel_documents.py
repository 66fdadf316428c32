"""What the stage's server says of documents, and of what is on its way into them."""

# ruff: noqa: E501  rows of values are read as rows

from datetime import UTC, datetime, timedelta
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response

from tests.browser.runner_backend import Backend

OPENS = """() => document.querySelector("button").onclick = () => document.body.insertAdjacentHTML(
  "beforeend", "<div role=dialog aria-label='Patient menu'><p>Transfer, discharge, print.</p></div>")"""
NEEDS = "The page is drawn by scripts: it can only be read in a browser"


def _when(**age: float) -> str:
    return (datetime.now(UTC) - timedelta(**age)).isoformat()


def _document(number: int, title: str, kind: str, source: str, **more: Any) -> dict[str, Any]:
    made = {
        "id": f"d{number}", "title": title, "type": kind, "source": source, "set": "default", "scope": "organization",
        "language": "en", "pages": 0, "chunks": 14 * number, "tokens": 4_000, "bytes": 90_000, "notes": [],
        "createdAt": _when(days=number), "ingestedAt": _when(hours=number * number * 3),
    }  # fmt: skip
    return made | more


def documents() -> list[dict[str, Any]]:
    """Of each kind one; one with a name too long for a line."""
    page = {"url": "https://shop.example/returns"}
    return [
        _document(1, "Returns", "html", "https://shop.example/returns", phase="initial", **page),
        _document(2, "Handbook 2026", "pdf", "Handbook 2026.pdf", pages=118,
                  notes=["Pages 12 to 14 are pictures: their text could not be read."]),
        _document(3, "Refund form", "html", "https://shop.example/returns", phase="post-interaction", **page),
        _document(4, "Price list of spare parts for all models since 1998, with surcharges", "xlsx", "prices.xlsx"),
        _document(5, "The returns directive explained", "html", "https://law.example/eu/returns", scope="public",
                  url="https://law.example/eu/returns"),
    ]  # fmt: skip


def _job(
    number: int, source: str, status: str, errors: list[dict[str, str]], **more: Any
) -> dict[str, Any]:
    progress = {"documents": 0, "documentsTotal": 1, "unchanged": 0, "failed": len(errors), "chunks": 0, "bytes": 0, "current": source}  # fmt: skip
    return {
        "jobId": f"j{number}", "kind": "link", "source": source, "status": status, "progress": progress | more,
        "errors": errors, "documents": [], "createdAt": _when(minutes=number),
    }  # fmt: skip


def jobs(backend: Backend) -> list[dict[str, Any]]:
    """One that goes on, one that waits, and two that did not end well."""
    if backend.documents != "jobs":
        return []
    encrypted = {
        "source": "contract.pdf",
        "code": "DOCUMENT_ENCRYPTED",
        "reason": "The document asks for a password.",
        "advice": "Save it without its password, and add that.",
    }
    drawn = {"source": "https://app.example/help", "code": "PAGE_NEEDS_BROWSER", "reason": NEEDS}
    return [
        _job(1, "https://docs.example/", "running", [], documents=12, documentsTotal=40, chunks=96, bytes=412_000, remainingSeconds=8.5),
        _job(2, "Manual of the new till.docx", "queued", [], bytesTotal=120_000),
        _job(3, "contract.pdf", "failed", [encrypted]),
        _job(4, "https://app.example/", "completed", [drawn], documents=3, documentsTotal=4, chunks=20, bytes=51_000),
    ]  # fmt: skip


def _passage(text: str, title: str, **more: Any) -> dict[str, Any]:
    metadata = {"documentId": "d1", "chunkIds": ["c"], "set": "default", "scope": "organization", "headingPath": [title],
                "ingestedAt": _when(days=2), "kind": "prose", "model": "m"}  # fmt: skip
    return {"content": text, "documentTitle": title, "documentType": "pdf", "score": 0.8,
            "metadata": metadata | more, "citation": {"label": title, "title": title, "headingPath": [], "start": 0, "end": 1}}  # fmt: skip


FOUND = [
    _passage(
        "Goods come back within 30 days, unused and in their box. The day of delivery does not count.\n\n"
        "- Food and made-to-measure goods are kept.\n- Refunds are paid the way the goods were paid.\n"
        "- The customer bears the postage, unless the goods were damaged when they came.\n- Ask for the number of the order.",
        "Handbook 2026", headingPath=["Handbook 2026", "Returns"], page=41,
    ),
    _passage("The form asks for the number of the order.", "Returns", url="https://shop.example/returns"),
    _passage("Consumers may withdraw within 14 days without giving a reason.", "The returns directive explained",
             scope="public", url="https://law.example/eu/returns"),
]  # fmt: skip


def with_documents(app: FastAPI, backend: Backend) -> None:
    """Adds what the server says of documents."""

    @app.get("/api/knowledge/documents")
    async def listed(q: str = "") -> dict[str, Any]:
        found = [] if backend.documents == "none" else documents()
        return {"documents": [one for one in found if q.lower() in one["title"].lower()]}

    @app.delete("/api/knowledge/documents/{document_id}")
    async def forget(document_id: str) -> Response:
        return Response(status_code=204)

    @app.get("/api/knowledge/jobs")
    async def under_way() -> dict[str, Any]:
        return {"jobs": jobs(backend)}

    @app.get("/api/knowledge/jobs/{job_id}")
    async def job(job_id: str) -> dict[str, Any]:
        known = {one["jobId"]: one for one in jobs(backend)}
        done = _job(9, f"{backend.url}/page", "completed", [], documents=1, chunks=4)
        return known.get(job_id, done | {"documents": ["d1"]})

    @app.get("/api/knowledge/jobs/{job_id}/events")
    async def events(job_id: str) -> Response:
        return Response(status_code=503)

    @app.get("/api/knowledge/resolve")
    async def resolve(query: str) -> dict[str, Any]:
        found = [] if query == "nothing" else FOUND
        return {"allowed": True, "domain": "", "hasOrgKnowledge": bool(found), "confidenceScore": 0.8,
                "retrievalConfidence": "high", "chunks": found}  # fmt: skip

    @app.post("/api/knowledge/ingest")
    async def ingest(request: Request) -> Response:
        await request.body()
        return JSONResponse({"jobId": "j9", "status": "queued"}, 202)
