"""What a turn took, summed over its requests."""

from app.chat.state import ChatState, Patch
from app.usage.meter import Meter


def added(state: ChatState, meter: Meter) -> Patch:
    """With what this request took until now; called once a request, by the node that ends it."""
    spent = meter.spent
    return {
        "tokens_used": state["tokens_used"] + spent.input_tokens + spent.output_tokens,
        "cost_usd": state["cost_usd"] + spent.cost_usd,
        "cost_known": state["cost_known"] and spent.cost_known,
    }
