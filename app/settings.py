"""Settings, read once at start-up and passed down; nothing else reads the environment."""

from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

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
    api_key: SecretStr | None = None
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
    rate_limit: str = "120/minute"
    max_steps: int = Field(default=MAX_STEPS, ge=1)
    allowed_origins: tuple[str, ...] = ()
    chromium: Path | None = None


EXTENSION_ID = (
    "hcglhcajhjnmilfcilhomnccbjhjllja"  # follows from the `key` in extension/manifest.json
)
EXTENSION_ORIGIN = f"chrome-extension://{EXTENSION_ID}"
