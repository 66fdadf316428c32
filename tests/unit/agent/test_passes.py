"""What one pass of a run leaves."""

from app.agent.state import new_state
from app.domain.plan import Outcome
from tests.unit.agent.test_escalating import GOAL, passed, sent


def test_what_was_chosen_when_the_run_was_cut_off_is_not_sent():
    chosen = new_state(GOAL, request_id="r1", trace_id="t") | sent("0")
    cut_off = chosen | {"outcome": Outcome(status="interrupted", message="Paused")}
    assert passed(None, chosen, None).chain == chosen["chain"]
    assert passed(None, cut_off, None, paused=True).chain is None
