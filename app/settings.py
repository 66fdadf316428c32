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
        env_prefix="TABWRIGHT_", env_file=".env", frozen=True, extra="ignore"
    )

    mongodb_uri: SecretStr | None = None
    mongodb_database: str = "tabwright"
    data_dir: Path = DATA_DIR
    api_key: SecretStr | None = None
    llm: Literal["auto", "rules"] = "auto"
    rate_limit: str = "120/minute"
    max_steps: int = Field(default=MAX_STEPS, ge=1)
    allowed_origins: tuple[str, ...] = ()
    chromium: Path | None = None


EXTENSION_ID = (
    "hcglhcajhjnmilfcilhomnccbjhjllja"  # follows from the `key` in extension/manifest.json
)
EXTENSION_ORIGIN = f"chrome-extension://{EXTENSION_ID}"
