"""The allow-list of Sentry events."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from app.observability.sentry_allow_list import scrub_breadcrumb, scrub_event

SECRET = "Jas Patel 4711"
KEYS = [
    "event_id", "sdk", "tags", "exception", "breadcrumbs", "values", "type", "module", "value",
    "mechanism", "stacktrace", "frames", "vars", "filename", "function", "context_line", "data",
    "category", "message", "timestamp", "name", "tenant", "event", "request", "extra", "contexts", "user",
]  # fmt: skip
anything = st.recursive(
    st.just(SECRET) | st.none() | st.integers() | st.sampled_from(["node", "planning"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=25,
)  # fmt: skip


@settings(max_examples=40)
@given(st.dictionaries(st.sampled_from(KEYS[1:]), anything, max_size=6))
def test_drops_free_text_everywhere(event: dict[str, Any]) -> None:
    assert SECRET not in json.dumps(scrub_event(event))


def test_passes_names_and_code_locations() -> None:
    event = {
        "level": "error",
        "tags": [["tenant", "one"], ["goal", "x"]],
        "exception": {
            "values": [
                {
                    "type": "KeyError",
                    "value": SECRET,
                    "mechanism": {"type": "generic", "handled": True, "data": {"a": SECRET}},
                    "stacktrace": {
                        "frames": [
                            {
                                "filename": "/srv/tabwright/app/agent/run.py",
                                "function": "<lambda>",
                                "lineno": 7,
                                "vars": {"goal": SECRET},
                                "context_line": SECRET,
                            }
                        ]
                    },
                }
            ]
        },
    }
    told = scrub_event(event)
    assert SECRET not in json.dumps(told)
    assert told["tags"] == {"tenant": "one"}
    (thrown,) = told["exception"]["values"]
    assert thrown["mechanism"] == {"type": "generic", "handled": True}
    assert thrown["stacktrace"]["frames"] == [
        {"filename": "app/agent/run.py", "function": "<lambda>", "lineno": 7}
    ]


def test_crumbs_are_ours_and_hold_names() -> None:
    ours = {"category": "node", "message": "planning", "data": {"outcome": "ok", "value": SECRET}}
    assert scrub_breadcrumb(ours) == {
        "category": "node",
        "message": "planning",
        "data": {"outcome": "ok"},
    }
    assert scrub_breadcrumb({"category": "http", "message": "planning"}) is None
    assert scrub_breadcrumb({"category": "node", "message": SECRET}) is None
