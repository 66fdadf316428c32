"""Going back from a page that an action led to by mistake."""

import pytest

from app.domain.action import action
from app.domain.plan import Deed, Plan, PlanStep
from app.engines.correction import propose
from app.engines.reasoner import Situation
from tests.unit.verification.looks import n, page

HERE = "https://app.example.org/list"
LINK = Deed(
    action=action("click", "5"),
    status="failure",
    signature=("link", "Export", "nav: Main"),
    url=HERE,
)
ERROR_PAGE = page(url="https://app.example.org/export", title="404 Not found", summary="404")


def ask(look, *deeds):
    plan = Plan(steps=(PlanStep(id="1", description="Open Export"),))
    return propose(Situation(goal="", page=look, plan=plan, deeds=deeds), "An error page came")


def test_an_error_page_is_left():
    found = ask(ERROR_PAGE, LINK)
    assert [p.action.text for p in found.proposals] == ["goBack()"]
    assert (found.strategy, found.source, found.completes_step) == ("go back", "strategy", False)


def test_it_is_left_once_in_a_step():
    back = Deed(action=action("goBack"), status="success", purpose="correct", strategy="go back")
    found = ask(ERROR_PAGE, LINK, back, LINK)
    assert "goBack()" not in [p.action.text for p in found.proposals]


@pytest.mark.parametrize("name", ["Delete", "Send"])
def test_what_may_have_been_handed_in_is_not_gone_back_from(name):
    sent = LINK.model_copy(update={"signature": ("btn", name, "form: Order")})
    assert "goBack()" not in [p.action.text for p in ask(ERROR_PAGE, sent).proposals]


def test_nothing_is_left_where_the_page_is_the_same():
    look = page(n("5", "link", "Export", group="nav: Main"), url=HERE)
    assert "goBack()" not in [p.action.text for p in ask(look, LINK).proposals]
