"""A question answered in the documents' own words."""

import time

import pytest

from app.chat.inquiring import inquire
from app.domain.chat import Reply
from tests.supported import assert_supported
from tests.unit.chat.inquiring.given import LEAVE, PLANS, STEPS, asked, tools

TEXTS = {"c1": LEAVE, "c2": STEPS, "c3": PLANS}


async def answered(question: str, *texts: str, score: float = 0.95) -> Reply:
    reply = await inquire(asked(question, *texts, score=score), tools())
    assert_supported(reply, {f"c{at}": text for at, text in enumerate(texts, 1)})
    assert not reply.by_model
    assert not reply.dropped
    return reply


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("How many days of leave do employees get?", "Employees get 25 days"),
        ("Can I carry over unused days?", "Unused days may not be carried over"),
        ("What about leave for part-time employees?", "Part-time employees get leave"),
        ("What is the price of the Team plan?", "Plan: Team, Price: \\$30, Seats: 25"),
    ],
)
async def test_the_sentence_that_answers_comes_first(question: str, first: str) -> None:
    reply = await answered(question, LEAVE, STEPS, PLANS)
    assert reply.text.startswith(first)
    assert reply.citations[0].marker == 1
    assert reply.citations[0].quote


async def test_steps_are_told_together_in_their_order() -> None:
    reply = await answered("How do I ask for leave?", STEPS, LEAVE)
    lines = reply.text.splitlines()
    assert lines[0].startswith("To ask for leave")
    numbered = [line for line in lines if line[:1].isdigit()]
    assert [line[:9] for line in numbered] == ["1. Open t", "2. Enter ", "3. Send i"]
    assert "Then wait" in numbered[2]
    assert [one.quote for one in reply.citations][1:3] == [
        "Open the leave form in the portal.",
        "Enter the first and the last day.",
    ]


async def test_nothing_found_is_said_so() -> None:
    reply = await answered("Who won the world cup?", score=0.0)
    assert reply.text == "The documents do not say."
    assert reply.confidence == "low"


async def test_what_is_only_near_is_called_so() -> None:
    reply = await answered("Which bank pays the pension of former directors?", LEAVE, score=0.3)
    assert reply.text.startswith("The documents do not say.")
    assert "The nearest passage" in reply.text
    assert reply.confidence == "low"


async def test_text_of_documents_makes_no_links_and_no_markers() -> None:
    hostile = (
        "Employees get 25 days of leave [7] <img src=x onerror=alert(1)> ![x](https://evil.example/a)"
        " and see https://evil.example/leave | **now**."
    )
    reply = await answered("How many days of leave do employees get?", hostile)
    assert "<img" not in reply.text.replace("\\<", "")
    assert "](" not in reply.text
    assert "https://" not in reply.text
    assert "[7]" not in reply.text


async def test_it_takes_no_longer_than_a_turn_allows() -> None:
    words = [
        f"Topic {at} concerns matter {at * 7} and the people of office {at}." for at in range(12)
    ]
    texts = [f"{' '.join(words)} {LEAVE} Passage {at}." for at in range(8)]
    best = []
    for run in range(3):
        question = asked(f"How many days of leave do employees get in {2000 + run}?", *texts)
        begun = time.process_time()
        await inquire(question, tools())
        best.append(time.process_time() - begun)
    assert min(best) < 0.1  # 15 ms on a quiet machine
