"""What `tabwright doctor` says of the review queue: whether it can be written to, and read whole."""

import os

from app.cli.doctor.checks import Check
from app.errors import TabwrightError
from app.settings import Settings
from app.store.embedded import is_ours
from app.store.files.records import Places
from app.store.open import open_reviews, review_folder

NAME = "Review queue"


async def review_queue(settings: Settings) -> Check:
    """Look at the records where they are: files of the data folder, or the configured MongoDB."""
    try:
        async with open_reviews(settings) as reviews:
            waiting = sum(one.pending for one in (await reviews.tenants()).values())
            damaged = await reviews.damaged()
    except TabwrightError as error:
        return Check(name=NAME, ok=False, detail=error.detail, todo=_todo(settings))
    if locked := _locked(settings):
        detail = f"{locked} may not be written to"
        return Check(name=NAME, ok=False, detail=detail, todo=_todo(settings))
    if damaged:
        todo = "Mend or take away what docs/review.md says is no record; nothing overwrites it."
        detail = f"{waiting:,} wait, {damaged:,} cannot be read"
        return Check(name=NAME, ok=False, detail=detail, todo=todo, needed=False)
    return Check(name=NAME, ok=True, detail=f"{waiting:,} wait for an operator, none is damaged")


def _locked(settings: Settings) -> str:
    """The first folder of the queue that may not be written to, or ''."""
    if not is_ours(settings):
        return ""
    root = review_folder(settings)
    there = (root, *Places(root).all)
    return next((str(one) for one in there if one.exists() and not os.access(one, os.W_OK)), "")


def _todo(settings: Settings) -> str:
    if not is_ours(settings):
        return "Start that MongoDB or correct TABWRIGHT_MONGODB_URI."
    return "Make that folder writable for the server, and free space on its disk."
