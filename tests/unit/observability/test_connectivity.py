"""The configuration of LangFuse and Sentry, and its checks."""

from typing import Any

import pytest
from pydantic import SecretStr

from app.observability.config import (
    LANGFUSE_CLOUD,
    Misconfigured,
    check_langfuse,
    check_sentry,
    environment_name,
    langfuse_config,
    sentry_dsn,
)
from app.settings import Settings
from tests.fakes import langfuse as langfuse_fakes
from tests.fakes import sentry as sentry_fakes

KEYS = {"langfuse_public_key": "pk", "langfuse_secret_key": SecretStr("sk")}


def having(**given: Any) -> Settings:
    return Settings(_env_file=None, **given)


def test_langfuse_needs_both_keys() -> None:
    assert langfuse_config(having()) is None
    config = langfuse_config(having(**KEYS))
    assert config is not None
    assert config.base_url == LANGFUSE_CLOUD
    assert "sk" not in repr(config).replace("sk-", "")


@pytest.mark.parametrize(
    "given",
    [
        {"langfuse_public_key": "pk"},
        {"langfuse_secret_key": SecretStr("sk")},
        KEYS | {"langfuse_public_key": "pk\nx: y"},
        KEYS | {"langfuse_base_url": "cloud.langfuse.com"},
        KEYS | {"langfuse_base_url": "ftp://x.example"},
        KEYS | {"langfuse_base_url": "http://x.example:99999"},
    ],
)
def test_reports_an_incomplete_configuration(given: dict[str, Any]) -> None:
    with pytest.raises(Misconfigured) as told:
        langfuse_config(having(**given))
    assert "sk" not in str(told.value)


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("production", "production"),
        ("Staging EU", "staging-eu"),
        ("langfuse-test", "x-langfuse-test"),
        ("  ", "default"),
        ("é" * 90, "default"),
        ("a" * 90, "a" * 40),
    ],
)
def test_environment_name_is_valid_for_langfuse(given: str, name: str) -> None:
    assert environment_name(given) == name


@pytest.mark.parametrize(
    "dsn", ["sentry.example/1", "https://sentry.example/1", "https://k@s.example", "https://k@:x/1"]
)
def test_reports_an_invalid_dsn_without_quoting_it(dsn: str) -> None:
    with pytest.raises(Misconfigured) as told:
        sentry_dsn(having(sentry_dsn=SecretStr(dsn)))
    assert "s.example" not in str(told.value)


def test_strips_the_dsn() -> None:
    dsn = sentry_dsn(having(sentry_dsn=SecretStr(" https://abc@o1.sentry.example:8443/7 ")))
    assert dsn == "https://abc@o1.sentry.example:8443/7"
    assert sentry_dsn(having()) is None


async def test_doctor_checks_configuration_and_connectivity() -> None:
    assert (await check_langfuse(having())).ok
    assert (await check_sentry(having())).ok
    half = await check_langfuse(having(langfuse_public_key="pk"))
    assert (half.ok, "LANGFUSE_SECRET_KEY" in half.todo) == (False, True)
    with langfuse_fakes.langfuse() as fake, sentry_fakes.sentry() as sentry:
        named = {"langfuse_public_key": langfuse_fakes.PUBLIC_KEY, "langfuse_base_url": fake.url}
        right = having(**named, langfuse_secret_key=SecretStr(langfuse_fakes.SECRET_KEY))
        assert (await check_langfuse(right)).detail == f"{fake.url}, keys accepted"
        wrong = await check_langfuse(having(**named, langfuse_secret_key=SecretStr("sk-no")))
        assert (wrong.ok, "keys are wrong" in wrong.todo) == (False, True)
        there = await check_sentry(having(sentry_dsn=SecretStr(sentry.dsn)))
        assert (there.ok, sentry_fakes.KEY in there.detail) == (True, False)
    assert not (await check_langfuse(right)).ok
    assert not (await check_sentry(having(sentry_dsn=SecretStr(sentry.dsn)))).ok
