"""Any endpoint that implements OpenAI's chat completions: Ollama, vLLM, llama.cpp, OpenAI itself."""

import base64
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Literal

import httpx2
import openai
from openai import AsyncOpenAI
from pydantic import BaseModel

from app.errors import ModelMisconfigured, ModelRefused
from app.llm.port import LOCAL, is_own
from app.llm.providers.replies import READ_CHARS
from app.llm.providers.transport import (
    Answer,
    BodyTooLong,
    Call,
    CallFailed,
    Counts,
    StreamSupport,
    connection_failure,
    create_http_client,
    invalid_body_failure,
    is_event_stream,
    parse_counts,
    parse_retry_delay,  # fmt: skip
    status_failure,
    translate_failures,
    truncation_failure,
)
from app.text import patterns

Format = Literal["json_schema", "json_object", "text"]
Limit = Literal["max_tokens", "max_completion_tokens"]

FORMATS: tuple[Format, ...] = ("json_schema", "json_object", "text")
# Ways to disable thinking: newer OpenAI models and Ollama, GPT-5, older reasoning models, others.
NO_THINKING = ("none", "minimal", "low", None)
ROOM = {"none": 0, "minimal": 512, "low": 4_096, "medium": 8_192, "high": 16_384}
# Errors of Ollama, vLLM and llama.cpp for a text-only model; others name the part's type.
SIGHT = ("image", "vision", "multimodal", "multi-modal", "mmproj")
REFUSING = frozenset({400, 404, 415, 422, 500, 501})  # 500: llama.cpp, for a schema it cannot parse


@dataclass(frozen=True, slots=True)
class Capabilities:
    """The parameters that one model accepts. `efforts` is the index in `NO_THINKING`; without `images`,
    pages are sent as text only.
    """

    limit: Limit
    format: Format = "json_schema"
    temperature: bool = True
    efforts: int = 0
    images: bool = True

    def reasoning_effort(self, tokens: int | None) -> tuple[str | None, int]:
        """The reasoning effort to request, and the tokens to add for it, since they count as output."""
        least = NO_THINKING[self.efforts]
        if tokens is None or least is None:
            return None, 0 if tokens == 0 else ROOM["medium"]
        if tokens == 0:
            return least, ROOM[least]
        effort = next((name for name in ("low", "medium") if tokens <= ROOM[name]), "high")
        return effort, ROOM[effort]

    def without_refused(self, message: str) -> "Capabilities | None":
        """The capabilities to try after this rejection; None if the message is no help."""
        said = message.lower()
        if "context" in said:
            return None  # the prompt is too long; such messages mention max_tokens, too
        if "max_tokens" in said or "max_completion_tokens" in said:
            swapped: Limit = "max_completion_tokens" if self.limit == "max_tokens" else "max_tokens"
            return replace(self, limit=swapped)
        if "reasoning" in said or "think" in said:
            later = self.efforts + 1
            return replace(self, efforts=later) if later < len(NO_THINKING) else None
        if "temperature" in said and self.temperature:
            return replace(self, temperature=False)
        if self.images and any(word in said for word in SIGHT):
            return replace(self, images=False)
        shape = ("response_format", "json_schema", "json_object", "schema", "grammar", "guided")
        if any(word in said for word in shape) and self.format != "text":
            return replace(self, format=FORMATS[FORMATS.index(self.format) + 1])
        return None


class CapabilityMemory:
    """The capabilities of each model of one endpoint, for the lifetime of the process."""

    def __init__(self, *, own_endpoint: bool) -> None:
        # OpenAI's reasoning models reject the older name, some servers do not know the newer one.
        self._first = Capabilities("max_tokens" if own_endpoint else "max_completion_tokens")
        self._known: dict[str, Capabilities] = {}
        self._tried: dict[str, set[Capabilities]] = {}

    def of(self, model: str) -> Capabilities:
        return self._known.get(model, self._first)

    def learn(self, model: str, sent: Capabilities, status: int, message: str) -> bool:
        """Learn from the rejection of `sent`; return whether the call is worth retrying."""
        if status not in REFUSING:
            return False
        if self.of(model) != sent:
            return True  # another call has learned it meanwhile
        tried = self._tried.setdefault(model, set())
        tried.add(sent)
        found = sent.without_refused(message)
        if found is None or found in tried:
            return False
        self._known[model] = found
        return True


PROVIDER = "openai"
BASE_URL = "https://api.openai.com/v1"
DONE = "[DONE]"
NO_KEY = "none"  # required by the SDK; a self-hosted server needs none
IN_WORDS = "\n\nReply with one JSON object and nothing else. Its JSON Schema: "
PAID_OUT = {"insufficient_quota", "billing_hard_limit_reached", "account_deactivated"}
_THOUGHT = patterns.compile(r"\A(?:<think(?:ing)?>)?.*?</think(?:ing)?>", patterns.DOTALL)
_UNENDED = patterns.compile(r"\A<think(?:ing)?>.*\Z", patterns.DOTALL)


class _Message(BaseModel):
    content: str | None = None
    refusal: str | None = None


class _Choice(BaseModel):
    """A choice; `delta` holds a streamed piece of the message."""

    message: _Message | None = None
    delta: _Message | None = None
    finish_reason: str | None = None


class _Body(BaseModel):
    """The fields read from a response or a streamed chunk. The SDK's own class does not validate."""

    choices: list[_Choice] | None
    usage: object = None

    @property
    def choice(self) -> _Choice:
        """The reply and its finish reason."""
        return self.choices[0] if self.choices else _Choice()

    @property
    def text(self) -> str:
        return _without_thoughts((self.choice.message or _Message()).content or "")

    def followed_by(self, piece: "_Body") -> "_Body":
        said, more = self.choice.message or _Message(), piece.choice.delta or _Message()
        message = _Message(
            content=(said.content or "") + (more.content or ""),
            refusal=(said.refusal or "") + (more.refusal or "") or None,
        )
        finish = piece.choice.finish_reason or self.choice.finish_reason
        return _Body(
            choices=[_Choice(message=message, finish_reason=finish)],
            usage=piece.usage or self.usage,
        )

    def counts(self) -> Counts:
        """Token counts. `output` excludes reasoning, which `completion_tokens` includes.

        Google's OpenAI-compatible endpoint counts reasoning separately; the total shows it.
        """
        used = _fields(self.usage)
        said = used.get("completion_tokens")
        thought = _fields(used.get("completion_tokens_details")).get("reasoning_tokens")
        counts = parse_counts(
            used.get("prompt_tokens"),
            cached=_fields(used.get("prompt_tokens_details")).get("cached_tokens"),
            output=said,
            thinking=thought,
        )
        apart = counts.input + counts.output + counts.thinking
        if not counts.thinking or used.get("total_tokens") == apart:
            return counts
        return replace(
            counts,
            output=max(0, counts.output - counts.thinking),
            thinking=min(counts.thinking, counts.output),
            known=counts.known and counts.thinking <= counts.output,
        )


class _Piece(_Body):
    """A streamed chunk, or the error sent in its place."""

    choices: list[_Choice] | None = None
    error: object = None


def _fields(given: object) -> dict[str, object]:
    return given if isinstance(given, dict) else {}


class OpenAITransport:
    """One endpoint. Parameters that it rejects are remembered and not sent again."""

    def __init__(self, api_key: str | None = None, base_url: str | None = None) -> None:
        self.provider = LOCAL if base_url and is_own(base_url) else PROVIDER
        self._http = create_http_client()
        self._client = AsyncOpenAI(
            api_key=api_key or NO_KEY,
            base_url=base_url or BASE_URL,
            max_retries=0,
            http_client=self._http,
        )
        self._capabilities = CapabilityMemory(own_endpoint=base_url is not None)
        self._streams = StreamSupport()

    async def send(self, call: Call) -> Answer:
        """Send one request. Raises `CallFailed`."""
        capabilities = self._capabilities.of(call.model)
        with _translate_failures():
            try:
                if self._streams.should_stream(call):
                    return await self._stream(call, capabilities)
                return _answer(_Body.model_validate_json(await self._body(call, capabilities)))
            except openai.APIStatusError as error:
                failure, said = _status_error(error), (error.status_code, _error_message(error))
                failure.try_other_form = self._streams.learn(
                    call, *said
                ) or self._capabilities.learn(call.model, capabilities, *said)
                raise failure from error

    async def check_model(self, model: str, timeout_s: float) -> None:
        """Check that the endpoint lists the model. Raises `CallFailed`."""
        with _translate_failures():
            raw = await self._client.models.with_raw_response.list(timeout=timeout_s)
            listed = json.loads(raw.content)
            known = [one["id"] for one in listed["data"]]
        # Ollama lists a model requested as "name" as "name:latest".
        if model not in known and f"{model}:latest" not in known:
            raise CallFailed(ModelMisconfigured(f"the endpoint does not list {model}"))

    async def close(self) -> None:
        await self._client.close()

    async def _body(self, call: Call, capabilities: Capabilities) -> bytes:
        raw = await self._client.chat.completions.with_raw_response.create(
            **_request(call, capabilities)
        )
        return bytes(raw.content)

    async def _stream(self, call: Call, capabilities: Capabilities) -> Answer:
        assert call.on_partial is not None
        asked = _request(call, capabilities) | {
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        completions = self._client.chat.completions.with_streaming_response
        async with completions.create(**asked) as raw:
            if not is_event_stream(raw.http_response):
                return _answer(_Body.model_validate_json(await raw.read()))
            whole = _Body(choices=None)
            async for event in httpx2.EventSource(raw.http_response):
                if event.data == DONE:
                    break
                piece = _Piece.model_validate_json(event.data)
                if piece.error:
                    raise truncation_failure(PROVIDER)
                whole = whole.followed_by(piece)
                said = Answer(text=whole.text, counts=whole.counts())
                if len(said.text) > READ_CHARS:  # the receiver has given up
                    return said.as_partial
                call.on_partial(said)
        if whole.text and whole.choice.finish_reason is None:
            raise truncation_failure(PROVIDER)
        return _answer(whole)


@contextmanager
def _translate_failures() -> Iterator[None]:
    """Translate errors of the SDK as well. Raises `CallFailed`."""
    with translate_failures(PROVIDER):
        try:
            yield
        except openai.APIStatusError as error:
            raise _status_error(error) from error
        except openai.APIConnectionError as error:
            if isinstance(error.__cause__, BodyTooLong):
                raise invalid_body_failure(PROVIDER, error.__cause__) from error
            raise connection_failure(PROVIDER, error.__cause__ or error) from error
        except (KeyError, TypeError, openai.OpenAIError) as error:
            raise invalid_body_failure(PROVIDER, error) from error


def _request(call: Call, capabilities: Capabilities) -> dict[str, Any]:
    system = call.system
    extra: dict[str, Any] = {}
    if capabilities.format == "json_schema":
        shape = {"name": "reply", "schema": call.schema}
        extra["response_format"] = {"type": "json_schema", "json_schema": shape}
    else:
        system += IN_WORDS + json.dumps(call.schema, separators=(",", ":"))
    if capabilities.format == "json_object":
        extra["response_format"] = {"type": "json_object"}
    if capabilities.temperature:
        extra["temperature"] = 0
    effort, room = capabilities.reasoning_effort(call.thinking_tokens)
    if effort is not None:
        extra["reasoning_effort"] = effort
    return {
        "model": call.model,
        "messages": [
            {"role": "system", "content": system},
            {"role": "user", "content": _content(call, capabilities)},
        ],
        capabilities.limit: call.max_output_tokens + room,
        "timeout": call.timeout_s,
        **extra,
    }


def _content(call: Call, capabilities: Capabilities) -> str | list[dict[str, Any]]:
    """Text before images: the shared prefix of calls must come first to be cached."""
    if not call.images or not capabilities.images:
        return call.prompt
    urls = [f"data:image/jpeg;base64,{base64.b64encode(one).decode()}" for one in call.images]
    images = [{"type": "image_url", "image_url": {"url": url}} for url in urls]
    return [{"type": "text", "text": call.prompt}, *images]


def _answer(body: _Body) -> Answer:
    counts = body.counts()
    choice = body.choice
    message = choice.message or _Message()
    if message.refusal:
        raise _refusal("the model refused", counts)
    if choice.finish_reason == "content_filter":
        raise _refusal("the reply was blocked", counts)
    return Answer(
        text=body.text,
        counts=counts,
        cut=choice.finish_reason == "length",
        flaw="there was no text",
    )


def _refusal(why: str, counts: Counts) -> CallFailed:
    return CallFailed(ModelRefused(f"{PROVIDER}: {why}"), counts=counts, outcome="refused")


def _without_thoughts(content: str) -> str:
    """Remove the thoughts that local reasoning models write before the reply."""
    content = content.lstrip()  # not in the expressions, which would retry at each blank
    if content.startswith("{"):
        return content
    return _UNENDED.sub("", _THOUGHT.sub("", content, count=1).lstrip())


def _error_message(error: openai.APIStatusError) -> str:
    """The error message; OpenAI, vLLM and FastAPI each use their own shape."""
    body = error.body
    if isinstance(body, dict):
        said = body.get("message") or body.get("error") or body.get("detail") or ""
        return f"{said} {body.get('param') or ''}".strip()
    return body if isinstance(body, str) else ""


def _status_error(error: openai.APIStatusError) -> CallFailed:
    if error.code in PAID_OUT:
        return CallFailed(ModelMisconfigured(f"{PROVIDER}: the account has no credit left"))
    after = parse_retry_delay(error.response.headers.get("retry-after"))
    return status_failure(PROVIDER, error.status_code, _error_message(error), after)
