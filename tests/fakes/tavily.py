"""A Tavily server: `/search`, as `tavily-python` calls it.

A step is a list of results (`found(...)`), which is narrowed to the domains and the number that were
asked for, or a whole body as a dict.
"""

import json
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response

from tests.fakes.calls import Call
from tests.fakes.scripted import Scripted
from tests.fakes.steps import RateLimit, Say, Status

MAX_QUERY = 400  # characters; more is a 400
CREDITS = {"basic": 1, "fast": 1, "ultra-fast": 1, "advanced": 2}  # docs.tavily.com
# help.tavily.com, "Understanding HTTP errors"
MESSAGES = {
    400: "Bad Request: the request parameters are invalid.",
    401: "Unauthorized: missing or invalid API key.",
    429: "Your request has been blocked due to excessive requests. Please reduce rate of requests.",
    432: "This request exceeds your plan's set usage limit. Please upgrade your plan.",
    433: "This request exceeds the pay-as-you-go limit. You can increase your limit on the Tavily dashboard",
    500: "Internal Server Error",
}


def found(*results: tuple[str, str, str]) -> list[dict[str, Any]]:
    """Results by title, address and text, best first."""
    return [
        {
            "title": title,
            "url": url,
            "content": text,
            "score": round(0.95 - at / 10, 2),
            "raw_content": None,
        }
        for at, (title, url, text) in enumerate(results)
    ]


class FakeTavily(Scripted):
    """Give its `url` as the base address and anything as the key."""

    @property
    def environment(self) -> dict[str, str]:
        """For a backend in another process that is to search with this."""
        return {"TAVILY_API_KEY": self.api_key or "key", "TABWRIGHT_TAVILY_BASE_URL": self.url}

    def app(self) -> Starlette:
        return Starlette(routes=[self.route("/search", self._search, "POST")])

    @property
    def queries(self) -> list[str]:
        """What was searched for, in order."""
        return [call.prompt for call in self.calls]

    async def _search(self, request: Request) -> Response:
        body = json.loads(await request.body())
        call = Call(request.url.path, dict(request.headers), body, prompt=body.get("query", ""))
        return await self.answer(request, call)

    def refused(self, call: Call) -> Status | None:
        scheme, _, key = call.headers.get("authorization", "").partition(" ")
        if scheme != "Bearer" or not key or self.api_key not in (None, key):
            return Status(401)
        if not call.prompt.strip():
            return Status(400, message="Query is missing.")
        if len(call.prompt) > MAX_QUERY:
            return Status(
                400, message=f"Query is too long. Max query length is {MAX_QUERY} characters."
            )
        return None

    def said(self, call: Call, say: Say) -> Any:
        body = json.loads(say.text or "[]")
        if isinstance(body, list):
            body = {"results": _narrowed(body, call.body)}
        whole = {
            "query": call.prompt,
            "follow_up_questions": None,
            "answer": None,
            "images": [],
            "results": [],
        }
        call.credits = CREDITS[call.body.get("search_depth") or "basic"]
        usage = {"usage": {"credits": call.credits}} if call.body.get("include_usage") else {}
        return whole | usage | body | {"response_time": 0.51, "request_id": str(uuid4())}

    def error(self, code: int, message: str) -> Any:
        return {"detail": {"error": message or MESSAGES.get(code, "Internal Server Error")}}

    def rate_limited(self, call: Call, limit: RateLimit) -> Status:
        return Status(429, headers={"retry-after": f"{limit.retry_after:g}"})


def _narrowed(results: list[dict[str, Any]], asked: dict[str, Any]) -> list[dict[str, Any]]:
    inside = asked.get("include_domains") or []
    kept = [
        one for one in results if not inside or any(_on(one["url"], domain) for domain in inside)
    ]
    return kept[: asked.get("max_results") or 5]


def _on(url: str, domain: str) -> bool:
    host = urlsplit(url).hostname or ""
    return host == domain or host.endswith(f".{domain}")
