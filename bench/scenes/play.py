"""Play a case over HTTP as the extension would, for a person who agrees to every approval."""

import http.client
import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

from app.cli.run.children import Backend, backend
from bench.model import model_environment
from bench.scenes.cases import Case
from bench.scenes.eager import Eager
from bench.scenes.page import Page
from tests.fakes.gemini import FakeGemini

MOST_TRIPS = 30  # round trips; a longer run counts as not ended
WAIT_S = 900.0  # a model behind `--model-url` may be slow
UNLIMITED = {"TABWRIGHT_RATE_LIMIT": "1000000/minute", "TAVILY_API_KEY": ""}
COMMANDS = {"TABWRIGHT_LLM": "rules", "GEMINI_API_KEY": ""}


@dataclass
class Played:
    """The result of a case. `asked` are the questions, `why` is the last verification's reason."""

    case: Case
    variant: str = ""
    status: str = "unfinished"
    said: str = ""
    why: str = ""
    reached: bool = False
    trips: int = 0
    calls: int = 0
    tokens: int = 0
    sent: list[str] = field(default_factory=list)
    asked: list[dict[str, Any]] = field(default_factory=list)

    @property
    def false_done(self) -> bool:
        return self.status == "completed" and not self.reached

    @property
    def right(self) -> bool:
        return self.status == "completed" and self.reached


class Client:
    """Posts observations as one session."""

    def __init__(self, up: Backend) -> None:
        host, _, port = up.url.removeprefix("http://").partition(":")
        self._connection = http.client.HTTPConnection(host, int(port), timeout=WAIT_S)
        self._headers = {
            "Authorization": f"Bearer {up.api_key}",
            "Content-Type": "application/json",
        }
        self._session = f"s-{uuid4().hex}"

    def post(self, body: dict[str, Any]) -> dict[str, Any]:
        told = json.dumps(body | {"sessionId": self._session})
        self._connection.request("POST", "/api/agent/interact", told, self._headers)
        answer: dict[str, Any] = json.loads(self._connection.getresponse().read())
        return answer

    def close(self) -> None:
        self._connection.close()


def play(case: Case, up: Backend, page: Page, variant: str = "") -> Played:
    """Run a case from the goal to its end."""
    played = Played(case, variant)
    with closing(Client(up)) as client:
        _run(played, client, page)
    page.settle()
    played.reached = case.reached(page, played.said)
    return played


def _run(played: Played, client: Client, page: Page) -> None:
    body = page.observation() | {"query": played.case.goal}
    while played.trips < MOST_TRIPS:
        answer = client.post(body)
        played.trips += 1
        _count(played, answer)
        kind = answer.get("type")
        if kind == "action" and (mode := answer.get("requestedDomMode")):
            seen = {"domMode": mode, "dom": f"<pre>{page.text}</pre>", "skeletonDom": ""}
            body = page.observation() | {"taskId": answer["taskId"]} | seen
        elif kind == "action":
            body = _carried_out(page, answer, played)
        elif kind == "interrupt":
            played.asked.append(answer)
            if answer["kind"] != "approval":
                played.status, played.said = "asked", answer["message"]
                break
            body = page.observation() | _yes(answer)
        else:
            played.status = answer.get("status", "refused")
            played.said = str(answer.get("result") or answer.get("message") or answer.get("detail"))
            break


def _count(played: Played, answer: dict[str, Any]) -> None:
    used = answer.get("usage") or {}
    played.calls += used.get("modelCalls", 0)
    played.tokens += used.get("inputTokens", 0)
    told = answer.get("verification") or {}
    played.why = " ".join(
        str(told.get(key)) for key in ("verificationTier", "confidence", "reason") if key in told
    )


def _yes(asked: dict[str, Any]) -> dict[str, Any]:
    value = {"yes_no": "yes", "free_text": "yes"}.get(asked["expectedInput"], "1")
    named = {"hitlId": asked["hitlId"], "type": asked["interruptType"], "value": value}
    return {"taskId": asked["taskId"], "hitlResponse": named}


def _carried_out(page: Page, answer: dict[str, Any], played: Played) -> dict[str, Any]:
    """Execute the actions and observe again."""
    before, at = page.text + str(page.controls()), page.at
    last, done, failed = None, -1, False
    for sent in answer["actions"]:
        last = sent["actionId"]
        played.sent.append(sent["description"] or sent["action"])
        if page.act(sent["actionDetails"]["name"], sent["actionDetails"]["args"]):
            done = sent["index"]
        elif not sent.get("canFail"):
            failed = True
            break
    changed, moved = page.text + str(page.controls()) != before, page.at != at
    told: dict[str, Any] = {"taskId": answer["taskId"], "lastActionId": last}
    told |= {"lastActionStatus": "failure" if failed else "success"}
    if failed:
        told |= {"lastActionError": {"code": "ELEMENT_NOT_FOUND", "message": "Not on the page"}}
    if done >= 0:
        told |= {"lastExecutedActionIndex": done}
    told |= {
        "clientObservations": {
            "didNetworkOccur": changed,
            "didDomMutate": changed,
            "didUrlChange": moved,
        }
    }
    return page.observation() | told


@contextmanager
def server(environment: dict[str, str]) -> Iterator[Backend]:
    """A real server on its own store."""
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        backend(Path(folder), environment=UNLIMITED | environment) as up,
    ):
        yield up


def by_commands(cases: Sequence[Case], say: Callable[[Played], None]) -> list[Played]:
    """Play the cases without a model."""
    with server(COMMANDS) as up:
        return [_told(play(case, up, case.open()), say) for case in cases]


def by_eager(runs: Sequence[tuple[Case, str]], say: Callable[[Played], None]) -> list[Played]:
    """Play the cases with the overconfident model, each in its variant."""
    gemini, found = FakeGemini(), []
    with gemini.served(), server(gemini.environment) as up:
        for case, variant in runs:
            page = case.open()
            gemini.clear()
            gemini.always(Eager(case, page, variant))
            found.append(_told(play(case, up, page, variant), say))
    return found


def by_model(
    cases: Sequence[Case], url: str, say: Callable[[Played], None], *, at_once: int = 1
) -> list[Played]:
    """Play the cases with the model at this address."""
    with server(model_environment(url)) as up, ThreadPoolExecutor(at_once) as pool:
        return list(pool.map(lambda case: _told(play(case, up, case.open()), say), cases))


def _told(one: Played, say: Callable[[Played], None]) -> Played:
    say(one)
    return one
