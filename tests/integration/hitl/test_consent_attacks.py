"""Nobody but the person's own browser consents: every attack of the benchmark, played once."""

import secrets
from collections.abc import Iterator

import pytest
from pydantic import SecretStr
from pymongo import MongoClient

from app.settings import Settings
from tests.attacks.consent.table import ATTACKS, play_attacks
from tests.integration.desk import KEY, RATES, threaded


@pytest.fixture
def settings(store_uri: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    name = f"test_{secrets.token_hex(6)}"
    yield Settings(
        _env_file=None,
        mongodb_uri=SecretStr(store_uri),
        mongodb_database=name,
        data_dir=tmp_path_factory.mktemp("consent"),
        api_key=SecretStr(KEY),
        llm="rules",
        **dict.fromkeys(RATES, "100000/minute"),
    )
    with MongoClient[dict[str, object]](store_uri) as client:
        client.drop_database(name)


async def test_no_attack_on_consent_succeeds(settings: Settings) -> None:
    with threaded(settings) as url:
        found = await play_attacks(settings, url)
    assert [(one.family, one.name, harm) for one, harm in found if harm] == []


def test_the_attacks_are_many_and_different() -> None:
    assert len(ATTACKS) >= 40
    assert len({(one.family, one.name) for one in ATTACKS}) == len(ATTACKS)
