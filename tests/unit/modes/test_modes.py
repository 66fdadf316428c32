"""When the page is asked for in another form, and in which."""

import pytest

from app.domain.action import action
from app.domain.page import Node, Observation, Tree
from app.domain.plan import Plan, PlanStep, Proposal, Refinement
from app.engines.modes import is_visual, mode_for, sighted
from app.engines.reasoner import Situation

TEXT = "A long report of what was done in the clinic this year. " * 6
CONTROLS = tuple(Node(id=str(n), role="btn", name=f"Action {n}") for n in range(5))


def page(*nodes, **over):
    return Observation(
        **{"url": "http://x.test", "tree": Tree(nodes), "viewport": (1280, 800)} | over
    )


def situation(goal, seen, *steps):
    plan = Plan(steps=tuple(PlanStep(id=str(n), description=s) for n, s in enumerate(steps)))
    return Situation(goal=goal, page=seen, plan=plan)


def made(outcome, **over):
    return Refinement(**{"outcome": outcome, "maker": "model"} | over)


def clicks(confidence, maker="model"):
    proposals = (Proposal(action=action("click", "1"), description="Click it"),)
    return made("act", proposals=proposals, confidence=confidence, maker=maker)


@pytest.mark.parametrize(
    "goal",
    [
        "Click the gear icon",
        "open the image of the dog",
        "press what looks like a bell",
        "the button at the top",
        "Choose the second box from the left",
        "the one in the bottom right corner",
        "Click the field next to the map",
        "Press the red button",
        "the coloured square",
    ],
)
def test_what_is_seen_and_not_read(goal):
    assert is_visual(goal, page(*CONTROLS))


@pytest.mark.parametrize(
    "goal",
    ["Add a patient", "Type 'top left' into Name", 'Rename it to "Red icon"', "stop", "iconic"],
)
def test_what_is_read(goal):
    assert not is_visual(goal, page(*CONTROLS))


def test_a_word_that_a_control_is_named_by_is_read():
    seen = page(Node(id="1", role="btn", name="Upload image"))
    assert not is_visual("Click upload image", seen)
    assert is_visual("Click upload image in the corner", seen)


def test_a_visual_step_that_is_stuck_or_doubtful_is_to_be_seen():
    asked = situation("Click the gear icon", page(*CONTROLS), "Click the gear icon")
    for refinement in (made("missing"), made("ambiguous"), made("fail"), clicks(0.6)):
        assert mode_for(asked, refinement) == "hybrid"
    assert mode_for(asked, clicks(0.9)) is None
    assert mode_for(asked, made("done")) is None


def test_the_step_counts_and_not_the_goal_it_is_a_part_of():
    seen = page(*CONTROLS)
    steps = ("Open the settings", "Click the gear icon")
    assert mode_for(situation("Click the gear icon", seen, *steps), clicks(0.5)) is None
    assert mode_for(situation("Click the gear icon", seen, "Press it"), clicks(0.5)) == "hybrid"


def test_a_page_with_content_and_no_controls_is_read_as_markup():
    bare = situation("Open the appendix", page(*CONTROLS[:1], summary=TEXT), "Open the appendix")
    assert mode_for(bare, made("missing")) == "semantic"
    assert mode_for(bare, clicks(0.5)) is None
    empty = situation("Open the appendix", page(), "Open the appendix")
    assert mode_for(empty, made("missing")) is None
    rich = situation("Open the appendix", page(*CONTROLS, summary=TEXT), "Open the appendix")
    assert mode_for(rich, made("missing")) is None


def test_a_page_that_is_a_drawing_is_looked_at():
    drawing = Node(id="1", role="img", name="canvas", box=(0, 0, 1000, 700))
    asked = situation("Open the third bar", page(drawing), "Open the third bar")
    assert mode_for(asked, made("missing")) == "hybrid"


def test_the_chain_goes_on_where_the_page_was_shown_already():
    text = {"summary": TEXT}
    found = [
        mode_for(situation("Open it", page(mode=mode, **text), "Open it"), made("missing"))
        for mode in ("semantic_v3", "semantic", "skeleton", "hybrid", "full")
    ]
    assert found == ["semantic", "skeleton", "hybrid", "full", None]


def test_a_model_gets_the_form_it_asks_for_unless_it_has_it():
    def wanted(mode, shown="semantic_v3"):
        asked = situation("Do it", page(*CONTROLS, mode=shown), "Do it")
        return mode_for(asked, made("look", mode=mode))

    assert [wanted(mode) for mode in ("hybrid", "full", None)] == ["hybrid", "full", "semantic"]
    assert wanted("hybrid", shown="hybrid") == "full"
    assert wanted("full", shown="full") is None


def test_the_whole_page_is_never_asked_for_first():
    for goal in ("Click the icon", "Open it"):
        for nodes in ((), CONTROLS):
            asked = situation(goal, page(*nodes, summary=TEXT), goal)
            for outcome in ("missing", "ambiguous", "fail", "done", "ask", "finish"):
                assert mode_for(asked, made(outcome)) != "full"


def test_rules_ask_for_nothing_they_cannot_use():
    asked = situation("Click the red icon", page(summary=TEXT), "Click the red icon")
    for refinement in (made("missing", maker="rules"), clicks(0.3, maker="rules")):
        assert mode_for(asked, refinement) is None


def test_once_a_step_is_enough():
    asked = situation("Click the gear icon", page(*CONTROLS), "Click the gear icon")
    doubtful = clicks(0.4)
    look = sighted(doubtful, asked, looked=False)
    assert (look.outcome, look.mode, look.proposals) == ("look", "hybrid", ())
    assert sighted(doubtful, asked, looked=True) == doubtful
