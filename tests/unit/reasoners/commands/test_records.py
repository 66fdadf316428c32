from app.domain.directive import Directive, FieldValue, Target
from app.domain.page import Node
from app.reasoners.commands import parse
from tests.unit.reasoners.commands.pages import Page, node, run


def rows(*names: str) -> list[Node]:
    return [
        made
        for name in names
        for made in (
            node(f"e{name}", "link", "Edit", group=f"section: People > row: {name}, 1990"),
            node(f"d{name}", "btn", "Delete", group=f"section: People > row: {name}, 1990"),
        )
    ]


def people(*names: str, search: bool = False) -> Page:
    page = Page(rows(*names))

    def asked(page: Page) -> None:
        page.nodes += [
            node("yes", "btn", "Delete", group="dialog: Delete this person?"),
            node("no", "btn", "Cancel", group="dialog: Delete this person?"),
        ]

    def gone(page: Page) -> None:
        doomed = next(d for d in reversed(page.done) if d.startswith("d"))
        page.nodes = [n for n in page.nodes if n.id not in {"yes", "no", doomed, "e" + doomed[1:]}]

    page.done = []
    for name in (*names, "Zed"):

        def press(page: Page, at: str = f"d{name}") -> None:
            page.done.append(at)
            asked(page)

        page.on[("click", f"d{name}")] = press
    page.on[("click", "yes")] = gone
    if search:
        page.nodes.insert(0, node("s", "inp", "Search people", input_type="search"))
        page.on[("pressKey", "Enter")] = lambda page: page.nodes.extend(rows("Zed"))
    return page


def delete(phrase: str, **more: object) -> Directive:
    return Directive(verb="delete", target=Target(phrase=phrase, **more))


def test_the_row_is_deleted_and_only_that_is_confirmed():
    done = run(people("Ann", "Bo", "Cy"), delete("person", within="Bo"))
    assert done.calls == ['click("dBo")', 'click("yes")']
    assert done.last.outcome in {"act", "done"}


def test_a_button_that_now_asks_has_deleted_nothing():
    page = Page(rows("Ann", "Bo", "Cy"))
    page.on[("click", "dBo")] = lambda page: page.put("dBo", name="Are you sure?")
    done = run(page, delete("Bo"))
    assert done.calls == ['click("dBo")']
    assert done.last.outcome == "missing"


def test_a_record_that_is_nowhere_is_not_another_one():
    done = run(people("Ann", "Bo"), delete("Xavier"))
    assert done.calls == []
    assert done.last.outcome == "missing"
    assert "Xavier" in done.last.reason


def test_all_are_deleted_one_after_the_other():
    page = people("Ann", "Bo")
    page.nodes.append(node("h", "link", "Home", group="nav"))
    done = run(page, delete("people", all=True))
    assert done.calls == ['click("dAnn")', 'click("yes")', 'click("dBo")', 'click("yes")']


def test_a_dialog_nobody_asked_for_is_not_agreed_to():
    page = Page([*rows("Ann"), node("y", "btn", "Yes, send it", group="dialog: Send report?")])
    done = run(page, Directive(verb="click", target=Target(phrase="Export")))
    assert done.calls == []


def test_an_edit_opens_the_record_changes_it_and_saves():
    page = people("Ann", "Bo")

    def opened(page: Page) -> None:
        page.nodes = [
            node("1", "inp", "Phone", value="1", group="form: Edit Bo"),
            node("2", "btn", "Save", group="form: Edit Bo", input_type="submit"),
        ]

    page.on[("click", "eBo")] = opened
    edit = Directive(
        verb="edit", target=Target(phrase="Bo"), fields=(FieldValue(field="phone", value="5"),)
    )
    assert run(page, edit).calls == ['click("eBo")', 'setValue("1", "5")', 'click("2")']


def test_logging_in_goes_where_the_password_is_asked_for():
    def opened(page: Page) -> None:
        page.nodes = [
            node("2", "inp", "Username", group="form"),
            node("3", "inp", "Password", group="form", input_type="password"),
            node("4", "btn", "Sign in", group="form", input_type="submit"),
        ]

    page = Page([node("1", "link", "Sign in")], {("click", "1"): opened})
    fields = (FieldValue(field="username", value="ann"), FieldValue(field="password", value="s3c"))
    done = run(page, Directive(verb="login", fields=fields))
    assert done.trips == [
        ['click("1")'],
        ['setValue("2", "ann")', 'setValue("3", "s3c")'],
        ['click("4")'],
    ]


def read(question: str) -> Directive:
    (asked,) = parse(question).directives
    return asked


TABLE = "People\nName | Phone | City\nAnn | 555 | Rome\nBo | 777 | Oslo"


def test_a_question_is_answered_from_the_row_of_whom_it_is_about():
    done = run(Page([node("1", "btn", "x")], summary=TABLE), read("What is the phone of Bo?"))
    assert (done.last.outcome, done.last.reason) == ("answer", "Phone: 777")
    own = run(Page([node("1", "btn", "x")], summary=TABLE), read("What is Ann's city?"))
    assert own.last.reason == "City: Rome"


def test_a_question_the_page_does_not_answer_is_not_answered():
    done = run(Page([node("1", "btn", "x")], summary=TABLE), read("What is the salary of Bo?"))
    assert done.last.outcome == "missing"
