"""A Gemini server: `generateContent` and `streamGenerateContent`, `countTokens`, `batchEmbedContents` and the
list of models, as `google-genai` calls them.

Bodies and refusals are those of generativelanguage.googleapis.com, v1 and v1beta alike.
"""

import base64
import json
from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from tests.fakes.calls import Call
from tests.fakes.gemini_schema import refused as schema_refused
from tests.fakes.gemini_vectors import embeddings
from tests.fakes.scripted import Scripted
from tests.fakes.steps import Blocked, Empty, RateLimit, Say, Status
from tests.fakes.tokens import count, cut_to

STATUSES = {
    400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND",
    409: "ABORTED", 429: "RESOURCE_EXHAUSTED", 499: "CANCELLED", 500: "INTERNAL", 503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}  # fmt: skip
MESSAGES = {
    500: "An internal error has occurred. Please retry or report in https://developers.generativeai.google/guide/troubleshooting",
    503: "The model is overloaded. Please try again later.",
    504: "The request timed out. Please try again.",
}
# ai.google.dev, "Media resolution": tokens of one image; Gemini 2 knows 258 only, 64 at low.
IMAGE_TOKENS = {"LOW": 280, "MEDIUM": 560, "HIGH": 1_120}
IMAGE_TOKENS_2 = {"LOW": 64}
# ai.google.dev, "Thinking levels": none below LOW, and from 4 on no budget.
WITHOUT_MINIMAL = ("gemini-3.7", "gemini-3.8", "gemini-4")
MOST_REQUEST = 20_971_520  # bytes; ai.google.dev, "Audio understanding"
MODELS = ("gemini-3-pro", "gemini-3-flash", "gemini-2.5-pro", "gemini-2.5-flash")
_STANDARD = str.maketrans("-_", "+/")
_INFO = "type.googleapis.com/google.rpc."


def _pick(body: Any, name: str) -> Any:
    """A field in either of the spellings that Google's JSON takes."""
    if not isinstance(body, dict):
        return None
    snake = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)
    return body.get(name, body.get(snake))


class FakeGemini(Scripted):
    """Give its `url` as the base address and anything as the key."""

    cache_from = 4_096  # ai.google.dev, "Context caching": Gemini 3

    def __init__(self, *, api_key: str | None = None) -> None:
        super().__init__(api_key=api_key)
        self.embedded: list[Any] = []  # the bodies of `batchEmbedContents`
        self.not_embedded: list[Status] = []

    @property
    def environment(self) -> dict[str, str]:
        """For a backend in another process that is to reason with this."""
        return {
            "TABWRIGHT_LLM": "gemini",
            "GEMINI_API_KEY": self.api_key or "key",
            "TABWRIGHT_GEMINI_BASE_URL": self.url,
        }

    def app(self) -> Starlette:
        one = "/{version}/models/{model}"
        return Starlette(
            routes=[
                self.route(f"{one}:generateContent", self._generate, "POST"),
                self.route(f"{one}:streamGenerateContent", self._generate, "POST"),
                self.route(f"{one}:countTokens", self._count, "POST"),
                self.route(f"{one}:batchEmbedContents", self._embed, "POST"),
                self.route(one, self._model, "GET"),
                self.route("/{version}/models", self._models, "GET"),
            ]
        )

    async def _generate(self, request: Request) -> Response:
        body = await request.body()
        if len(body) > MOST_REQUEST:
            said = f"Request payload size exceeds the limit: {MOST_REQUEST} bytes."
            return JSONResponse(_error(400, said), 400)
        return await self.answer(request, self._read(request, body))

    async def _count(self, request: Request) -> Response:
        call = self._read(request, await request.body())
        return JSONResponse({"totalTokens": call.input_tokens})

    async def _embed(self, request: Request) -> Response:
        """Vectors, beside the script: `not_embedded` are the errors that come first."""
        body = json.loads(await request.body())
        self.embedded.append(body)
        wrong = self._identity(dict(request.headers))
        wrong = wrong or (self.not_embedded.pop(0) if self.not_embedded else None)
        if wrong:
            return JSONResponse(wrong.body or self.error(wrong.code, wrong.message), wrong.code)
        return JSONResponse(embeddings(body))

    async def _models(self, request: Request) -> Response:
        wrong = self._identity(dict(request.headers))
        if wrong:
            return JSONResponse(wrong.body or self.error(wrong.code, wrong.message), wrong.code)
        return JSONResponse({"models": [_described(name) for name in MODELS]})

    async def _model(self, request: Request) -> Response:
        name = request.path_params["model"]
        wrong = self._identity(dict(request.headers)) or _unknown_model(name)
        if wrong:
            return JSONResponse(wrong.body or self.error(wrong.code, wrong.message), wrong.code)
        return JSONResponse(_described(name))

    def _read(self, request: Request, raw: bytes) -> Call:
        body = json.loads(raw)
        config = _pick(body, "generationConfig") or {}
        parts = [part for content in body.get("contents", []) for part in content.get("parts", [])]
        inline = [data for part in parts if (data := _pick(part, "inlineData"))]
        system = _pick(body, "systemInstruction") or {}
        call = Call(
            path=request.url.path,
            headers=dict(request.headers),
            body=body,
            model=request.path_params["model"],
            system="\n".join(part.get("text", "") for part in system.get("parts", [])),
            prompt="\n".join(part["text"] for part in parts if "text" in part),
            schema=_pick(config, "responseJsonSchema") or _pick(config, "responseSchema"),
            images=tuple(_bytes(data["data"]) for data in inline),
            streamed=request.url.path.endswith(":streamGenerateContent"),
        )
        schema = json.dumps(call.schema, ensure_ascii=False) if call.schema else ""
        images = len(call.images) * _image_tokens(call.model, _pick(config, "mediaResolution"))
        self.bill(call, call.system, schema, call.prompt, images=images)
        return call

    def refused(self, call: Call) -> Status | None:
        if call.streamed and not self.streams:
            return Status(404, "<html><title>Error 404 (Not Found)</title></html>")
        return self._identity(call.headers) or _unknown_model(call.model) or _invalid(call)

    def _identity(self, headers: dict[str, str]) -> Status | None:
        key = headers.get("x-goog-api-key", "")
        if not key:
            return Status(
                403,
                message="Method doesn't allow unregistered callers (callers without established identity)."
                " Please use API Key or other form of API consumer identity to call this API.",
            )
        if self.api_key is None or key == self.api_key:
            return None
        said = "API key not valid. Please pass a valid API key."
        metadata = {"service": "generativelanguage.googleapis.com"}
        info = {
            "@type": f"{_INFO}ErrorInfo",
            "reason": "API_KEY_INVALID",
            "domain": "googleapis.com",
        }
        return Status(400, _error(400, said, [info | {"metadata": metadata}]))

    def said(self, call: Call, say: Say) -> Any:
        text, finish = say.text if say.refusal is None else say.refusal, say.finish or "STOP"
        most = _pick(_pick(call.body, "generationConfig") or {}, "maxOutputTokens")
        if say.limited and text and most and say.thinking + count(text) > most:
            text, finish = cut_to(text, max(0, most - say.thinking)), "MAX_TOKENS"
        call.output_tokens, call.thinking_tokens = count(text or ""), say.thinking
        content: dict[str, Any] = {"role": "model"}
        if text:
            content["parts"] = [{"text": text}]
        candidate: dict[str, Any] = {"content": content, "finishReason": finish, "index": 0}
        if finish == "SAFETY":
            del candidate["content"]
            harm = {"category": "HARM_CATEGORY_DANGEROUS_CONTENT", "probability": "HIGH"}
            candidate["safetyRatings"] = [harm | {"blocked": True}]
        elif finish.startswith("MALFORMED") and not text:
            candidate["content"] = {}
            candidate["finishMessage"] = "Malformed function call: print(default_api.click(14)"
        return {"candidates": [candidate], **_about(call)}

    def text_in(self, body: Any) -> str:
        content = (body.get("candidates") or [{}])[0].get("content", {})
        return "".join(part["text"] for part in content.get("parts", []))

    def events(self, call: Call, body: Any, texts: Sequence[str]) -> tuple[list[Any], list[Any]]:
        """Each with the counts so far; a body without text is an event."""
        if not texts:
            return [], [body]
        about = {one: body[one] for one in ("modelVersion", "responseId")}
        told, said = [], ""
        for text in texts:
            said += text
            content = {"role": "model", "parts": [{"text": text}]}
            usage = body["usageMetadata"] | {"candidatesTokenCount": count(said)}
            candidates = [{"content": content, "index": 0}]
            told.append({"candidates": candidates, "usageMetadata": usage, **about})
        last = body["candidates"][0] | {"content": {"role": "model", "parts": [{"text": ""}]}}
        return told, [body | {"candidates": [last]}]

    def blocked(self, call: Call, blocked: Blocked) -> Any:
        return {"promptFeedback": {"blockReason": blocked.reason}, **_about(call)}

    def emptied(self, call: Call, empty: Empty) -> Any:
        nothing = {"content": {"role": "model"}, "finishReason": "STOP", "index": 0}
        return ({"candidates": [nothing]} if empty.candidate else {}) | _about(call)

    def error(self, code: int, message: str) -> Any:
        return _error(code, message)

    def rate_limited(self, call: Call, limit: RateLimit) -> Status:
        said = "You exceeded your current quota, please check your plan and billing details."
        quota = {
            "quotaMetric": "generativelanguage.googleapis.com/generate_content_requests",
            "quotaId": "GenerateRequestsPerMinutePerProjectPerModel",
            "quotaDimensions": {"location": "global", "model": call.model},
        }
        details = [
            {"@type": f"{_INFO}QuotaFailure", "violations": [quota]},
            {"@type": f"{_INFO}RetryInfo", "retryDelay": f"{limit.retry_after:g}s"},
        ]
        return Status(429, _error(429, said, details))


def _error(code: int, message: str, details: list[dict[str, Any]] | None = None) -> Any:
    error: dict[str, Any] = {
        "code": code,
        "message": message or MESSAGES.get(code, "Request contains an invalid argument."),
        "status": STATUSES.get(code, "UNAVAILABLE" if code > 500 else "FAILED_PRECONDITION"),
    }
    return {"error": error | ({"details": details} if details else {})}


def _unknown_model(name: str) -> Status | None:
    if name.startswith("gemini-"):
        return None
    return Status(
        404,
        message=f"models/{name} is not found for API version v1, or is not supported for generateContent."
        " Call ListModels to see the list of available models and their supported methods.",
    )


def _invalid(call: Call) -> Status | None:
    """What is wrong with a request that is understood."""
    config = _pick(call.body, "generationConfig") or {}
    why = _wrong_thinking(call.model, _pick(config, "thinkingConfig") or {})
    why = why or _wrong_schema(call.schema, config)
    if not call.body.get("contents"):
        why = "* GenerateContentRequest.contents: contents is not specified"
    return Status(400, message=why) if why else None


def _wrong_thinking(model: str, thinking: dict[str, Any]) -> str | None:
    budget, level = _pick(thinking, "thinkingBudget"), _pick(thinking, "thinkingLevel")
    if budget is not None and level is not None:
        return "You can only set only one of thinking budget and thinking level."
    if budget == 0 and "pro" in model:
        return "Budget 0 is invalid. This model only works in thinking mode."
    if level and model.startswith("gemini-2"):
        return "Thinking level is not supported for this model."
    if budget is not None and model.startswith("gemini-4"):
        return "Thinking budget is not supported for this model. Please use thinking level instead."
    lowest = "pro" in model or model.startswith(WITHOUT_MINIMAL)
    if str(level).upper() == "MINIMAL" and lowest:
        said = "Thinking level MINIMAL is not supported for this model."
        return f"{said} Please retry with other thinking level."
    return None


def _wrong_schema(schema: dict[str, Any] | None, config: dict[str, Any]) -> str | None:
    json_schema, proto = _pick(config, "responseJsonSchema"), _pick(config, "responseSchema")
    if schema is None:
        return None
    if json_schema is not None and proto is not None:
        return "Only one of response_schema and response_json_schema may be set."
    if _pick(config, "responseMimeType") != "application/json":
        return "Response schema is only supported with response mime type application/json."
    return schema_refused(schema, proto=json_schema is None)


def _bytes(data: str) -> bytes:
    """Google's JSON takes base64 of either alphabet, padded or not."""
    return base64.b64decode(data.translate(_STANDARD) + "=" * (-len(data) % 4))


def _image_tokens(model: str, resolution: str | None) -> int:
    level = (resolution or "").rpartition("_")[2].upper()
    if model.startswith("gemini-2"):
        return IMAGE_TOKENS_2.get(level, 258)
    return IMAGE_TOKENS.get(level, IMAGE_TOKENS["HIGH"])


def _about(call: Call) -> dict[str, Any]:
    usage = {
        "promptTokenCount": call.input_tokens,
        "candidatesTokenCount": call.output_tokens,
        "thoughtsTokenCount": call.thinking_tokens,
        "cachedContentTokenCount": call.cached_tokens,
        "totalTokenCount": call.input_tokens + call.output_tokens + call.thinking_tokens,
    }
    # Google's JSON leaves out what is zero.
    return {
        "usageMetadata": {name: number for name, number in usage.items() if number},
        "modelVersion": call.model,
        "responseId": uuid4().hex,
    }


def _described(name: str) -> dict[str, Any]:
    return {
        "name": f"models/{name}",
        "version": "001",
        "displayName": name.replace("-", " ").title(),
        "inputTokenLimit": 1_048_576,
        "outputTokenLimit": 65_536,
        "supportedGenerationMethods": ["generateContent", "countTokens"],
    }
