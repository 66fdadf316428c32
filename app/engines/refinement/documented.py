"""Answers that the team's documents hold, and values that they are to give and do not."""

from app.domain.plan import Refinement
from app.engines.documents import answer, filled_in
from app.engines.documents.citing import cited
from app.engines.refinement.case import Case, missing


def undocumented(case: Case) -> Refinement | None:
    """What is missing where a value is to come from the documents and they do not say, or not one thing."""
    filled = filled_in(case.directive, case.situation.background.knowledge)
    return None if filled.lacking is None else missing(filled.lacking)


def told_by_documents(case: Case, asked: str) -> Refinement | None:
    """The answer that a line of the documents gives, with where it stands."""
    found = answer(case.situation.background.knowledge, asked)
    if found is None:
        return None
    said = cited(found.line, found.passage)
    return Refinement(outcome="answer", reason=said, thought=said, confidence=0.85)
