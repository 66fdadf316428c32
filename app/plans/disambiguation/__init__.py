"""Asks which of several elements a person means, and applies the answer.

Options come from the page, never from a model. A choice binds its step to exact elements; it
applies to later steps and runs only if that is harmless (`is_reusable`).
"""

from app.plans.disambiguation.answer import select_options
from app.plans.disambiguation.choice import (
    acts_on_choice,
    apply_choice,
    carry_choices,
    chosen_nodes,
    decide_lost_choice,
    is_reusable,
    make_choice,
    narrow_page,
    needs_person,
    restrict_to_choice,
    with_choice,
)
from app.plans.disambiguation.question import MOST_OPTIONS, choice_question, list_options

__all__ = [
    "MOST_OPTIONS",
    "acts_on_choice",
    "apply_choice",
    "carry_choices",
    "choice_question",
    "chosen_nodes",
    "decide_lost_choice",
    "is_reusable",
    "list_options",
    "make_choice",
    "narrow_page",
    "needs_person",
    "restrict_to_choice",
    "select_options",
    "with_choice",
]  # fmt: skip
