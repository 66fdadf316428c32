"""Pictures of every section of the console: `python -m tests.browser.console_shots FOLDER [section ...]`."""

import asyncio
import random
import sys
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal
from uuid import uuid4

from app.domain.metrics.usage import UsageRecord
from app.settings import Settings
from app.store.open import open_store
from app.store.server.embedded_server import hold_server
from tests.browser.console_stage import HOSTILE, Console, opened_console, served_console
from tests.browser.page_harness import plain_chromium
from tests.browser.review_stage import file, file_answer, record, simple
from tests.contract.store.test_recipes import recipe
from tests.contract.store.test_skills import skill

SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
WIDTHS = (1280, 360)
SECTIONS = (
    "tasks",
    "people",
    "review",
    "cost",
    "quality",
    "skills",
    "recipes",
    "budgets",
    "keys",
    "policy",
)
PURPOSES = ("PLANNING", "REFINEMENT", "VERIFICATION", "SELF_CORRECTION", "CRITIC")
MODELS = ("gemini-3-flash", "gemini-3.5-flash", "gpt-5.4-mini")


def spent(day: int, number: int) -> UsageRecord:
    """A call of so many days ago."""
    drawn = random.Random(1_000 * day + number)
    tokens = drawn.randint(800, 9_000)
    return UsageRecord(
        usage_id=str(uuid4()), tenant="default", user=drawn.choice(("local", "ann", "bob")),
        session_id="s", task_id=f"t{day}", trace_id="tr", request_id="r",
        purpose="acting", action_type=drawn.choice(PURPOSES), provider="google",
        model=drawn.choice(MODELS), input_tokens=tokens, cached_tokens=tokens // 4,
        output_tokens=tokens // 10, thinking_tokens=tokens // 20, total_tokens=tokens + tokens // 10,
        cost_usd=tokens * 2e-5, priced=True, duration_ms=900.0, ok=drawn.random() > 0.05,
        created_at=datetime.now(UTC) - timedelta(days=day),
    )  # fmt: skip


async def queue(console: Console, settings: Settings, task_id: str) -> list[str]:
    """Records that wait and that were decided; the places of those that are looked into."""
    goals = ("Cancel the order of Kim Lee", "Change the plan of Oak Street to yearly", HOSTILE)
    few = [simple(goal, hours=5 + 20 * n) for n, goal in enumerate(goals)]
    done = simple("Refund invoice 2041", hours=90)
    whole = record("Enter 555 1234 as the phone of Jas Patel", task_id=task_id)
    await file(settings, *few, done, whole)
    answer = await file_answer(settings)
    said = {"outcome": "rejected", "notes": "Invoice 2041 was paid twice: refund 2042 instead."}
    decided = await console.client.post(f"/api/review/{done.id}/decision", json=said)
    assert decided.status_code == 200, decided.text
    return [f"review/{whole.id}", f"review/{answer}", f"review/{done.id}"]


async def fill(console: Console, settings: Settings) -> str:
    """Tasks of every kind; the id of the one that is looked into."""
    await console.completed("Enter 555 1234 as the phone of the new customer Jas Patel")
    await console.completed(HOSTILE)
    await console.completed("Книга 555 1234 " + "a" * 400)
    looked_into = await console.completed()
    await console.under_way("Write 555 1234 into the phone field, then save the customer")
    await console.key_of("ann", "operator")
    limits = {
        "tenant": {"limitUsd": 40, "warnAt": 0.8},
        "users": {"ann": {"limitUsd": 5, "warnAt": 0.5}},
    }
    await console.client.put("/api/budgets", json={"task": None, "user": None, **limits})
    async with open_store(settings) as store:
        await store.skills.learn([skill(tenant="default")])
        await store.recipes.save(recipe(tenant="default"))
        await store.usage.add([spent(day, n) for day in range(40) for n in range(day % 7 * 4)])
    await console.asked()
    return str(looked_into.answer["taskId"])


def named(place: str, records: list[str]) -> str:
    """What its pictures are called."""
    kinds = ("review-task", "review-answer", "review-decided")
    return dict(zip(records, kinds, strict=True)).get(place, place.partition("/")[0])


async def shoot(folder: Path, wanted: set[str]) -> None:
    with tempfile.TemporaryDirectory() as made:
        settings = Settings(_env_file=None, data_dir=Path(made))
        with hold_server(settings) as uri, served_console(uri, Path(made) / "server") as served:
            async with plain_chromium() as browser, opened_console(served, browser) as console:
                task = await fill(console, served.settings)
                looked_into = await queue(console, served.settings, task)
                places = [*SECTIONS, f"task/{task}", *looked_into, "sign-in"]
                for width in WIDTHS:
                    page = await console.signed_in(width=width, height=900)
                    for place in places:
                        section = place.partition("/")[0]
                        if wanted and section not in wanted:
                            continue
                        name = named(place, looked_into)
                        if place == "sign-in":
                            await page.get_by_role("button", name="Sign out").click()
                        else:
                            await page.evaluate("place => { location.hash = `#/${place}` }", place)
                            await page.wait_for_timeout(500)
                            await page.locator("main .section:not(:has(> .loading))").wait_for()
                        if name == "task":
                            await page.get_by_role("button", name="Open all").click()
                        for scheme in SCHEMES:
                            await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                            await page.wait_for_timeout(150)
                            path = folder / f"{name}-{width}-{scheme}.png"
                            await page.screenshot(path=path, full_page=True, caret="hide")


if __name__ == "__main__":
    Path(sys.argv[1]).mkdir(parents=True, exist_ok=True)
    asyncio.run(shoot(Path(sys.argv[1]), set(sys.argv[2:])))
