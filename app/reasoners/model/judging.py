"""What came of the last chain, where tier 1 leaves it open: a short question, or a full one.

Both have the same instructions and reply. The short one (tier 2) goes to the fast model and holds what
was done and what changed, in words; the full one (tier 3) goes to the strong model, with the goal, the
plan, the deeds and the page.
"""

from app.domain.verdict import Opinion
from app.engines.reasoner import Situation, Transition
from app.llm.fence import NAME
from app.llm.port import ModelRequest
from app.llm.prompting import fill
from app.reasoners.model.asking import pictures
from app.reasoners.model.bounds import (
    LONGEST_CHANGE,
    LONGEST_NOTE,
    LONGEST_SUMMARY,
    LONGEST_TEXT,
    MOST_CHANGES,
    MOST_LISTED,
    cut,
)
from app.reasoners.model.history import done_so_far
from app.reasoners.model.reading import share
from app.reasoners.model.replies import Judging
from app.reasoners.model.situation import planned, said, seen
from app.reasoners.model.writer import Writer, joined

TEMPLATE = "judging.v2"

MAX_OUTPUT = 150  # tokens: three words and a sentence
_SAID = {"yes": True, "no": False}


def request(situation: Situation, transition: Transition, write: Writer) -> ModelRequest[Judging]:
    """The call for this look at the page."""
    full = transition.tier == 3
    parts = _full(situation, transition, write) if full else _short(situation, transition, write)
    return ModelRequest(
        purpose="judging",
        system=system(),
        template=TEMPLATE,
        prompt=joined(parts),
        reply=Judging,
        tier="strong" if full else "fast",
        images=pictures(situation.page) if full else (),
        max_output_tokens=MAX_OUTPUT,
    )


def system() -> str:
    """What every such call shares, word for word."""
    return fill(TEMPLATE, fence=NAME)


def opinion_of(reply: Judging, transition: Transition) -> Opinion:
    """The reply in the domain's words; other words than the three are unsure."""
    return Opinion(
        succeeded=_SAID.get(reply.worked),
        completed=_SAID.get(reply.reached) if transition.last_step else None,
        confidence=share(reply.sure),
        reason=cut(reply.why, LONGEST_TEXT),
        quote=cut(reply.quote, LONGEST_TEXT),
        tier=transition.tier,
    )


def _short(situation: Situation, transition: Transition, write: Writer) -> list[str]:
    """Without the page: the goal where it may be reached now, else the step."""
    step = situation.plan.step
    of_step = cut(step.description, LONGEST_TEXT) if step and not transition.last_step else ""
    return [
        *(said(situation, write) if transition.last_step else ()),
        write.fenced(
            "Done and seen",
            f"for: {of_step}" if of_step else "",
            *(f"did: {text}" for text in _acts(transition)),
            *_changes(transition),
        ),
    ]


def _full(situation: Situation, transition: Transition, write: Writer) -> list[str]:
    sent = {planned.action_id for planned in transition.chain.actions}
    earlier = tuple(deed for deed in situation.deeds if deed.action_id not in sent)
    return [
        *said(situation, write),
        *planned(situation.plan, write),
        write.fenced("Done before", *done_so_far(earlier)),
        write.fenced("The last action", *_acts(transition)),
        write.fenced("What changed", *_changes(transition)),
        seen(situation, write, longest_summary=LONGEST_SUMMARY),
    ]


def _acts(transition: Transition) -> tuple[str, ...]:
    actions = transition.chain.actions[-MOST_LISTED:]
    return tuple(cut(one.description or one.redacted.text, LONGEST_NOTE) for one in actions)


def _changes(transition: Transition) -> tuple[str, ...]:
    told = transition.found.observations[:MOST_CHANGES]
    return tuple(cut(text, LONGEST_CHANGE) for text in told)
