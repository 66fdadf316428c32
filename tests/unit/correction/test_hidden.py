"""A control that went into a closed menu, and what the page itself must say before a retry."""

from app.domain.action import action
from app.domain.plan import Deed, Plan, PlanStep
from app.engines.correction import propose
from app.engines.reasoner import Situation
from tests.unit.verification.looks import FORM, form, having, n, page, toast

SAVE = Deed(
    action=action("click", "14"),
    status="failure",
    signature=("btn", "Save", FORM),
    error="NOT_INTERACTABLE",
)


def ask(look, *deeds, reason="not visible"):
    plan = Plan(steps=(PlanStep(id="1", description="Save"),))
    return propose(Situation(goal="", page=look, plan=plan, deeds=deeds), reason)


def menu(name="More actions", states="haspopup collapsed"):
    return page(n("10", "inp", "Name", value="Jas", group=FORM), n("60", "btn", name, states))


def test_the_closed_menu_is_opened_and_nothing_pressed_in_it():
    found = ask(menu(), SAVE)
    assert [p.action.text for p in found.proposals] == ['click("60")']
    assert not found.completes_step


def test_neither_an_open_menu_nor_any_button_is_pressed():
    for other in (menu(states="haspopup expanded"), menu(states=""), menu("Delete actions")):
        assert 'click("60")' not in [p.action.text for p in ask(other, SAVE).proposals]


def test_what_a_model_says_invites_no_second_try():
    refused = SAVE.model_copy(update={"error": "VERIFICATION_FAILED"})
    told = "The page says: nothing was saved, please try again"
    assert ask(form("Jas"), refused, reason=told).outcome == "missing"
    shown = having(form("Jas"), toast("Nothing was saved. Please try again", kind="alert"))
    assert ask(shown, refused, reason=told).proposals[-1].action.text == 'click("14")'
