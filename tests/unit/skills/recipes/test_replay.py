"""A recipe's step on a page: all of its controls are found, or nothing is done."""

from dataclasses import replace

from app.domain.action import ActionRecord, action
from app.domain.plan import Plan
from app.domain.reasoner import Background, Situation
from app.skills import as_answers, explain_mismatch, plan_recipe, replay_step
from app.skills.recipe_plan import ask_for_parameter, matches_path
from tests.unit.skills.recipes.made import FORM, SITE, adding, click, enter, node, page, recipe

VALUES = {"name": "Robin Moss", "phone": "0161 1"}
FORM_PAGE = page(
    node(1, "inp", "Name", FORM),
    node(2, "inp", "Phone", FORM),
    node(3, "btn", "Save", FORM, input_type="submit"),
    path="/patients/new",
)
LIST = page(node(1, "btn", "Patient", "nav"), node(2, "inp", "Search"))


def at(seen, values=VALUES, made=None, **more):
    """The situation of a run that has come to that page."""
    kept = made or recipe()
    steps = plan_recipe(kept, f"{SITE}/", values).steps
    current = next((n for n, s in enumerate(steps) if matches_path(s.recorded.path, seen.url)), 0)
    plan = Plan(steps=steps, current=current, maker="recipe")
    background = Background(answers=as_answers(values))
    return Situation(goal=kept.goal, page=seen, plan=plan, background=background)


def went_on(situation, found, seen):
    """The same run after what was found was done, on the page it left."""
    plan = found.plan or situation.plan
    done = [
        ActionRecord(action=one.action, step=plan.current, status="success", purpose=one.purpose)
        for one in found.proposals
    ]
    if found.completes_step:
        plan = plan.advanced()
    return replace(situation, page=seen, plan=plan, records=(*situation.records, *done))


def calls(found):
    return [one.action.text for one in found.proposals]


def test_it_begins_where_the_recipe_does():
    plan = plan_recipe(recipe(), FORM_PAGE.url, VALUES)
    first = replay_step(Situation(goal="", page=FORM_PAGE, plan=plan))
    assert calls(first) == [f'navigate("{SITE}/")']
    assert calls(replay_step(at(LIST))) == ['click("1")']


def test_a_step_is_sent_at_once():
    assert calls(replay_step(at(FORM_PAGE))) == [
        'setValue("1", "Robin Moss")',
        'setValue("2", "0161 1")',
        'click("3")',
    ]


def test_a_page_that_is_another_is_waited_for_once_and_left_alone():
    situation = at(page(node(1, "inp", "Name", FORM), path="/patients/new"))
    waits = replay_step(situation)
    assert calls(waits) == ["wait(1000)"]
    found = replay_step(went_on(situation, waits, situation.page))
    assert (found.outcome, found.proposals) == ("missing", ())
    assert found.reason == (
        "This is not the page that the recipe was recorded on: 'Phone' is not there"
    )


def test_the_same_controls_on_another_page_are_not_it():
    one = recipe([click("btn", "Save", FORM, trip=0, path="/patients/new")])
    seen = page(node(3, "btn", "Save", FORM), path="/staff/new")
    plan = Plan(steps=plan_recipe(one, f"{SITE}/patients/new", {}).steps, maker="recipe")
    found = replay_step(Situation(goal="", page=seen, plan=plan))
    assert calls(found) == ["wait(1000)"]


def test_a_control_that_goes_by_another_label_is_known_again_and_told():
    renamed = page(
        node(1, "inp", "Full name", FORM),
        node(2, "inp", "Phone", FORM),
        node(3, "btn", "Save", "form: Patient", input_type="submit"),
        path="/patients/new",
    )
    found = replay_step(at(renamed))
    assert calls(found)[0] == 'setValue("1", "Robin Moss")'
    assert "Healed: 'Name' is now called 'Full name'" in found.thought
    assert "'Save' is in another place" in found.thought


def test_of_two_that_could_be_it_none_is_taken():
    two = page(
        node(1, "btn", "Delete", "section: A"), node(2, "btn", "Delete", "section: B"), path="/"
    )
    one = recipe([click("btn", "Delete", "section: C", trip=0)], goal="Delete it")
    assert calls(replay_step(at(two, {}, one))) == ["wait(1000)"]


def test_another_record_is_never_taken_for_the_one_that_was_named():
    made = recipe([click("btn", "Delete", "table > row: Ann Bo", trip=0)], goal="Delete Ann Bo")
    assert made.parameters[0].name == "delete" or made.parameters[0].name == "record"
    values = {made.parameters[0].name: "Cid Dee"}
    rows = page(node(1, "btn", "Delete", "table > row: Eve Fox"))
    assert calls(replay_step(at(rows, values, made))) == ["wait(1000)"]
    both = page(*rows.tree, node(2, "btn", "Delete", "table > row: Cid Dee, Bonn"))
    assert calls(replay_step(at(both, values, made))) == ['click("2")']


def test_what_was_sent_of_a_step_is_not_sent_again():
    situation = at(FORM_PAGE)
    sent = ActionRecord(
        action=action("setValue", "1", "Robin Moss"), step=situation.plan.current, status="success"
    )
    found = replay_step(replace(situation, records=(sent,)))
    assert calls(found) == ['setValue("2", "0161 1")', 'click("3")']


def test_a_missing_value_is_asked_for_and_taken():
    situation = at(LIST, {"name": "Robin Moss"})
    found = replay_step(situation)
    assert (found.outcome, found.question.text) == ("ask", ask_for_parameter("phone"))
    assert found.question.return_to == "step_refinement/continue"
    answers = (*situation.background.answers, *as_answers({"phone": "0161 1"}))
    there = at(FORM_PAGE, {"name": "Robin Moss"})
    told = replace(there, background=Background(answers=answers))
    assert calls(replay_step(told))[1] == 'setValue("2", "0161 1")'


def test_a_secret_is_asked_for_where_its_field_is():
    typed = enter("", "Password", "form: Sign in", trip=1, secret=True, path="/login")
    opened = click("link", "Members", "nav", trip=0, skeleton="nav: link Members")
    made = recipe([opened, typed], goal="Sign in")
    situation = at(page(node(1, "link", "Members", "nav")), {}, made)
    assert replay_step(situation).outcome == "act"
    field = page(node(2, "inp", "Password", "form: Sign in", input_type="password"), path="/login")
    assert replay_step(at(field, {}, made)).outcome == "ask"


def test_what_may_be_missing_is_passed_over():
    away = click("btn", "Close", "dialog: News", trip=9, aside=True, path="/patients/new")
    acts = adding()
    situation = at(FORM_PAGE, made=recipe([*acts[:2], away, *acts[2:]]))
    passed = replay_step(situation)
    assert passed.outcome == "done"
    then = replace(situation, plan=situation.plan.advanced())
    assert calls(replay_step(then))[0] == 'setValue("1", "Robin Moss")'


def test_the_next_steps_control_is_required_of_the_page():
    found = replay_step(at(LIST))
    goal = found.expected.next_goal
    assert (goal.text, goal.required) == ("New", True)


def test_it_is_for_its_site_alone():
    assert explain_mismatch(recipe(), f"{SITE}/any") is None
    assert "crm.example" in explain_mismatch(recipe(), "https://other.example/")
    assert explain_mismatch(recipe(), "about:blank")
