"""Action records, chains, pages and skills the tests of lessons share."""

from datetime import UTC, datetime
from typing import Any

from app.domain.action import Action, ActionRecord, Chain, PlannedAction, action
from app.domain.directive import Instruction
from app.domain.memory import FailedState, Skill, SuccessfulAction
from app.domain.page import ElementRef, Node, Observation, Tree
from app.domain.plan import Decision, Plan, PlanStep
from app.domain.reasoner import Background, Situation
from app.domain.verdict import Verdict
from app.skills.lessons import ALTERNATIVE

NOW = datetime(2026, 11, 22, tzinfo=UTC)
SITE = "crm.example"
GOAL = "Add a new patient with name 'Jas'"
PATIENT = Node(id="2", role="btn", name="Patient", group="nav: Main", center=(60.0, 20.0))
SEARCH = Node(id="10", role="menu", name="New/Search", group="nav: Main", center=(60.0, 50.0))
HOME = Node(id="1", role="link", name="Home", group="nav: Main", center=(20.0, 20.0))
WORKED = Verdict(succeeded=True, confidence=0.95)


def page(*nodes: Node, url: str = f"https://{SITE}/patients", **more: Any) -> Observation:
    return Observation(url=url, tree=Tree(nodes or (HOME, PATIENT, SEARCH)), **more)


def ref(node: Node) -> ElementRef:
    return ElementRef(role=node.role, name=node.name, group=node.group)


def skill(
    strategy: str = ALTERNATIVE,
    *,
    failed: Node = PATIENT,
    helped: Node | None = SEARCH,
    by: Action | None = None,
    **over: Any,
) -> Skill:
    done = by or action("click", "79")
    fields: dict[str, Any] = {
        "skill_id": strategy,
        "tenant": "a",
        "domain": SITE,
        "goal": "Add a new patient with name …",
        "failed_state": FailedState(
            action='click("68")', element_description=ref(failed).text, element=ref(failed)
        ),
        "successful_action": SuccessfulAction(
            action=done.text, strategy=strategy, element=ref(helped) if helped else None
        ),
        "last_used": NOW,
        "created_at": NOW,
    }
    return Skill.model_validate(fields | over)


def record(
    doing: Action, node: Node | None = None, status: str = "success", **more: Any
) -> ActionRecord:
    """Numbered by what it does, which no two records of a test share unless told otherwise."""
    fields: dict[str, Any] = {
        "action": doing,
        "action_id": more.pop("action_id", f"{doing.text}/{status}"),
        "signature": node.signature if node else None,
        "status": status,
        "url": f"https://{SITE}/patients",
    }
    return ActionRecord.model_validate(fields | more)


def chain(*records: ActionRecord, **more: Any) -> Chain:
    planned = (
        PlannedAction(action_id=d.action_id, action=d.action, description="") for d in records
    )
    return Chain(actions=tuple(planned), **({"purpose": "correct"} | more))


def standing(*skills: Skill, seen: Observation | None = None, **more: Any) -> Situation:
    fields: dict[str, Any] = {
        "goal": GOAL,
        "page": seen or page(),
        "instruction": Instruction(text=GOAL),
        "plan": Plan(steps=(PlanStep(id="1", description="Add it", status="current"),)),
        "background": Background(site=SITE, skills=skills),
    }
    return Situation(**fields | more)


def sent(refinement: Decision) -> list[str]:
    return [one.action.text for one in refinement.proposals]
