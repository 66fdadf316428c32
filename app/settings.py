"""Settings, read once at start-up and passed down; nothing else reads the environment."""

from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from app.bounds import NAMES, Bounds

MAX_STEPS = 50  # DESIGN section 2, "Loops"
DATA_DIR = Path(".data")


class Settings(BaseSettings):
    """Process settings, named as in the environment (`TABWRIGHT_MAX_STEPS`, ...) or `.env`."""

    model_config = SettingsConfigDict(
        env_prefix="TABWRIGHT_",
        env_file=".env",
        frozen=True,
        extra="ignore",
        populate_by_name=True,
    )

    mongodb_uri: SecretStr | None = None
    mongodb_database: str = "tabwright"
    data_dir: Path = DATA_DIR
    # Free of the data folder's disk: below the first it is warned of, below the second nothing new is begun.
    disk_warn_percent: float = Field(default=10.0, ge=0, lt=100)
    disk_stop_percent: float = Field(default=3.0, ge=0, lt=100)
    index_wait_s: float = Field(default=10.0, ge=0)  # that a start waits for what is not ready
    api_key: SecretStr | None = None
    mcp_key: SecretStr | None = None  # of `tabwright mcp`; without it, api_key
    llm: Literal["auto", "rules", "gemini", "openai"] = "auto"
    gemini_api_key: SecretStr | None = Field(default=None, validation_alias="GEMINI_API_KEY")
    gemini_base_url: str | None = None
    gemini_model: str = "gemini-3.8-flash"  # ai.google.dev/gemini-api/docs/models, November 2026
    gemini_fast_model: str = "gemini-3.5-flash-lite"
    openai_base_url: str | None = None
    openai_api_key: SecretStr | None = Field(default=None, validation_alias="OPENAI_API_KEY")
    openai_model: str = ""
    openai_fast_model: str = ""
    model_timeout_s: float = Field(default=30.0, gt=0)  # of one question, tries and all
    tavily_api_key: SecretStr | None = Field(default=None, validation_alias="TAVILY_API_KEY")
    tavily_base_url: str | None = None
    langfuse_public_key: str | None = Field(default=None, validation_alias="LANGFUSE_PUBLIC_KEY")
    langfuse_secret_key: SecretStr | None = Field(
        default=None, validation_alias="LANGFUSE_SECRET_KEY"
    )
    langfuse_base_url: str | None = Field(default=None, validation_alias="LANGFUSE_BASE_URL")
    sentry_dsn: SecretStr | None = Field(default=None, validation_alias="SENTRY_DSN")
    environment: str = "production"  # as LangFuse and Sentry show it
    log_format: Literal["auto", "json", "console"] = "auto"  # auto: console on a terminal
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    prices: Path | None = None  # a file of prices laid over ours, see app/usage/pricing.py
    rate_limit: str = "120/minute"  # of one key on interact; the others of what their names say
    rate_limit_reads: str = "1200/minute"
    rate_limit_writes: str = "300/minute"
    rate_limit_admin: str = "60/minute"
    rate_limit_exports: str = "30/minute"
    rate_limit_ingests: str = "120/minute"
    rate_limit_chats: str = "60/minute"
    rate_limit_mcp: str = "600/minute"  # a call takes one to four requests
    request_timeout_s: float = Field(default=20.0, gt=0)  # for a body to come
    fetch_allowed: tuple[
        str, ...
    ] = ()  # hosts and networks beyond the public web, see app/net/policy.py
    broker: str | None = (
        None  # of jobs: none for this process's own, else redis://…; see knowledge/jobs
    )
    upload_bytes: int = Field(default=100_000_000, ge=1)  # of one document
    # Read documents where their readers cannot be confined; unset: only where the system has no means to
    unconfined_readers: bool | None = None
    embeddings: Literal["auto", "wordllama", "gemini"] = "auto"  # auto: gemini if a key is set
    gemini_embedding_model: str = "gemini-embedding-001"
    # Characters of texts from outside, see app/bounds.py; what a page or a document holds is cut to it.
    longest_message: int = Field(default=Bounds.message, ge=1)
    longest_goal: int = Field(default=Bounds.goal, ge=1)
    longest_question: int = Field(default=Bounds.question, ge=1)
    longest_answer: int = Field(default=Bounds.answer, ge=1)
    longest_note: int = Field(default=Bounds.note, ge=1)
    longest_title: int = Field(default=Bounds.title, ge=1)
    longest_url: int = Field(default=Bounds.url, ge=1)
    longest_label: int = Field(default=Bounds.label, ge=1)
    longest_value: int = Field(default=Bounds.value, ge=1)
    longest_cell: int = Field(default=Bounds.cell, ge=1)
    # Tokens that documents of a question may have together to be read whole; of more, passages are
    chat_whole_tokens: int = Field(default=60_000, ge=0)
    running_tasks: int = Field(default=100, ge=1)  # of one tenant at once
    workers: int = Field(default=1, ge=1)  # handed down by `serve --workers`
    connections: int = Field(default=1_000, ge=1)  # of one process; one that waits takes some 50 kB
    connections_per_address: int = Field(
        default=128, ge=1
    )  # of these; a pool of httpx holds up to 100
    loop_blocked_s: float = Field(default=1.0, gt=0)  # then an event loop's stack is logged
    loop_hung_s: float = Field(default=15.0, gt=0)  # then its worker is ended and started again
    stop_notice_s: float = Field(default=0.0, ge=0)  # not ready, and still serving: for balancers
    stop_within_s: float = Field(default=25.0, gt=0)  # after SIGTERM; see docs/operations.md
    alone: bool = False  # handed down by `serve`: one process on a store that nobody else has
    max_steps: int = Field(default=MAX_STEPS, ge=1)
    allowed_origins: tuple[str, ...] = ()
    allowed_hosts: tuple[str, ...] = ()  # names beside localhost that the loopback answers to
    trusted_proxies: tuple[str, ...] = ()  # addresses and networks whose X-Forwarded-* are believed
    local_networks: tuple[
        str, ...
    ] = ()  # that count as this machine for pairing: a container's gateway
    chromium: Path | None = None

    @property
    def bounds(self) -> Bounds:
        """The bounds of texts as they are set."""
        return Bounds(**{name: getattr(self, f"longest_{name}") for name in NAMES})

    @field_validator("api_key", "mcp_key")
    @classmethod
    def _not_empty(cls, value: SecretStr | None) -> SecretStr | None:
        """Set to nothing is not set: a container hands on what it was not given as ""."""
        return value if value is not None and value.get_secret_value().strip() else None


EXTENSION_ID = (
    "hcglhcajhjnmilfcilhomnccbjhjllja"  # follows from the `key` in extension/manifest.json
)
EXTENSION_ORIGIN = f"chrome-extension://{EXTENSION_ID}"
