"""`tabwright serve` as a process: two workers on one store, new keys, orderly shutdown."""

from pathlib import Path

import httpx
import pytest

from app.cli.run.children import serving
from tests.integration.cli.test_commands import within


def make_key(data: Path, role: str = "user") -> str:
    """That of the command, from another process than those that serve."""
    made = within("key", "create", "--role", role, data=data)
    assert made.returncode == 0, made.stderr
    return made.stdout.splitlines()[-1]


def test_serves_new_keys_and_stops_its_store(
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
            holder = {"Authorization": f"Bearer {make_key(tmp_path)}"}
            answers = [client.get("/api/sessions", headers=holder) for _ in range(4)]
            assert {answer.status_code for answer in answers} == {200}
            assert client.get("/metrics", headers=holder).status_code == 403
        operator = {"Authorization": f"Bearer {make_key(tmp_path, 'operator')}"}
        asked = 4
        while len(list(tmp_path.glob("metrics-*/counter_*.db"))) < 2 or asked < 20:
            answer = httpx.get(f"{child.url}/api/sessions", headers=holder, trust_env=False)
            assert (
                answer.status_code == 200
            )  # each on a connection of its own: both workers serve some
            asked += 1
        told = [
            httpx.get(f"{child.url}/metrics", headers=operator, trust_env=False).text
            for _ in range(6)
        ]
        counted = 'tabwright_requests_total{method="GET",route="/api/sessions",status="200"}'
        for text in told:
            assert f"{counted} {asked}.0\n" in text
            assert "tabwright_store_up 1.0\n" in text
    assert not (tmp_path / "store.json").exists()
    assert not list(tmp_path.glob("metrics-*"))
