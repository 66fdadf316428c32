"""The OpenAPI document: completeness, examples, and responses that match it."""

import base64
import hashlib
import json
from pathlib import Path

from langgraph.checkpoint.memory import InMemorySaver

from app.agent.events import KNOWLEDGE, NODE_STATUS_MAP, STARTED
from app.agent.graph import build_graph
from app.api.models import EXAMPLES
from app.api.routes.interact.request import InteractRequest
from app.api.routes.interact.response import ActionAnswer, DoneAnswer
from app.domain.action import ACTION_NAMES, PARAMETERS
from app.errors import TabwrightError, error_of
from app.main import create_app
from app.settings import EXTENSION_ID, Settings
from tests.fakes.clinic import ClinicPage

EXTENSION = Path(__file__).resolve().parents[3] / "extension"


def leaves(cls: type) -> set[type]:
    return {cls}.union(*(leaves(child) for child in cls.__subclasses__()))


def test_every_node_has_a_status_text():
    nodes = set(build_graph(InMemorySaver()).get_graph().nodes) - {"__start__", "__end__"}
    assert nodes | {STARTED, KNOWLEDGE} == set(NODE_STATUS_MAP)


def test_extension_id_is_derived_from_the_manifest_key():
    key = json.loads((EXTENSION / "manifest.json").read_text())["key"]
    digest = hashlib.sha256(base64.b64decode(key)).hexdigest()[:32]
    assert "".join(chr(ord("a") + int(digit, 16)) for digit in digest) == EXTENSION_ID


def test_every_action_has_its_parameters():
    assert set(PARAMETERS) == set(ACTION_NAMES)


def test_every_code_maps_to_its_error():
    for cls in leaves(TabwrightError):
        if cls.__name__ != "InvalidBody":
            assert error_of(cls.code, "x").code == cls.code


def test_document_has_examples_and_problems():
    document = create_app(Settings(_env_file=None)).openapi()
    interact = document["paths"]["/api/agent/interact"]["post"]
    schema = interact["requestBody"]["content"]["application/json"]["schema"]
    assert schema["examples"] == [EXAMPLES["InteractRequest"]]
    assert {"400", "401", "404", "409", "413", "422", "429", "503"} <= set(interact["responses"])
    for path, methods in document["paths"].items():
        for operation in methods.values():
            assert operation.get("description") or operation.get("summary"), path
            if path not in {"/healthz", "/readyz", "/api/pairing/claim", "/api/pairing/proofs"}:
                assert "401" in operation["responses"], path


def test_fields_added_by_a_model_are_documented():
    document = create_app(Settings(_env_file=None)).openapi()
    interact = document["paths"]["/api/agent/interact"]["post"]
    body = interact["requestBody"]["content"]["application/json"]["schema"]
    stream = interact["responses"]["200"]["content"]["text/event-stream"]["schema"]
    shapes = document["components"]["schemas"] | {body["title"]: body, stream["title"]: stream}
    said = document["paths"]["/api/hitl/{hitl_id}/answer"]["post"]["requestBody"]
    said = said["content"]["application/json"]["schema"]
    assert {"type", "value", "args", "requestId"} <= set(said["properties"])
    events = document["paths"]["/api/task/{task_id}/events"]["get"]["responses"]["200"]
    assert "standing" in str(events["content"]["text/event-stream"]["schema"])
    terminal = {"notice", "usage", "plan", "verification", "hasOrgKnowledge"}
    asked = {"hitlId", "kind", "interruptType", "message", "expectedInput", "fields", "expiresAt"}
    for name, added in {
        "ActionAnswer": terminal | {"requestedDomMode", "expectedOutcome"},
        "DoneAnswer": terminal,
        "InterruptAnswer": terminal | asked,
        "ActionView": {"provenance", "canFail", "grave"},
        "ProvenanceView": {"origin", "excerpt", "ref"},
        "PlanView": {"subTasks"},
        "VerificationView": {"subTaskCompleted"},
        "UsageView": {"costKnown", "model", "modelCalls"},
        "InteractRequest": {"hitlResponse", "dom", "skeletonDom", "screenshot", "screenshotHash"},
        "HitlResponseIn": {"hitlId", "type", "value"},
        "HandBackIn": {"actions"},
        "PersonActIn": {"kind", "role", "name", "url", "at"},
        "HitlItemView": asked | {"approval", "options", "result", "humanInterrupt", "createdAt"},
        "PolicyView": {"actionDomains", "knowledgeDomains", "approvals", "reviewedSets"},
        "AuditEntryView": {"kind", "by", "shown", "at"},
        "TaskView": {"webSearchResult", "pendingInterrupt", "usage", "people", "paused"},
        "MessagesPage": {"pendingInterrupt"},
        "StatusEvent": {"taskId", "webQuery"},
    }.items():
        assert added <= set(shapes[name]["properties"]), name


def refs(value):
    if isinstance(value, dict):
        yield from (item for key, item in value.items() if key == "$ref")
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from refs(item)


def test_every_reference_resolves():
    document = create_app(Settings(_env_file=None)).openapi()
    found = set(refs(document))
    assert any(ref.endswith("/NodeIn") for ref in found)
    for ref in found:
        part = document
        for name in ref.removeprefix("#/").split("/"):
            part = part[name]


def test_examples_are_valid():
    InteractRequest.model_validate_json(json.dumps(EXAMPLES["InteractRequest"]))
    ActionAnswer.model_validate(ActionAnswer.model_config["json_schema_extra"]["examples"][0])


async def test_responses_match_the_document(client):
    page = ClinicPage()
    body = page.observation() | {"query": "Add a new patient with name 'Jas'"}
    answer = (await client.post("/api/agent/interact", json=body)).json()
    while answer["type"] == "action":
        ActionAnswer.model_validate(answer)
        answer = (await client.post("/api/agent/interact", json=page.step(answer))).json()
    DoneAnswer.model_validate(answer)
