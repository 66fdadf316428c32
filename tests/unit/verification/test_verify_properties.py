"""Whatever two looks say, the verdict is one, and no proof is made of nothing."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.action import ClientReport, action
from tests.unit.verification.looks import judge
from tests.unit.verification.strategies import TEXT, pages

pytestmark = pytest.mark.slow

IDS = st.integers(1, 12).map(str)
ACTIONS = st.one_of(
    IDS.map(lambda i: action("click", i)),
    st.tuples(IDS, TEXT).map(lambda a: action("setValue", *a)),
    st.tuples(IDS, TEXT).map(lambda a: action("selectOption", *a)),
    st.tuples(IDS, st.booleans()).map(lambda a: action("setChecked", *a)),
    st.sampled_from(["Enter", "Escape", "Tab", "a"]).map(lambda k: action("pressKey", k)),
    IDS.map(lambda i: action("hover", i)),
    st.tuples(IDS, IDS).map(lambda a: action("dragTo", *a)),
    st.tuples(IDS, TEXT).map(lambda a: action("uploadFile", *a)),
    TEXT.map(lambda u: action("navigate", u)),
    st.just(action("goBack")),
    st.just(action("clickAt", 1, 2)),
    TEXT.map(lambda t: action("verifySuccess", t)),
)
REPORTS = st.builds(
    ClientReport,
    status=st.sampled_from(["success", "failure", "unknown"]),
    error_code=st.none() | TEXT,
    executed_index=st.none() | st.integers(0, 4),
)


@given(pages(), pages(), st.lists(ACTIONS, max_size=4), REPORTS)
@settings(max_examples=120, deadline=None)
def test_any_two_looks_get_a_verdict(before, after, actions, report):
    verdict = judge(before, after, *actions, report=report)
    assert 0 <= verdict.confidence <= 1
    assert verdict.reason
    assert verdict.observations
    assert verdict.succeeded or not verdict.task_completed


@given(pages(heard=False), IDS)
@settings(max_examples=80, deadline=None)
def test_a_click_of_unknown_outcome_on_an_unchanged_page_completes_nothing(look, which):
    verdict = judge(look, look, action("click", which), report=ClientReport(status="unknown"))
    if look.tree.get(which) is None or look.tree.get(which).role in (
        "btn",
        "link",
        "menu",
        "img",
        "row",
        "el",
    ):
        is_current = which in look.tree.by_id and "current" in look.tree.get(which).states
        assert is_current or not verdict.task_completed
