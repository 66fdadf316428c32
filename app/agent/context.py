"""What one request brings to the graph and nodes never change."""

from dataclasses import dataclass

from app.domain.page import Observation
from app.domain.plan import Report
from app.engines.reasoner import Reasoner


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentContext:
    """Handed to nodes as `runtime.context`.

    The page lives here and not in the state, so that no tree is ever written to a checkpoint.
    """

    reasoner: Reasoner
    page: Observation
    report: Report
    request_id: str
    max_steps: int
