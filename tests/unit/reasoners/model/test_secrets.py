"""Secrets: a model is shown a name for each, and what it writes with the name is typed with the value."""

from app.domain.action import ActionRecord, action
from app.domain.directive import Directive, FieldValue, Instruction
from app.domain.page import Node, Observation, Tree
from app.domain.plan import Plan
from app.domain.reasoner import Background, GivenAnswer
from tests.unit.reasoners.model.scripted import acting, opening, reasoner, standing

GOAL = "Log in as bob with password hunter2."
LOGIN = Instruction(
    text=GOAL,
    directives=(
        Directive(
            verb="login",
            fields=(
                FieldValue(field="username", value="bob"),
                FieldValue(field="password", value="hunter2"),
            ),
        ),
    ),
)


def login_page(name: str = "Password") -> Observation:
    return Observation(
        url="https://a.example/login",
        tree=Tree(
            (
                Node(id="1", role="inp", name="User"),
                Node(id="2", role="inp", name=name, input_type="password"),
                Node(id="1234", role="btn", name="Log in"),
            )
        ),
    )


async def test_a_password_of_the_goal_is_typed_but_never_told():
    ask, model = reasoner(
        opening('setValue(1, "bob")', 'setValue(2, "SECRET_1")', "click(1234)"),
        acting("click(1234)"),
    )
    situation = standing(goal=GOAL, page=login_page(), plan=Plan(), instruction=LOGIN)
    first = (await ask.analyse(situation)).first
    assert first.proposals[1].action == action("setValue", "2", "hunter2")
    assert first.proposals[1].description == "Enter the password in the 'Password' field"
    typed = ActionRecord(
        action=first.proposals[1].action, signature=("inp", "Password", ""), status="success"
    )
    await ask.refine(standing(goal=GOAL, page=login_page(), instruction=LOGIN, records=(typed,)))
    for request in model.asked:
        assert "hunter2" not in request.prompt
        assert "SECRET_1" in request.prompt


async def test_a_secret_that_was_answered_is_typed_but_never_told():
    answers = (
        GivenAnswer(question="Your PIN", text="1234"),
        GivenAnswer(question="Your password", text="correct horse"),
    )
    ask, model = reasoner(acting('setValue(2, "SECRET_2")', "click(1234)"))
    situation = standing(page=login_page(), background=Background(answers=answers))
    found = await ask.refine(situation)
    assert found.proposals[0].action == action("setValue", "2", "1234")
    prompt = model.asked[0].prompt
    assert "The person answered: SECRET_1" in prompt
    assert "correct horse" not in prompt
    assert '1234 btn "Log in"' in prompt  # the id of a control, not the secret


async def test_a_word_that_only_holds_a_secret_stays():
    ask, model = reasoner(acting("click(1234)"))
    goal = "Log in with password bob, then open bobsled"
    secret = LOGIN.model_copy(
        update={
            "text": goal,
            "directives": (
                Directive(verb="login", fields=(FieldValue(field="password", value="bob"),)),
            ),
        }
    )
    await ask.refine(standing(goal=goal, page=login_page(), instruction=secret))
    assert "Goal: Log in with password SECRET_1, then open bobsled" in model.asked[0].prompt


async def test_what_goes_into_a_secret_field_is_not_described():
    ask, _ = reasoner(acting('setValue(2, "x9")'))
    found = await ask.refine(standing(page=login_page("API key")))
    assert "x9" not in found.proposals[0].description
