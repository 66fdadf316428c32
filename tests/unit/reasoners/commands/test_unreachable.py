"""What is not found may be in a part of the page that the extension may not read."""

import pytest
from pydantic import ValidationError

from app.api.routes.interact.request import InteractRequest
from app.domain.page import Observation, Tree, UnreachableFrame
from app.grounding.values import describe_missing


def look(**more: object) -> InteractRequest:
    body = {"url": "https://shop.example/", "query": "Pay", "interactiveTree": [], **more}
    return InteractRequest.model_validate(body)


def test_the_frames_are_taken_from_the_request() -> None:
    frames = [{"origin": "https://pay.example", "name": "Card"}, {"origin": "data:"}]
    assert look(unreachableFrames=frames).observation().unreachable == (
        UnreachableFrame(origin="https://pay.example", name="Card"),
        UnreachableFrame(origin="data:"),
    )
    assert look().observation().unreachable == ()


@pytest.mark.parametrize(
    "frames", [[{"name": "Card"}], [{"origin": "x" * 3_000}], [{"origin": "a:"}] * 51]
)
def test_what_is_no_list_of_frames_is_refused(frames: object) -> None:
    with pytest.raises(ValidationError):
        look(unreachableFrames=frames)


def test_what_is_missing_may_be_there() -> None:
    barred = tuple(
        UnreachableFrame(origin=origin)
        for origin in ("https://pay.example", "https://pay.example", "http://[")
    )
    said = describe_missing("“Number”", Observation(url="u", tree=Tree(), unreachable=barred[:1]))
    assert said.endswith(" It may be in a frame of pay.example that Tabwright may not read.")
    said = describe_missing("“Number”", Observation(url="u", tree=Tree(), unreachable=barred))
    assert "in the frames of pay.example and [ that" in said
    assert "frame" not in describe_missing("“Number”", Observation(url="u", tree=Tree()))
