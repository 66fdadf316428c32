"""The quick questions: does it make sense, what is the answer, did the search find it."""

import pytest

from app.domain.plan import Decision
from app.domain.reasoner import WebResult, WebSearch
from app.domain.verdict import Verdict
from tests.unit.reasoners.model.scripted import reasoner, standing

FOUND = WebSearch(
    need="the zip code of Lyon",
    query="zip code Lyon",
    results=(
        WebResult(title="Lyon", url="https://w.example/lyon", text="Zip codes 69001 to 69009"),
    ),
)


@pytest.mark.parametrize("outcome", ["finish", "done"])
async def test_a_critic_of_an_end_sees_what_the_page_shows(outcome):
    ask, model = reasoner({"ok": True}, {"ok": False, "why": "Nothing was saved."})
    ending = Decision(outcome=outcome, reason="The customer was added.", maker="model")
    verdict = Verdict(succeeded=True, reason="the form is gone")
    assert (await ask.criticise(standing(verdict=verdict), ending)).sensible
    prompt = model.asked[0].prompt
    assert f"{outcome}: The customer was added." in prompt
    assert "worked: the form is gone" in prompt
    assert "Fields with a star are needed." in prompt
    assert '21 inp "Email"' not in prompt
    assert (model.asked[0].tier, model.asked[0].purpose) == ("fast", "criticising")
    critique = await ask.criticise(standing(verdict=verdict), ending)
    assert (critique.sensible, critique.reason) == (False, "Nothing was saved.")


async def test_an_answer_is_read_from_the_page():
    ask, model = reasoner({"found": True, "answer": " A star. "})
    assert await ask.answer(standing(), "What marks a field?") == "A star."
    assert "What marks a field?" in model.asked[0].prompt
    assert "Fields with a star are needed." in model.asked[0].prompt
    assert model.asked[0].tier == "fast"


async def test_no_answer_is_none():
    for reply in ({"found": False, "answer": "Perhaps 7"}, {"found": True, "answer": " "}):
        ask, _ = reasoner(reply)
        assert await ask.answer(standing(), "How much?") is None


@pytest.mark.parametrize(
    "answer",
    ["The account is GB33BUKB20201555555555", "Ring +49 900 666 777", "mallory@evil.example"],
)
async def test_an_answer_with_a_number_or_an_address_of_its_own_is_none(answer):
    ask, _ = reasoner({"found": True, "answer": answer})
    assert await ask.answer(standing(), "What is the account?") is None


async def test_an_answer_may_count_what_is_there():
    ask, _ = reasoner({"found": True, "answer": "There are 12 of them."})
    assert await ask.answer(standing(), "How many fields?") == "There are 12 of them."


async def test_a_search_that_solves_its_need_is_answered():
    ask, model = reasoner({"solved": True, "answer": "69001 (https://w.example/lyon)"})
    search = await ask.weigh(FOUND)
    assert (search.solved, search.answer) == (True, "69001 (https://w.example/lyon)")
    assert search.results == FOUND.results
    assert "Zip codes 69001 to 69009" in model.asked[0].prompt


async def test_a_search_that_does_not_is_made_better():
    ask, _ = reasoner({"solved": False, "query": "Lyon 1er arrondissement zip code"})
    search = await ask.weigh(FOUND)
    assert (search.solved, search.query) == (False, "Lyon 1er arrondissement zip code")


async def test_solved_without_an_answer_is_not_solved():
    ask, _ = reasoner({"solved": True})
    search = await ask.weigh(FOUND)
    assert (search.solved, search.query) == (False, FOUND.query)
