from app.domain.directive import Directive, FieldValue, Instruction, Target
from app.reasoners.commands.expansion import expand, plan_instruction


def lines(*directives: Directive, **more: object) -> list[str]:
    steps = plan_instruction(Instruction(text="", directives=directives, **more)).steps
    return [step.description for step in steps]


def test_a_create_is_reached_filled_and_saved():
    name = FieldValue(field="name", value="Jas")
    made = Directive(verb="create", target=Target(phrase="patient"), fields=(name,))
    assert lines(made) == ["Open the form for a new patient", "Enter 'Jas' as name", "Save"]


def test_settings_said_after_an_edit_are_made_before_it_is_saved():
    edit = Directive(verb="edit", target=Target(phrase="patient", within="Jas"))
    phone = Directive(verb="fill", target=Target(phrase="phone"), value="555")
    verbs = [d.verb for d in expand(Instruction(text="", directives=(edit, phone)))]
    assert verbs == ["edit", "fill", "submit"]


def test_a_form_the_person_leaves_themselves_is_not_left_twice():
    fields = (FieldValue(field="username", value="u"), FieldValue(field="password", value="p"))
    login = Directive(verb="login", fields=fields)
    press = Directive(verb="click", target=Target(phrase="Login"))
    assert lines(login, press)[-1] == "Click 'Login'"
    assert len(lines(login, press)) == 2


def test_a_password_is_never_shown_in_the_plan():
    login = Directive(
        verb="login",
        fields=(
            FieldValue(field="username", value="ann"),
            FieldValue(field="password", value="s3c"),
        ),
    )
    fill = Directive(verb="fill", target=Target(phrase="password"), value="s3c")
    assert "s3c" not in " ".join(lines(login) + lines(fill))


def test_what_is_forbidden_is_no_step():
    made = Directive(verb="create", target=Target(phrase="patient"))
    assert lines(made, forbidden_verbs=("submit",)) == ["Open the form for a new patient"]


def test_choices_in_a_row_are_one_step():
    said = [Directive(verb="select", value=value) for value in ("red", "green", "blue")]
    assert lines(*said) == ["Choose 'red', 'green' and 'blue'"]
    boxes = [Directive(verb="check", target=Target(phrase=p)) for p in ("news", "terms")]
    assert lines(*boxes) == ["Check 'news' and 'terms'"]


def test_choices_of_different_lists_stay_apart():
    one = Directive(verb="select", target=Target(phrase="size"), value="L")
    two = Directive(verb="select", target=Target(phrase="color"), value="red")
    assert len(lines(one, two)) == 2


def test_finding_a_record_says_where_to_press():
    found = Directive(verb="find", target=Target(phrase="email", within="Ann"))
    star = Directive(verb="click", target=Target(phrase="star"))
    (step,) = expand(Instruction(text="", directives=(found, star)))
    assert step.target is not None
    assert (step.target.phrase, step.target.within) == ("star", "Ann")
