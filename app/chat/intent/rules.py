"""What a request asks for, by its words: each thing asked is judged, then all are put together."""

from app.chat.intent import abroad
from app.chat.intent.checks import audit_in
from app.chat.intent.clauses import clauses_of, core
from app.chat.intent.comparisons import comparison_in
from app.chat.intent.inquiries import inquiry_in
from app.chat.intent.joining import together
from app.chat.intent.request import DOC, QUOTE, Request
from app.chat.intent.signs import LIKELY, SURE, Around, Sign
from app.chat.intent.summaries import summary_in
from app.chat.intent.things import OWN_TEXT
from app.chat.intent.topic import Known, nothing
from app.domain.chat import Intent
from app.text import patterns


def judged(request: Request, known: Known = nothing, documents: int = 0) -> Intent:
    """The intent as the words tell it; `documents` counts those that were tagged."""
    text = request.text
    around = Around(
        text=text,
        documents=max(documents, text.count(DOC)),
        source=bool(OWN_TEXT.search(text.replace(QUOTE, " "))),
        known=known,
    )
    signs = [sign for clause in clauses_of(text) if (sign := _sign(clause, around)) is not None]
    intent = together(signs, around)
    if request.whole and intent.confidence != "low":
        return intent.model_copy(update={"confidence": "low", "several": False})
    return intent


def _sign(clause: str, around: Around) -> Sign | None:
    """What one clause asks for; None where it asks for nothing."""
    asked = core(clause)
    if not patterns.search(r"\w", asked):
        return None
    for judge in (audit_in, comparison_in, summary_in, _foreign, inquiry_in):
        if (sign := judge(asked, around)) is not None:
            return sign
    return None


def _foreign(clause: str, around: Around) -> Sign | None:
    found = abroad.action_of(clause, around.source)
    if found is None:
        return None
    action, sure = found
    return Sign(action, SURE if sure else LIKELY, () if sure else ("inquire",))
