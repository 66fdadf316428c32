"""Which of several a person means: the question with its options, and what an answer settles.

Options are made from the page, never by a model. What was chosen holds for its step, as the very
elements; for later steps and runs only where that is harmless (`lasting`).
"""

from app.planning.disambiguation.answer import selection
from app.planning.disambiguation.choice import (
    applied,
    carried,
    choice_of,
    for_person,
    held_to,
    is_on_chosen,
    lasting,
    lost,
    narrowed,
    pinned,
    with_choice,
)
from app.planning.disambiguation.question import MOST_OPTIONS, options_of, question_of

__all__ = [
    "MOST_OPTIONS", "applied", "carried", "choice_of", "for_person", "held_to", "is_on_chosen",
    "lasting", "lost", "narrowed", "options_of", "pinned", "question_of", "selection",
    "with_choice",
]  # fmt: skip
