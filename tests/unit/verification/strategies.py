"""Hypothesis strategies for pages."""

from typing import get_args

from hypothesis import strategies as st

from app.domain.page import ClientObservations, Node, Observation, Role, Tree

STATES = (
    "disabled", "readonly", "required", "invalid", "checked", "mixed", "selected", "pressed", "current",
    "expanded", "collapsed", "haspopup", "draggable", "focused", "busy", "alert", "status", "modal",
)  # fmt: skip
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
NUMBER = st.floats(-1e4, 1e4).map(lambda x: round(x, 1))


@st.composite
def nodes(draw, id):
    return Node(
        id=id,
        role=draw(st.sampled_from(get_args(Role))),
        name=draw(TEXT),
        value=draw(st.none() | TEXT),
        states=draw(st.frozensets(st.sampled_from(STATES), max_size=3)),
        center=draw(st.none() | st.tuples(NUMBER, NUMBER)),
        box=draw(st.none() | st.tuples(NUMBER, NUMBER, NUMBER, NUMBER)),
        frame=draw(st.integers(0, 3)),
        input_type=draw(st.sampled_from([None, "text", "date"])),
        options=tuple(draw(st.lists(TEXT, max_size=2))),
        group=draw(st.sampled_from(["", "form: A", "dialog: B > fieldset: C"])),
        hint=draw(TEXT),
        occluded=draw(st.booleans()),
    )


@st.composite
def pages(draw, heard=True):
    """Looks at a page; without what was `heard` since the last action, which is no state of it."""
    ids = draw(st.lists(st.integers(1, 12).map(str), unique=True, max_size=8))
    texts = st.lists(TEXT, max_size=2).map(tuple)
    flag = st.none() | st.booleans()
    return Observation(
        url=draw(
            st.sampled_from(
                ["https://a.org/x", "https://a.org/y?q=1", "about:blank", "http://[bad"]
            )
        ),
        tree=Tree(tuple(draw(nodes(i)) for i in ids)),
        title=draw(TEXT),
        summary=draw(TEXT),
        errors=draw(texts) if heard else (),
        successes=draw(texts) if heard else (),
        events=draw(texts),
        client=ClientObservations(network=draw(flag), mutated=draw(flag), url_changed=draw(flag)),
        scroll=draw(TEXT),
        scrollables=draw(texts),
    )
