"""Settings, read once at start-up and passed down; nothing else reads the environment.

Each class is a section of `docs/reference/settings.md`, which is generated from the docstrings below.
"""

import os
from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from app.bounds import NAMES, Bounds

MAX_STEPS = 50
DATA_DIR = Path(".data")
Strings = tuple[str, ...]


class _Section(BaseSettings):
    model_config = SettingsConfigDict(
        env_prefix="TABWRIGHT_",
        env_file=".env",
        frozen=True,
        extra="ignore",
        populate_by_name=True,
        use_attribute_docstrings=True,
    )


class ModelSettings(_Section):
    """Model and web search."""

    llm: Literal["auto", "rules", "gemini", "openai"] = "auto"
    """Which model to use. `auto`: Gemini if it has a key, else the OpenAI-compatible endpoint if
    one is set, else commands only."""
    gemini_api_key: SecretStr | None = Field(default=None, validation_alias="GEMINI_API_KEY")
    """Key for Gemini."""
    gemini_model: str = "gemini-3.8-flash"  # ai.google.dev/gemini-api/docs/models, November 2026
    """Gemini model for planning, reading pages and answering."""
    gemini_fast_model: str = "gemini-3.5-flash-lite"
    """Gemini model for short, frequent questions."""
    gemini_base_url: str | None = None
    """Address of the Gemini API. Default: Google's."""
    openai_base_url: str | None = None
    """An OpenAI-compatible endpoint: Ollama, vLLM, llama.cpp and others."""
    openai_model: str = ""
    """Model to request there."""
    openai_fast_model: str = ""
    """Model for short questions there. Default: the same."""
    openai_api_key: SecretStr | None = Field(default=None, validation_alias="OPENAI_API_KEY")
    """Key for that endpoint, if it needs one."""
    model_timeout_s: float = Field(default=30.0, gt=0)
    """Seconds one question to the model may take, retries included. Raise it for a slow model of
    your own."""
    tavily_api_key: SecretStr | None = Field(default=None, validation_alias="TAVILY_API_KEY")
    """Key for web search with Tavily. Without it there is no web search."""
    tavily_base_url: str | None = None
    """Address of the Tavily API."""
    embeddings: Literal["auto", "wordllama", "gemini"] = "auto"
    """How documents are found beside their words: `wordllama` (in this process, no key) or
    `gemini`. `auto`: Gemini if it has a key."""
    gemini_embedding_model: str = "gemini-embedding-001"
    """Gemini's embedding model."""
    prices: Path | None = None
    """A TOML file of prices that override `app/usage/prices.toml`."""


class StoreSettings(_Section):
    """Store and data folder."""

    mongodb_uri: SecretStr | None = None
    """Any MongoDB 7 or 8. Default: a `mongod` on `PATH`, else the embedded server."""
    mongodb_database: str = "tabwright"
    """Name of the database."""
    data_dir: Path = DATA_DIR
    """Folder for the embedded store, the review queue's files and local keys."""
    disk_warn_percent: float = Field(default=10.0, ge=0, lt=100)
    """Free percentage of the data folder's disk below which the server warns."""
    disk_stop_percent: float = Field(default=3.0, ge=0, lt=100)
    """Free percentage below which nothing new is started."""
    index_wait_s: float = Field(default=10.0, ge=0)
    """Seconds to wait at start-up for missing indexes. After that the server listens, answers 503,
    and keeps waiting for the indexes it needs."""
    broker: str | None = None
    """A Redis (`redis://host:6379/0`) that hands document jobs to other processes at once.
    Default: they poll the store every few seconds."""


class AccessSettings(_Section):
    """Keys, origins and networks."""

    api_key: SecretStr | None = None
    """Bootstrap key for tenant `default`, user `local`."""
    mcp_key: SecretStr | None = None
    """Key that `tabwright mcp` uses. Default: `TABWRIGHT_API_KEY`."""
    allowed_origins: Strings = ()
    """Further CORS origins (JSON list) besides the extension."""
    allowed_hosts: Strings = ()
    """Host names besides `localhost` that the loopback interface answers to (JSON list)."""
    trusted_proxies: Strings = ()
    """Addresses and networks whose `X-Forwarded-*` headers are trusted (JSON list)."""
    local_networks: Strings = ()
    """Networks that count as this machine for pairing, such as a container's gateway (JSON list)."""
    fetch_allowed: Strings = ()
    """Hosts and networks beyond the public web that may be fetched (JSON list)."""


class LimitSettings(_Section):
    """Limits."""

    max_steps: int = Field(default=MAX_STEPS, ge=1)
    """Steps a task may take."""
    running_tasks: int = Field(default=100, ge=1)
    """Tasks one tenant may have under way at once."""
    rate_limit: str = "120/minute"
    """Interact requests per key."""
    rate_limit_reads: str = "1200/minute"
    """Read requests per key."""
    rate_limit_writes: str = "300/minute"
    """Write requests per key."""
    rate_limit_admin: str = "60/minute"
    """Administrative requests per key."""
    rate_limit_exports: str = "30/minute"
    """Exports per key."""
    rate_limit_ingests: str = "120/minute"
    """Documents ingested per key."""
    rate_limit_chats: str = "60/minute"
    """Chat messages per key."""
    rate_limit_mcp: str = "600/minute"  # a call takes one to four requests
    """MCP requests per key."""
    request_timeout_s: float = Field(default=20.0, gt=0)
    """Seconds the body of a request may take to arrive."""
    connections: int = Field(default=1_000, ge=1)  # one that waits takes some 50 kB
    """Connections one process holds at once."""
    connections_per_address: int = Field(default=128, ge=1)  # a pool of httpx holds up to 100
    """Of these, connections from one address (for IPv6, one /64 network). Trusted proxies are
    exempt."""
    upload_bytes: int = Field(default=100_000_000, ge=1)
    """Bytes of one uploaded document."""
    chat_whole_tokens: int = Field(default=60_000, ge=0)
    """Tokens up to which the documents of a question are read whole; above that, passages are
    retrieved."""
    longest_message: int = Field(default=Bounds.message, ge=1)
    """Characters of a chat message. Longer input is rejected with 422, here and in the next six."""
    longest_goal: int = Field(default=Bounds.goal, ge=1)
    """Characters of a task's goal."""
    longest_question: int = Field(default=Bounds.question, ge=1)
    """Characters of a question to the documents."""
    longest_answer: int = Field(default=Bounds.answer, ge=1)
    """Characters of an answer to a question, and of a recipe's parameter."""
    longest_note: int = Field(default=Bounds.note, ge=1)
    """Characters of a note or comment."""
    longest_title: int = Field(default=Bounds.title, ge=1)
    """Characters of a title."""
    longest_url: int = Field(default=Bounds.url, ge=1)
    """Characters of a URL."""
    longest_label: int = Field(default=Bounds.label, ge=1)
    """Characters of a label on a page. Longer ones are truncated, here and in the next two."""
    longest_value: int = Field(default=Bounds.value, ge=1)
    """Characters of a field's value on a page."""
    longest_cell: int = Field(default=Bounds.cell, ge=1)
    """Characters of a table cell in a document."""


class ServerSettings(_Section):
    """Processes and browser."""

    workers: int = Field(default=1, ge=1)
    """Set by `serve --workers`; do not set it yourself."""
    alone: bool = False
    """Set by `serve` if one process owns the store; do not set it yourself."""
    loop_blocked_s: float = Field(default=1.0, gt=0)
    """Seconds after which a blocked event loop is logged with its stack."""
    loop_hung_s: float = Field(default=15.0, gt=0)
    """Seconds after which a worker with a blocked event loop is restarted."""
    stop_notice_s: float = Field(default=0.0, ge=0)
    """Seconds to keep serving as "not ready" after SIGTERM, for load balancers."""
    stop_within_s: float = Field(default=25.0, gt=0)
    """Seconds a shutdown may take in all."""
    unconfined_readers: bool | None = None
    """Whether to parse documents where the kernel cannot confine the reader processes. Default:
    `false` on Linux, `true` elsewhere."""
    chromium: Path | None = None
    """Browser for `make run` and the tests. Default: the first Chromium found."""


class ObservabilitySettings(_Section):
    """Logs, traces and errors."""

    log_format: Literal["auto", "json", "console"] = "auto"
    """Log format. `auto`: console on a terminal, JSON otherwise."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """Lowest level that is logged."""
    langfuse_public_key: str | None = Field(default=None, validation_alias="LANGFUSE_PUBLIC_KEY")
    """LangFuse's public key. Traces are sent if all three LangFuse settings are present."""
    langfuse_secret_key: SecretStr | None = Field(
        default=None, validation_alias="LANGFUSE_SECRET_KEY"
    )
    """LangFuse's secret key."""
    langfuse_base_url: str | None = Field(default=None, validation_alias="LANGFUSE_BASE_URL")
    """Address of LangFuse."""
    sentry_dsn: SecretStr | None = Field(default=None, validation_alias="SENTRY_DSN")
    """Where exceptions are sent. Default: nowhere."""
    environment: str = "production"
    """Name of this installation in LangFuse and Sentry."""


class Settings(
    ModelSettings,
    StoreSettings,
    AccessSettings,
    LimitSettings,
    ServerSettings,
    ObservabilitySettings,
):
    """Process settings, named as in the environment (`TABWRIGHT_MAX_STEPS`, ...) or `.env`."""

    @property
    def bounds(self) -> Bounds:
        return Bounds(**{name: getattr(self, f"longest_{name}") for name in NAMES})

    @field_validator("api_key", "mcp_key")
    @classmethod
    def _not_empty(cls, value: SecretStr | None) -> SecretStr | None:
        """Treat an empty value as unset: a container passes on what it was not given as ""."""
        return value if value is not None and value.get_secret_value().strip() else None


SECTIONS = Settings.__bases__
EXTENSION_ID = "hcglhcajhjnmilfcilhomnccbjhjllja"  # follows from `key` in extension/manifest.json
EXTENSION_ORIGIN = f"chrome-extension://{EXTENSION_ID}"


def shared_metrics_folder() -> Path | None:
    """The folder in which workers share their metrics, by the variable of `prometheus_client`; None for a
    single worker.
    """
    folder = os.environ.get("PROMETHEUS_MULTIPROC_DIR")  # noqa: TID251 - handed down by the command line
    return Path(folder) if folder else None
