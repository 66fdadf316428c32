"""What every store must do for the rows of what people chose."""

import asyncio
from datetime import timedelta

from app.domain.memory import SiteChoice
from app.domain.page import ElementRef
from app.store.repositories import Store
from tests.contract.store.test_store import NOW

SHIPPING = ElementRef(role="btn", name="Edit", group="section: Shipping")
BILLING = ElementRef(role="btn", name="Edit", group="section: Billing")


def choice(choice_id: str = "1", **over: object) -> SiteChoice:
    fields: dict[str, object] = {
        "choice_id": choice_id,
        "tenant": "a",
        "domain": "crm.example",
        "phrase": "edit",
        "element": SHIPPING,
        "last_used": NOW,
    }
    return SiteChoice.model_validate(fields | over)


class TestChoices:
    async def test_what_was_chosen_comes_back_equal(self, store: Store) -> None:
        await store.choices.record(choice())
        assert await store.choices.of_site("a", "crm.example", limit=5) == [choice()]

    async def test_the_newest_choice_counts_and_choices_are_counted(self, store: Store) -> None:
        later = NOW + timedelta(seconds=1)
        await store.choices.record(choice())
        await store.choices.record(choice(element=BILLING, last_used=later))
        found = await store.choices.of_site("a", "crm.example", limit=5)
        assert found == [choice(element=BILLING, last_used=later, count=2)]

    async def test_choices_made_at_once_are_one_row(self, store: Store) -> None:
        await asyncio.gather(*(store.choices.record(choice()) for _ in range(4)))
        assert await store.choices.of_site("a", "crm.example", limit=5) == [choice(count=4)]

    async def test_the_newest_come_last_and_no_more_than_asked_for(self, store: Store) -> None:
        for number in range(4):
            moment = NOW + timedelta(seconds=number)
            await store.choices.record(choice(str(number), phrase=f"p{number}", last_used=moment))
        found = await store.choices.of_site("a", "crm.example", limit=2)
        assert [one.choice_id for one in found] == ["2", "3"]

    async def test_another_tenant_and_another_site_see_nothing(self, store: Store) -> None:
        await store.choices.record(choice())
        assert await store.choices.of_site("b", "crm.example", limit=5) == []
        assert await store.choices.of_site("a", "shop.example", limit=5) == []
