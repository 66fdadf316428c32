"""Traces of calls and runs: hierarchy, ids and scores."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import pytest

from app.domain.metrics.telemetry import (
    ModelExchange,
    RetrievedPassage,
    RunReport,
    is_trace_id,
    new_trace_id,
    trace_started_at,
)
from app.observability.langfuse_traces import (
    Call,
    Observation,
    Score,
    observe_call,
    observe_run,
    score_run,
)
from tests.unit.observability.reports import TRACE, a_call, a_pass, at

SAID = ModelExchange(
    system="Be good.", prompt="The page", reply="{}", prompt_name="opening", prompt_version="1"
)


@dataclass(frozen=True)
class Drawn:
    observations: tuple[Observation, ...]
    scores: tuple[Score, ...] = field(default=())


def pass_whole(report: RunReport, calls: Iterable[Call]) -> Drawn:
    return Drawn(tuple(observe_run(report, calls)), tuple(score_run(report)))


def attribute(one: Observation, key: str) -> Any:
    """An attribute of the observation, decoded if it is JSON; None without it."""
    value = one.attributes.get(f"langfuse.observation.{key}")
    return json.loads(value) if isinstance(value, str) and value[:1] in "[{" else value


def named(drawn: Drawn, name: str) -> Observation:
    (found,) = [one for one in drawn.observations if one.name == name]
    return found


def above(drawn: Drawn, name: str) -> list[str]:
    """The names of what it hangs under, nearest first."""
    by_id = {one.span_id: one for one in drawn.observations}
    names, one = [], named(drawn, name)
    while one.parent_id is not None:
        one = by_id[one.parent_id]
        names.append(one.name)
    return names


def test_call_is_below_its_node_request_and_trace() -> None:
    drawn = pass_whole(a_pass(), [(a_call(2.4), SAID), (a_call(4.2, purpose="judging"), None)])
    root = "interact-request-T1"
    assert above(drawn, "opening") == ["planning", "request", root]
    assert above(drawn, "judging") == ["verification", "request", root]
    assert above(drawn, "context-analysis") == ["request", root]
    planning = named(drawn, "planning")
    assert (planning.started_at, planning.ended_at) == (at(2), at(3))


def test_call_outside_of_nodes_is_below_its_request() -> None:
    drawn = pass_whole(a_pass(), [(a_call(60), None)])
    assert above(drawn, "opening")[0] == "request"


def test_generation_has_texts_tokens_cost_and_prompt() -> None:
    made = named(pass_whole(a_pass(), [(a_call(), SAID)]), "opening")
    assert attribute(made, "type") == "generation"
    assert attribute(made, "input") == [
        {"role": "system", "content": "Be good."},
        {"role": "user", "content": "The page"},
    ]
    assert (attribute(made, "output"), attribute(made, "model.name")) == ({}, "flash")
    assert (attribute(made, "prompt.name"), attribute(made, "prompt.version")) == ("opening", 1)
    assert attribute(made, "usage_details") == {
        "input": 600,
        "input_cached_tokens": 400,
        "output": 150,
        "output_reasoning_tokens": 50,
        "total": 1200,
    }
    assert attribute(made, "cost_details") == {"total": 0.0125}
    assert (made.ended_at - made.started_at).total_seconds() == 0.25


def test_unpriced_call_has_no_cost() -> None:
    made = named(pass_whole(a_pass(), [(a_call(priced=False, cost_usd=0), None)]), "opening")
    assert attribute(made, "cost_details") is None
    assert attribute(made, "metadata.priced") is False


def test_search_is_a_tool_with_credits() -> None:
    call = a_call(kind="search", purpose="web_search", credits=2.0, cost_usd=0.016)
    made = named(
        pass_whole(a_pass(), [(call, ModelExchange(prompt="when does it open"))]), "web_search"
    )
    assert (attribute(made, "type"), attribute(made, "input")) == ("tool", "when does it open")
    assert attribute(made, "usage_details") is attribute(made, "model.name") is None
    assert (attribute(made, "metadata.credits"), attribute(made, "metadata.costUsd")) == (
        2.0,
        0.016,
    )


def test_omits_how_a_call_failed() -> None:
    failed = a_call(ok=False, outcome="timeout", output_tokens=0, total_tokens=1000)
    drawn = pass_whole(a_pass(), [(failed, ModelExchange(system="s", prompt="p"))])
    assert attribute(named(drawn, "opening"), "output") is None
    assert "timeout" not in str(drawn.observations)


def test_repeated_reports_have_the_same_ids() -> None:
    call = a_call(2.4)
    once, again = (pass_whole(a_pass(), [(call, SAID)]) for _ in range(2))
    assert once == again
    late = observe_call(call, SAID)
    assert late.span_id == named(once, "opening").span_id
    assert late.parent_id == named(once, "request").span_id


def test_runs_of_one_task_share_a_root() -> None:
    first = pass_whole(a_pass(), [])
    later = pass_whole(a_pass("verification", "finalize", request_id="r2", status="completed"), [])
    roots = [named(one, "interact-request-T1") for one in (first, later)]
    assert roots[0].span_id == roots[1].span_id
    assert roots[0].started_at == roots[1].started_at
    assert attribute(roots[1], "output") == {"answer": "action", "status": "completed"}
    others = {one.span_id for one in first.observations} & {
        one.span_id for one in later.observations
    }
    assert others == {roots[0].span_id}


def test_scores_belong_to_the_verification() -> None:
    report = a_pass(
        action_succeeded=True,
        confidence=0.9,
        repair_worked=False,
        predicted=0.8,
        prediction_met=False,
    )
    drawn = pass_whole(report, [])
    assert {one["name"]: one["value"] for one in drawn.scores} == {
        "verification_success": 1.0,
        "verification_confidence": 0.9,
        "correction_success": 0.0,
        "prediction_predicted": 0.8,
        "prediction_met": 0.0,
        "prediction_brier": pytest.approx(0.64),
    }
    assert {one["observationId"] for one in drawn.scores} == {named(drawn, "verification").span_id}
    assert drawn.scores == pass_whole(report, []).scores


def test_run_without_verification_has_no_scores() -> None:
    assert pass_whole(a_pass("planning"), []).scores == ()


def test_retrievals_have_their_relevance() -> None:
    found = (
        RetrievedPassage(source="knowledge", title="Opening hours", relevance=0.75),
        RetrievedPassage(source="web", title="A page", url="https://a.example/"),
    )
    drawn = pass_whole(a_pass("web_search", retrieved=found), [])
    documents, web = named(drawn, "retrieval-knowledge"), named(drawn, "retrieval-web")
    assert attribute(documents, "output") == [
        {"title": "Opening hours", "url": "", "relevance": 0.75}
    ]
    assert {attribute(one, "type") for one in (documents, web)} == {"retriever"}
    assert above(drawn, "retrieval-web")[0] == "web-search"
    assert [(one["name"], one["value"]) for one in drawn.scores] == [("retrieval_relevance", 0.75)]


def test_call_without_a_request_has_its_own_trace() -> None:
    made = observe_call(a_call(trace_id="", request_id="", task_id=""), None)
    assert made.parent_id is None
    assert is_trace_id(made.trace_id)


def test_trace_id_has_the_start_time() -> None:
    made = new_trace_id()
    began = trace_started_at(made)
    assert is_trace_id(made)
    assert began is not None
    assert began == trace_started_at(TRACE) or began > trace_started_at(TRACE)  # type: ignore[operator]
    assert trace_started_at("0b1c2d3e4f5a4b6c8d9e0f1a2b3c4d5e") is None
    assert not is_trace_id("0" * 32)


def test_cuts_long_texts_and_replaces_lone_surrogates() -> None:
    said = ModelExchange(prompt="a\ud800b", reply="é" * 200_000)
    made = observe_call(a_call(), said)
    assert attribute(made, "input") == "a?b"
    assert attribute(made, "output").endswith("é… (100000 more characters)")
