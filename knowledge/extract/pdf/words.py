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
ALIKE = 24  # of 255, in each of red, green and blue: smaller differences are invisible
PAPER = (255, 255, 255)
BAND = 24.0  # points: filled areas are indexed by horizontal bands
PICTURED = 0.3  # of a page's area
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
    running = Counter[int]()
    for word in words:
        running[word.style.quarters] += len(word.text)
    quarters = running.most_common(1)[0][0] if running else 0
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
    seen = [word for word in words if _visible(word, bands, rotation)]
    return Page(
        width=rotation.width,
        height=rotation.height,
        words=[word for word in seen if word.style.quarters == quarters],
        rules=[rotation.box(*rule) for rule in drawn.rules],
        aside=[word for word in seen if word.style.quarters != quarters],
        hidden=len(words) - len(seen),
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
    level = abs(first[1] - last[1]) < 0.6 * style.size and first[0] <= last[0] + 0.1
    near = last[2] - first[0] < 1.3 * style.size * (end - start) + 1
    if style.quarters or (level and near) or end - start == 1:
        yield _make_word(letters, [first, last], style)
        return
    # By letter: PDFium may miss spaces between table cells or lines.
    begun, boxes = start, [first]
    for index in range(start + 1, end + 1):
        box = _box(page, index) if index < end else first
        gap = box[0] - boxes[-1][2]
        apart = gap > 0.5 * style.size or gap < -style.size or abs(box[1] - first[1]) > style.size
        if index == end or apart:
            text = "".join(chr(c.FPDFText_GetUnicode(page, at)) for at in range(begun, index))
            if index == end and letters.endswith(SOFT):
                text += SOFT
            yield _make_word(text, boxes, _style_of(page, begun, boxes[0], styles))
            begun, boxes, first = index, [box], box
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


def _visible(word: Word, bands: dict[int, list[Fill]], rotation: Rotation) -> bool:
    x, y = (word.left + word.right) / 2, (word.top + word.bottom) / 2
    style = word.style
    off = word.right < 0 or word.left > rotation.width or not 0 <= y <= rotation.height
    if off or style.size < SMALLEST:
        return False
    here = [
        fill
        for fill in bands.get(int(y // BAND), ())
        if fill.box[0] <= x <= fill.box[2] and fill.box[1] <= y <= fill.box[3]
    ]
    if style.unseen:
        return any(fill.colour is None for fill in here)
    if any(fill.solid and fill.order > style.order for fill in here):
        return False
    below = [fill for fill in here if fill.order < style.order]
    paper = below[-1].colour if below else PAPER
    if paper is None or style.colour is None:
        return True
    return any(abs(one - other) > ALIKE for one, other in zip(paper, style.colour, strict=True))


def _is_picture(drawn: Drawn, fills: list[Fill], rotation: Rotation) -> bool:
    """Whether images, or very many drawn lines, make up the page."""
    area = sum(
        (fill.box[2] - fill.box[0]) * (fill.box[3] - fill.box[1])
        for fill in fills
        if fill.colour is None
    )
    outlines = drawn.objects - len(drawn.styles) > 200  # letters drawn as paths
    return area > PICTURED * rotation.width * rotation.height or outlines
