"""Dialogs and tabs in observations, and decisions on dialogs in actions."""

import json

import pytest
from pydantic import ValidationError

from app.agent.persistence.response import _action_view
from app.api.routes.interact.request import DIALOGS, InteractRequest
from app.api.routes.interact.response import ActionView
from app.bounds import Bounds
from app.domain.action import PlannedAction, action
from app.domain.page import DialogDecision, ObservedDialog, ObservedTab

BASE = {"url": "https://a.example/", "query": "x", "interactiveTree": []}


def received(**more: object) -> InteractRequest:
    return InteractRequest.model_validate_json(json.dumps({**BASE, **more}))


def test_dialogs_and_tabs_reach_the_observation():
    page = received(
        dialogs=[{"type": "confirm", "message": "Sure?", "accepted": True, "foreseen": True}],
        tabs=[{"index": 3, "title": "B", "url": "https://b.example/", "active": True}],
    ).observation()
    assert page.dialogs == (
        ObservedDialog(kind="confirm", message="Sure?", accepted=True, foreseen=True),
    )
    assert page.tabs == (ObservedTab(index=3, title="B", url="https://b.example/", active=True),)


def test_dialogs_and_tabs_are_optional():
    page = received().observation()
    assert page.dialogs == ()
    assert page.tabs == ()


def test_cuts_a_long_message():
    page = received(dialogs=[{"type": "alert", "message": "a" * 5_000}]).observation()
    assert len(page.dialogs[0].message) == Bounds.label


@pytest.mark.parametrize(
    "more",
    [
        {"dialogs": [{"type": "unheard-of"}]},
        {"dialogs": [{"type": "alert"}] * (DIALOGS + 1)},
        {"tabs": [{"index": -1}]},
    ],
)
def test_rejects_values_out_of_bounds(more):
    with pytest.raises(ValidationError):
        received(**more)


def planned(**more: object) -> PlannedAction:
    decided = DialogDecision(accept=True, text="s3cret")
    return PlannedAction(
        action_id="a", action=action("click", "5"), description="Click", dialog=decided, **more
    )


def test_dialog_decision_is_sent_with_the_action():
    view = _action_view(planned(), 0)
    assert view["actionDetails"]["dialog"] == {"accept": True, "text": "s3cret"}
    assert ActionView.model_validate(view).action_details.dialog is not None


def test_secret_for_a_prompt_is_not_stored():
    assert "s3cret" not in json.dumps(_action_view(planned(secret=True), 0, redact=True))
