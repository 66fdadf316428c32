"""What one request brings to the graph and nodes never change."""

from dataclasses import dataclass, field
from datetime import date, datetime

from app.agent.knowledge_lookup import Knowing
from app.domain.access import Policy, Principal
from app.domain.action import ClientReport
from app.domain.hitl import UserAction
from app.domain.page import Observation
from app.domain.reasoner import Reasoner
from app.hitl.inbox import Asking
from app.search.port import Search
from app.usage.allowance import Allowance

NOBODY = Principal(tenant="", user="")


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentContext:
    """Handed to nodes as `runtime.context`.

    The page lives here and not in the state, so that no tree is ever written to a checkpoint.
    Without a `search` the web cannot be asked; `knowing` asks the team's documents. `modelled` says that
    the reasoner has a model, whose doubtful choices are criticised. `policy` is the tenant's, `asking`
    where questions are written down before anyone is asked. `hand_back` is what the person did in the
    page before they gave the task back with this request; None where they did not have it. `who` asks;
    `allowance` is what the request may spend, None without a model. `today` is this machine's, when the
    request came in.
    """

    reasoner: Reasoner
    page: Observation
    report: ClientReport
    request_id: str
    max_steps: int
    search: Search | None = None
    knowing: Knowing = Knowing(None)
    modelled: bool = False
    task_id: str = ""
    policy: Policy = Policy(tenant="")
    asking: Asking | None = None
    hand_back: tuple[UserAction, ...] | None = None
    who: Principal = NOBODY
    allowance: Allowance | None = None
    today: date = field(default_factory=lambda: datetime.now().astimezone().date())
