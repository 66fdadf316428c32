"""Reads the visible words of a PDF page.

PDFium returns characters in file order, with a space or a line end between words. Invisible text
(white on white, under a filled area, off the page, tiny, in the invisible rendering mode) is a
known prompt injection vector and is dropped. Over an image the invisible mode is an OCR layer, and
kept.
"""

import ctypes
from collections import Counter, defaultdict
from collections.abc import Iterator

import pypdfium2.raw as c
from pypdfium2 import PdfPage

from knowledge.extract.pdf.objects import Handle, read_drawing
from knowledge.extract.pdf.page import Box, Drawn, Fill, Page, Rotation, Style, Word

MOST_CHARACTERS = 200_000  # per page; a dense one has 8,000
SMALLEST = 1.5  # points: unreadably small
MAX_CONTRAST = 24  # of 255, in each of red, green and blue: smaller differences are invisible
PAPER = (255, 255, 255)
BAND = 24.0  # points: filled areas are indexed by horizontal bands
MIN_PICTURE_SHARE = 0.3  # of a page's area
_SPACES = frozenset((0, 9, 10, 11, 12, 13, 32, 0xA0, 0x200B, 0x2028, 0x2029, 0x3000, 0xFEFF))
_BROKEN = frozenset((2, 0xAD, 0xFFFE))  # PDFium's markers for a hyphen at a line end
SOFT = "\u00ad"
_LIGATURES = {0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl", 0xFB05: "st"}
_RECTANGLE = c.FS_RECTF()


def read_pdf_page(page: PdfPage) -> Page:
    """Read a page, rotated so that most of its text runs to the right."""
    drawn = read_drawing(page.raw)
    text = page.get_textpage()
    try:
        words = list(_words(text.raw, drawn.styles))
    finally:
        text.close()
    letters = Counter[int]()
    for word in words:
        letters[word.style.quarters] += len(word.text)
    quarters = letters.most_common(1)[0][0] if letters else 0
    rotation = Rotation(page.get_cropbox(), quarters)
    for word in words:
        word.left, word.top, word.right, word.bottom = rotation.box(
            word.left, word.top, word.right, word.bottom
        )
    fills = [Fill(rotation.box(*one.box), one.colour, one.order, one.solid) for one in drawn.fills]
    bands: dict[int, list[Fill]] = defaultdict(list)
    for fill in fills:
        top, bottom = max(0.0, fill.box[1]), min(rotation.height, fill.box[3])
        for band in range(int(top // BAND), int(bottom // BAND) + 1):
            bands[band].append(fill)
    visible = [word for word in words if _is_visible(word, bands, rotation)]
    return Page(
        width=rotation.width,
        height=rotation.height,
        words=[word for word in visible if word.style.quarters == quarters],
        rules=[rotation.box(*rule) for rule in drawn.rules],
        aside=[word for word in visible if word.style.quarters != quarters],
        hidden=len(words) - len(visible),
        pictured=_is_picture(drawn, fills, rotation),
    )


def _words(page: Handle, styles: dict[int, Style]) -> Iterator[Word]:
    """Words in file order and page coordinates."""
    letter = c.FPDFText_GetUnicode
    start, letters = 0, ""
    count = min(c.FPDFText_CountChars(page), MOST_CHARACTERS)
    for index in range(count):
        code = letter(page, index)
        if code in _SPACES or code in _BROKEN:
            if letters:
                letters += SOFT if code in _BROKEN else ""
                yield from _word(page, start, index, letters, styles)
            letters = ""
        else:
            if not letters:
                start = index
            letters += _LIGATURES.get(code) or (chr(code) if code < 0x110000 else "\ufffd")
    if letters:
        yield from _word(page, start, count, letters, styles)


def _word(
    page: Handle, start: int, end: int, letters: str, styles: dict[int, Style]
) -> Iterator[Word]:
    """Yield the word from `start` to `end`, or several if its letters are not adjacent."""
    first, last = _box(page, start), _box(page, end - 1)
    style = _style_of(page, start, first, styles)
    is_level = abs(first[1] - last[1]) < 0.6 * style.size and first[0] <= last[0] + 0.1
    is_compact = last[2] - first[0] < 1.3 * style.size * (end - start) + 1
    if style.quarters or (is_level and is_compact) or end - start == 1:
        yield _make_word(letters, [first, last], style)
        return
    # By letter: PDFium may miss spaces between table cells or lines.
    word_start, boxes = start, [first]
    for index in range(start + 1, end + 1):
        box = _box(page, index) if index < end else first
        gap = box[0] - boxes[-1][2]
        is_gap = gap > 0.5 * style.size or gap < -style.size or abs(box[1] - first[1]) > style.size
        if index == end or is_gap:
            text = "".join(chr(c.FPDFText_GetUnicode(page, at)) for at in range(word_start, index))
            if index == end and letters.endswith(SOFT):
                text += SOFT
            yield _make_word(text, boxes, _style_of(page, word_start, boxes[0], styles))
            word_start, boxes, first = index, [box], box
        else:
            boxes.append(box)


def _make_word(letters: str, boxes: list[Box], style: Style) -> Word:
    left, right = min(box[0] for box in boxes), max(box[2] for box in boxes)
    bottom, top = min(box[1] for box in boxes), max(box[3] for box in boxes)
    if (
        not style.quarters and top - bottom > 1.6 * style.size
    ):  # symbol fonts report much too large boxes
        middle = (top + bottom) / 2
        bottom, top = middle - 0.6 * style.size, middle + 0.6 * style.size
    return Word(letters, left, bottom, right, top, style)


def _box(page: Handle, index: int) -> Box:
    """Box of a character with its font's height: left, bottom, right, top."""
    c.FPDFText_GetLooseCharBox(page, index, _RECTANGLE)
    return _RECTANGLE.left, _RECTANGLE.bottom, _RECTANGLE.right, _RECTANGLE.top


def _style_of(page: Handle, index: int, box: Box, styles: dict[int, Style]) -> Style:
    handle = c.FPDFText_GetTextObject(page, index)
    style = styles.get(ctypes.addressof(handle.contents)) if handle else None
    return style or Style(size=max(1.0, box[3] - box[1]))


def _is_visible(word: Word, bands: dict[int, list[Fill]], rotation: Rotation) -> bool:
    x, y = (word.left + word.right) / 2, (word.top + word.bottom) / 2
    style = word.style
    is_off_page = word.right < 0 or word.left > rotation.width or not 0 <= y <= rotation.height
    if is_off_page or style.size < SMALLEST:
        return False
    fills = [
        fill
        for fill in bands.get(int(y // BAND), ())
        if fill.box[0] <= x <= fill.box[2] and fill.box[1] <= y <= fill.box[3]
    ]
    if style.unseen:
        return any(fill.colour is None for fill in fills)
    if any(fill.solid and fill.order > style.order for fill in fills):
        return False
    backgrounds = [fill for fill in fills if fill.order < style.order]
    background = backgrounds[-1].colour if backgrounds else PAPER
    if background is None or style.colour is None:
        return True
    return any(
        abs(one - other) > MAX_CONTRAST for one, other in zip(background, style.colour, strict=True)
    )


def _is_picture(drawn: Drawn, fills: list[Fill], rotation: Rotation) -> bool:
    """Whether images, or very many drawn lines, make up the page."""
    area = sum(
        (fill.box[2] - fill.box[0]) * (fill.box[3] - fill.box[1])
        for fill in fills
        if fill.colour is None
    )
    outlines = drawn.objects - len(drawn.styles) > 200  # letters drawn as paths
    return area > MIN_PICTURE_SHARE * rotation.width * rotation.height or outlines
