"""An observation of the page as sent by the extension: controls, events, dialogs and tabs."""

import base64
import binascii
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    Base64Bytes,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
)

from app.api.models import RequestModel
from app.bounds import bounds, cut
from app.domain.page import DialogKind, Node, ObservedDownload, PageMode, PlacedText
from app.page import clean_markup, outline_markup
from app.text import patterns

FORM_CHARS = 2 * 1024 * 1024  # of a page as HTML or as a picture: the size limit of a request
# Characters of markup kept for a model, about 3 per token: DESIGN has 500 to 1,500 tokens for a
# skeleton and 10,000 to 50,000 for the whole page.
SEMANTIC_CHARS = 24_000
FULL_CHARS = 58_000
_JPEG = b"\xff\xd8\xff"


def decode_jpeg(picture: str) -> bytes:
    """Decode the picture. Raises ValueError if it is not base64 or not a JPEG."""
    try:
        decoded = base64.b64decode(picture, validate=True)
    except binascii.Error as error:
        raise ValueError("not valid base64") from error
    if not decoded.startswith(_JPEG):
        raise ValueError("not a JPEG")
    return decoded


def _check_jpeg(picture: str) -> str:
    decode_jpeg(picture)
    return picture


Html = Annotated[str, StringConstraints(max_length=FORM_CHARS, pattern=r"^[^\x00]*$")]
Picture = Annotated[str, StringConstraints(max_length=FORM_CHARS), AfterValidator(_check_jpeg)]
Hash = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9]{1,128}$")]


def select_markup(mode: PageMode, dom: str | None, skeleton_dom: str | None) -> str:
    """The markup for a model in this mode: bounded, without scripts and secrets.

    A missing skeleton is built from `dom`.
    """
    if mode in ("skeleton", "hybrid"):
        return outline_markup(skeleton_dom or dom or "")
    if mode == "semantic":
        return clean_markup(dom or skeleton_dom or "", SEMANTIC_CHARS)
    if mode == "full":
        return clean_markup(dom or skeleton_dom or "", FULL_CHARS)
    return ""


TEXT_CHARS = 20_000  # characters of codes, ids and names set by a client
MESSAGES = 50
_LOOKS = 32  # characters of a fingerprint

Text = Annotated[str, StringConstraints(max_length=TEXT_CHARS, pattern=r"^[^\x00]*$")]
PageText = Annotated[str, StringConstraints(pattern=r"^[^\x00]*$")]  # truncated, never rejected
ElementId = Annotated[str, StringConstraints(pattern=r"^\d{1,9}(:\d{1,9})?$")]
States = Annotated[
    tuple[Text, ...], BeforeValidator(lambda v: v.split() if isinstance(v, str) else v or ())
]
Label = Annotated[PageText, AfterValidator(lambda text: cut(text, bounds().label))]
FieldText = Annotated[PageText, AfterValidator(lambda text: cut(text, bounds().value))]
Messages = Annotated[list[FieldText], Field(max_length=MESSAGES)]
Coordinate = Annotated[float, Field(ge=-1e7, le=1e7, allow_inf_nan=False)]
Size = Annotated[float, Field(ge=0, le=1e7, allow_inf_nan=False)]
Milliseconds = Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)]


class NodeIn(RequestModel):
    """One node of the tree: a control with its role, name, value, states and place."""

    model_config = ConfigDict(frozen=True, extra="ignore", coerce_numbers_to_str=True)

    i: ElementId
    r: Text
    n: Label | None = None
    v: FieldText | None = None
    s: States = ()
    xy: tuple[Coordinate, Coordinate] | None = None
    box: tuple[Coordinate, Coordinate, Size, Size] | None = None
    f: Annotated[int, Field(ge=0)] | None = None
    t: Text | None = None
    o: tuple[Label, ...] | None = None
    g: Label | None = None
    h: Label | None = None
    scr: Any = None
    occ: bool | None = None
    k: Text = ""

    def node(self) -> Node:
        return Node(
            id=self.i,
            role=self.r,
            name=self.n or "",
            value=self.v,
            states=frozenset(self.s),
            center=self.xy,
            box=self.box,
            frame=self.f or 0,
            input_type=self.t,
            options=self.o or (),
            group=self.g or "",
            hint=self.h or "",
            occluded=bool(self.occ),
            scrolled_out=self.scr is not None,
            looks=self.k[:_LOOKS],
        )


class Viewport(RequestModel):
    width: Size
    height: Size


MAX_CELLS = 1_000


class PlacedTextIn(RequestModel):
    """A text between controls: the control it precedes, the text, and the distance."""

    b: Annotated[str, StringConstraints(max_length=64)] = ""
    t: FieldText
    w: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0
    r: bool = False
    xy: tuple[Coordinate, Coordinate] | None = None
    cs: Annotated[tuple[tuple[Coordinate, Coordinate], ...], Field(max_length=MAX_CELLS)] = ()

    def placed_text(self) -> PlacedText:
        return PlacedText(
            before=self.b,
            text=self.t,
            away=self.w,
            in_row=self.r,
            at=self.xy,
            cells=self.cs,
        )


class UnreachableFrameIn(RequestModel):
    """A visible frame that the extension may not read."""

    origin: Annotated[Text, StringConstraints(max_length=2_048)]
    name: Label = ""


class SettleIn(RequestModel):
    """How long the client waited before observing, in ms: in all, for requests, for the DOM to be still."""

    ms: Milliseconds = 0
    network: Milliseconds = 0
    dom: Milliseconds = 0
    timed_out: bool = False

    @property
    def pending(self) -> bool:
        """Whether the wait timed out mostly because of pending requests."""
        return self.timed_out and 2 * self.network > self.ms

    @property
    def restless(self) -> bool:
        """Whether the page kept changing during the wait."""
        return self.timed_out and 2 * self.dom > self.ms


class ClientObservationsIn(RequestModel):
    """What the page script observed since the last action. `still_loading`: the page shows placeholders, or
    its document is incomplete.
    """

    did_network_occur: bool | None = None
    did_dom_mutate: bool | None = None
    did_url_change: bool | None = None
    settle: SettleIn | None = None
    still_loading: bool | None = None


class DialogIn(RequestModel):
    """A browser dialog since the last observation, and how it was answered."""

    type: DialogKind
    message: Label = ""
    accepted: bool = False
    foreseen: bool = False


class DownloadIn(RequestModel):
    """A file saved since the last observation: its content, or why that is unknown."""

    name: PageText
    url: PageText = ""
    size: Annotated[int, Field(ge=0, le=2**53)] | None = None
    mime: Label = ""
    data: Base64Bytes | None = None
    unread: Label = ""

    def download(self) -> ObservedDownload:
        """The name is reduced to one line without a path."""
        name = " ".join(patterns.split(r"[/\\]", self.name)[-1].split())
        return ObservedDownload(
            name=cut(name, bounds().label) or "download",
            url=cut(self.url, bounds().url),
            size=self.size,
            mime=self.mime,
            data=self.data,
            unread=self.unread,
        )


class TabIn(RequestModel):
    """A tab of the run, by its index in the window."""

    index: Annotated[int, Field(ge=0, le=100_000)]
    title: Label = ""
    url: Text = ""
    active: bool = False
