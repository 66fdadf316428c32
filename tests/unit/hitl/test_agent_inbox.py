"""The agent inbox's vocabulary, said to each kind of question."""

from datetime import UTC, datetime
from typing import Any

import pytest

from app.domain.hitl import Approval, Option, Question
from app.errors import Invalid
from app.hitl.agent_inbox import RESPONSE_TYPES, agreed_by_accident, human_interrupt, inbox_answer
from app.hitl.answers import result_of

DELETE = Question(
    text="Press 'Delete'?",
    kind="approval",
    source="risk",
    return_to="execution/approved",
    hitl_id="h",
    approval=Approval(action='click("2")', description="Press 'Delete'", site="crm.example"),
)
WHICH = Question(
    text="Which one?",
    kind="disambiguation",
    source="grounding",
    return_to="grounding/apply_selection",
    hitl_id="h",
    options=(Option(id="1", label="Edit (Billing)"), Option(id="2", label="Edit (Shipping)")),
)
WHEN = Question(text="When?", hitl_id="h")


def result(question: Question, said: str, given: object) -> Any:
    answer = inbox_answer(question, said, given)
    made = result_of(question, answer, by="u", via="inbox", key="k", now=datetime.now(UTC))
    return made, agreed_by_accident(said, made)


@pytest.mark.parametrize(
    "given", [None, "yes", "Yes!", ["yes"], "ok", {"action": "yes"}, {"action": "yes", "args": {}}]
)
@pytest.mark.parametrize("said", sorted(RESPONSE_TYPES - {"accept"}))
def test_nothing_but_an_accept_agrees(said: str, given: object) -> None:
    try:
        made, by_accident = result(DELETE, said, given)
    except Invalid:
        return
    assert by_accident or made.decision in ("refused", "cancelled")


def test_an_accept_is_a_yes_whatever_it_brings() -> None:
    for given in (None, "no", {"action": "x", "args": {}}):
        assert result(DELETE, "accept", given)[0].decision == "approved"


@pytest.mark.parametrize("question", [DELETE, WHICH, WHEN])
def test_what_is_ignored_is_cancelled(question: Question) -> None:
    assert result(question, "ignore", "whatever")[0].decision == "cancelled"


def test_words_choose_and_answer() -> None:
    assert result(WHICH, "respond", "shipping")[0].selected == ("2",)
    assert result(WHICH, "accept", "1")[0].selected == ("1",)
    assert result(WHEN, "response", "at noon")[0].text == "at noon"


@pytest.mark.parametrize("question", [WHICH, WHEN])
@pytest.mark.parametrize(("said", "given"), [("accept", None), ("respond", " "), ("edit", "x")])
def test_what_says_nothing_is_refused(question: Question, said: str, given: object) -> None:
    with pytest.raises(Invalid):
        inbox_answer(question, said, given)


def test_the_config_offers_what_is_taken() -> None:
    for question, takes in ((DELETE, True), (WHICH, False), (WHEN, False)):
        config = human_interrupt(question, question.text)["config"]
        assert (config["allow_accept"], config["allow_edit"]) == (takes, takes)
        assert config["allow_ignore"]
        assert config["allow_respond"]
    args = human_interrupt(WHICH, "Which one?")["action_request"]["args"]
    assert args["options"] == {"1": "Edit (Billing)", "2": "Edit (Shipping)"}
