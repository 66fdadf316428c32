"""A page that is a list of nodes and what clicking them does, and the loop that runs a plan on it."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from app.domain.action import Action, ActionRecord
from app.domain.directive import Directive, Instruction
from app.domain.page import Node, Observation, Tree
from app.domain.plan import Decision, Plan
from app.domain.reasoner import Situation
from app.reasoners.commands.actions.dispatch import refine_step
from app.reasoners.commands.expansion import plan_instruction

LIMIT = 20


def node(node_id: str, role: str, name: str = "", *states: str, **more: object) -> Node:
    return Node(id=node_id, role=role, name=name, states=frozenset(states), **more)


@dataclass
class Page:
    """`on` maps (action name, id) to what it does to the page; values are kept by themselves."""

    nodes: list[Node]
    on: dict[tuple[str, str], Callable[["Page"], None]] = field(default_factory=dict)
    title: str = "Test page"
    summary: str = ""
    url: str = "http://test/"

    def observe(self) -> Observation:
        return Observation(
            url=self.url, tree=Tree.of(self.nodes), title=self.title, summary=self.summary
        )

    def get(self, node_id: str) -> Node:
        return next(n for n in self.nodes if n.id == node_id)

    def put(self, node_id: str, **changes: object) -> None:
        self.nodes = [replace(n, **changes) if n.id == node_id else n for n in self.nodes]

    def act(self, action: Action) -> None:
        target = action.target or str(action.args.get("key", ""))
        if action.name == "setValue":
            self.put(target, value=str(action.args["text"]))
        elif action.name == "selectOption":
            self.put(target, value=str(action.args["label"]))
        elif action.name == "setChecked":
            states = self.get(target).states - {"checked"}
            self.put(target, states=states | ({"checked"} if action.args["checked"] else set()))
        reaction = self.on.get((action.name, target))
        if reaction:
            reaction(self)


@dataclass
class Run:
    """What was sent, each round trip a list of calls, and how it ended."""

    trips: list[list[str]] = field(default_factory=list)
    records: list[ActionRecord] = field(default_factory=list)
    last: Decision | None = None
    plan: Plan | None = None

    @property
    def calls(self) -> list[str]:
        return [call for trip in self.trips for call in trip]


def run(page: Page, *directives: Directive, goal: str = "", **instruction: object) -> Run:
    """Plan the directives and work them off, as the graph does when every action succeeds."""
    whole = Instruction(text=goal, directives=directives, **instruction)
    return work_off(page, plan_instruction(whole), goal)


def work_off(page: Page, plan: Plan, goal: str) -> Run:
    done = Run()
    for _ in range(LIMIT):
        done.plan = plan
        if plan.step is None:
            return done
        seen = page.observe()
        situation = Situation(goal=goal, page=seen, plan=plan, records=tuple(done.records))
        refinement = done.last = refine_step(situation)
        if refinement.outcome == "done":
            plan = plan.advanced()
            continue
        if refinement.outcome != "act":
            return done
        done.trips.append([proposal.action.text for proposal in refinement.proposals])
        for proposal in refinement.proposals:
            found = seen.tree.get(proposal.action.target or "")
            done.records.append(
                ActionRecord(
                    action=proposal.action,
                    description=proposal.description,
                    step=plan.current,
                    signature=found.signature if found else None,
                    url=seen.url,
                    status="success",
                    purpose=proposal.purpose,
                )
            )
            page.act(proposal.action)
        if refinement.completes_step:
            plan = plan.advanced()
    raise AssertionError(f"not done after {LIMIT}: {done.trips}")
