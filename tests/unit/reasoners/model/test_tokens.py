"""What a call costs before the page has said a word, and what a form costs in all."""

import json

import pytest

from app.domain.plan import Decision
from app.llm.port import ModelRequest
from app.llm.providers.replies import reply_schema
from app.reasoners.model import prompts
from tests.fakes.tokens import count as tokens
from tests.unit.reasoners.model.scripted import FILLS, GOAL, customer_form, plan, reasoner, standing
from tests.unit.reasoners.model.scripted import acting as acting_reply
from tests.unit.reasoners.model.scripted import opening as opening_reply

MOST_FIXED = 900  # instructions and schema of one call
MOST_FOR_A_FORM = 2_500  # both calls of a five-field form, all included


def fixed(system: str, reply: type) -> int:
    return tokens(system) + tokens(json.dumps(reply_schema(reply), separators=(",", ":")))


def whole(request: ModelRequest) -> int:
    return fixed(request.system, request.reply) + tokens(request.prompt)


@pytest.mark.parametrize(
    ("question", "most"),
    [
        (prompts.OPENING, 800),
        (prompts.ACTING, 710),
        (prompts.CORRECTING, 660),
        (prompts.CRITICISING, 120),
        (prompts.EXAMINING, 210),
        (prompts.HEARING, 150),
        (prompts.JUDGING, 170),
        (prompts.ANSWERING, 120),
        (prompts.WEIGHING, 150),
    ],
    ids=lambda value: getattr(value, "template", ""),
)
def test_instructions_and_schema_stay_small(question, most):
    assert fixed(prompts.system_prompt(question.template), question.reply) <= most <= MOST_FIXED


async def test_a_form_of_five_fields_in_two_calls():
    ask, model = reasoner(
        opening_reply(*FILLS, steps=[{"text": "Fill in the form and save it"}]),
        acting_reply('finish("The customer was added.")'),
    )
    analysis = await ask.analyse(standing(plan=plan()))
    assert [one.action.name for one in analysis.first.proposals] == [
        "setValue", "setValue", "setValue", "setValue", "selectOption", "click",
    ]  # fmt: skip
    last = await ask.refine(standing(plan=analysis.plan.advanced()))
    assert last.outcome == "finish"
    assert sum(whole(request) for request in model.asked) <= MOST_FOR_A_FORM


async def test_a_critic_costs_little():
    ask, model = reasoner({"ok": True})
    await ask.criticise(standing(), Decision(outcome="finish", reason="The customer was added."))
    assert whole(model.asked[0]) <= 230


async def test_what_is_the_same_comes_first_and_is_the_same_each_time():
    ask, model = reasoner(acting_reply("click(25)"), acting_reply("click(25)"))
    await ask.refine(standing())
    await ask.refine(standing(goal="Something else", page=customer_form(), plan=plan("Other")))
    one, other = model.asked
    assert one.system == other.system
    assert GOAL not in one.system
    assert "data-0123abcd" not in one.system
    assert one.reply is other.reply
