"""Traces every typed or chosen value to its source, so that nothing is invented."""

from app.provenance.derivation import SHORTEST_SECRET
from app.provenance.enforcement import enforce_sources
from app.provenance.sources import control_texts
from app.provenance.tokens import Token, fold, normalize, scan_text
from app.provenance.trace import find_holder, is_answer, mentions_host, trace_value
from app.provenance.value_match import is_fact

__all__ = [
    "SHORTEST_SECRET",
    "Token",
    "control_texts",
    "enforce_sources",
    "find_holder",
    "fold",
    "is_answer",
    "is_fact",
    "mentions_host",
    "normalize",
    "scan_text",
    "trace_value",
]
