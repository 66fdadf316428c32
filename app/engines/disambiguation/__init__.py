"""Which of several a person means: the question with its options, and what an answer settles.

Options are made from the page, never by a model. What was chosen holds for its step, as the very
elements; for later steps and runs only where that is harmless (`remembering`).
"""

from app.engines.disambiguation.answer import listing, selection
from app.engines.disambiguation.choice import (
    RECORDS,
    carried,
    choice_of,
    for_person,
    is_on_chosen,
    lasting,
    narrowed,
    phrase,
    recalled,
    with_choice,
)
from app.engines.disambiguation.pinned import applied, held_to, lost, narrowed_to_chosen, pinned
from app.engines.disambiguation.question import (
    MOST_OPTIONS,
    narrower,
    options_of,
    question_of,
    quoted,
)

__all__ = [
    "MOST_OPTIONS", "RECORDS", "applied", "carried", "choice_of", "for_person", "held_to",
    "is_on_chosen", "lasting", "listing", "lost", "narrowed", "narrowed_to_chosen", "narrower",
    "options_of", "phrase", "pinned", "question_of", "quoted", "recalled", "selection",
    "with_choice",
]  # fmt: skip
