"""LangFuse and Sentry in a server process: loaded on demand, closed in time."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

from app.cli.run.children import ROOT, serving
from tests.fakes import langfuse as fakes
from tests.fakes import sentry as sentry_fakes
from tests.fakes.serving import WAITED_FOR_S

TREE = [{"i": "1", "r": "btn", "n": "Save"}]


def look() -> dict[str, object]:
    return {
        "url": "https://crm.example/",
        "requestId": str(uuid4()),
        "domMode": "semantic_v3",
        "interactiveTree": TREE,
        "viewport": {"width": 1280, "height": 800},
        "query": "Click Save",
    }


def gone(pid: int) -> bool:
    try:
        done, _ = os.waitpid(pid, os.WNOHANG)
    except ChildProcessError:
        return True
    return done == pid


def test_hanging_langfuse_does_not_delay_the_exit(
    tmp_path: Path, store_uri: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with fakes.langfuse() as langfuse, sentry_fakes.sentry() as sentry:
        environment = {
            **langfuse.environment,
            "SENTRY_DSN": sentry.dsn,
            "TABWRIGHT_API_KEY": "tw_" + "k" * 40,
            "TABWRIGHT_MONGODB_URI": store_uri,
            "TABWRIGHT_MONGODB_DATABASE": "test_observed",
            "TABWRIGHT_DATA_DIR": str(tmp_path),
            "TABWRIGHT_LLM": "rules",
        }
        command = ("-m", "app.cli", "serve", "--port", "0")
        with serving(command, log=tmp_path / "log", ready="/readyz", environment=environment) as it:
            holder = {"Authorization": f"Bearer {environment['TABWRIGHT_API_KEY']}"}
            with httpx.Client(base_url=it.url, trust_env=False, headers=holder) as client:
                answer = client.post("/api/agent/interact", json=look()).json()
                assert answer["type"] == "action"
                deadline = time.monotonic() + 20
                while not langfuse.seen:
                    assert time.monotonic() < deadline
                    time.sleep(0.02)
                langfuse.hangs = sentry.hangs = True
                posts = langfuse.posts
                client.post("/api/agent/interact", json=look())
                while langfuse.posts == posts:  # it hangs in the hanging server
                    assert time.monotonic() < deadline
                    time.sleep(0.02)
            before = time.monotonic()
            os.kill(it.pid, signal.SIGTERM)
            while not gone(it.pid):
                assert time.monotonic() - before < WAITED_FOR_S
                time.sleep(0.01)
        assert langfuse.seen[0].name.startswith("interact-request-")
        said = (tmp_path / "log").read_text()
        assert "langfuse: traces lost" in said
        assert "Traceback" not in said


def test_without_keys_neither_library_is_loaded() -> None:
    looks = (
        "import asyncio, sys\n"
        "from app.observability.langfuse import open_langfuse\n"
        "from app.observability.observers import open_observers\n"
        "from app.observability.sentry import open_sentry\n"
        "from app.settings import Settings\n"
        "async def opened():\n"
        "    settings = Settings(_env_file=None)\n"
        "    async with open_langfuse(settings) as one, open_sentry(settings) as two:\n"
        "        print(one, two, sorted({'opentelemetry.sdk', 'sentry_sdk'} & {*sys.modules}))\n"
        "asyncio.run(opened())\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", looks],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert ran.stdout.strip() == "None None []"
