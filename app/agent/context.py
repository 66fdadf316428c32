"""What one request brings to the graph and nodes never change."""

from dataclasses import dataclass, field
from datetime import date, datetime

from app.domain.page import Observation
from app.domain.plan import Report
from app.engines.reasoner import Reasoner
from app.search.port import Search


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentContext:
    """Handed to nodes as `runtime.context`.

    The page lives here and not in the state, so that no tree is ever written to a checkpoint.
    Without a `search` the web cannot be asked; `modelled` says that the reasoner has a model, whose
    doubtful choices are criticised. `today` is this machine's, when the request came in.
    """

    reasoner: Reasoner
    page: Observation
    report: Report
    request_id: str
    max_steps: int
    search: Search | None = None
    modelled: bool = False
    today: date = field(default_factory=lambda: datetime.now().astimezone().date())
