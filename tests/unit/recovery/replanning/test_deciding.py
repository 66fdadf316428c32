"""The end at a sign-in page that nobody asked for; all else goes on."""

from dataclasses import replace

import pytest

from app.reasoners.rules import RuleReasoner
from app.recovery.plan_revision import sign_out_outcome
from tests.unit.recovery.replanning.stages import (
    HOME,
    LIST,
    LISTED,
    LOGIN,
    NAV,
    SIGN_IN,
    page,
    planned,
    situation,
)

CLICKS = "Click Home, then click New patient"
ACCOUNT = [
    replace(node, group="form: New user", name=name)
    for node, name in zip(SIGN_IN, ("Email", "Password", "Create"), strict=True)
]


async def end(goal, before, now, *, done=1):
    seen = situation(goal, now, planned(goal, done=done))
    return await sign_out_outcome(seen, before, RuleReasoner())


async def test_nothing_is_planned_around_a_sign_in():
    outcome = await end(CLICKS, LIST, LOGIN)
    assert outcome.status == "failed"
    assert "asks to sign in" in outcome.message
    assert "Click 'New patient'" in outcome.message
    assert outcome.hand_over


@pytest.mark.parametrize(
    ("goal", "before", "now"),
    [
        (CLICKS, HOME, LIST),
        ("Click Home, then log in as 'ann' with password 'x'", HOME, LOGIN),
        ("Click Home, then click Sign in", HOME, LOGIN),
        (CLICKS, LOGIN, LOGIN),
        (CLICKS, HOME, page(*NAV, *SIGN_IN, *LISTED, path="/patients")),
        (CLICKS, HOME, page(*NAV, *ACCOUNT, path="/users/new", title="New user")),
    ],
    ids=["none", "asked for", "pressed", "there before", "beside the work", "of another kind"],
)
async def test_a_password_field_alone_is_no_end(goal, before, now):
    assert await end(goal, before, now) is None


async def test_after_the_last_step_nothing_is_looked_for():
    assert await end(CLICKS, LIST, LOGIN, done=2) is None
