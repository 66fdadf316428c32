"""A recipe's step on a page: all of its controls are found, or nothing is done."""

from dataclasses import replace

from app.domain.action import action
from app.domain.background import Background
from app.domain.plan import Deed, Plan
from app.engines.grounding import Grounder
from app.engines.reasoner import Situation
from app.engines.recipes import given, plan_for, replayed, strange
from app.engines.recipes.filling import asking
from tests.unit.recipes.made import FORM, SITE, adding, click, enter, node, page, recipe

VALUES = {"name": "Robin Moss", "phone": "0161 1"}
FORM_PAGE = page(
    node(1, "inp", "Name", FORM),
    node(2, "inp", "Phone", FORM),
    node(3, "btn", "Save", FORM, input_type="submit"),
    path="/patients/new",
)
LIST = page(node(1, "btn", "Patient", "nav"), node(2, "inp", "Search"))


def at(seen, values=VALUES, made=None, **more):
    """The situation of a run that has just begun on that page."""
    kept = made or recipe()
    background = Background(answers=given(values))
    return Situation(
        goal=kept.goal, page=seen, plan=plan_for(kept, seen.url, values), background=background
    )


def went_on(situation, found, seen):
    """The same run after what was found was done, on the page it left."""
    plan = found.plan or situation.plan
    done = [
        Deed(action=one.action, step=plan.current, status="success", purpose=one.purpose)
        for one in found.proposals
    ]
    if found.completes_step:
        plan = plan.advanced()
    return replace(situation, page=seen, plan=plan, deeds=(*situation.deeds, *done))


def calls(found):
    return [one.action.text for one in found.proposals]


def test_the_way_to_a_form_that_has_an_address_is_not_gone():
    situation = at(LIST)
    first = replayed(situation, Grounder())
    assert calls(first) == [f'navigate("{SITE}/patients/new")']
    then = replayed(went_on(situation, first, FORM_PAGE), Grounder())
    assert calls(then) == [
        'setValue("1", "Robin Moss")',
        'setValue("2", "0161 1")',
        'click("3")',
    ]


def test_where_the_work_is_done_nothing_leads_there():
    assert calls(replayed(at(FORM_PAGE), Grounder()))[0] == 'setValue("1", "Robin Moss")'


def test_an_address_that_leads_elsewhere_is_waited_at_once_then_the_whole_way_is_gone():
    situation = at(LIST)
    situation = went_on(situation, replayed(situation, Grounder()), LIST)
    waits = replayed(situation, Grounder())
    assert calls(waits) == ["wait(1000)"]
    situation = went_on(situation, waits, LIST)
    back = replayed(situation, Grounder())
    assert calls(back) == [f'navigate("{SITE}/")']
    situation = went_on(situation, back, LIST)
    assert calls(replayed(situation, Grounder())) == ['click("1")']


def test_the_whole_way_is_gone_once():
    situation = at(LIST)
    seen = []
    for _ in range(8):
        found = replayed(situation, Grounder())
        if found.outcome != "act":
            break
        seen += calls(found)
        situation = went_on(situation, found, page(node(1, "btn", "Other")))
    assert found.outcome == "missing"
    assert seen.count(f'navigate("{SITE}/")') == 1


def test_a_page_that_is_another_is_left_alone():
    situation = at(page(node(1, "inp", "Name", FORM), path="/patients/new"))
    waited = went_on(situation, replayed(situation, Grounder()), situation.page)
    plan = Plan(steps=waited.plan.steps[-1:], current=0, maker="recipe")
    found = replayed(replace(waited, plan=plan, deeds=_moved(waited.deeds)), Grounder())
    assert (found.outcome, found.proposals) == ("missing", ())
    assert found.reason == ("The page is another than the recipe was made on: 'Phone' is not there")


def _moved(deeds):
    return tuple(deed.model_copy(update={"step": 0}) for deed in deeds)


def test_the_same_controls_on_another_page_are_not_it():
    one = recipe([click("btn", "Save", FORM, trip=0, path="/patients/new")])
    seen = page(node(3, "btn", "Save", FORM), path="/staff/new")
    plan = Plan(steps=plan_for(one, f"{SITE}/patients/new", {}).steps, maker="recipe")
    found = replayed(Situation(goal="", page=seen, plan=plan), Grounder())
    assert calls(found) == ["wait(1000)"]


def test_a_control_that_goes_by_another_label_is_known_again_and_told():
    renamed = page(
        node(1, "inp", "Full name", FORM),
        node(2, "inp", "Phone", FORM),
        node(3, "btn", "Save", "form: Patient", input_type="submit"),
        path="/patients/new",
    )
    found = replayed(at(renamed), Grounder())
    assert calls(found)[0] == 'setValue("1", "Robin Moss")'
    assert "Healed: 'Name' is now called 'Full name'" in found.thought
    assert "'Save' is in another place" in found.thought


def test_of_two_that_could_be_it_none_is_taken():
    two = page(
        node(1, "btn", "Delete", "section: A"), node(2, "btn", "Delete", "section: B"), path="/"
    )
    one = recipe([click("btn", "Delete", "section: C", trip=0)], goal="Delete it")
    assert calls(replayed(at(two, {}, one), Grounder())) == ["wait(1000)"]


def test_another_record_is_never_taken_for_the_one_that_was_named():
    made = recipe([click("btn", "Delete", "table > row: Ann Bo", trip=0)], goal="Delete Ann Bo")
    assert made.parameters[0].name == "delete" or made.parameters[0].name == "record"
    values = {made.parameters[0].name: "Cid Dee"}
    rows = page(node(1, "btn", "Delete", "table > row: Eve Fox"))
    assert calls(replayed(at(rows, values, made), Grounder())) == ["wait(1000)"]
    both = page(*rows.tree, node(2, "btn", "Delete", "table > row: Cid Dee, Bonn"))
    assert calls(replayed(at(both, values, made), Grounder())) == ['click("2")']


def test_what_was_sent_of_a_step_is_not_sent_again():
    situation = at(FORM_PAGE)
    sent = Deed(
        action=action("setValue", "1", "Robin Moss"), step=situation.plan.current, status="success"
    )
    found = replayed(replace(situation, deeds=(sent,)), Grounder())
    assert calls(found) == ['setValue("2", "0161 1")', 'click("3")']


def test_a_missing_value_is_asked_for_and_taken():
    situation = at(LIST, {"name": "Robin Moss"})
    found = replayed(situation, Grounder())
    assert (found.outcome, found.question.text) == ("ask", asking("phone"))
    assert found.question.return_to == "step_refinement/continue"
    answers = (*situation.background.answers, *given({"phone": "0161 1"}))
    told = replace(
        situation, background=Background(answers=answers), page=FORM_PAGE,
        plan=plan_for(recipe(), FORM_PAGE.url, {"name": "Robin Moss"}),
    )  # fmt: skip
    assert calls(replayed(told, Grounder()))[1] == 'setValue("2", "0161 1")'


def test_a_secret_is_asked_for_where_its_field_is():
    typed = enter("", "Password", "form: Sign in", trip=1, secret=True, path="/login")
    opened = click("link", "Members", "nav", trip=0, skeleton="nav: link Members")
    made = recipe([opened, typed], goal="Sign in")
    situation = at(page(node(1, "link", "Members", "nav")), {}, made)
    assert replayed(situation, Grounder()).outcome == "act"
    field = page(node(2, "inp", "Password", "form: Sign in", input_type="password"), path="/login")
    assert replayed(at(field, {}, made), Grounder()).outcome == "ask"


def test_what_may_be_missing_is_passed_over():
    away = click("btn", "Close", "dialog: News", trip=9, aside=True, path="/patients/new")
    acts = adding()
    situation = at(FORM_PAGE, made=recipe([*acts[:2], away, *acts[2:]]))
    passed = replayed(situation, Grounder())
    assert passed.outcome == "done"
    then = replace(situation, plan=situation.plan.advanced())
    assert calls(replayed(then, Grounder()))[0] == 'setValue("1", "Robin Moss")'


def test_the_next_steps_control_is_required_of_the_page():
    situation = at(LIST, made=recipe())
    plan = situation.plan.model_copy(update={"current": 0})
    found = replayed(replace(situation, plan=plan), Grounder())
    goal = found.expected.next_goal
    assert (goal.text, goal.required) == ("New", True)


def test_it_is_for_its_site_alone():
    assert strange(recipe(), f"{SITE}/any") is None
    assert "crm.example" in strange(recipe(), "https://other.example/")
    assert strange(recipe(), "about:blank")
