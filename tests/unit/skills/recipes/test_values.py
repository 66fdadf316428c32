"""Values become parameters, wherever they stand; nothing personal is kept."""

from app.domain.action import action
from app.domain.page import MASK
from app.skills import fill_text, missing_parameters, unknown_parameters
from app.skills.recipe_plan import fill_step, matches_path, page_path, unfilled_parameters
from tests.unit.skills.recipes.made import SHOWN, act, adding, click, draft, enter, recipe


def everything(value):
    """All texts of a value, its keys included."""
    if isinstance(value, dict):
        return [text for pair in value.items() for part in pair for text in everything(part)]
    if isinstance(value, list | tuple):
        return [text for part in value for text in everything(part)]
    return [str(value)]


def test_what_was_typed_is_a_parameter_named_by_its_field():
    made = draft(adding())
    assert [(one.name, one.label, one.secret) for one in made.parameters] == [
        ("name", "Name", False),
        ("phone", "Phone", False),
    ]
    assert made.goal == "Add the patient {name} with phone {phone}"


def test_no_value_is_left_anywhere():
    acts = adding()
    acts[-1] = acts[-1].model_copy(update={"description": "Save Jas Patel's data"})
    in_row = click("link", "Edit Jas Patel", "table > row: Jas Patel 1990 Berlin", trip=6)
    kept = recipe([*acts, in_row]).model_dump()
    for text in everything(kept):
        assert not {"Jas", "Patel", "555", "1234", "1990", "Berlin"} & set(text.split()), text


def test_the_record_a_task_is_about_is_a_parameter():
    acts = [click("btn", "Delete Wanda Fischer", "table > row: Wanda Fischer 1961", trip=0)]
    made = draft(acts, "Delete the patient Wanda Fischer")
    (one,) = made.steps[0].actions
    assert made.goal == "Delete the patient {record}"
    assert (one.element.name, one.element.group) == ("Delete {record}", "table > row: {record}")


def test_a_password_is_a_secret_whose_value_is_nowhere():
    typed = enter(MASK, "Password", "form: Sign in", trip=0, secret=True)
    made = recipe([typed], goal=f"Sign in with password {MASK}")
    (parameter,) = made.parameters
    assert (parameter.name, parameter.secret) == ("password", True)
    assert made.steps[0].actions[0].args == {"text": "{password}"}
    assert made.goal == "Sign in with password {password}"


def test_a_secret_is_known_by_its_name_also_where_the_field_says_nothing():
    typed = enter("x", "Access word", trip=0, secret=True)
    (parameter,) = draft([typed], goal="Sign in").parameters
    assert "password" in parameter.name


def test_the_same_value_twice_is_one_parameter_and_two_fields_of_a_name_are_two():
    shown = {"skeleton": SHOWN, "path": "/p"}
    acts = [
        enter("Ann", "Name", trip=0, **shown),
        enter("Ann", "Phone", trip=1, **shown),
        enter("Bob", "Name", "form: Other", trip=2, **shown),
    ]
    made = draft(acts, "Ann and Bob")
    assert [one.name for one in made.parameters] == ["name", "name_2"]
    assert made.goal == "{name} and {name_2}"


def test_what_came_from_the_page_is_asked_for_the_next_time():
    made = draft([enter("A-77", "Order", trip=0, origin="page")], goal="Copy the order number")
    assert [one.name for one in made.parameters] == ["order"]


def test_an_emptied_field_and_a_tick_are_no_parameters():
    ticked = act(action("setChecked", "9", True), "chk", "Urgent", trip=1)
    made = draft([enter("", "Name", trip=0), ticked], goal="Clear the name, tick urgent")
    assert made.parameters == ()
    assert [one.args for step in made.steps for one in step.actions] == [
        {"text": ""},
        {"checked": True},
    ]


def test_addresses_lose_their_ids_and_what_was_searched():
    assert page_path("https://a.example/patients/77/edit?q=jas#top") == "/patients/*/edit"
    assert page_path("https://a.example/#/patients/77?x=1") == "/#/patients/*"
    assert matches_path("/patients/*/edit", "https://a.example/patients/91/edit")
    assert not matches_path("/patients/*", "https://a.example/patients/91/edit")


def test_values_go_in_where_they_came_out():
    made = recipe()
    values = {"name": "{phone} O'Neil", "phone": "1"}
    assert fill_text(made.goal, values) == "Add the patient {phone} O'Neil with phone 1"
    step = fill_step(made.steps[-1], values)
    assert [one.args.get("text") for one in step.actions] == ["{phone} O'Neil", "1", None]
    assert unfilled_parameters(made.steps[-1]) == ("name", "phone")


def test_what_lacks_and_what_is_unknown_is_named():
    made = recipe()
    assert [one.name for one in missing_parameters(made, {"name": "A", "phone": " "})] == ["phone"]
    assert unknown_parameters(made, {"name": "A", "nmae": "B"}) == ("nmae",)
