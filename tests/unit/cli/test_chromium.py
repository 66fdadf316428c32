"""The choice of a browser, with scripts that print a version."""

from pathlib import Path

import pytest

from app.cli import chromium
from app.cli.chromium import NoChromium, find_chromium


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder on PATH, with no browser of Playwright's beside it."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(chromium, "_playwright_path", lambda: None)
    return tmp_path


def program(folder: Path, name: str, says: str) -> Path:
    place = folder / name
    place.write_text(f"#!/bin/sh\necho '{says}'\n")
    place.chmod(0o755)
    return place


def test_configured_browser_comes_first(path: Path) -> None:
    program(path, "chromium", "Chromium 156.0")
    mine = program(path, "mine", "Chromium 150.0")
    assert find_chromium(mine).path == mine


def test_reports_a_configured_browser_that_does_not_run(path: Path) -> None:
    program(path, "chromium", "Chromium 156.0")
    with pytest.raises(NoChromium, match=r"TABWRIGHT_CHROMIUM is .*nowhere"):
        find_chromium(path / "nowhere")


def test_branded_chrome_is_the_last_resort_and_warns(path: Path) -> None:
    branded = program(path, "google-chrome", "Google Chrome 156.0.1")
    found = find_chromium(None)
    assert found.path == branded
    assert "does not load unpacked extensions" in found.warning
    testing = program(path, "chrome", "Google Chrome for Testing 156.0.1")
    assert find_chromium(None).path == testing
    assert find_chromium(None).warning == ""


def test_says_how_to_install_a_browser(path: Path) -> None:
    with pytest.raises(NoChromium, match=r"apt-get install chromium.*playwright install"):
        find_chromium(None)


def test_installs_debians_chromium_as_root(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    apt = '#!/bin/sh\nif [ "$1" = install ]; then'
    apt += f" printf '#!/bin/sh\\necho Chromium 1\\n' > {path}/chromium; /bin/chmod +x {path}/chromium; fi\n"
    (path / "apt-get").write_text(apt)
    (path / "apt-get").chmod(0o755)
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    with pytest.raises(NoChromium):
        find_chromium(None, install=True)
    monkeypatch.setattr("os.geteuid", lambda: 0)
    assert find_chromium(None, install=True).version == "Chromium 1"
