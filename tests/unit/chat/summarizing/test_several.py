"""Summaries of several documents, and of some that are no longer there."""

import re

from app.chat.summarizing import summarize
from tests.unit.chat.summarizing.documents import HANDBOOK, Documents, asked, parts, tools

PRICES = """
# Plans

The basic plan costs 10 euros a month and includes two users.
The team plan costs 40 euros a month and includes ten users.

# Payment

Invoices are sent on the first working day of each month.
They are paid within 14 days by bank transfer.
"""
BOTH = (("d1", "Handbook"), ("d2", "Prices *and* [plans](https://x.example)"))


def documents() -> Documents:
    return Documents(d1=parts(HANDBOOK, "d1"), d2=parts(PRICES, "d2"))


async def test_a_section_each_with_its_title():
    reply = await summarize(asked("Summarize both", *BOTH), tools(documents()))
    first, second = reply.text.split("\n\n## ")
    assert first.startswith("## Handbook\n\n")
    assert "euros a month" in second
    assert r"\[plans\](https\:" in reply.text
    assert {one.document_id for one in reply.citations} == {"d1", "d2"}


async def test_the_length_is_that_of_all_together():
    reply = await summarize(asked("Summarize in 4 sentences", *BOTH), tools(documents()))
    assert len(re.findall(r"\[\d+\]", reply.text)) == 4
    assert {one.document_id for one in reply.citations} == {"d1", "d2"}


async def test_a_length_for_each():
    reply = await summarize(asked("2 sentences per document", *BOTH), tools(documents()))
    assert len(re.findall(r"\[\d+\]", reply.text)) == 4


async def test_less_room_than_documents():
    reply = await summarize(asked("Summarize in one sentence", *BOTH), tools(documents()))
    assert len(reply.citations) == 1
    assert any("no room for" in one for one in reply.notices)


async def test_one_that_was_deleted_is_named_and_the_others_summarized():
    gone = ("d9", "Old rules")
    reply = await summarize(asked("Summarize", BOTH[0], gone), tools(documents()))
    assert "25 days" in reply.text
    assert "##" not in reply.text
    assert any("Old rules" in one and "no longer" in one for one in reply.notices)


async def test_all_were_deleted():
    reply = await summarize(asked("Summarize", ("d9", "Old rules")), tools(documents()))
    assert "no longer" in reply.text
    assert (reply.confidence, reply.score, reply.citations) == ("low", 0.0, ())


async def test_more_than_ten_are_not_all_taken_and_it_is_said():
    many = {f"d{n}": parts(PRICES.replace("basic", f"basic{n}"), f"d{n}") for n in range(12)}
    named = [(one, f"Prices {one}") for one in many]
    reply = await summarize(asked("Summarize", *named), tools(Documents(**many)))
    assert reply.text.count("## ") == 10
    assert any("Prices d9" in one and "Prices d10" not in one for one in reply.notices)


async def test_the_same_document_twice_is_one():
    reply = await summarize(asked("Summarize", BOTH[0], BOTH[0]), tools(documents()))
    assert "##" not in reply.text
