"""What a client hears while a run works, and that it hears one end."""

from typing import Any

import httpx
import orjson
import pytest

from app.agent.events import NODE_STATUS_MAP, status_event
from app.domain.reasoner import Background, Passage
from app.runs.service import TERMINAL
from tests.fakes.gemini import FakeGemini
from tests.fakes.steps import Gate, held
from tests.fakes.tavily import FakeTavily, found
from tests.integration.agent.test_model_search import INTERACT, POST, opening, page, scripted


async def lines_of(client: httpx.AsyncClient, body: dict[str, Any], gate: Gate) -> list[str]:
    """Every line of the stream; the model is let go once a comment was heard."""
    lines: list[str] = []
    headers = {"Accept": "text/event-stream", "Accept-Encoding": "gzip, br"}
    async with client.stream("POST", INTERACT, json=body, headers=headers) as stream:
        assert stream.headers["cache-control"] == "no-cache"
        assert stream.headers["x-accel-buffering"] == "no"
        assert "content-encoding" not in stream.headers
        async for line in stream.aiter_lines():
            lines.append(line)
            if line.startswith(":"):
                gate.set()
    return lines


async def test_a_run_is_told_of_node_by_node_with_comments_while_it_works(
    model_client: httpx.AsyncClient,
    gemini: FakeGemini,
    tavily: FakeTavily,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("app.api.responses.PING_S", 0.05)
    gate = Gate()
    first = opening(sources=["WEB_SEARCH"], search="zip of the main post office Lyon")
    scripted(gemini, held(gate, first))
    tavily.script(found(POST))

    lines = await lines_of(model_client, page(), gate)

    events = [orjson.loads(line[6:]) for line in lines if line.startswith("data: ")]
    assert [event["type"] in TERMINAL for event in events] == [False] * (len(events) - 1) + [True]
    told = events[:-1]
    assert told[0] == {
        "type": "status",
        "node": "start",
        "message": NODE_STATUS_MAP["start"],
        "taskId": events[-1]["taskId"],
    }
    assert [event["message"] for event in told] == [NODE_STATUS_MAP[e["node"]] for e in told]
    by_node = {event["node"]: event for event in told}
    assert by_node["web_search"]["webQuery"] == "zip of the main post office Lyon"
    assert by_node["outcome_prediction"]["element"] == "inp Zip code"
    nodes = [event["node"] for event in told]
    assert nodes[-1] == "outcome_prediction"
    assert nodes.count("web_search") == 1


def test_documents_that_were_read_are_named_once() -> None:
    read = (
        Passage(text="a", title="Leave policy", document_id="d1"),
        Passage(text="b", title="Leave policy", document_id="d1"),
        Passage(text="c", title="Handbook"),
    )
    patch = {"known": True, "background": Background(knowledge=read)}
    assert status_event("knowledge", patch)["docsFound"] == [
        {"id": "d1", "title": "Leave policy"},
        {"id": "Handbook", "title": "Handbook"},
    ]
    assert "docsFound" not in status_event(
        "take_answer", {"background": Background(knowledge=read)}
    )
