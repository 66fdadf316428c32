"""Actions of the server never reach a browser."""

import pytest

from app.domain.action import PARAMETERS, Action, action
from app.domain.page import Observation
from app.domain.plan import Decision, Proposal
from app.domain.reasoner import Background, WebSearch
from app.verification.server_actions import SERVED, resolve_server_actions

PAGE = Observation(url="https://a.com", summary="# Patients\nJas Patel | 1990")
CLICK = action("click", "14")
TYPE = action("setValue", "3", "Jas")
SEARCH = action("googleSearch", "acme hours")
EXTRACT = action("extract", "Who is first?")
FINISH = action("finish", "Jas was added.")
SHOWN = action("verifySuccess", "Jas Patel")
UNSURE = action("verifySuccess", "the order was sent")


def made(*actions: Action, **more) -> Decision:
    proposals = tuple(Proposal(action=a, description=a.name) for a in actions)
    return Decision(outcome="act", maker="model", proposals=proposals, confidence=0.9, **more)


def names(refinement: Decision) -> list[str]:
    return [proposal.action.name for proposal in refinement.proposals]


@pytest.mark.parametrize(
    ("first", "outcome", "query"),
    [
        (SEARCH, "search", "acme hours"),
        (EXTRACT, "read", "Who is first?"),
        (UNSURE, "read", "the order was sent"),
    ],
)
def test_what_the_server_must_find_out_comes_first(first: Action, outcome: str, query: str) -> None:
    refinement = resolve_server_actions(made(first, CLICK, thought="hm"), PAGE)
    assert (refinement.outcome, refinement.query, refinement.proposals) == (outcome, query, ())
    assert not refinement.completes_step
    assert (refinement.thought, refinement.maker) == ("hm", "model")


@pytest.mark.parametrize(("name", "said"), [("finish", "All done."), ("fail", "No such patient.")])
def test_an_end_is_an_outcome(name: str, said: str) -> None:
    refinement = resolve_server_actions(made(action(name, said), CLICK), PAGE)
    assert (refinement.outcome, refinement.reason, refinement.proposals) == (name, said, ())


def test_an_end_without_words_says_what_was_thought() -> None:
    assert (
        resolve_server_actions(made(action("finish", ""), thought="Saved."), PAGE).reason
        == "Saved."
    )


@pytest.mark.parametrize(
    ("last", "completes"),
    [
        (FINISH, True),
        (SHOWN, True),
        (SEARCH, False),
        (EXTRACT, False),
        (action("fail", "x"), False),
    ],
)
def test_a_chain_goes_out_up_to_it(last: Action, completes: bool) -> None:
    refinement = resolve_server_actions(made(TYPE, CLICK, last, CLICK), PAGE)
    assert refinement.outcome == "act"
    assert names(refinement) == ["setValue", "click"]
    assert refinement.completes_step is completes


def test_what_was_searched_or_read_is_not_asked_again() -> None:
    done = Background(
        searches=(WebSearch(need="when it closes", query="Acme  hours", unavailable="No key"),),
        extracts={"Who is first?": "Jas"},
    )
    assert names(resolve_server_actions(made(SEARCH, EXTRACT, CLICK), PAGE, done)) == ["click"]
    waiting = resolve_server_actions(made(SEARCH), PAGE, done)
    assert (waiting.outcome, names(waiting)) == ("act", ["wait"])
    assert not waiting.completes_step
    for outcome, query in (("search", "acme hours"), ("read", "Who is first?")):
        asked = Decision(outcome=outcome, query=query, maker="model")
        assert names(resolve_server_actions(asked, PAGE, done)) == ["wait"]
        assert resolve_server_actions(asked, PAGE) is asked


def test_a_confirmed_success_is_done_and_what_follows_goes_on() -> None:
    assert resolve_server_actions(made(SHOWN), PAGE).outcome == "done"
    assert resolve_server_actions(made(SHOWN, FINISH), PAGE).outcome == "finish"
    assert names(resolve_server_actions(made(SHOWN, CLICK), PAGE)) == ["click"]


def test_a_success_that_was_read_is_taken_at_its_word() -> None:
    yes = Background(extracts={"the order was sent": "Order 12 was sent today."})
    no = Background(extracts={"the order was sent": ""})
    assert resolve_server_actions(made(UNSURE), PAGE, yes).outcome == "done"
    refused = resolve_server_actions(made(UNSURE), PAGE, no)
    assert refused.outcome == "missing"
    assert "the order was sent" in refused.reason


def test_a_success_that_the_page_denies_is_missing() -> None:
    page = Observation(url="https://a.com", errors=("Could not send the order",))
    refusal = resolve_server_actions(
        made(action("verifySuccess", "the patient Bob was added")), page
    )
    assert refusal.outcome == "missing"


def test_other_refinements_stay_as_they_are() -> None:
    acting, done = made(TYPE, CLICK), Decision(outcome="done")
    assert resolve_server_actions(acting, PAGE) is acting
    assert resolve_server_actions(done, PAGE) is done


@pytest.mark.parametrize("name", sorted(SERVED))
def test_none_is_left_for_the_browser(name: str) -> None:
    served = Action(name=name, args={PARAMETERS[name][0][0]: "Jas Patel"})
    for proposed in ((served,), (CLICK, served), (served, CLICK), (CLICK, served, served, CLICK)):
        assert not SERVED.intersection(names(resolve_server_actions(made(*proposed), PAGE)))
