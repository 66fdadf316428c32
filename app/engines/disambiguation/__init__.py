"""Which of several a person means: the question with its options, and what an answer settles.

Options are made from the page, never by a model. What was chosen holds for its step, as the very
elements; for later steps and runs only where that is harmless (`remembering`).
"""

from app.engines.disambiguation.answering import listing, picked, selection
from app.engines.disambiguation.asking import (
    MOST_OPTIONS,
    narrower,
    options_of,
    question_of,
    quoted,
)
from app.engines.disambiguation.expanding import carried, with_choice
from app.engines.disambiguation.holding import applied, lost, narrowed_to_chosen
from app.engines.disambiguation.pinning import held_to, pinned
from app.engines.disambiguation.remembering import (
    RECORDS,
    choice_of,
    lasting,
    narrowed,
    phrase,
    recalled,
)
from app.engines.disambiguation.telling import for_person, is_on_chosen

__all__ = [
    "MOST_OPTIONS", "RECORDS", "applied", "carried", "choice_of", "for_person", "held_to",
    "is_on_chosen", "lasting", "listing", "lost", "narrowed", "narrowed_to_chosen", "narrower",
    "options_of", "phrase", "picked", "pinned", "question_of", "quoted", "recalled", "selection",
    "with_choice",
]  # fmt: skip
