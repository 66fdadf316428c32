"""A chain that stops half-way, at every index and in every way, on the real engines."""

import pytest

from tests.unit.recovery.contact_form import WANTED, ContactForm, run

FIELDS = tuple(WANTED)
WAYS = ("gone", "covered", "refused", "died", "died after")


async def test_without_a_failure_each_field_is_entered_once_and_it_is_saved_once():
    done = await run(ContactForm())
    assert done.outcome.status == "completed"
    assert done.page.saved == [WANTED]
    assert set(done.page.entered.values()) == {1}


@pytest.mark.parametrize("indexed", [True, False], ids=["indexed", "no index"])
@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize("index", [0, 1, 2, 3])
async def test_what_was_done_is_kept_and_the_rest_is_done(index, how, indexed):
    page = ContactForm(fails_at=index, how=how, indexed=indexed)
    done = await run(page)
    assert len(page.saved) <= 1
    if done.outcome.status == "completed":
        assert page.saved == [WANTED]
    if indexed:
        kept = FIELDS[:index]
        assert {name: page.entered[name] for name in kept} == dict.fromkeys(kept, 1)
    sure = how in ("gone", "covered", "refused") or index < 3 or how == "died after"
    if sure and indexed:
        assert done.outcome.status == "completed", (done.outcome, page.chains)


async def test_a_save_whose_answer_comes_late_is_not_clicked_again():
    page = ContactForm(fails_at=3, how="silent")
    done = await run(page)
    assert done.outcome.status == "completed"
    assert page.saved == [WANTED]
