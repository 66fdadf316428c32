"""Any endpoint that implements OpenAI's chat completions: Ollama, vLLM, llama.cpp, OpenAI itself."""

import base64
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import httpx2
import openai
from openai import AsyncOpenAI
from pydantic import BaseModel

from app.errors import ModelMisconfigured
from app.llm.port import LOCAL, is_own
from app.llm.providers.openai_capabilities import Capabilities, CapabilityMemory
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
    refusal,
    status_failure,
    translate_failures,
    truncation_failure,
)
from app.text import patterns

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
        message, delta = self.choice.message or _Message(), piece.choice.delta or _Message()
        message = _Message(
            content=(message.content or "") + (delta.content or ""),
            refusal=(message.refusal or "") + (delta.refusal or "") or None,
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
        counts = parse_counts(
            used.get("prompt_tokens"),
            cached=_fields(used.get("prompt_tokens_details")).get("cached_tokens"),
            output=used.get("completion_tokens"),
            thinking=_fields(used.get("completion_tokens_details")).get("reasoning_tokens"),
        )
        separate = counts.input + counts.output + counts.thinking
        if not counts.thinking or used.get("total_tokens") == separate:
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


def _fields(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}


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
                completions = self._client.chat.completions.with_raw_response
                raw = await completions.create(**_request(call, capabilities))
                return _answer(_Body.model_validate_json(raw.content))
            except openai.APIStatusError as error:
                failure, reason = _status_error(error), (error.status_code, _error_message(error))
                failure.try_other_form = self._streams.learn(
                    call, *reason
                ) or self._capabilities.learn(call.model, capabilities, *reason)
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

    async def _stream(self, call: Call, capabilities: Capabilities) -> Answer:
        assert call.on_partial is not None
        streaming = {"stream": True, "stream_options": {"include_usage": True}}
        completions = self._client.chat.completions.with_streaming_response
        async with completions.create(**_request(call, capabilities) | streaming) as raw:
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
                answer = Answer(text=whole.text, counts=whole.counts())
                if len(answer.text) > READ_CHARS:  # the receiver has given up
                    return answer.as_partial
                call.on_partial(answer)
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
        raise refusal(PROVIDER, "the model refused", counts)
    if choice.finish_reason == "content_filter":
        raise refusal(PROVIDER, "the reply was blocked", counts)
    return Answer(
        text=body.text,
        counts=counts,
        cut=choice.finish_reason == "length",
        flaw="there was no text",
    )


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
        text = body.get("message") or body.get("error") or body.get("detail") or ""
        return f"{text} {body.get('param') or ''}".strip()
    return body if isinstance(body, str) else ""


def _status_error(error: openai.APIStatusError) -> CallFailed:
    if error.code in PAID_OUT:
        return CallFailed(ModelMisconfigured(f"{PROVIDER}: the account has no credit left"))
    after = parse_retry_delay(error.response.headers.get("retry-after"))
    return status_failure(PROVIDER, error.status_code, _error_message(error), after)
