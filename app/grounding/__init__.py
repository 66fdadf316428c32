"""Finds the page element that a person's phrase means."""

from app.grounding.grounder import Grounder
from app.grounding.labels import (
    MEANING,
    RECORD_NOUNS,
    STOP_WORDS,
    Label,
    label,
    meanings,
    opposites,
    similarity,
    stem,
)
from app.grounding.surroundings import DIALOG, RECORDS, name_variants, record_group
from app.grounding.values import (
    describe_control,
    describe_missing,
    describe_page,
    describe_unknown,
    describe_unreachable,
    has_value,
    is_relative_date,
    is_secret_field,
    match_option,
    parse_date,
    parse_yes_no,
    value_action,
)

__all__ = [
    "DIALOG",
    "MEANING",
    "RECORDS",
    "RECORD_NOUNS",
    "STOP_WORDS",
    "Grounder",
    "Label",
    "describe_control",
    "describe_missing",
    "describe_page",
    "describe_unknown",
    "describe_unreachable",
    "has_value",
    "is_relative_date",
    "is_secret_field",
    "label",
    "match_option",
    "meanings",
    "name_variants",
    "opposites",
    "parse_date",
    "parse_yes_no",
    "record_group",
    "similarity",
    "stem",
    "value_action",
]
