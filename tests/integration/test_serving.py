"""`tabwright serve` as a process: two workers on one store, keys made meanwhile, an orderly end."""

import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from app.launch.server import ROOT, serving


def make_key() -> str:
    made = subprocess.run(
        [sys.executable, "-m", "app.cli", "key", "create"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return made.stdout.splitlines()[-1]


def test_keys_made_while_it_runs_open_it_and_its_end_leaves_no_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("TABWRIGHT_API_KEY", "TABWRIGHT_MONGODB_URI"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TABWRIGHT_DATA_DIR", str(tmp_path))
    command = ("-m", "app.cli", "serve", "--port", "0", "--workers", "2")
    with serving(command, log=tmp_path / "log", ready="/readyz") as child:
        said = (tmp_path / "log").read_text()
        assert "tabwright key create --tenant default" in said
        assert f"Tabwright listens on {child.url}\n" in said
        with httpx.Client(base_url=child.url, trust_env=False) as client:
            assert client.get("/api/sessions").status_code == 401
            holder = {"Authorization": f"Bearer {make_key()}"}
            answers = [client.get("/api/sessions", headers=holder) for _ in range(4)]
            assert {answer.status_code for answer in answers} == {200}
    assert not (tmp_path / "store.json").exists()
