"""An OpenAI server: `/v1/chat/completions` and `/v1/models`, as the `openai` SDK calls them.

With `strict=False` it is a compatible one (Ollama, vLLM, llama.cpp), that takes any schema.
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
from tests.fakes.scripted import Scripted
from tests.fakes.steps import Blocked, Empty, RateLimit, Say, Status
from tests.fakes.tokens import count, cut_to

TYPES = {401: "invalid_request_error", 429: "requests", 500: "server_error", 503: "server_error"}
MESSAGES = {
    500: "The server had an error while processing your request. Sorry about that!",
    503: "The engine is currently overloaded, please try again later.",
}
IMAGE_TOKENS = (
    765  # platform.openai.com, "Images": 85 and 170 for each of four tiles, 1024 px square
)
MAX_DEPTH = 10  # "Structured outputs": levels of nesting
# Gemini's words for why a model stopped, so that one script serves both.
FINISH = {"SAFETY": "content_filter", "MAX_TOKENS": "length", "MALFORMED_FUNCTION_CALL": "stop"}
MODELS = ("gpt-5.6", "gpt-5.6-mini", "qwen3:8b")


class FakeOpenAI(Scripted):
    """Give `base_url` as the base address and anything as the key."""

    cache_from = 1_024  # platform.openai.com, "Prompt caching"
    cache_step = 128

    def __init__(self, *, api_key: str | None = None, strict: bool = True) -> None:
        super().__init__(api_key=api_key)
        self.strict = strict

    @property
    def base_url(self) -> str:
        return f"{self.url}/v1"

    @property
    def environment(self) -> dict[str, str]:
        """For a backend in another process that is to reason with this."""
        return {
            "TABWRIGHT_LLM": "openai",
            "OPENAI_API_KEY": self.api_key or "key",
            "TABWRIGHT_OPENAI_BASE_URL": self.base_url,
            "TABWRIGHT_OPENAI_MODEL": MODELS[0],
        }

    def app(self) -> Starlette:
        return Starlette(
            routes=[
                self.route("/v1/chat/completions", self._complete, "POST"),
                self.route("/v1/models", self._models, "GET"),
                self.route("/v1/models/{model:path}", self._model, "GET"),
            ]
        )

    async def _complete(self, request: Request) -> Response:
        return await self.answer(request, self._read(request, await request.body()))

    async def _models(self, request: Request) -> Response:
        wrong = self._identity(dict(request.headers))
        if wrong:
            return JSONResponse(wrong.body, wrong.code)
        return JSONResponse({"object": "list", "data": [_described(name) for name in MODELS]})

    async def _model(self, request: Request) -> Response:
        return JSONResponse(_described(request.path_params["model"]))

    def _read(self, request: Request, raw: bytes) -> Call:
        body = json.loads(raw)
        told = [m for m in body["messages"] if m["role"] in ("system", "developer")]
        asked = [part for m in body["messages"] if m not in told for part in _parts(m)]
        images = [part["image_url"]["url"] for part in asked if part["type"] == "image_url"]
        call = Call(
            path=request.url.path,
            headers=dict(request.headers),
            body=body,
            model=body.get("model", ""),
            system="\n".join(part["text"] for m in told for part in _parts(m)),
            prompt="\n".join(part["text"] for part in asked if part["type"] == "text"),
            schema=_format(body).get("json_schema", {}).get("schema"),
            images=tuple(base64.b64decode(url.partition(",")[2]) for url in images),
            streamed=body.get("stream", False),
        )
        schema = json.dumps(call.schema, ensure_ascii=False) if call.schema else ""
        self.bill(call, call.system, schema, call.prompt, images=len(images) * IMAGE_TOKENS)
        return call

    def refused(self, call: Call) -> Status | None:
        wrong = self._identity(call.headers)
        if call.streamed and not self.streams:
            said = "Unsupported value: 'stream' does not support true with this model."
            wrong = wrong or Status(400, _error(400, said, param="stream"))
        if wrong or not self.strict:
            return wrong
        asked = _format(call.body)
        if asked.get("type") == "json_object" and "json" not in (call.system + call.prompt).lower():
            said = "'messages' must contain the word 'json' in some form, to use 'response_format' of type"
            return Status(400, _error(400, f"{said} 'json_object'.", param="messages"))
        described = asked.get("json_schema", {})
        why = _not_strict(described.get("schema"), ()) if described.get("strict") else None
        if why is None:
            return None
        named = f"Invalid schema for response_format '{described.get('name')}': {why}"
        return Status(400, _error(400, named, param="response_format"))

    def _identity(self, headers: dict[str, str]) -> Status | None:
        scheme, _, key = headers.get("authorization", "").partition(" ")
        if scheme == "Bearer" and key and self.api_key in (None, key):
            return None
        said = (
            f"Incorrect API key provided: {key[:4]}***. You can find your API key at the platform."
        )
        return Status(401, _error(401, said, code="invalid_api_key"))

    def said(self, call: Call, say: Say) -> Any:
        finish, text = FINISH.get(say.finish, say.finish) or "stop", say.text
        most = call.body.get("max_completion_tokens") or call.body.get("max_tokens")
        if say.limited and text and most and say.thinking + count(text) > most:
            text, finish = cut_to(text, max(0, most - say.thinking)), "length"
        call.output_tokens, call.thinking_tokens = count(text or say.refusal or ""), say.thinking
        message = {"role": "assistant", "content": text, "refusal": say.refusal}
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": finish}
        return _completion(call, [choice])

    def text_in(self, body: Any) -> str:
        message = body["choices"][0]["message"] if body["choices"] else {}
        return message.get("content") or ""

    def events(self, call: Call, body: Any, texts: Sequence[str]) -> tuple[list[Any], list[Any]]:
        """The counts come last, and only where they are asked for."""
        about = {one: body[one] for one in ("id", "created", "model")}
        about |= {"object": "chat.completion.chunk", "usage": None}

        def event(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
            choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
            return about | {"choices": [choice]}

        told = [event({"role": "assistant", "content": text}) for text in texts]
        ending: list[Any] = []
        for choice in body["choices"]:
            refusal = choice["message"]["refusal"]
            ending += [event({"refusal": refusal})] if refusal else []
            ending.append(event({}, choice["finish_reason"]))
        if (call.body.get("stream_options") or {}).get("include_usage"):
            ending.append(about | {"choices": [], "usage": body["usage"]})
        return told, [*ending, "[DONE]"]

    def blocked(self, call: Call, blocked: Blocked) -> Any:
        return self.said(call, Say(None, finish="content_filter"))

    def emptied(self, call: Call, empty: Empty) -> Any:
        message = {"role": "assistant", "content": None, "refusal": None}
        nothing = {"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}
        return _completion(call, [nothing] if empty.candidate else [])

    def error(self, code: int, message: str) -> Any:
        return _error(code, message)

    def rate_limited(self, call: Call, limit: RateLimit) -> Status:
        said = f"Rate limit reached for {call.model} on requests per min (RPM): Limit 3, Used 3."
        headers = {
            "retry-after": f"{limit.retry_after:g}",
            "retry-after-ms": f"{limit.retry_after * 1000:.0f}",
            "x-ratelimit-remaining-requests": "0",
        }
        return Status(429, _error(429, said, code="rate_limit_exceeded"), headers)


def _error(status: int, message: str, *, param: str | None = None, **more: str) -> Any:
    said = message or MESSAGES.get(status, "We could not process your request.")
    kind = TYPES.get(status, "invalid_request_error")
    return {"error": {"message": said, "type": kind, "param": param, "code": None} | more}


def _format(body: dict[str, Any]) -> dict[str, Any]:
    asked: dict[str, Any] = body.get("response_format") or {}
    return asked


def _parts(message: dict[str, Any]) -> list[dict[str, Any]]:
    content = message.get("content") or ""
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _not_strict(schema: Any, place: tuple[str, ...], depth: int = 1) -> str | None:
    """What "structured outputs" want of every object, told as the API tells it."""
    if not isinstance(schema, dict):
        return None
    inner = schema.get("properties") or {}
    if schema.get("type") == "object":
        if schema.get("additionalProperties") is not False:
            return f"In context={place}, 'additionalProperties' is required to be supplied and to be false."
        missing = [name for name in inner if name not in schema.get("required", [])]
        if missing:
            return (
                f"In context={place}, 'required' is required to be supplied and to be an array including"
                f" every key in properties. Missing '{missing[0]}'."
            )
    if depth > MAX_DEPTH:
        return (
            f"In context={place}, schema exceeds the maximum nesting depth of {MAX_DEPTH} levels."
        )
    below = [(("properties", name), value) for name, value in inner.items()]
    below += [(("$defs", name), value) for name, value in schema.get("$defs", {}).items()]
    below += [(("anyOf", str(at)), value) for at, value in enumerate(schema.get("anyOf", []))]
    below += [(("items",), schema.get("items"))]
    found = (_not_strict(value, (*place, *where), depth + 1) for where, value in below)
    return next((why for why in found if why), None)


def _completion(call: Call, choices: list[dict[str, Any]]) -> dict[str, Any]:
    output = call.output_tokens + call.thinking_tokens
    return {
        "id": f"chatcmpl-{uuid4().hex}",
        "object": "chat.completion",
        "created": 1_790_000_000,
        "model": call.model,
        "choices": choices,
        "usage": {
            "prompt_tokens": call.input_tokens,
            "completion_tokens": output,
            "total_tokens": call.input_tokens + output,
            "prompt_tokens_details": {"cached_tokens": call.cached_tokens, "audio_tokens": 0},
            "completion_tokens_details": {"reasoning_tokens": call.thinking_tokens},
        },
    }


def _described(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": 1_790_000_000, "owned_by": "system"}
