"""What every reasoner does, with a model or without one: rules, both vendors, and the router."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from app.domain.action import ActionRecord, action
from app.domain.reasoner import WebResult, WebSearch
from app.domain.verdict import Verdict
from app.errors import ModelFailed, ModelUnavailable
from app.plans.validation import validate_action
from tests.contract.reasoners.reasoner_cases import (
    GOAL,
    KINDS,
    PAGE,
    Thinker,
    standing,
    thinker_of,
    worded,
)
from tests.unit.reasoners.scripted import click

UNCLEAR = "Make sure that the paperwork of the new people is in order"


@pytest.fixture(params=KINDS)
async def thinker(request: pytest.FixtureRequest) -> AsyncIterator[Thinker]:
    async with thinker_of(request.param) as made:
        yield made


async def opened(thinker: Thinker, goal: str = GOAL):
    """The plan and the first refinement, as the graph gets them."""
    situation = standing(goal)
    analysis = await thinker.reasoner.analyse(situation)
    plan = analysis.plan or await thinker.reasoner.plan(situation)
    situation = replace(situation, plan=plan)
    return analysis, situation, analysis.first or await thinker.reasoner.refine(situation)


async def test_a_goal_is_read_without_a_call(thinker):
    read = await thinker.reasoner.understand(GOAL, PAGE)
    assert read.text == GOAL
    assert 0 <= read.confidence <= 1
    assert thinker.calls == []


@pytest.mark.parametrize("goal", [GOAL, UNCLEAR])
async def test_a_goal_gets_a_plan_that_starts_at_its_first_step(thinker, goal):
    if goal is UNCLEAR and not thinker.has_model:
        found = await thinker.reasoner.analyse(standing(goal))
        assert "paperwork" in (found.missing or ""), "the words that no command holds are named"
        return
    analysis, situation, _ = await opened(thinker, goal)
    plan = situation.plan
    assert (analysis.answer, analysis.missing, analysis.question) == (None, None, None)
    assert plan.current == 0
    assert [step.status for step in plan.steps] == ["current", *["pending"] * (len(plan.steps) - 1)]
    assert len({step.id for step in plan.steps}) == len(plan.steps)


async def test_the_first_actions_fit_the_page(thinker):
    _, _, first = await opened(thinker)
    assert first.outcome == "act"
    assert 0 <= first.confidence <= 1
    assert first.proposals[0].action.text == 'setValue("2", "Jas")'
    for proposal in first.proposals:
        validate_action(proposal.action, PAGE.tree)
        assert proposal.description


async def test_opening_a_goal_takes_one_call_at_most(thinker):
    analysis, _, _ = await opened(thinker)
    asked = [call for call in thinker.calls if call.status == 200]
    assert len(asked) == (1 if analysis.plan and analysis.plan.maker == "model" else 0)


async def test_with_no_step_left_there_is_a_way_to_end(thinker):
    ended = standing(
        plan=worded("Save", current=1), verdict=Verdict(succeeded=True, confidence=0.6)
    )
    found = await thinker.reasoner.refine(ended)
    assert found.outcome in {"act", "done", "finish", "fail"}


async def test_predicting_costs_no_call(thinker):
    typed = action("setValue", "2", "Jas")
    made = (click("1").proposals[0].model_copy(update={"action": typed}),)
    expected = await thinker.reasoner.predict(standing(plan=worded("Save")), made)
    assert expected.values == {"2": "Jas"}
    assert thinker.calls == []


async def test_a_failure_is_corrected_or_ended_honestly(thinker):
    failed = ActionRecord(
        action=action("click", "3"), status="failure", signature=PAGE.tree.nodes[2].signature
    )
    situation = standing("Open Patients", plan=worded("Open Patients"), records=(failed,))
    found = await thinker.reasoner.correct(situation, "Nothing happened")
    assert found.outcome in {"act", "done", "missing", "fail", "ask", "look"}
    assert found.proposals or found.reason
    for proposal in found.proposals:
        validate_action(proposal.action, PAGE.tree)


async def test_the_critic_says_why_not(thinker):
    found = await thinker.reasoner.criticise(standing(plan=worded("Save")), click("1"))
    assert found.sensible is not thinker.has_model
    assert found.sensible or found.reason


async def test_a_question_is_answered_from_the_page(thinker):
    assert "555 1234" in await thinker.reasoner.answer(standing(), "What is the phone?")


async def test_weighing_keeps_the_search_and_its_results(thinker):
    result = WebResult(title="Codes", url="https://b.example", text="The code of Peru is 51.")
    search = WebSearch(need="code of Peru", query="peru code", results=(result,), tries=1)
    found = await thinker.reasoner.weigh(search)
    assert (found.need, found.results, found.tries) == (search.need, search.results, 1)
    is_read = thinker.kind not in ("rules", "router, model away")
    assert found.solved is is_read
    assert not is_read or "51" in found.answer


async def test_a_model_that_goes_away_is_a_named_error_or_leaves_the_rules(thinker):
    thinker.takes_down()
    asked = thinker.reasoner.refine(standing(UNCLEAR, plan=worded(UNCLEAR)))
    if thinker.kind in ("gemini", "openai"):
        with pytest.raises(ModelUnavailable):
            await asked
        return
    found = await asked
    assert found.maker == "rules"
    assert ("going on by rules" in (found.notice or "")) is (thinker.kind != "rules")


async def test_a_router_never_fails_for_its_model(thinker):
    if not thinker.kind.startswith("router"):
        return
    thinker.takes_down()
    reasoner, situation = thinker.reasoner, standing(UNCLEAR, plan=worded("Do what is needed"))
    search = WebSearch(need="code of Peru")
    try:
        await reasoner.analyse(standing(UNCLEAR))
        await reasoner.plan(standing(UNCLEAR))
        await reasoner.refine(situation)
        await reasoner.correct(situation, "it failed")
        await reasoner.criticise(situation, click("1"))
        await reasoner.answer(situation, "Who is the mayor?")
        await reasoner.weigh(search)
    except ModelFailed as error:  # pragma: no cover
        pytest.fail(f"the router let {error.code} through")
