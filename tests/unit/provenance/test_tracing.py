"""What happens to a model's actions when a value has no source."""

from dataclasses import replace

import pytest

from app.domain.action import action
from app.domain.page import DialogDecision, Node, Observation, Tree
from app.domain.plan import Decision, Proposal
from app.domain.reasoner import Background, GivenAnswer, Situation
from app.provenance import enforce_sources, trace_value
from app.provenance.trace import trace_address

TREE = Tree(
    (
        Node(id="1", role="inp", name="Name"),
        Node(id="2", role="inp", name="Middle name"),
        Node(id="3", role="inp", name="Phone number"),
        Node(id="4", role="sel", name="Clinic", options=("North", "South")),
        Node(id="5", role="inp", name="Opening hours of the museum"),
        Node(id="6", role="inp", name="Password", input_type="password"),
        Node(id="7", role="btn", name="Save"),
        Node(id="8", role="file", name="Attachment"),
    )
)
GOAL = "Add Jas Patel with password hunter2"


def situation(goal=GOAL, url="https://app.example.org/patients", **background):
    page = Observation(url=url, tree=TREE, summary="Referred by Ann Lee")
    return Situation(goal=goal, page=page, background=Background(**background))


def refinement(*actions, maker="model", **more):
    proposals = tuple(Proposal(action=a, description=a.name) for a in actions)
    return Decision(outcome="act", maker=maker, proposals=proposals, confidence=0.9, **more)


NAME = action("setValue", "1", "Jas Patel")
INVENTED = action("setValue", "2", "Ray")
PHONE = action("setValue", "3", "555-0100")
SAVE = action("click", "7")


def test_each_value_gets_its_source():
    found = enforce_sources(
        refinement(NAME, action("selectOption", "4", "South"), SAVE), situation()
    )
    assert found.outcome == "act"
    assert [p.provenance and p.provenance.origin for p in found.proposals] == ["goal", "page", None]
    assert found.proposals[0].provenance.excerpt == "Jas Patel"


def test_what_has_no_source_is_left_out_and_what_hands_it_in_too():
    found = enforce_sources(refinement(NAME, INVENTED, PHONE, SAVE), situation())
    assert found.outcome == "act"
    assert [p.action for p in found.proposals] == [NAME]
    assert [why.partition(":")[0] for why in found.unsent] == [
        "Middle name",
        "Phone number",
        "click",
    ]
    assert not found.completes_step
    assert found.expected is None


def test_the_answer_is_a_source():
    answers = (GivenAnswer(question="Middle name", text="It is Ray"),)
    found = enforce_sources(refinement(NAME, INVENTED), situation(answers=answers))
    assert found.outcome == "act"
    assert found.proposals[1].provenance.origin == "answer"
    assert found.proposals[1].provenance.ref == "Middle name"


@pytest.mark.parametrize(
    "said",
    [
        refinement(action("setValue", "2", "MISSING_INFO: middle name")),
        refinement(SAVE, thought="The form wants more. MISSING_INFO: middle name"),
        Decision(outcome="missing", maker="model", reason="MISSING_INFO: [middle name]"),
    ],
    ids=["typed", "thought", "reason"],
)
def test_a_model_may_say_so_itself(said):
    found = enforce_sources(said, situation())
    assert found.outcome == "ask"
    assert found.question.fields == ("middle name",)


def test_rules_are_never_held_back():
    found = enforce_sources(refinement(NAME, INVENTED, SAVE, maker="rules"), situation())
    assert [p.action for p in found.proposals] == [NAME, INVENTED, SAVE]
    assert [p.provenance and p.provenance.origin for p in found.proposals] == ["goal", "goal", None]


def test_a_password_comes_from_the_person_and_is_quoted_nowhere():
    found = enforce_sources(refinement(action("setValue", "6", "hunter2")), situation())
    assert found.proposals[0].provenance.origin == "goal"
    assert "hunter2" not in found.proposals[0].provenance.model_dump_json()
    guessed = enforce_sources(refinement(action("setValue", "6", "Ann")), situation())
    assert guessed.proposals == ()


def test_an_excerpt_holds_nothing_beside_the_value():
    found = enforce_sources(refinement(NAME), situation())
    assert "hunter2" not in found.model_dump_json()


def test_a_prompts_answer_and_a_typed_character_are_values_too():
    dialog = DialogDecision(accept=True, text="Bob")
    asked = Proposal(action=SAVE, description="Save", dialog=dialog)
    act = Decision(outcome="act", maker="model", proposals=(asked,))
    assert enforce_sources(act, situation()).proposals == ()
    assert enforce_sources(act, situation(goal="Rename it to Bob")).proposals
    typed = (action("setValue", "1", "Jas"), action("pressKey", "q"))
    assert enforce_sources(refinement(*typed), situation()).proposals[1:] == ()
    assert enforce_sources(refinement(action("pressKey", "Enter")), situation()).proposals


def test_emptying_a_field_invents_nothing():
    assert enforce_sources(refinement(action("setValue", "1", "")), situation()).outcome == "act"


ADDRESSES = {
    "named in full": ("Open https://docs.example.net/a?b=1", "https://docs.example.net/a?b=1", True),
    "without its scheme": ("go to example.net", "https://www.example.net/", True),
    "a site by its name": ("search GitHub for numpy", "https://github.com/numpy", True),
    "a name of two words": ("go to Hacker News", "https://hackernews.com", True),
    "the same site, by words of the page": ("Open patients", "https://app.example.org/patients", True),
    "another site": ("Open patients", "https://evil.example.com/patients", False),
    "a look-alike": ("search GitHub for numpy", "https://github.evil.com/numpy", False),
    "a strange ending": ("search GitHub for numpy", "https://github.zip/numpy", False),
    "words that nobody said": ("go to example.net", "https://example.net/admin/delete", False),
    "a secret of the goal": ("My password is hunter2x", "https://app.example.org/patients?p=hunter2x", False),
    "a secret in an address": ("Open app.example.org/?p=hunter2", "https://app.example.org/?p=hunter2", True),
    "data carried away": ("go to example.net", "https://example.net/?q=hunter2", False),
}  # fmt: skip


@pytest.mark.parametrize(("goal", "url", "known"), ADDRESSES.values(), ids=ADDRESSES.keys())
def test_an_address_is_named_or_not(goal, url, known):
    assert (trace_address(url, situation(goal=goal)) is not None) is known


def test_an_unknown_address_is_not_gone_to():
    found = enforce_sources(refinement(action("navigate", "https://evil.example.com")), situation())
    assert (found.proposals, len(found.unsent)) == ((), 1)


def test_what_a_person_said_comes_before_what_the_page_shows():
    assert trace_value("Ann Lee", situation(goal="Add Ann Lee")).origin == "goal"
    assert trace_value("Ann Lee", situation()).origin == "page"


CODE = tuple(Node(id=str(at), role="inp", name=f"Digit {at}") for at in range(1, 5))


def keys(text, focus=None, goal="Confirm with the code 4826"):
    nodes = (*CODE, Node(id="9", role="el", name="Game", states=frozenset({"focused"})))
    shown = tuple(n for n in nodes if n.id != "9") if focus else nodes
    tree = [replace(n, states=frozenset({"focused"})) if n.id == focus else n for n in shown]
    page = Observation(url="https://bank.example", tree=Tree.of(tree))
    return enforce_sources(
        refinement(*(action("pressKey", key) for key in text)), Situation(goal=goal, page=page)
    )


def test_keys_that_follow_one_another_enter_one_value():
    assert len(keys("4826", focus="1").proposals) == 4
    assert keys("4827", focus="1").proposals == ()


def test_keys_that_go_into_no_field_enter_nothing():
    assert len(keys("wwad", goal="Win the game").proposals) == 4


@pytest.mark.parametrize(("digits", "sent"), [("4826", 4), ("4827", 0)])
def test_a_code_is_one_value_however_many_boxes_take_it(digits, sent):
    page = Observation(url="https://bank.example", tree=Tree(CODE))
    acts = (action("setValue", str(at), digit) for at, digit in enumerate(digits, start=1))
    found = enforce_sources(
        refinement(*acts), Situation(goal="Confirm with the code 4826", page=page)
    )
    assert len(found.proposals) == sent


def test_a_made_file_needs_a_source_for_what_it_holds_and_not_for_its_name():
    goal = "Attach a note: Jas Patel comes at noon"
    made = action("uploadFile", "8", "note.txt", "Jas Patel comes at noon")
    found = enforce_sources(refinement(made), situation(goal))
    assert [(p.action, p.provenance.origin) for p in found.proposals] == [(made, "goal")]
    invented = enforce_sources(
        refinement(action("uploadFile", "8", "note.txt", "Call 555-0100")), situation(goal)
    )
    assert not invented.proposals
    assert invented.unsent[0].startswith("Attachment: ")


def test_a_file_of_the_persons_is_named_by_the_person_alone():
    shown = enforce_sources(
        refinement(action("uploadFile", "8", "Ann Lee")), situation("Attach it")
    )
    assert not shown.proposals
