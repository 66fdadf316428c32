from app.domain.directive import Directive, FieldValue, Target
from tests.unit.reasoners.commands.pages import Page, node, run

FORM = "form: New customer"


def shop() -> Page:
    """A nav with a menu that hides the way to the form."""

    def opened(page: Page) -> None:
        page.put("2", states=frozenset({"haspopup", "expanded"}))
        page.nodes += [
            node("10", "menu", "New", group="nav: Main > menu: Customer"),
            node("11", "menu", "Search", group="nav: Main > menu: Customer"),
        ]

    def form(page: Page) -> None:
        page.nodes = [
            node("20", "inp", "Name", "required", group=FORM),
            node("21", "inp", "Phone", group=FORM),
            node("22", "sel", "Sex", options=("", "Female", "Male"), group=FORM),
            node("23", "btn", "Save", group=FORM, input_type="submit"),
            node("24", "btn", "Cancel", group=FORM),
        ]

    def saved(page: Page) -> None:
        page.nodes = [node("30", "txt", "Customer saved", "status")]

    return Page(
        [
            node("1", "link", "Home", group="nav: Main"),
            node("2", "btn", "Customer", "haspopup", "collapsed", group="nav: Main"),
            node("3", "btn", "Reports", "haspopup", "collapsed", group="nav: Main"),
        ],
        {("click", "2"): opened, ("click", "10"): form, ("click", "23"): saved},
    )


def create(*fields: FieldValue) -> Directive:
    return Directive(verb="create", target=Target(phrase="customer"), fields=fields)


def test_a_new_record_is_reached_through_the_menu_filled_and_saved():
    done = run(shop(), create(FieldValue(field="name", value="Jas")))
    assert done.calls == ['click("2")', 'click("10")', 'setValue("20", "Jas")', 'click("23")']
    assert [step.description for step in done.plan.steps] == [
        "Open the form for a new customer",
        "Enter 'Jas' as name",
        "Save",
    ]


def test_several_fields_of_a_form_are_one_round_trip():
    fields = [("name", "Jas"), ("phone", "555"), ("sex", "female")]
    done = run(shop(), create(*(FieldValue(field=f, value=v) for f, v in fields)))
    assert done.trips[2] == [
        'setValue("20", "Jas")',
        'setValue("21", "555")',
        'selectOption("22", "Female")',
    ]


def test_without_saving_nothing_is_saved():
    done = run(shop(), create(FieldValue(field="name", value="Jas")), forbidden_verbs=("submit",))
    assert done.calls[-1] == 'setValue("20", "Jas")'


def test_what_the_page_has_nothing_to_do_with_is_given_up_at_once():
    done = run(shop(), Directive(verb="create", target=Target(phrase="flight")))
    assert done.last.outcome == "missing"
    assert len(done.trips) <= 2
    assert "flight" in done.last.reason
    assert "Customer" in done.last.reason
