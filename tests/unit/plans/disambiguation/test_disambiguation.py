"""Which of several a person means: what is asked, and what of a choice is kept."""

import pytest

from app.domain.directive import Candidate, Directive, Target
from app.domain.memory import SiteChoice
from app.domain.page import ElementRef, Node, Observation, Tree
from app.domain.plan import Decision, PlanStep
from app.domain.reasoner import Situation
from app.plans import (
    choice_question,
    is_reusable,
    make_choice,
    narrow_page,
    needs_person,
    select_options,
)
from app.plans.choice_question import MOST_OPTIONS, list_options


def page_of(*nodes: Node) -> Observation:
    return Observation(url="https://crm.example/", tree=Tree(nodes))


def edit(node_id: str, group: str, name: str = "Edit", role: str = "btn", **more: object) -> Node:
    return Node(id=node_id, role=role, name=name, group=group, **more)


def candidates(*nodes: Node) -> tuple[Candidate, ...]:
    return tuple(
        Candidate(id=n.id, role=n.role, name=n.name, group=n.group, score=0.9) for n in nodes
    )


def labels_of(*nodes: Node, page: Observation | None = None) -> list[str]:
    return [one.label for one in list_options(candidates(*nodes), page or page_of(*nodes))]


def step_to(verb: str, phrase: str = "Jas", **more: object) -> PlanStep:
    directive = Directive(verb=verb, target=Target(phrase=phrase, **more))
    return PlanStep(id="1", description="x", directive=directive)


BILLING, SHIPPING = edit("1", "section: Billing"), edit("2", "section: Shipping")
PAGE = page_of(BILLING, SHIPPING, edit("3", "", "Home"))
UNSURE = Decision(outcome="ambiguous", candidates=candidates(SHIPPING, BILLING), about="edit")


def chosen(node: Node, phrase: str = "edit", choice_id: str = "") -> SiteChoice:
    element = ElementRef(role=node.role, name=node.name, group=node.group)
    return SiteChoice(choice_id=choice_id, tenant="", domain="", phrase=phrase, element=element)


def test_options_are_numbered_as_they_stand_on_the_page():
    options = list_options(UNSURE.candidates, PAGE)
    assert [(one.id, one.label, one.element_id) for one in options] == [
        ("1", "Edit (section: Billing)", "1"),
        ("2", "Edit (section: Shipping)", "2"),
    ]


@pytest.mark.parametrize(
    ("nodes", "told"),
    [
        (
            (edit("1", "row: Jas, 1990", "Jas", "link"), edit("2", "row: Jas, 1985", "Jas", "link")),
            ["Jas, 1990", "Jas, 1985"],
        ),
        (
            (edit("1", "form: Patient > row: Ann"), edit("2", "form: Visit > row: Ann")),
            ["Edit (row: Ann; form: Patient)", "Edit (row: Ann; form: Visit)"],
        ),
        (
            (edit("1", "row: Ann"), edit("2", "row: Ann")),
            ["Edit (row: Ann), 1st from the top", "Edit (row: Ann), 2nd from the top"],
        ),
        (
            (edit("1", "form: Billing", "City", "inp"), edit("2", "form: Shipping", "City", "inp")),
            ["City (form: Billing)", "City (form: Shipping)"],
        ),
        (
            (edit("1", "row: Jas > menu: More", "Delete"), edit("2", "row: Ann > menu: More", "Delete")),
            ["Delete (row: Jas)", "Delete (row: Ann)"],
        ),
    ],
)  # fmt: skip
def test_candidates_are_told_apart_by_where_they_stand(nodes, told):
    assert labels_of(*nodes) == told


def test_what_a_field_holds_is_not_shown():
    nodes = [
        edit(str(n), "row: Ann", "PIN", "inp", value="secret", input_type="password")
        for n in (1, 2)
    ]
    assert "secret" not in " ".join(labels_of(*nodes))


def test_labels_are_short_and_plain():
    nodes = (edit("1", "row: " + "A\u202e" * 300), edit("2", "row: " + "B" * 300, "Edit\n" * 99))
    for text in labels_of(*nodes):
        assert len(text) <= 80
        assert text.isprintable()


def test_no_more_options_than_keys_and_the_rest_by_words():
    nodes = tuple(edit(str(n), f"section: S{n}") for n in range(14))
    refinement = Decision(outcome="ambiguous", candidates=candidates(*nodes), about="edit")
    asked = choice_question(refinement, page_of(*nodes))
    assert (len(asked.options), len(asked.further)) == (MOST_OPTIONS, 5)
    assert "14 things" in asked.text
    assert "first 9" in asked.text
    assert select_options(asked, "S12").options[0].element_id == "12"


def test_nothing_is_asked_where_there_is_nothing_to_choose():
    gone = page_of(BILLING)
    assert choice_question(UNSURE, gone) is None
    assert choice_question(Decision(outcome="ambiguous"), PAGE) is None


@pytest.mark.parametrize(
    ("step", "several"),
    [
        (step_to("delete"), True),
        (step_to("check"), True),
        (step_to("click", "Edit", within="Jas"), False),
        (step_to("open"), False),
        (step_to("edit"), False),
        (step_to("fill"), False),
        (step_to("delete", ordinal=2), False),
        (step_to("click", "Jas"), False),
        (None, False),
    ],
)
def test_several_may_be_meant_where_the_deed_can_be_done_to_each(step, several):
    nodes = (edit("1", "row: Jas, 1990"), edit("2", "row: Jas, 1985"))
    found = Decision(outcome="ambiguous", candidates=candidates(*nodes), about="Jas")
    asked = choice_question(found, page_of(*nodes), step)
    assert asked.multiple is several
    assert ("all" in asked.text) is several


def test_a_choice_leaves_what_was_meant_and_all_that_is_no_candidate():
    left, _ = narrow_page(UNSURE, PAGE, (chosen(SHIPPING),))
    assert [node.id for node in left.tree] == ["2", "3"]


def test_the_choice_made_now_goes_before_what_is_remembered():
    choices = (chosen(SHIPPING, choice_id="k"), chosen(BILLING))
    assert [node.id for node in narrow_page(UNSURE, PAGE, choices)[0].tree] == ["1", "3"]
    assert narrow_page(UNSURE, PAGE, choices[:1])[1] == "You chose Edit (Shipping) last time."


def test_a_choice_counts_for_the_same_words_alone():
    for kept in ("", "k"):
        assert narrow_page(UNSURE, PAGE, (chosen(SHIPPING, choice_id=kept),)) is not None
        assert narrow_page(UNSURE, PAGE, (chosen(SHIPPING, "open", choice_id=kept),)) is None


def test_a_choice_that_is_not_there_decides_nothing():
    other = edit("9", "section: Notes")
    assert narrow_page(UNSURE, PAGE, (chosen(other),)) is None
    assert narrow_page(UNSURE, PAGE, ()) is None


@pytest.mark.parametrize(
    ("node", "lasts"),
    [
        (SHIPPING, True),
        (edit("1", "form: Order > row: Ann Lee"), False),
        (edit("1", "list: Orders > item: 12"), False),
        (edit("1", "section: Danger", "Delete account"), False),
        (Node(id="1", role="row", name="Ann Lee"), False),
    ],
)
def test_what_may_be_remembered(node, lasts):
    assert is_reusable(chosen(node)) is lasts
    unsure = Decision(
        outcome="ambiguous", candidates=candidates(node, edit("8", "x")), about="edit"
    )
    page = page_of(node, edit("8", "x"))
    assert (narrow_page(unsure, page, (chosen(node, choice_id="k"),)) is not None) is lasts


def test_a_choice_holds_the_words_and_the_element():
    question = choice_question(UNSURE, PAGE)
    made = make_choice(question, select_options(question, "2").options[0], "crm.example")
    assert (made.phrase, made.element.group, made.choice_id) == ("edit", "section: Shipping", "")


@pytest.mark.parametrize(
    ("goal", "asks"),
    [
        ("Click Edit", True),
        ("Click Edit, the one for the parcel's shipping", False),
    ],
)
def test_a_person_is_asked_where_no_word_that_was_said_tells_them_apart(goal, asks):
    assert needs_person(UNSURE, Situation(goal=goal, page=PAGE)) is asks
