"""`tabwright ingest`, `search`, `documents` and `forget` on the real store, without a server."""

import json
import signal
import socket
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path

import pytest

from app.settings import Settings
from tests.integration.cli.test_commands import PATH, Said, _environment, within

QUESTION = "Where is a zebra scanner returned to?"


@pytest.fixture
def its(settings: Settings) -> dict[str, str]:
    """The store of this test."""
    assert settings.mongodb_uri is not None
    return {
        "TABWRIGHT_MONGODB_URI": settings.mongodb_uri.get_secret_value(),
        "TABWRIGHT_MONGODB_DATABASE": settings.mongodb_database,
    }


@pytest.fixture
def handbook(tmp_path: Path) -> Path:
    """A folder as people have them."""
    folder = tmp_path / "handbook"
    for name, text in {
        "README.md": "# Handbook\n\nHow we work.",
        "returns/README.md": "# Returns\n\nA zebra scanner is returned to the depot in Lyon.",
        "broken.pdf": "%PDF-1.7\nno more than this",
        ".git/config": "[core]",
        ".secret.md": "Nothing for anybody.",
    }.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (folder / "loop").symlink_to(folder)
    return folder


def test_folder_is_ingested_searched_and_deleted(
    handbook: Path, its: dict[str, str], tmp_path: Path
) -> None:
    def said(*arguments: str) -> Said:
        return within(*arguments, "--tenant", "acme", data=tmp_path, **its)

    first = said("ingest", str(handbook), "--set", "manuals")
    assert first.returncode == 1, first.stderr
    assert first.stdout.splitlines()[-1].startswith("2 documents, 2 chunks, ")
    assert "handbook/returns/README.md: 1 chunk" in first.stderr
    assert "handbook/broken.pdf: " in first.stderr
    assert "(DOCUMENT_" in first.stderr
    assert "secret" not in first.stderr

    (handbook / "broken.pdf").unlink()
    again = said("ingest", str(handbook), "--set", "manuals", "--json")
    told = json.loads(again.stdout.splitlines()[-1])
    assert (again.returncode, told["documents"], told["unchanged"]) == (0, 2, 2)
    assert told["errors"] == []

    listed = json.loads(said("documents", "--json").stdout.splitlines()[-1])
    assert {one["source"] for one in listed} == {"handbook/README.md", "handbook/returns/README.md"}
    assert {one["set"] for one in listed} == {"manuals"}
    table = said("documents", "--set", "manuals").stdout
    assert all(one["id"] in table for one in listed)

    found = said("search", QUESTION, "--url", "https://shop.example/")
    assert "Lyon" in found.stdout
    passages = json.loads(said("search", QUESTION, "--json").stdout.splitlines()[-1])["chunks"]
    assert passages[0]["documentTitle"] == "Returns"

    gone = said("forget", passages[0]["documentId"], "d" * 24)
    assert gone.returncode == 1
    assert "no such document" in gone.stderr
    assert "Lyon" not in said("search", QUESTION).stdout


def test_reports_a_source_without_documents(its: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for given in ("nowhere.pdf", "ftp://docs.example/", str(tmp_path / "empty")):
        told = within("ingest", given, data=tmp_path, **its)
        assert told.returncode == 1
        assert told.stderr.startswith("tabwright: ")
        assert "Traceback" not in told.stderr


def test_ctrl_c_cancels_the_job(its: dict[str, str], tmp_path: Path) -> None:
    asked = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as site:

        def hold() -> None:
            held, _ = site.accept()
            with held:
                asked.set()
                while held.recv(1_000):
                    pass

        holding = threading.Thread(target=hold, daemon=True)
        holding.start()
        place = f"127.0.0.1:{site.getsockname()[1]}"
        env = _environment(tmp_path, its) | {
            "PYTHONPATH": PATH,
            "TABWRIGHT_FETCH_ALLOWED": json.dumps([place]),
        }
        command = subprocess.Popen(
            [sys.executable, "-m", "app.cli", "ingest", f"http://{place}/"],
            env=env,
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            # What a shell starts in the background ignores it, and so would whatever that starts.
            preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
        )
        came = asked.wait(60)
        command.send_signal(signal.SIGINT)
        _, errors = command.communicate(timeout=60)
        assert came, errors
        holding.join()
    assert command.returncode == 130, errors
    assert "Traceback" not in errors
    left = within("documents", data=tmp_path, **its)
    assert "No documents" in left.stdout
