"""The pages for operators name only commands, settings, metrics, addresses and KPIs that there are."""

import re
from pathlib import Path

import pytest
import typer.main

from app.cli.__main__ import create_command_line
from app.main import create_app
from app.metrics.targets import TARGETS
from app.review.stats import REVIEW_TARGETS
from app.settings import SECTIONS, Settings
from tests.unit.test_deploy import KNOWN

ROOT = Path(__file__).resolve().parents[2]
PAGE = "\n".join(
    (ROOT / f"docs/{name}.md").read_text("utf-8")
    for name in ("operations", "knowledge", "review", "mcp")
)
CODE = re.findall(r"```.*?```|`[^`]+`", PAGE, re.DOTALL)
COMMANDS = sorted(
    {
        m
        for code in CODE
        for m in re.findall(r"\btabwright ((?:--?)?[a-z].*?)(?=#|\||>|`|\n|$)", code)
    }
)


@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_is_one_that_there_is(line):
    found = typer.main.get_command(create_command_line())
    words = line.replace("…", "").split()
    while words and hasattr(found, "commands"):
        assert words[0] in found.commands, words[0]
        found = found.commands[words.pop(0)]
    options = {name for one in found.params for name in one.opts}
    assert {word for word in words if word.startswith("--")} <= options


def test_settings_are_those_that_there_are():
    fields = Settings.model_fields
    known = {f"TABWRIGHT_{name.upper()}" for name in fields}
    known |= {str(field.validation_alias) for field in fields.values() if field.validation_alias}
    named = {
        n for code in CODE for n in re.findall(r"\b(?:TABWRIGHT|LANGFUSE|SENTRY)_[A-Z_]+\b", code)
    }
    assert named - known == set()


def test_every_setting_has_a_description_for_the_reference():
    described = {name for section in SECTIONS for name in section.__annotations__}
    assert described == set(Settings.model_fields)
    assert [name for name, field in Settings.model_fields.items() if not field.description] == []


def test_metrics_and_kpis_are_those_that_there_are():
    bases = {re.sub(r"_(bucket|sum|count|total)$", "", name) for name in KNOWN}
    named = {name for code in CODE for name in re.findall(r"\btabwright_[a-z_]+", code)}
    assert {re.sub(r"_(bucket|sum|count|total)$", "", name) for name in named} <= bases
    for one in (*TARGETS, *REVIEW_TARGETS):
        assert f"| `{one.key}` | {one.target_text} | {one.alert_text} |" in PAGE


def test_addresses_are_those_that_there_are():
    paths = create_app(Settings(_env_file=None)).openapi()["paths"]
    known = {(m.upper(), re.sub(r"\{\w+\}", "{}", path)) for path, of in paths.items() for m in of}
    named = {
        (method, re.sub(r"\{\w+\}", "{}", path))
        for code in CODE
        for method, path in re.findall(r"\b(GET|POST|PUT|DELETE) (/[\w/{}-]*[\w}])", code)
    }
    assert named
    assert named <= known
