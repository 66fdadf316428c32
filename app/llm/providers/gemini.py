"""Gemini through google-genai."""

import asyncio
import math
from functools import cache
from typing import Any

import httpx2
from google import genai
from google.genai import types
from google.genai.errors import APIError
from pydantic import BaseModel, Field

from app.llm.providers.replies import READ_CHARS
from app.llm.providers.transport import (
    Answer,
    Call,
    CallFailed,
    Counts,
    StreamSupport,
    create_http_client,
    is_event_stream,
    parse_counts,
    parse_retry_delay,  # fmt: skip
    refusal,
    shorten_message,
    status_failure,
    tls_context,
    translate_failures,
    truncation_failure,
)

# Thinking level or budget, and the tokens to reserve for it.
Step = tuple[types.ThinkingLevel | int | None, int]

LEVELS = types.ThinkingLevel
# Gemini counts thoughts against the reply length, so each level reserves its own tokens.
MINIMAL: Step = (LEVELS.MINIMAL, 512)
LOW: Step = (LEVELS.LOW, 4_096)
MEDIUM: Step = (LEVELS.MEDIUM, 8_192)
HIGH: Step = (LEVELS.HIGH, 16_384)
UNSAID: Step = (None, 16_384)
SMALLEST_BUDGET = 128  # the minimum of 2.5 Pro
# These models have no level below LOW (ai.google.dev/gemini-api/docs/thinking, November 2026).
WITHOUT_MINIMAL = ("gemini-3.1-pro", "gemini-3.7", "gemini-3.8", "gemini-4")
BEFORE_LEVELS = ("gemini-2.", "gemini-1.")


class Thinking:
    """The thinking levels to try for each model, and which one it accepts.

    If a model rejects a level (HTTP 400, before anything is billed), the next one is tried and used
    from then on.
    """

    def __init__(self) -> None:
        self._rungs: dict[tuple[str, int | None], int] = {}

    def rung(self, call: Call) -> int:
        """The level to start with."""
        return self._rungs.get((call.model, call.thinking_tokens), 0)

    def config(self, call: Call, rung: int) -> tuple[types.ThinkingConfig | None, int]:
        """The thinking configuration, and the tokens to add to the reply length."""
        level, room = _ladder(call.model, call.thinking_tokens)[rung]
        if level is None:
            return None, room
        if isinstance(level, int):
            return types.ThinkingConfig(thinking_budget=level), room
        return types.ThinkingConfig(thinking_level=level), room

    def learn(self, call: Call, rung: int, status: int, message: str) -> bool:
        """Record the rejection; return whether another level is worth trying."""
        steps = _ladder(call.model, call.thinking_tokens)
        if status != 400 or "think" not in message.lower() or rung + 1 >= len(steps):
            return False
        self._rungs[call.model, call.thinking_tokens] = rung + 1
        return True

    def temperature(self, model: str) -> float | None:
        """0 for models that honor it; Gemini 3 ignores it, or loops at low values."""
        return 0.0 if model.startswith(BEFORE_LEVELS) else None


def _ladder(model: str, tokens: int | None) -> list[Step]:
    if tokens is None:
        return [UNSAID]
    if model.startswith(BEFORE_LEVELS):
        least = [(SMALLEST_BUDGET, SMALLEST_BUDGET)] if tokens < SMALLEST_BUDGET else []
        return [(tokens, tokens), *least, UNSAID]
    if tokens > MEDIUM[1]:
        return [HIGH, UNSAID]
    if tokens > 1_024:
        return [MEDIUM, HIGH, UNSAID]
    if tokens > 0 or model.startswith(WITHOUT_MINIMAL):
        return [LOW, UNSAID]
    return [MINIMAL, LOW, UNSAID]


PROVIDER = "gemini"
BASE_URL = "https://generativelanguage.googleapis.com/"
GENERATION = {
    "temperature", "max_output_tokens", "response_mime_type", "response_json_schema", "thinking_config",
}  # fmt: skip
CUT = {"MAX_TOKENS", "CONTINUATION"}
REFUSALS = {
    "SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "MODEL_ARMOR",
    "IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION", "ESCALATION",
    "PUP_LIMITED_DISABLED",
}  # fmt: skip


class _Part(BaseModel):
    text: str | None = None
    thought: bool | None = None


class _Content(BaseModel):
    parts: list[_Part] | None = None


class _Candidate(BaseModel):
    content: _Content | None = None
    finish: str | None = Field(default=None, alias="finishReason")


class _Feedback(BaseModel):
    reason: str | None = Field(default=None, alias="blockReason")


class _Usage(BaseModel):
    prompt: object = Field(default=None, alias="promptTokenCount")
    cached: object = Field(default=None, alias="cachedContentTokenCount")
    candidates: object = Field(default=None, alias="candidatesTokenCount")
    thoughts: object = Field(default=None, alias="thoughtsTokenCount")


class _Body(BaseModel):
    """The fields read from a response. The SDK's own classes warn about every unknown enum value."""

    candidates: list[_Candidate] | None = None
    feedback: _Feedback | None = Field(default=None, alias="promptFeedback")
    usage: object = Field(default=None, alias="usageMetadata")
    error: object = None

    @property
    def text(self) -> str:
        content = self.candidates[0].content if self.candidates else None
        parts = (content and content.parts) or []
        return "".join(part.text or "" for part in parts if not part.thought)

    @property
    def finish(self) -> str | None:
        return self.candidates[0].finish if self.candidates else None

    def followed_by(self, piece: "_Body") -> "_Body":
        """Merge both. Counts are cumulative, so the last ones win."""
        return _Body(
            candidates=[
                _Candidate(
                    content=_Content(parts=[_Part(text=self.text + piece.text)]),
                    finishReason=piece.finish or self.finish,
                )
            ],
            promptFeedback=piece.feedback or self.feedback,
            usageMetadata=piece.usage or self.usage,
        )

    def counts(self) -> Counts:
        """Token counts. `output` excludes thoughts, as in Gemini's own counts."""
        used = _Usage.model_validate(self.usage if isinstance(self.usage, dict) else {})
        return parse_counts(
            used.prompt, cached=used.cached, output=used.candidates, thinking=used.thoughts
        )


def create_client(api_key: str, base_url: str | None, **http: Any) -> genai.Client:  # noqa: ANN401
    """The SDK's client, without the clients and the websocket context that it would create but we do not
    use, and without settings from the environment.
    """
    shared = {"verify": tls_context(), "ssl": tls_context()}
    options = types.HttpOptions(
        base_url=base_url or BASE_URL, client_args=shared, async_client_args=shared, **http
    )
    return genai.Client(api_key=api_key, vertexai=False, http_options=options)


class GeminiTransport:
    """The Gemini developer API, with an API key."""

    provider = PROVIDER

    def __init__(
        self, api_key: str, base_url: str | None = None, http: httpx2.AsyncClient | None = None
    ) -> None:
        self._http = http or create_http_client()
        self._url = (base_url or BASE_URL).rstrip("/")
        self._key = api_key
        self._client = create_client(api_key, base_url, httpx_async_client=self._http)
        self._thinking = Thinking()
        self._streams = StreamSupport()

    async def send(self, call: Call) -> Answer:
        """Send one request. Raises `CallFailed`."""
        rung = self._thinking.rung(call)
        with translate_failures(PROVIDER):
            try:
                if self._streams.should_stream(call):
                    return await self._stream(call, rung)
                response = await self._client.aio.models.generate_content(
                    model=call.model,
                    contents=_contents(call),
                    config=_config(call, self._thinking, rung),
                )
                raw = response.sdk_http_response
                return _answer(_Body.model_validate_json((raw and raw.body) or ""))
            except APIError as error:
                failure, reason = translate_error(error), (error.code, error.message or "")
                failure.try_other_form = self._thinking.learn(
                    call, rung, *reason
                ) or self._streams.learn(call, *reason)
                raise failure from error

    async def check_model(self, model: str, timeout_s: float) -> None:
        """Check that the key has access to the model. Raises `CallFailed`."""
        config = types.GetModelConfig(http_options=_options(timeout_s))
        with translate_failures(PROVIDER):
            try:
                await self._client.aio.models.get(model=model, config=config)
            except APIError as error:
                raise translate_error(error) from error

    async def close(self) -> None:
        await self._client.aio.aclose()
        await self._http.aclose()

    async def _stream(self, call: Call, rung: int) -> Answer:
        """Stream the response. Bypasses the SDK's streams, whose response classes reject malformed
        counts and warn about every unknown enum value.
        """
        assert call.on_partial is not None
        model = call.model if "/" in call.model else f"models/{call.model}"
        url = f"{self._url}/v1beta/{model}:streamGenerateContent?alt=sse"
        headers = {"x-goog-api-key": self._key, "x-server-timeout": str(math.ceil(call.timeout_s))}
        body = _request_body(call, self._thinking, rung)
        async with self._http.sse(url, method="POST", json=body, headers=headers) as events:
            await APIError.raise_for_async_response(events.response)
            if not is_event_stream(events.response):
                return _answer(_Body.model_validate_json(await events.response.aread()))
            whole = _Body()
            async for event in events:
                piece = _Body.model_validate_json(event.data)
                if isinstance(piece.error, dict):
                    raise APIError(int(piece.error.get("code", 500)), {"error": piece.error})
                whole = whole.followed_by(piece)
                answer = Answer(text=whole.text, counts=whole.counts())
                if len(answer.text) > READ_CHARS:  # the receiver has given up
                    return answer.as_partial
                call.on_partial(answer)
        if whole.text and whole.finish is None:
            raise truncation_failure(PROVIDER)
        return _answer(whole)


@cache
def warm_up() -> None:
    """Make one call without a network. Blocks; do not call it on the event loop.

    The SDK builds its classes on first use, which takes 0.5 s; this does it before a user waits.
    """
    nowhere = httpx2.MockTransport(lambda _: httpx2.Response(200, text="{}"))
    call = Call(model="none", system="-", prompt="-", schema={}, max_output_tokens=1, timeout_s=1.0)

    async def send() -> None:
        async with httpx2.AsyncClient(transport=nowhere) as http:
            await GeminiTransport("none", http=http).send(call)

    asyncio.run(send())


def _contents(call: Call) -> list[Any]:
    """Text first: the shared prefix of calls must come first to be cached."""
    media = [(image, "image/jpeg") for image in call.images]
    media += [(recording.data, recording.media_type) for recording in call.recordings]
    parts = [types.Part.from_bytes(data=data, mime_type=kind) for data, kind in media]
    return [types.Content(role="user", parts=[types.Part.from_text(text=call.prompt), *parts])]


def _config(call: Call, thinking: Thinking, rung: int) -> types.GenerateContentConfig:
    config, room = thinking.config(call, rung)
    return types.GenerateContentConfig(
        system_instruction=call.system,
        temperature=thinking.temperature(call.model),
        max_output_tokens=call.max_output_tokens + room,
        response_mime_type="application/json",
        response_json_schema=call.schema,
        thinking_config=config,
        http_options=_options(call.timeout_s),
        should_return_http_response=True,
        automatic_continuation=False,  # no SDK retries: each call is counted
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
    )


def _request_body(call: Call, thinking: Thinking, rung: int) -> dict[str, Any]:
    """The request as a JSON body."""

    def dump(value: BaseModel, include: set[str] | None = None) -> dict[str, Any]:
        return value.model_dump(mode="json", by_alias=True, exclude_none=True, include=include)

    return {
        "contents": [dump(content) for content in _contents(call)],
        "systemInstruction": {"parts": [{"text": call.system}]},
        "generationConfig": dump(_config(call, thinking, rung), GENERATION),
    }


def _options(timeout_s: float) -> types.HttpOptions:
    """Pass the timeout to the server too (X-Server-Timeout), so that it stops when we do."""
    return types.HttpOptions(timeout=max(1, round(timeout_s * 1000)))


def _answer(body: _Body) -> Answer:
    counts = body.counts()
    if body.feedback and body.feedback.reason:
        raise refusal(
            PROVIDER, f"the prompt was blocked ({shorten_message(body.feedback.reason)})", counts
        )
    finish = body.finish or "no candidate"
    if finish in REFUSALS:
        raise refusal(PROVIDER, f"the reply was blocked ({finish})", counts)
    return Answer(
        text=body.text,
        counts=counts,
        cut=finish in CUT,
        flaw=f"there was no text ({shorten_message(finish)})",
    )


def translate_error(error: APIError) -> CallFailed:
    """Translate an API error. Gemini also answers 400 to an invalid key."""
    message = error.message if isinstance(error.message, str) else ""
    status = 401 if error.code == 400 and "api key" in message.lower() else error.code
    return status_failure(PROVIDER, status, message, _retry_delay(error))


def _retry_delay(error: APIError) -> float | None:
    """The retry delay in seconds, from the body's RetryInfo, else the header."""
    body = error.details.get("error", {}) if isinstance(error.details, dict) else {}
    details = body.get("details", []) if isinstance(body, dict) else []
    for one in details if isinstance(details, list) else []:
        if isinstance(one, dict) and str(one.get("@type", "")).endswith("RetryInfo"):
            return parse_retry_delay(str(one.get("retryDelay", "")))
    headers = getattr(error.response, "headers", None) or {}
    return parse_retry_delay(headers.get("retry-after"))
