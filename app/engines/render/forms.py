"""What a model reads of a page that was sent in another form than the tree."""

from app.domain.page import Observation
from app.engines.markup.facts import ID
from app.text import patterns

PICTURE_WIDTH = 1_024  # CONTRACT, "screenshot"
_ID = patterns.compile(rf'\b{ID}="([^"]*)"')


def form(observation: Observation) -> str:
    """The markup, with the ids of the list as `i=14`, and what the picture shows; empty for a tree.

    The markup was bounded when it came in.
    """
    parts = [_picture(observation)] if observation.mode == "hybrid" else []
    if observation.markup:
        parts.append(f"as HTML, i is the id:\n{_ID.sub(_short, observation.markup)}")
    return "\n".join(filter(None, parts))


def _short(found: patterns.Match) -> str:
    return f"i={found[1]}" if patterns.fullmatch(r"[\d:]+", found[1]) else found[0]


def _picture(observation: Observation) -> str:
    """How to point: the picture may be smaller than the window that coordinates are of."""
    if observation.screenshot is None:
        return "no picture could be taken"
    if observation.viewport is None:
        return "the picture shows the window"
    width, height = (round(side) for side in observation.viewport)
    scale = "" if width == PICTURE_WIDTH else f", drawn {PICTURE_WIDTH} wide"
    return (
        f"the picture shows the window, {width}x{height}{scale}; @x,y is where a control is in it"
    )
