"""`tabwright recipe` as a process, over what this machine's backend keeps."""

import json
import os
from pathlib import Path

import httpx

from app.launch.server import backend
from tests.integration.test_commands import tabwright
from tests.integration.test_recipes import done_once

STORE = {name: os.environ[name] for name in ("TABWRIGHT_MONGODB_URI",) if name in os.environ}


async def test_a_task_is_saved_listed_shown_and_forgotten(tmp_path: Path) -> None:
    def recipe(*arguments: str):
        return tabwright("recipe", *arguments, data=tmp_path, **STORE)

    with backend(tmp_path) as server:
        headers = {"Authorization": f"Bearer {server.api_key}"}
        async with httpx.AsyncClient(base_url=server.url, headers=headers, timeout=20) as client:
            task_id = await done_once(client)
            saved = recipe("save", task_id, "--title", "Add one")
            assert saved.returncode == 0, saved.stderr
            recipe_id = saved.stdout.splitlines()[-1]
            [listed] = json.loads(recipe("list", "--json").stdout)
            assert listed == (await client.get(f"/api/recipes/{recipe_id}")).json() | {
                name: listed[name] for name in ("createdAt", "updatedAt")
            }
        run = recipe("run", "Add one")
        assert (run.returncode, "--value name=…" in run.stderr) == (1, True), run.stderr
        assert recipe("delete", "ADD ONE").returncode == 0
        gone = recipe("show", recipe_id)
        assert gone.stderr.startswith("tabwright: There is no recipe")
    assert "Jas" not in json.dumps(listed) + saved.stdout + saved.stderr
