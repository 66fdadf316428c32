"""Values that must be found and values that must not, from many kinds of task and several languages.

Each case: (what the person says, the value, then what else is known, by name).
"""

from typing import NamedTuple

from app.domain.page import Node, Observation, Tree
from app.domain.reasoner import (
    Background,
    GivenAnswer,
    MemoryLine,
    Passage,
    Situation,
    WebResult,
    WebSearch,
)


class Case(NamedTuple):
    goal: str
    value: str
    field: str = "Field"
    kind: str = "text"
    answer: str = ""
    asked: str = ""
    memory: str = ""
    knowledge: str = ""
    search: str = ""
    handed: str = ""
    summary: str = ""
    nodes: tuple[Node, ...] = ()

    @property
    def node(self) -> Node:
        return Node(id="field", role="inp", name=self.field, input_type=self.kind)

    @property
    def situation(self) -> Situation:
        tree = Tree((*self.nodes, self.node))
        background = Background(
            memory=(MemoryLine(role="user", content=self.memory),) if self.memory else (),
            knowledge=(Passage(text=self.knowledge, title="Handbook"),) if self.knowledge else (),
            searches=(_search(self.search),) if self.search else (),
            answers=(GivenAnswer(question=self.asked, text=self.answer),) if self.answer else (),
            subtask_outputs={"number": self.handed} if self.handed else {},
        )
        page = Observation(url="https://app.example.org/", tree=tree, summary=self.summary)
        return Situation(goal=self.goal, page=page, background=background)


def _search(text: str) -> WebSearch:
    found = WebResult(title="Found", url="https://found.example", text=text)
    return WebSearch(need="it", query="it", results=(found,))


def shown(role: str, name: str, value: str | None = None, group: str = "", **more: object) -> Node:
    return Node(id=f"{role} {name}", role=role, name=name, value=value, group=group, **more)  # type: ignore[arg-type]
