"""What is drawn of calls and passes: the tree, its places, its ids, its scores."""

from dataclasses import asdict

import pytest

from app.domain.metrics.telemetry import (
    ModelExchange,
    RetrievedPassage,
    is_trace_id,
    new_trace_id,
    trace_started_at,
)
from app.observability.langfuse_shapes import Drawn, Observation
from app.observability.langfuse_trace import call_alone, pass_whole
from tests.unit.observability.reports import TRACE, a_call, a_pass, at

SAID = ModelExchange(
    system="Be good.", prompt="The page", reply="{}", prompt_name="opening", prompt_version="1"
)


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


def test_a_call_hangs_under_the_node_it_ended_in_and_that_under_the_request_and_its_chain() -> None:
    drawn = pass_whole(a_pass(), [(a_call(2.4), SAID), (a_call(4.2, purpose="judging"), None)])
    root = "interact-request-T1"
    assert above(drawn, "opening") == ["planning", "request", root]
    assert above(drawn, "judging") == ["verification", "request", root]
    assert above(drawn, "context-analysis") == ["request", root]
    planning = named(drawn, "planning")
    assert (planning.started_at, planning.ended_at) == (at(2), at(3))


def test_a_call_outside_of_every_node_hangs_under_its_request() -> None:
    drawn = pass_whole(a_pass(), [(a_call(60), None)])
    assert above(drawn, "opening")[0] == "request"


def test_a_generation_says_its_words_tokens_cost_and_prompt_and_no_token_twice() -> None:
    made = named(pass_whole(a_pass(), [(a_call(), SAID)]), "opening")
    assert made.kind == "generation"
    assert made.input == [
        {"role": "system", "content": "Be good."},
        {"role": "user", "content": "The page"},
    ]
    assert (made.output, made.model) == ("{}", "flash")
    assert (made.prompt_name, made.prompt_version) == ("opening", "1")
    assert made.usage == {
        "input": 600,
        "input_cached_tokens": 400,
        "output": 150,
        "output_reasoning_tokens": 50,
        "total": 1200,
    }
    assert made.cost == {"total": 0.0125}
    assert (made.ended_at - made.started_at).total_seconds() == 0.25


def test_a_call_without_a_price_has_no_cost_and_says_so() -> None:
    made = named(pass_whole(a_pass(), [(a_call(priced=False, cost_usd=0), None)]), "opening")
    assert made.cost is None
    assert made.metadata["priced"] is False


def test_a_search_is_a_tool_with_its_credits() -> None:
    call = a_call(kind="search", purpose="web_search", credits=2.0, cost_usd=0.016)
    made = named(
        pass_whole(a_pass(), [(call, ModelExchange(prompt="when does it open"))]), "web_search"
    )
    assert (made.kind, made.input, made.usage, made.model) == (
        "tool", "when does it open", None, None
    )  # fmt: skip
    assert (made.metadata["credits"], made.metadata["costUsd"]) == (2.0, 0.016)


def test_how_a_call_failed_is_not_told() -> None:
    failed = a_call(ok=False, outcome="timeout", output_tokens=0, total_tokens=1000)
    drawn = pass_whole(a_pass(), [(failed, ModelExchange(system="s", prompt="p"))])
    assert named(drawn, "opening").output is None
    assert "timeout" not in str([asdict(one) for one in drawn.observations])


def test_told_twice_or_by_another_process_it_is_the_same() -> None:
    call = a_call(2.4)
    once, again = (pass_whole(a_pass(), [(call, SAID)]) for _ in range(2))
    assert once == again
    late = call_alone(call, SAID).observations[0]
    assert late.span_id == named(once, "opening").span_id
    assert late.parent_id == named(once, "request").span_id


def test_passes_of_one_chain_share_its_root_which_lasts_until_the_last_of_them() -> None:
    first = pass_whole(a_pass(), [])
    later = pass_whole(a_pass("verification", "finalize", request_id="r2", status="completed"), [])
    roots = [named(one, "interact-request-T1") for one in (first, later)]
    assert roots[0].span_id == roots[1].span_id
    assert roots[0].started_at == roots[1].started_at
    assert roots[1].output == {"answer": "action", "status": "completed"}
    others = {one.span_id for one in first.observations} & {
        one.span_id for one in later.observations
    }
    assert others == {roots[0].span_id}


def test_the_scores_hang_on_the_look_at_what_was_done() -> None:
    report = a_pass(
        action_succeeded=True, confidence=0.9, repair_worked=False, predicted=0.8, met=False
    )
    drawn = pass_whole(report, [])
    assert {one.name: one.value for one in drawn.scores} == {
        "verification_success": 1.0,
        "verification_confidence": 0.9,
        "correction_success": 0.0,
        "prediction_predicted": 0.8,
        "prediction_met": 0.0,
        "prediction_brier": pytest.approx(0.64),
    }
    assert {one.observation_id for one in drawn.scores} == {named(drawn, "verification").span_id}
    assert drawn.scores == pass_whole(report, []).scores


def test_a_pass_that_looked_at_nothing_has_no_scores() -> None:
    assert pass_whole(a_pass("planning"), []).scores == ()


def test_what_was_retrieved_is_told_with_its_relevance() -> None:
    found = (
        RetrievedPassage(source="knowledge", title="Opening hours", relevance=0.75),
        RetrievedPassage(source="web", title="A page", url="https://a.example/"),
    )
    drawn = pass_whole(a_pass("web_search", retrieved=found), [])
    documents, web = named(drawn, "retrieval-knowledge"), named(drawn, "retrieval-web")
    assert documents.output == [{"title": "Opening hours", "url": "", "relevance": 0.75}]
    assert {documents.kind, web.kind} == {"retriever"}
    assert above(drawn, "retrieval-web")[0] == "web-search"
    assert [(one.name, one.value) for one in drawn.scores] == [("retrieval_relevance", 0.75)]


def test_a_call_that_nobody_made_has_a_trace_of_its_own() -> None:
    made = call_alone(a_call(trace_id="", request_id="", task_id=""), None).observations[0]
    assert made.parent_id is None
    assert is_trace_id(made.trace.trace_id)


def test_a_trace_id_says_when_it_began() -> None:
    made = new_trace_id()
    began = trace_started_at(made)
    assert is_trace_id(made)
    assert began is not None
    assert began == trace_started_at(TRACE) or began > trace_started_at(TRACE)  # type: ignore[operator]
    assert trace_started_at("0b1c2d3e4f5a4b6c8d9e0f1a2b3c4d5e") is None
    assert not is_trace_id("0" * 32)
