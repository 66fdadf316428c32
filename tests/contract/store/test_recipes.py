"""What every store must do for the rows of recipes."""

from datetime import timedelta

import pytest

from app.domain.memory import Recipe, RecipeParameter, RecordedAction, RecordedStep, StepCheck
from app.domain.page import DialogDecision, ElementRef
from app.errors import NotFound
from app.store.repositories import Store
from tests.contract.store.test_store import NOW

SAVE = ElementRef(role="btn", name="Save", group="form: New patient")
STEP = RecordedStep(
    description="Press 'Save'",
    path="/patients/new",
    actions=(
        RecordedAction(
            name="setChecked",
            element=SAVE,
            args={"checked": True},
            dialog=DialogDecision(accept=True),
        ),
    ),
    check=StepCheck(path="/", appears=(SAVE,), says_success=True),
)


def recipe(recipe_id: str = "1", **over: object) -> Recipe:
    fields: dict[str, object] = {
        "recipe_id": recipe_id,
        "tenant": "a",
        "user": "ann",
        "title": "Add a patient",
        "domain": "crm.example",
        "start_url": "https://crm.example/",
        "goal": "Add {name}",
        "parameters": (RecipeParameter(name="name", label="Name"),),
        "steps": (STEP,),
        "task_id": "task",
        "created_at": NOW,
        "updated_at": NOW,
    }
    return Recipe.model_validate(fields | over)


class TestRecipes:
    async def test_a_recipe_comes_back_equal(self, store: Store) -> None:
        assert await store.recipes.save(recipe()) == recipe()
        assert await store.recipes.get("a", "1") == recipe()

    async def test_saving_it_again_keeps_its_counts_and_its_day(self, store: Store) -> None:
        await store.recipes.save(recipe())
        await store.recipes.count_run("a", "1", task_id="t1", worked=True, now=NOW)
        later = NOW + timedelta(days=1)
        again = recipe(title="Another title", created_at=later, updated_at=later)
        kept = await store.recipes.save(again)
        assert (kept.title, kept.runs, kept.created_at) == ("Another title", 1, NOW)
        assert kept.updated_at == later

    async def test_runs_are_counted_once_a_task(self, store: Store) -> None:
        await store.recipes.save(recipe())
        for task, worked in (("t1", True), ("t1", True), ("t2", False)):
            await store.recipes.count_run("a", "1", task_id=task, worked=worked, now=NOW)
        found = await store.recipes.get("a", "1")
        assert (found.runs, found.failures) == (2, 1)
        await store.recipes.count_run("a", "gone", task_id="t3", worked=True, now=NOW)

    async def test_the_newest_come_first_page_by_page(self, store: Store) -> None:
        for number in range(4):
            made = NOW + timedelta(seconds=number)
            await store.recipes.save(recipe(str(number), created_at=made))
        first = await store.recipes.recent("a", limit=2)
        assert [one.recipe_id for one in first] == ["3", "2"]
        rest = await store.recipes.recent("a", limit=5, before=first[-1].created_at)
        assert [one.recipe_id for one in rest] == ["1", "0"]

    async def test_those_of_one_site(self, store: Store) -> None:
        await store.recipes.save(recipe("1"))
        await store.recipes.save(recipe("2", domain="shop.example"))
        found = await store.recipes.recent("a", domain="shop.example", limit=5)
        assert [one.recipe_id for one in found] == ["2"]

    async def test_a_deleted_one_is_gone(self, store: Store) -> None:
        await store.recipes.save(recipe())
        await store.recipes.delete("a", "1")
        with pytest.raises(NotFound):
            await store.recipes.get("a", "1")
        with pytest.raises(NotFound):
            await store.recipes.delete("a", "1")

    async def test_another_tenant_sees_and_changes_nothing(self, store: Store) -> None:
        await store.recipes.save(recipe())
        assert await store.recipes.recent("b", limit=5) == []
        await store.recipes.count_run("b", "1", task_id="t", worked=True, now=NOW)
        for call in (store.recipes.get, store.recipes.delete):
            with pytest.raises(NotFound):
                await call("b", "1")
        assert await store.recipes.get("a", "1") == recipe()
