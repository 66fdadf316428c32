"""What a sentence of a dialog asks about or warns of."""

from functools import lru_cache

from app.engines.risk.governing import VERBS, by_thing, withdraws
from app.engines.risk.tagging import Reading, Tag, read


@lru_cache(maxsize=8_192)
def threatens(sentence: str) -> str:
    """The deed that a sentence of a dialog asks about or warns of; empty where it does neither."""
    reading = read(sentence)
    done = next((t for t in reading.each(0, "will_be") if not _denied(reading, t)), None)
    if done is not None:
        return done.deed
    verb = next((t for t in reading.each(0, *VERBS) if not _denied(reading, t)), None)
    if verb is not None:
        return verb.deed
    for at in range(len(reading.words)):
        for rule in (by_thing, withdraws):
            result = rule(reading, at)
            if result is not None and result.manner == "deed":
                return result.deed
    either = next(iter(reading.each(0, "either_english", "either")), None)
    asked = reading.at(either.start - 1, "fillers") if either and either.start else None
    return either.deed if either and asked else ""


def _denied(reading: Reading, tag: Tag) -> bool:
    return tag.start > 0 and reading.at(tag.start - 1, "negations") is not None
