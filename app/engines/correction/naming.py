"""What a correction is called on the wire and on record."""

from app.domain.plan import Correction, Refinement
from app.engines.correction.limits import attempt
from app.engines.reasoner import Situation
from app.engines.recovery.second_look import SECOND_LOOK


def named(refinement: Refinement, situation: Situation) -> Correction | None:
    """The correction that the refinement is.

    None for one more look before a failure is believed, and where there is nothing left to try.
    """
    if refinement.strategy == SECOND_LOOK or refinement.outcome == "missing":
        return None
    return Correction(
        strategy=refinement.strategy or refinement.thought or refinement.outcome,
        attempt=attempt(situation.deeds, situation.plan.current),
        source=refinement.source or ("model" if refinement.maker == "model" else "strategy"),
    )
