"""What a client tells of dialogs and tabs, and what it is told to answer dialogs with."""

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


def test_without_them_there_are_none():
    page = received().observation()
    assert page.dialogs == ()
    assert page.tabs == ()


def test_a_long_message_is_cut():
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
def test_what_is_out_of_bounds_does_not_validate(more):
    with pytest.raises(ValidationError):
        received(**more)


def planned(**more: object) -> PlannedAction:
    decided = DialogDecision(accept=True, text="s3cret")
    return PlannedAction(
        action_id="a", action=action("click", "5"), description="Click", dialog=decided, **more
    )


def test_the_decision_goes_out_with_the_action():
    view = _action_view(planned(), 0)
    assert view["actionDetails"]["dialog"] == {"accept": True, "text": "s3cret"}
    assert ActionView.model_validate(view).action_details.dialog is not None


def test_a_secret_for_a_prompt_is_kept_nowhere():
    assert "s3cret" not in json.dumps(_action_view(planned(secret=True), 0, redact=True))
