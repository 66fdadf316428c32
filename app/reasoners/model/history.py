"""What a run did so far: the last actions as they were, all before them in a sentence."""

from collections.abc import Iterator, Sequence

from app.domain.hitl import PersonAct
from app.domain.plan import Deed
from app.engines.handing_over import in_words
from app.engines.redaction import SECRET_FIELD
from app.reasoners.model.bounds import LONGEST_NOTE, LONGEST_OLDER, RAW_DEEDS, cut

_CAME_OF_IT = {
    "pending": "not known yet",
    "success": "done",
    "failure": "failed",
    "unknown": "not sure",
}


def done_so_far(deeds: tuple[Deed, ...]) -> Iterator[str]:
    """A line for each of the last actions, after one for the older ones."""
    older, last = deeds[:-RAW_DEEDS], deeds[-RAW_DEEDS:]
    if older:
        yield _older(older)
    yield from map(_line, last)


def done_by_person(acts: Sequence[PersonAct]) -> Iterator[str]:
    """A line for each of the last things that the person did themselves; what they typed is not known."""
    for act in acts[-RAW_DEEDS:]:
        yield cut(in_words(act), LONGEST_NOTE)


def _line(deed: Deed) -> str:
    role, name, _ = deed.signature or ("", "", "")
    action = deed.action.masked if SECRET_FIELD.search(name) else deed.action
    on = f" on {role} {cut(name, LONGEST_NOTE)!r}" if role else ""
    note = f": {cut(deed.note, LONGEST_NOTE)}" if deed.note and deed.status != "success" else ""
    return f"{cut(action.text, LONGEST_NOTE)}{on} {_CAME_OF_IT[deed.status]}{note}"


def _older(deeds: tuple[Deed, ...]) -> str:
    worked = sum(deed.status == "success" for deed in deeds)
    words = dict.fromkeys(deed.description or deed.action.name for deed in deeds)
    return cut(
        f"before that {len(deeds)} actions, {worked} worked: {'; '.join(words)}", LONGEST_OLDER
    )
