"""Settings that are no use: told by name, before anything starts."""

from typing import Any

import pytest
from pydantic import SecretStr
from typer.testing import CliRunner

from app.cli import __main__ as cli
from app.cli.doctor import _settings
from app.settings import Settings
from app.settings_check import faults, refuse_faults


def given(**more: Any) -> Settings:
    return Settings(_env_file=None, **more)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("fetch_allowed", ("wiki.example", "not a host!")),
        ("trusted_proxies", ("*",)),
        ("local_networks", ("300.1.1.1",)),
        ("allowed_origins", ("*",)),
        ("allowed_origins", ("https://tools.example/path",)),
        ("rate_limit", "lots"),
        ("broker", "localhost:6379"),
        ("rate_limit_reads", "0/minute"),
    ],
)
def test_what_is_no_use_is_named(name: str, value: object) -> None:
    settings = given(**{name: value})
    (found,) = faults(settings)
    assert found.startswith(f"TABWRIGHT_{name.upper()}: ")
    with pytest.raises(ValueError, match=name.upper()):
        refuse_faults(settings)
    told = _settings(settings)
    assert (told.ok, told.needed, told.detail) == (False, True, found)


def test_what_is_of_use_is_taken() -> None:
    settings = given(
        fetch_allowed=("*.corp.example:8090", "10.2.0.0/16"),
        trusted_proxies=("10.0.0.1", "fd00::/8"),
        local_networks=("172.16.0.1/12",),
        allowed_origins=("https://tools.example", "http://127.0.0.1:3000/"),
    )
    assert faults(settings) == []
    assert _settings(settings).ok


@pytest.mark.parametrize("empty", ["", "  "])
def test_a_key_of_nothing_is_none(empty: str) -> None:
    assert given(api_key=SecretStr(empty)).api_key is None


def test_the_version_is_told() -> None:
    told = CliRunner().invoke(cli.create_command_line(), ["--version"])
    assert (told.exit_code, told.stdout) == (0, "tabwright 0.1.0\n")


def test_a_list_that_is_none_is_told_by_its_name(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TABWRIGHT_FETCH_ALLOWED", "wiki")
    monkeypatch.setattr("sys.argv", ["tabwright", "serve", "--port", "0"])
    with pytest.raises(SystemExit, match="1"):
        cli.run_command_line()
    assert "TABWRIGHT_FETCH_ALLOWED: must be a JSON list" in capsys.readouterr().err
