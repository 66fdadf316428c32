"""What is secret among the settings is told to nobody by accident."""

import pytest
from pydantic import SecretStr

from app.settings import Settings

SECRET = ("key", "secret", "dsn", "uri", "password", "token")
PUBLIC = {"langfuse_public_key"}  # LangFuse's name for a user name


def holds_a_secret(name: str) -> bool:
    return name not in PUBLIC and any(part in SECRET for part in name.split("_"))


NAMES = [name for name in Settings.model_fields if holds_a_secret(name)]


@pytest.mark.parametrize("name", NAMES)
def test_a_setting_that_is_secret_shows_nothing_of_itself(name: str) -> None:
    configured = Settings(_env_file=None, **{name: "hunter2-hunter2"})
    assert isinstance(getattr(configured, name), SecretStr)
    for shown in (repr(configured), str(configured), configured.model_dump_json()):
        assert "hunter2" not in shown


def test_there_are_some() -> None:
    assert {"mongodb_uri", "api_key", "gemini_api_key", "sentry_dsn", "langfuse_secret_key"} <= set(
        NAMES
    )
