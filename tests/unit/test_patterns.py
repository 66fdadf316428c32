"""An expression that is compiled when it is first used answers as one that was compiled at once."""

import re
from types import SimpleNamespace

import pytest

from app.domain import patterns
from app.domain.patterns import late


def test_it_is_compiled_once_and_only_when_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = []

    def compiling(pattern: str, flags: int) -> re.Pattern[str]:
        compiled.append(pattern)
        return re.compile(pattern, flags)

    monkeypatch.setattr(patterns, "re", SimpleNamespace(compile=compiling, Pattern=re.Pattern))
    late("never asked for")
    word = late(r"\bword\b", re.IGNORECASE)
    assert word.pattern == r"\bword\b"
    assert compiled == []
    assert word.search("a Word") is not None
    assert word.sub("deed", "Word for word") == "deed for deed"
    assert word.flags & re.IGNORECASE
    assert compiled == [r"\bword\b"]


def test_a_wrong_one_is_told_of_at_its_first_use() -> None:
    wrong = late("(")
    with pytest.raises(re.error):
        wrong.search("")
