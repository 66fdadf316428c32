"""`tabwright recipe` over what this machine's backend keeps."""

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import httpx

from app.launch.server import Backend, backend
from tests.integration.test_commands import Said, within
from tests.integration.test_recipes import done_once

STORE = {name: os.environ[name] for name in ("TABWRIGHT_MONGODB_URI",) if name in os.environ}


def client(server: Backend) -> httpx.AsyncClient:
    headers = {"Authorization": f"Bearer {server.api_key}"}
    return httpx.AsyncClient(base_url=server.url, headers=headers, timeout=20)


async def a_task(server: Backend) -> str:
    async with client(server) as made:
        return await done_once(made)


async def shown(server: Backend, recipe_id: str) -> dict[str, Any]:
    async with client(server) as made:
        recipe: dict[str, Any] = (await made.get(f"/api/recipes/{recipe_id}")).json()
        return recipe


def test_a_task_is_saved_listed_shown_and_forgotten(tmp_path: Path) -> None:
    def recipe(*arguments: str) -> Said:
        return within("recipe", *arguments, data=tmp_path, **STORE)

    with backend(tmp_path) as server:
        saved = recipe("save", asyncio.run(a_task(server)), "--title", "Add one")
        assert saved.returncode == 0, saved.stderr
        recipe_id = saved.stdout.splitlines()[-1]
        [listed] = json.loads(recipe("list", "--json").stdout)
        assert listed == asyncio.run(shown(server, recipe_id)) | {
            name: listed[name] for name in ("createdAt", "updatedAt")
        }
        run = recipe("run", "Add one")
        assert (run.returncode, "--value name=…" in run.stderr) == (1, True), run.stderr
        assert recipe("delete", "ADD ONE").returncode == 0
        gone = recipe("show", recipe_id)
        assert gone.stderr.startswith("tabwright: There is no recipe")
    assert "Jas" not in json.dumps(listed) + saved.stdout + saved.stderr
