"""`tabwright recipe` with the backend of this machine."""

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
from pydantic import SecretStr

from app.cli.run.children import local_key
from app.settings import Settings
from tests.integration.cli.test_commands import Said, within
from tests.integration.desk import threaded
from tests.integration.skills.test_recipes import done_once


def client(url: str, key: str) -> httpx.AsyncClient:
    headers = {"Authorization": f"Bearer {key}"}
    return httpx.AsyncClient(base_url=url, headers=headers, timeout=20)


async def a_task(url: str, key: str) -> str:
    async with client(url, key) as made:
        return await done_once(made)


async def shown(url: str, key: str, recipe_id: str) -> dict[str, Any]:
    async with client(url, key) as made:
        recipe: dict[str, Any] = (await made.get(f"/api/recipes/{recipe_id}")).json()
        return recipe


def test_recipe_is_saved_listed_shown_and_deleted(tmp_path: Path, settings: Settings) -> None:
    assert settings.mongodb_uri is not None
    store = {
        "TABWRIGHT_MONGODB_URI": settings.mongodb_uri.get_secret_value(),
        "TABWRIGHT_MONGODB_DATABASE": settings.mongodb_database,
    }
    key = local_key(tmp_path)

    def recipe(*arguments: str) -> Said:
        return within("recipe", *arguments, data=tmp_path, **store)

    with threaded(settings.model_copy(update={"api_key": SecretStr(key)})) as url:
        saved = recipe("save", asyncio.run(a_task(url, key)), "--title", "Add one")
        assert saved.returncode == 0, saved.stderr
        recipe_id = saved.stdout.splitlines()[-1]
        [listed] = json.loads(recipe("list", "--json").stdout)
        assert listed == asyncio.run(shown(url, key, recipe_id)) | {
            name: listed[name] for name in ("createdAt", "updatedAt")
        }
        run = recipe("run", "Add one")
        assert (run.returncode, "--value name=…" in run.stderr) == (1, True), run.stderr
        assert recipe("delete", "ADD ONE").returncode == 0
        gone = recipe("show", recipe_id)
        assert gone.stderr.startswith("tabwright: There is no recipe")
    assert "Jas" not in json.dumps(listed) + saved.stdout + saved.stderr
