"""The page in other forms than the tree: markup, and a picture of the window."""

import base64
import binascii
from typing import Annotated

from pydantic import AfterValidator, StringConstraints

from app.domain.page import PageMode
from app.page.markup import cleaned, skeleton

FORM_CHARS = 2 * 1024 * 1024  # of a page as HTML or as a picture: as long as a whole request may be
# Characters of markup that are kept for a model, some 3 a token: DESIGN has 500 to 1,500 tokens for a
# skeleton and 10,000 to 50,000 for the whole page.
SEMANTIC_CHARS = 24_000
FULL_CHARS = 58_000
_JPEG = b"\xff\xd8\xff"


def jpeg_of(picture: str) -> bytes:
    """The picture itself. Raises ValueError when it is no base64 or no JPEG."""
    try:
        decoded = base64.b64decode(picture, validate=True)
    except binascii.Error as error:
        raise ValueError("it is no base64") from error
    if not decoded.startswith(_JPEG):
        raise ValueError("it is no JPEG")
    return decoded


def _checked(picture: str) -> str:
    jpeg_of(picture)
    return picture


Html = Annotated[str, StringConstraints(max_length=FORM_CHARS, pattern=r"^[^\x00]*$")]
Picture = Annotated[str, StringConstraints(max_length=FORM_CHARS), AfterValidator(_checked)]
Hash = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9]{1,128}$")]


def markup_of(mode: PageMode, dom: str | None, skeleton_dom: str | None) -> str:
    """What a model may read of the page in this mode; bounded, without scripts and secrets.

    A skeleton is made here of a `dom` that came without one.
    """
    if mode in ("skeleton", "hybrid"):
        return skeleton(skeleton_dom or dom or "")
    if mode == "semantic":
        return cleaned(dom or skeleton_dom or "", SEMANTIC_CHARS)
    if mode == "full":
        return cleaned(dom or skeleton_dom or "", FULL_CHARS)
    return ""
