"""What to try instead, after an action failed."""

from app.domain.plan import Refinement
from app.engines.planning.limits import MOST_STEPS
from app.engines.reasoner import Situation
from app.llm.port import ModelRequest
from app.llm.prompting import fill
from app.reasoners.model.acting import MAX_OUTPUT
from app.reasoners.model.asking import page_rules, pictures
from app.reasoners.model.bounds import LONGEST_STRATEGY, LONGEST_TEXT, cut
from app.reasoners.model.material import known
from app.reasoners.model.reading import refinement_of
from app.reasoners.model.replies import Correcting
from app.reasoners.model.situation import behind, events, planned, said, seen, worth_reading
from app.reasoners.model.writer import Writer, joined

TEMPLATE = "correcting.v2"


def request(situation: Situation, reason: str, write: Writer) -> ModelRequest[Correcting]:
    """The call for this situation; `reason` is why the last action failed."""
    parts = [
        *said(situation, write),
        *known(situation.background, write),
        *planned(situation.plan, write),
        *behind(situation, write),
        events(situation.page, write),
        seen(situation, write, longest_summary=worth_reading(situation)),
        write.fenced("Why it failed", cut(reason, LONGEST_TEXT)),
    ]
    return ModelRequest(
        purpose="correcting",
        system=system(),
        template=TEMPLATE,
        prompt=joined(parts),
        reply=Correcting,
        images=pictures(situation.page),
        max_output_tokens=MAX_OUTPUT,
    )


def system() -> str:
    """What every such call shares, word for word."""
    return fill(TEMPLATE, page=page_rules(), most_steps=str(MOST_STEPS))


def correction_of(reply: Correcting, situation: Situation, write: Writer) -> Refinement:
    """The reply in the domain's words: its actions count as tries of the step, by their purpose."""
    refinement = refinement_of(reply, situation, write.veil)
    tries = tuple(one.model_copy(update={"purpose": "correct"}) for one in refinement.proposals)
    strategy = cut(reply.strategy, LONGEST_STRATEGY) or "other actions"
    return refinement.model_copy(update={"proposals": tries, "strategy": strategy})
