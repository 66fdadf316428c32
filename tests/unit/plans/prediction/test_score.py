"""A prediction held against what came: how sure it was, and whether all of it came."""

import pytest

from app.domain.action import Chain, PlannedAction, action
from app.domain.page import Node, Observation, Tree
from app.domain.plan import Proposal
from app.domain.verdict import ExpectedOutcome, NextGoal, Verdict
from app.plans.prediction import merge_expectations, predict, score_prediction

FORM = "form: Patient"
BUTTON = Node(id="1", role="btn", name="Patient", states=frozenset({"haspopup", "collapsed"}))
NAME = Node(id="2", role="inp", name="Name", value="", group=FORM)
NAMED = Node(id="2", role="inp", name="Name", value="Jas", group=FORM)
SAVE = Node(id="3", role="btn", name="Save", group=FORM)
TICK = Node(id="4", role="chk", name="Active")
SORT = Node(id="5", role="btn", name="Sort")
NEWS = Node(id="6", role="link", name="News")
PLAIN = (BUTTON, NAME, SAVE, TICK, SORT, NEWS)


def page(*nodes, **more):
    known = {"url": "https://a.example/"} | more
    return Observation(tree=Tree.of(nodes or PLAIN), **known)


def turned(*nodes, **more):
    """The page with these in place of those with the same ids."""
    now = {node.id: node for node in (*PLAIN, *nodes)}
    return page(*now.values(), **more)


def sent(*actions, before, **more):
    proposals = [Proposal(action=one, description="") for one in actions]
    expected = predict(proposals, before).model_copy(update=more)
    planned = tuple(
        PlannedAction(action_id=f"a{n}", action=one, description="")
        for n, one in enumerate(actions)
    )
    return Chain(actions=planned, expected=expected)


def score(*actions, after, before=None, worked=None, **more):
    before = before or page()
    verdict = Verdict(succeeded=worked)
    return score_prediction(sent(*actions, before=before, **more), before, after, verdict)


TYPE = action("setValue", "2", "Jas")
CLICK = {name: action("click", i) for name, i in
         (("open", "1"), ("submit", "3"), ("toggle", "4"), ("click", "5"), ("link", "6"))}  # fmt: skip
BOX = action("setChecked", "4", True)


@pytest.mark.parametrize(
    ("done", "kind", "came", "not_come"),
    [
        (TYPE, "setValue", turned(NAMED), page()),
        (action("goBack"), "goBack", page(url="https://a.example/before"), page()),
    ],
)
def test_what_was_written_down_is_held_against_the_page(done, kind, came, not_come):
    good, bad = score(done, after=came), score(done, after=not_come)
    assert (good.kind, good.met, good.unmet) == (kind, True, ())
    assert (bad.kind, bad.met) == (kind, False)
    assert bad.unmet
    assert 0.5 < good.predicted == bad.predicted < 1
    assert good.brier < bad.brier


@pytest.mark.parametrize(
    ("done", "kind"), [*((act, kind) for kind, act in CLICK.items()), (BOX, "setChecked")]
)
def test_whether_its_effect_came_is_what_the_verdict_says(done, kind):
    after = page(summary="more")
    good, bad = score(done, after=after, worked=True), score(done, after=after, worked=False)
    assert (good.kind, good.met, good.unmet) == (kind, True, ())
    assert (bad.kind, bad.met, bad.unmet) == (kind, False, (f"its effect: {kind}",))


def test_all_of_a_chain_has_to_come_and_is_less_likely_than_its_parts():
    other = Node(id="7", role="inp", name="Phone", value="", group=FORM)
    filled = Node(id="7", role="inp", name="Phone", value="1", group=FORM)
    before = page(NAME, other)
    both = (TYPE, action("setValue", "7", "1"))
    half = score(*both, before=before, after=page(NAMED, other))
    whole = score(*both, before=before, after=page(NAMED, filled))
    assert (half.met, whole.met) == (False, True)
    assert whole.predicted < score(TYPE, after=turned(NAMED)).predicted
    assert whole.action_id == "a1"


def test_a_next_goal_counts_only_where_it_is_required():
    wanted = NextGoal(description="Pay", text="Pay")
    after = page(summary="more")
    assert score(CLICK["click"], after=after, worked=True, next_goal=wanted).met
    required = wanted.model_copy(update={"required": True})
    assert not score(CLICK["click"], after=after, worked=True, next_goal=required).met


def test_what_nothing_can_be_checked_of_has_no_score():
    assert score(action("pressKey", "Enter"), after=page(summary="x")) is None
    assert score_prediction(Chain(), page(), page(), Verdict(succeeded=True)) is None
    unsaid = sent(TYPE, before=page(), confidence=0.0)
    assert score_prediction(unsaid, page(), turned(NAMED), Verdict(succeeded=True)) is None


def test_what_a_model_expects_lowers_a_prediction_but_never_raises_it():
    made = predict([Proposal(action=CLICK["submit"], description="")], page())
    said = ExpectedOutcome(elements=("Saved: Jas",), confidence=0.9)
    both = merge_expectations(made, said, CLICK["submit"], page())
    assert both.confidence == pytest.approx(0.72)
    sure = said.model_copy(update={"confidence": 1.0})
    assert merge_expectations(made, sure, CLICK["submit"], page()).confidence <= made.confidence
    known = ExpectedOutcome(elements=("Save",), confidence=0.2)  # it stands there already
    assert merge_expectations(made, known, CLICK["submit"], page()).confidence == made.confidence


def test_a_password_is_in_no_score():
    secret = Node(id="8", role="inp", name="Password", value="", input_type="password")
    before = page(secret)
    found = score(action("setValue", "8", "hunter2"), before=before, after=before)
    assert not found.met
    assert "hunter2" not in found.model_dump_json()
