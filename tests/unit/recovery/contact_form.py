"""A form of three fields and a save that fails where a test says so, and counts what reaches it."""

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from app.agent.context import AgentContext
from app.agent.graph import build_graph
from app.agent.state import AgentState, new_state
from app.api.routes.interact.request import InteractRequest
from app.domain.action import ClientReport
from app.domain.reasoner import Reasoner
from app.reasoners.rules import RuleReasoner
from app.runs.graph import thread_config

GOAL = "Fill name 'Jas', phone '555 1234', email 'jas@x.org' and click Save"
WANTED = {"Name": "Jas", "Phone": "555 1234", "Email": "jas@x.org"}
FORM = "form: Contact"


@dataclass
class ContactForm:
    """`fails_at`: the index in the first chain at which the client stops, in the way `how` says:

    `gone` (drawn anew, with new ids), `covered` (by a dialog), `refused` (not interactable, once),
    `died` (before the action, nobody knows), `died after` (it was done, nobody knows), `silent`
    (done, and the answer to it comes a look later).
    """

    fails_at: int | None = None
    how: str = ""
    indexed: bool = True  # whether the client says how far it came
    values: dict[str, str] = field(default_factory=lambda: dict.fromkeys(WANTED, ""))
    entered: Counter[str] = field(default_factory=Counter)
    saved: list[dict[str, str]] = field(default_factory=list)
    first: int = 1
    covered: bool = False
    hidden: bool = False
    chains: list[list[str]] = field(default_factory=list)

    @property
    def ids(self) -> dict[str, str]:
        return {str(self.first + n): name for n, name in enumerate((*WANTED, "Save"))}

    def tree(self) -> list[dict[str, Any]]:
        nodes: list[dict[str, Any]] = [{"i": "900", "r": "link", "n": "Home", "g": "nav: Main"}]
        told = bool(self.saved) and not self.hidden
        for key, name in self.ids.items() if not told else ():
            about = {"i": key, "n": name, "g": FORM, "xy": [100, 100]}
            if self.covered:
                about["occ"] = True
            is_save = name == "Save"
            own = {"r": "btn", "t": "submit"} if is_save else {"r": "inp", "v": self.values[name]}
            nodes.append(about | own)
        if self.covered:
            nodes.append({"i": "950", "r": "btn", "n": "Close", "g": "dialog: Offer"})
        if told:
            nodes.append({"i": "990", "r": "txt", "n": "Contact saved", "s": ["status"]})
        return nodes

    def body(self) -> dict[str, Any]:
        told = bool(self.saved) and not self.hidden
        return {
            "url": "https://crm.example/contact",
            "query": "x",
            "pageTitle": "Contact",
            "requestId": str(uuid4()),
            "domMode": "semantic_v3",
            "interactiveTree": self.tree(),
            "viewport": {"width": 1280, "height": 800},
            "pageSummary": "Contact",
            "success_messages": ["Contact saved"] if told else [],
            "clientObservations": {"didDomMutate": True},
        }

    def carry_out(self, actions: list[str], can_fail: list[bool]) -> dict[str, Any]:
        """What the extension reports of a chain, with the failure where it is wanted."""
        self.chains.append(actions)
        self.hidden = False
        done = -1
        for index, action in enumerate(actions):
            if len(self.chains) == 1 and index == self.fails_at:
                return self._fail(action, done)
            if not self._do(action):
                if can_fail[index]:
                    continue
                return self._report("failure", "ELEMENT_NOT_FOUND", done)
            done = index
        return self._report("success", None, done)

    def _fail(self, action: str, done: int) -> dict[str, Any]:
        code = "NOT_INTERACTABLE"
        if self.how == "gone":
            self.first += 100
            code = "ELEMENT_NOT_FOUND"
        elif self.how == "covered":
            self.covered = True
        elif self.how == "died":
            return self._report("unknown", "CUT_OFF", done)
        elif self.how == "died after":
            self._do(action)
            return self._report("unknown", "CUT_OFF", done)
        elif self.how == "silent":
            self._do(action)
            self.hidden = True
            return self._report("success", None, done + 1)
        return self._report("failure", code, done)

    def _report(self, status: str, code: str | None, done: int) -> dict[str, Any]:
        told: dict[str, Any] = {"status": status, "error_code": code}
        if self.indexed or status == "success":
            told["executed_index"] = done
        return told

    def _do(self, action: str) -> bool:
        name, raw = re.fullmatch(r"(\w+)\((.*)\)", action, re.DOTALL).groups()  # type: ignore[union-attr]
        args = json.loads(f"[{raw}]")
        if name in ("wait", "scroll"):
            return True
        if name == "pressKey":
            self.covered = self.covered and args[0] != "Escape"
            return True
        if args[0] == "950" and self.covered:
            self.covered = False
            return True
        known = self.ids.get(str(args[0]))
        if known is None or self.covered:
            return False
        if name == "setValue":
            self.values[known] = args[1]
            self.entered[known] += 1
        elif known == "Save":
            self.saved.append(dict(self.values))
        return True


@dataclass
class Run:
    """A task on such a page, by the real graph."""

    page: ContactForm
    state: AgentState
    looks: int

    @property
    def outcome(self) -> Any:
        return self.state["outcome"]


async def run(
    page: ContactForm, *, goal: str = GOAL, reasoner: Reasoner | None = None, most: int = 20
) -> Run:
    """Go on until the task ends; fails a test that takes too many looks."""
    graph, looks = build_graph(InMemorySaver()), 0
    given: Any = new_state(goal, request_id="r", trace_id="t")
    report: dict[str, Any] = {}
    while looks < most:
        looked = InteractRequest.model_validate(page.body())
        context = AgentContext(
            reasoner=reasoner or RuleReasoner(),
            page=looked.observation(),
            report=ClientReport(**report),
            request_id=f"r{looks}",
            max_steps=50,
            has_model=reasoner is not None,
        )
        await graph.ainvoke(given, thread_config("t"), context=context)
        state = (await graph.aget_state(thread_config("t"))).values
        looks += 1
        if state["outcome"] is not None:
            return Run(page, state, looks)
        assert state["chain"] is not None, state["question"]
        sent = state["chain"].actions
        report = page.carry_out([a.action.text for a in sent], [a.can_fail for a in sent])
        given = Command(resume=f"r{looks}")
    raise AssertionError(f"it did not end: {page.chains}")
