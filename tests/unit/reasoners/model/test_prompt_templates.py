"""Prompt files and their blanks."""

import string

import pytest

from app.llm import prompt
from app.llm.prompt import PromptError, fill_prompt, prompt_fields
from tests.unit.reasoners.model.prompt_files import prompt_names


def test_every_prompt_has_a_version_and_valid_blanks():
    assert {"opening.v3", "acting.v2", "correcting.v2", "criticising.v1"} <= set(prompt_names())
    for name in prompt_names():
        assert isinstance(prompt_fields(name), frozenset)


def test_blanks_are_exact():
    assert prompt_fields("again.v1") == {"reason"}
    assert "because" in fill_prompt("again.v1", reason="because")
    with pytest.raises(PromptError, match="reason"):
        fill_prompt("again.v1")
    with pytest.raises(PromptError, match="more"):
        fill_prompt("again.v1", reason="because", more="this too")


@pytest.mark.parametrize("name", ["again", "again.v9", "../settings.v1", "again.v1.md", ""])
def test_what_is_no_prompt_is_said_to_be_none(name):
    with pytest.raises(PromptError):
        fill_prompt(name)


def test_a_value_with_a_dollar_sign_is_no_blank():
    assert "$reason costs $5" in fill_prompt("again.v1", reason="$reason costs $5")


def test_a_file_is_read_once(monkeypatch):
    fill_prompt("again.v1", reason="a")
    monkeypatch.setattr(prompt.resources, "files", None)
    assert "b" in fill_prompt("again.v1", reason="b")


def test_no_number_is_written_into_a_prompt():
    """What the code checks is filled in from there; a name's version and 0 to 1 are no limits."""
    for name in prompt_names():
        template = prompt._template(name).template.replace("0 to 1", "").replace('"14"', "")
        assert not set(string.digits) & set(template), name
