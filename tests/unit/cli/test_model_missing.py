"""A misconfigured model is reported before anything starts."""

from pathlib import Path

import pytest

from app.cli import __main__ as cli


@pytest.mark.parametrize("command", ["serve", "run"])
@pytest.mark.parametrize(
    ("named", "said"),
    [
        ({"TABWRIGHT_LLM": "gemini"}, "GEMINI_API_KEY is not set"),
        ({"TABWRIGHT_OPENAI_BASE_URL": "http://box/v1"}, "TABWRIGHT_OPENAI_MODEL is not set"),
    ],
)
def test_reports_the_problem_in_one_sentence(
    command: str,
    named: dict[str, str],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("GEMINI_API_KEY", "OPENAI_API_KEY", "TABWRIGHT_OPENAI_MODEL"):
        monkeypatch.delenv(name, raising=False)
    for name, value in named.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.argv", ["tabwright", command])
    monkeypatch.setattr(cli.say, "_width", 200)
    with pytest.raises(SystemExit) as ended:
        cli.run_command_line()
    assert ended.value.code == 1
    assert said in capsys.readouterr().err
    assert not any(tmp_path.iterdir())
